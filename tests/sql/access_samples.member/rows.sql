-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/typed.sql
-- At offset 16, the element is known but not the member.
UPDATE access_kinds SET addr_source = 10 WHERE id IN (SELECT kind_id FROM sample_data WHERE object_offset = 16);
