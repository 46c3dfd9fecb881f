-- SPDX-License-Identifier: GPL-2.0-or-later
-- As many samples of two objects at one line: those of the first stand for 1,000 accesses each, those of the second for 100,000.
.read data/periods.sql
UPDATE sample_data SET object_id = 2, allocation_id = NULL WHERE id % 2 = 0;
