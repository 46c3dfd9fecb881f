-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   sharing
-- summary: Share of an object's samples in cache lines that several threads use while one of them writes.
-- keep:    200 rows at most
SELECT
  object_id AS object_id,           -- objects.object_id
  sharing AS sharing,               -- "true": threads use the same bytes; "false": different bytes of the line
  cache_lines AS cache_lines,       -- cache lines of the object with this kind of sharing (count)
  threads AS threads,               -- most threads in one line (count)
  drawn AS drawn,                   -- drawn samples in these lines (count)
  share_pct AS share_pct,           -- share of the object's drawn samples, by Σ period, 0-100
  share_low_pct AS share_low_pct,   -- lower end of the 95 % interval of share_pct
  share_high_pct AS share_high_pct  -- upper end of the 95 % interval of share_pct
FROM object_sharing
ORDER BY drawn DESC, object_id, sharing;
