-- SPDX-License-Identifier: GPL-2.0-or-later
-- Two objects have the same number of samples at one line, but a sample of the first object represents 1,000
-- accesses, and a sample of the second represents 100,000. The line must show their shares of the accesses.
.read data/periods.sql
UPDATE sample_data SET object_id = 2, allocation_id = NULL WHERE id % 2 = 0;
