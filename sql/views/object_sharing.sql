-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_sharing
-- summary: How much of an object's use is of cache lines that threads share while one of them writes.
-- grain:   one row per object and kind of sharing; lines that threads used one after the other are left out
-- note:    from shared_lines; coverage: lines of which only one thread was sampled are not here
-- note:    an access that crosses into the next line counts in both
-- note:    a line that objects share is the one's with most accesses in it: what the others do there costs it too
-- column:  object_id       INTEGER  objects.id
-- column:  sharing         TEXT     "true", "false"
-- column:  lines           INTEGER  cache lines (count)
-- column:  threads         INTEGER  most threads in one line (count)
-- column:  accesses        INTEGER  accesses in them, also to other objects (count)
-- column:  object_accesses INTEGER  those to this object (count)
-- column:  accesses_pct    REAL     object_accesses of all accesses to the object, 0-100
-- column:  accesses_low_pct  REAL   lower end of its 95 % Wilson interval
-- column:  accesses_high_pct REAL   upper end
-- column:  waits           INTEGER  samples that waited for their address (count, timer or cycles)
-- column:  wait_ns         INTEGER  their time, ns (timer)
-- column:  weight          INTEGER  sum of their weights, core cycles (hardware)
-- column:  hitm            INTEGER  accesses that found the line modified in another cache (count, hardware)
CREATE VIEW object_sharing AS
WITH
  part AS (
    SELECT
      object_id, sharing, count(*) AS lines, max(threads) AS threads, sum(accesses) AS accesses,
      sum(object_accesses) AS object_accesses, sum(waits) AS waits, sum(wait_ns) AS wait_ns, sum(weight) AS weight, sum(hitm) AS hitm
    FROM shared_lines
    WHERE together AND object_id IS NOT NULL
    GROUP BY object_id, sharing
  ),
  whole AS (
    SELECT object_id, count(*) + count(iif((address & 63) + min(access_bytes, 64) > 64, 1, NULL)) AS accesses
    FROM drawn_samples
    GROUP BY object_id
  )
SELECT
  p.object_id AS object_id,
  p.sharing AS sharing,
  p.lines AS lines,
  p.threads AS threads,
  p.accesses AS accesses,
  p.object_accesses AS object_accesses,
  100.0 * p.object_accesses / w.accesses AS accesses_pct,
  wilson_low(p.object_accesses, w.accesses) AS accesses_low_pct,
  wilson_high(p.object_accesses, w.accesses) AS accesses_high_pct,
  p.waits AS waits,
  p.wait_ns AS wait_ns,
  p.weight AS weight,
  p.hitm AS hitm
FROM part AS p
JOIN whole AS w ON w.object_id = p.object_id;
