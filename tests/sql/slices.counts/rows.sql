-- SPDX-License-Identifier: GPL-2.0-or-later
-- Every access counted. Those of `pair` are in 12 large counts, those of `table` in 200,000 small ones, of which some are drawn by chance. `table`
-- has four fifths of the accesses. Its share has an interval, because another draw would have another share.
.read data/counts.sql
UPDATE sample_data SET period = 10000 WHERE object_id = 10;
