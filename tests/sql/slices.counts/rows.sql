-- SPDX-License-Identifier: GPL-2.0-or-later
-- Every access was counted. Those of `pair` are in 12 large counts. Those of `table` are in 200,000 small counts, of which some are drawn at
-- random. `table` has four fifths of the accesses. Its share has an interval, because another random draw would give another share.
.read data/counts.sql
UPDATE sample_data SET period = 10000 WHERE object_id = 10;
