-- SPDX-License-Identifier: GPL-2.0-or-later
-- 63 % of the time waited for other nodes, as it was dealt. But nearly all of that may have been for "local", whose pages are all on the nodes of
-- the threads that use them, and for the local quarter of "serial"; 3 s that may have been for "flag", which the cache holds, change nothing.
-- What counts as local may have been for the rest of "serial": no upper end below 100 %.
.read data/advice.sql
UPDATE objects SET size_bytes = 64 WHERE id = 22;
INSERT INTO other_waits VALUES (20, 3000000000), (22, 3000000000), (26, 1980000000);
