-- SPDX-License-Identifier: GPL-2.0-or-later
-- By the objects to which waits were attributed, 63 % of the time was waits for other nodes. But nearly all of these
-- waits may have been for "local", whose pages are all on the nodes of the threads that use them, or for the local
-- quarter of "serial", so the lower end is low. 3 s that may have been for "flag" change nothing, because flag is in
-- the cache. Waits that count as local may have been for the rest of "serial", so the upper end is 100 %.
.read data/advice.sql
UPDATE objects SET size_bytes = 64 WHERE id = 22;
INSERT INTO other_waits VALUES (20, 3000000000), (22, 3000000000), (26, 1980000000);
