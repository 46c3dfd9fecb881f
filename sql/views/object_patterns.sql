-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_patterns AS
-- view:    object_patterns
-- summary: How threads use an object: private, blocks, all over, overlapping, one writer, growing.
-- grain:   one row per object with a drawn sample whose thread is known
-- note:    computed from drawn_samples, each weighted by its period. The range of sampled addresses is divided into equal bins: 8 per
--          thread, at least 64. If each thread has its own part of the object, two samples in one bin are of the same thread. If all threads use the
--          whole object, two samples in one bin are of the same thread only as often as any two samples of the object. A sample is not paired with
--          itself, so these shares are not biased if there are few samples
-- note:    each process has its own memory: only samples of one process are compared, even if processes share the memory
WITH
  access AS MATERIALIZED ( -- w: weight of an access; self: weight of the pair of an access with itself, which is later subtracted from sums over all pairs
    SELECT
      object_id, process_id, thread_id, time, address, coalesce(stores, 0) AS stores, 1.0 * estimate AS w, iif(estimate_sq > 0, estimate_sq, 1.0 * estimate) AS self
    FROM drawn_samples
    WHERE object_id IS NOT NULL AND thread_id IS NOT NULL
  ),
  thread AS MATERIALIZED (
    SELECT
      object_id, process_id, thread_id, count(*) AS drawn, sum(w) AS w, sum(self) AS self, sum(stores * w) AS stores, sum(stores * self) AS stores_self,
      min(time) AS first
    FROM access
    GROUP BY object_id, process_id, thread_id
  ),
  process AS MATERIALIZED (
    SELECT
      object_id, process_id, count(*) AS threads, sum(drawn) AS drawn, sum(w) AS w, sum(self) AS self, max(w) AS top, sum(w * w - self) AS same,
      sum(w) * sum(w) - sum(self) AS pairs, sum(stores) AS stores, sum(stores_self) AS stores_self, max(stores) AS top_stores
    FROM thread
    GROUP BY object_id, process_id
  ),
  object AS ( -- sums by object; n: effective sample size, which is how many samples of equal weight would give the same certainty
    SELECT
      object_id, count(*) AS processes, sum(threads) AS threads, sum(drawn) AS drawn, sum(w) AS w, sum(self) AS self, sum(w) * sum(w) / nullif(sum(self), 0) AS n,
      sum(top) AS top, sum(same) / nullif(sum(pairs), 0) AS alike, sum(stores) AS stores, sum(stores_self) AS stores_self, sum(top_stores) AS top_stores
    FROM process
    GROUP BY object_id
  ),
  extent AS MATERIALIZED (
    SELECT
      a.object_id AS object_id, a.process_id AS process_id, min(a.address) AS low, max(a.address) - min(a.address) + 1 AS size, max(64, 8 * max(p.threads)) AS bins,
      sum(a.w * a.time) / sum(a.w) AS time, sum(a.w * a.address) / sum(a.w) AS address
    FROM access AS a
    JOIN process AS p ON p.object_id = a.object_id AND p.process_id = a.process_id
    WHERE a.address IS NOT NULL
    GROUP BY a.object_id, a.process_id
  ),
  part AS (
    SELECT
      a.object_id AS object_id, a.process_id AS process_id, CAST(1.0 * (a.address - e.low) * e.bins / e.size AS INTEGER) AS bin, sum(a.w) AS w, sum(a.self) AS self
    FROM access AS a
    JOIN extent AS e ON e.object_id = a.object_id AND e.process_id = a.process_id
    WHERE a.address IS NOT NULL
    GROUP BY 1, 2, 3, a.thread_id
  ),
  bin AS (
    SELECT object_id, sum(w) * sum(w) / nullif(sum(self), 0) AS n, sum(w) * sum(w) - sum(self) AS pairs, sum(w * w - self) AS same
    FROM part
    GROUP BY object_id, process_id, bin
  ),
  place AS ( -- sums over the bins of an object; n: how many pairs of equal weight would give the same certainty; same: share of the pairs whose two samples are of one thread
    SELECT object_id, sum(n * (n - 1)) AS n, sum(same) / nullif(sum(pairs), 0) AS same FROM bin GROUP BY object_id
  ),
  pass AS ( -- growth: correlation of address and time over the accesses to an object; both are relative to the means of their process. drawn, w: number and weight of the accesses with an address
    SELECT
      a.object_id AS object_id, count(*) AS drawn, sum(a.w) AS w,
      sum(a.w * (a.time - e.time) * (a.address - e.address))
      / nullif(sqrt(sum(a.w * (a.time - e.time) * (a.time - e.time)) * sum(a.w * (a.address - e.address) * (a.address - e.address))), 0) AS growth
    FROM access AS a
    JOIN extent AS e ON e.object_id = a.object_id AND e.process_id = a.process_id
    WHERE a.address IS NOT NULL
    GROUP BY a.object_id
  ),
  writer AS ( -- the thread of each process with most stores
    SELECT t.object_id AS object_id, t.process_id AS process_id, t.thread_id AS thread_id, min(u.first) AS others
    FROM process AS p
    JOIN thread AS t ON t.object_id = p.object_id AND t.process_id = p.process_id AND t.stores = p.top_stores
    JOIN thread AS u ON u.object_id = p.object_id AND u.process_id = p.process_id AND u.thread_id <> t.thread_id
    WHERE p.top_stores > 0
    GROUP BY t.object_id, t.process_id
  ),
  later AS ( -- n: effective number of the writer's stores after a different thread first used the object; earlier stores initialize it, so they do not count
    SELECT w.object_id AS object_id, sum(a.w) * sum(a.w) / nullif(sum(a.self), 0) AS n
    FROM writer AS w
    JOIN access AS a ON a.object_id = w.object_id AND a.thread_id = w.thread_id AND a.time >= w.others
    WHERE a.stores
    GROUP BY w.object_id
  )
