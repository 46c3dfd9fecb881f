-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   sharing
-- summary: Share of an object's samples in cache lines that several threads use while one of them writes.
-- keep:    200 rows at most
SELECT
  object_id AS object_id,           -- objects.object_id
  sharing AS sharing,               -- "true sharing": threads use the same bytes; "false sharing": different bytes of the line
  cache_lines AS cache_lines,       -- number of cache lines of the object with this kind of sharing
  threads AS threads,               -- the largest number of threads that use one of these lines
  drawn AS drawn,                   -- number of drawn samples (see drawn_samples) in these lines
  share_pct AS share_pct,           -- share of what the object's drawn samples represent (sum of their periods), 0-100
  share_low_pct AS share_low_pct,   -- lower end of the 95 % interval of share_pct
  share_high_pct AS share_high_pct  -- upper end of the 95 % interval of share_pct
FROM object_sharing
ORDER BY drawn DESC, object_id, sharing;
