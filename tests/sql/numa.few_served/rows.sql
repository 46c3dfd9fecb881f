-- SPDX-License-Identifier: GPL-2.0-or-later
-- The hardware tells of one sample in 800 who served it: remote goes by homes in all rows, not by both definitions in turn.
.read data/eight.sql
UPDATE access_kinds SET remote = 1 WHERE id = (SELECT min(kind_id) FROM sample_data WHERE object_id = 26);