SELECT
  o.object_id AS object_id,     -- objects.id
  CASE
    WHEN coalesce(o.n, 0) < 50 THEN 'cannot tell'
    WHEN g.growth >= 0.9 AND g.drawn >= 50 AND g.w * 2 >= o.w THEN 'growing'
    WHEN share_low(o.top, o.w, o.self) >= 90 THEN 'private'
    WHEN l.n >= 20 AND share_low(o.top_stores, o.stores, o.stores_self) >= 80 AND (o.w - o.top_stores) * o.n >= 50 * o.w THEN 'one writer'
    WHEN coalesce(p.n, 0) < 200 OR g.w * 2 < o.w THEN 'cannot tell'
    WHEN p.same - o.alike >= 0.75 * (1 - o.alike) THEN 'blocks'
    WHEN p.same - o.alike <= 0.25 * (1 - o.alike) THEN 'all over'
    ELSE 'overlapping'
  END AS pattern,               -- "private" (one thread of each process has at least 90 % of the accesses: lower end of the 95 % interval), "blocks" (each thread uses its own part), "all over" (each thread uses the whole object), "overlapping" (between "blocks" and "all over"), "one writer" (one thread writes while others read), "growing" (the used addresses increase with time), "cannot tell" (an effective sample size below 50, too few samples in one place, or most addresses are lost)
  o.drawn AS drawn,             -- number of rows of drawn_samples in the object whose thread is known, even if the address is not
  o.processes AS processes,     -- number of processes with such a sample
  o.threads AS threads,         -- number of threads with such a sample
  100.0 * o.top / o.w AS top_pct, -- share of each process's accesses that its busiest thread makes, by what the samples represent (sum of their periods), 0-100
  100.0 * o.alike AS alike_pct, -- share of the pairs of samples in one process whose two samples are of the same thread, 0-100; NULL: no process has two samples
  100.0 * p.same AS same_pct,   -- share of the pairs of samples in one bin (see note) whose two samples are of the same thread, 0-100; NULL: no bin has two samples
  g.growth AS growth            -- correlation of address and time, -1 to 1; NULL: all samples have one address or one time
FROM object AS o
LEFT JOIN place AS p ON p.object_id = o.object_id
LEFT JOIN pass AS g ON g.object_id = o.object_id
LEFT JOIN later AS l ON l.object_id = o.object_id;
