-- SPDX-License-Identifier: GPL-2.0-or-later
-- The threads of crossing.sql share lines, but all run on one CPU. So no line moves between caches,
-- and there must be no rows.
.read data/crossing.sql
UPDATE sample_data SET cpu = 0;
