-- SPDX-License-Identifier: GPL-2.0-or-later
-- The hardware says which node served the access for one sample in 800 only. So all rows must define remote by homes,
-- not some by one definition and some by the other.
.read data/eight.sql
UPDATE access_kinds SET remote = 1 WHERE id = (SELECT min(kind_id) FROM sample_data WHERE object_id = 26);
