-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two objects have the same number of samples at one line, but a sample of the first stands for 1,000 accesses and
-- one of the second for 100,000. Their shares must be of the accesses.
.read data/periods.sql
UPDATE sample_data SET object_id = 2, allocation_id = NULL WHERE id % 2 = 0;
