-- SPDX-License-Identifier: GPL-2.0-or-later
-- The threads of crossing.sql, all on one CPU. So no line moves between caches.
.read data/crossing.sql
UPDATE sample_data SET cpu = 0;
