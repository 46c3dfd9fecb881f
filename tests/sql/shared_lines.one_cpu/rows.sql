-- SPDX-License-Identifier: GPL-2.0-or-later
-- The threads of crossing.sql share lines, but all run on one CPU, where no line moves between caches. So `together`
-- must be 0.
.read data/crossing.sql
UPDATE sample_data SET cpu = 0;
