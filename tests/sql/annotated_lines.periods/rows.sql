-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two objects have the same number of samples at one line. A sample of the first stands for 1,000 accesses, a sample
-- of the second for 100,000.
.read data/periods.sql
UPDATE sample_data SET object_id = 2, allocation_id = NULL WHERE id % 2 = 0;
