-- SPDX-License-Identifier: GPL-2.0-or-later
-- The hardware reports the node that served the access for only one sample in 800. So "remote" must mean the same in
-- all rows: by the homes of the pages, and in no row by the hardware.
.read data/eight.sql
UPDATE access_kinds SET remote = 1 WHERE id = (SELECT min(kind_id) FROM sample_data WHERE object_id = 26);
