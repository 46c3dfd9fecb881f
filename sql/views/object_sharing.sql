-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_sharing AS
-- view:    object_sharing
-- summary: Share of an object's samples in cache lines that several threads use while at least one of them writes.
-- grain:   one row per object and kind of sharing; lines that threads used one after another are left out
-- note:    computed from shared_lines, so lines with samples of only one thread are left out
-- note:    an access that crosses into the next line counts in both lines
-- note:    a line that several objects share belongs to each of them, with the samples and cost of all of them
WITH
  run AS MATERIALIZED run_totals(),
  part AS (
    SELECT
      object_id, sharing, count(*) AS cache_lines, max(threads) AS threads, max(writers) AS writers, sum(drawn) AS drawn, sum(observed) AS observed, sum(drawn_object) AS drawn_object,
      sum(drawn_estimate_object) AS estimate, sum(cost_pct) AS cost_pct, sum(drawn_hitm) AS drawn_hitm
    FROM shared_lines
    WHERE together AND object_id IS NOT NULL
    GROUP BY object_id, sharing
  ),
  used AS (
    SELECT object_id, sum(times * estimate) AS n, sum(times * estimate_sq) AS sq, max(one_in) AS one_in
    FROM (SELECT object_id, estimate, estimate_sq, one_in, 1 + coalesce((address & 63) + min(access_bytes, 64) > 64, 0) AS times FROM drawn_samples)
    GROUP BY object_id
  )
SELECT
  p.object_id AS object_id,       -- objects.id
  p.sharing AS sharing,           -- "true sharing": threads use the same bytes, "false sharing": different bytes of the line, "cannot tell": there are too few samples to say that
  p.cache_lines AS cache_lines,   -- number of cache lines of the object with this kind of sharing
  p.threads AS threads,           -- the largest number of threads that use one of these lines
  p.writers AS writers,           -- the largest number of threads that write one of these lines
  p.drawn AS drawn,               -- number of drawn samples (see drawn_samples) in these lines, also of other objects
  p.observed AS observed,         -- number of observed accesses in these lines: where every access was counted, the number of accesses, else the number of drawn samples
  p.drawn_object AS drawn_object, -- number of drawn samples of this object in these lines
  p.estimate AS drawn_estimate_object, -- sum of the periods of these samples
  100.0 * p.estimate / w.n AS share_pct, -- share of what the object's drawn samples represent (sum of their periods), 0-100
  share_low(p.estimate, w.n, w.sq) AS share_low_pct, -- lower end of the 95 % interval of share_pct
  share_high(p.estimate, w.n, w.sq) AS share_high_pct, -- upper end of the 95 % interval of share_pct
  min(p.cost_pct, 100.0) AS cost_pct, -- share of the run's cost, estimated from the drawn samples, 0-100; NULL: not measured
  wilson_low((min(p.cost_pct, 100.0) / 100 * r.n / w.one_in), (r.n / w.one_in)) AS cost_low_pct, -- lower end of the 95 % interval of cost_pct
  wilson_high((min(p.cost_pct, 100.0) / 100 * r.n / w.one_in), (r.n / w.one_in)) AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  p.drawn_hitm AS drawn_hitm      -- number of drawn samples that found the line modified in another cache, according to the hardware; where every access was counted: number of accesses for which the line moved from another thread
FROM part AS p
JOIN used AS w ON w.object_id = p.object_id
CROSS JOIN (SELECT (cost + lost_cost) * (cost + lost_cost) / nullif(cost_sq, 0) AS n FROM run) AS r;
