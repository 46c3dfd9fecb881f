-- SPDX-License-Identifier: GPL-2.0-or-later
-- The hardware says only for one sample in 800 which node served the access. So "remote" must mean the same in all
-- rows: by the homes of the pages, not by the hardware in some rows.
.read data/eight.sql
UPDATE access_kinds SET remote = 1 WHERE id = (SELECT min(kind_id) FROM sample_data WHERE object_id = 26);
