-- SPDX-License-Identifier: GPL-2.0-or-later
-- According to the objects to which waits were attributed, 63 % of the time was waits for other nodes. But nearly
-- all of these waits may have been for "local", whose pages are all on the nodes of the threads that use them, or
-- for the local quarter of "serial". 3 s that may have been for "flag", which is in the cache, change nothing. Waits
-- that count as local may have been for the rest of "serial", so the upper end is 100 %.
.read data/advice.sql
UPDATE objects SET size_bytes = 64 WHERE id = 22;
INSERT INTO other_waits VALUES (20, 3000000000), (22, 3000000000), (26, 1980000000);
