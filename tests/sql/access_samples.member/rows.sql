-- SPDX-License-Identifier: GPL-2.0-or-later
.read data/typed.sql
-- addr_source 10 means that only the element is known, so for offset 16 the member must be NULL.
UPDATE access_kinds SET addr_source = 10 WHERE id IN (SELECT kind_id FROM sample_data WHERE object_offset = 16);
