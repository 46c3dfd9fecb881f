-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_patterns AS
-- view:    object_patterns
-- summary: How threads use an object: private, blocks, all over, overlapping, one writer, growing.
-- grain:   one row per object with a drawn sample whose thread is known
-- note:    from drawn_samples. The range of sampled addresses is divided into equal bins: 8 per thread, at least 64. If each thread has its
--          own part of the object, two samples of a bin are of the same thread. If all threads use the whole object, they are of the same
--          thread only as often as any two samples. Counts of pairs are not biased if samples are few
WITH
  access AS MATERIALIZED (
    SELECT object_id, thread_id, time, address, loads, stores FROM drawn_samples WHERE object_id IS NOT NULL AND thread_id IS NOT NULL
  ),
  thread AS (
    SELECT object_id, thread_id, count(*) AS n, sum(stores) AS stores, min(time) AS first FROM access GROUP BY object_id, thread_id
  ),
  object AS MATERIALIZED (
    SELECT
      object_id, sum(n) AS n, count(*) AS threads, max(n) AS top, 1.0 * sum(n * (n - 1)) / nullif(sum(n) * (sum(n) - 1), 0) AS alike,
      sum(stores) AS stores, max(stores) AS top_stores
    FROM thread
    GROUP BY object_id
  ),
  extent AS MATERIALIZED (
    SELECT a.object_id AS object_id, min(a.address) AS low, max(a.address) - min(a.address) + 1 AS size, max(64, 8 * o.threads) AS bins
    FROM access AS a
    JOIN object AS o ON o.object_id = a.object_id
    GROUP BY a.object_id
  ),
  part AS (
    SELECT a.object_id AS object_id, CAST(1.0 * (a.address - e.low) * e.bins / e.size AS INTEGER) AS bin, a.thread_id AS thread_id, count(*) AS n
    FROM access AS a
    JOIN extent AS e ON e.object_id = a.object_id
    WHERE a.address IS NOT NULL
    GROUP BY 1, 2, 3
  ),
  bin AS (
    SELECT object_id, sum(n) * (sum(n) - 1) AS pairs, sum(n * (n - 1)) AS same FROM part GROUP BY object_id, bin
  ),
  place AS (
    SELECT object_id, sum(pairs) AS pairs, 1.0 * sum(same) / nullif(sum(pairs), 0) AS same FROM bin GROUP BY object_id
  ),
  mean AS (
    SELECT object_id, avg(time) AS time, avg(address) AS address FROM access WHERE address IS NOT NULL GROUP BY object_id
  ),
  pass AS ( -- correlation of address and time
    SELECT
      a.object_id AS object_id,
      sum((a.time - m.time) * (a.address - m.address)) / nullif(sqrt(sum((a.time - m.time) * (a.time - m.time)) * sum((a.address - m.address) * (a.address - m.address))), 0) AS growth
    FROM access AS a
    JOIN mean AS m ON m.object_id = a.object_id
    WHERE a.address IS NOT NULL
    GROUP BY a.object_id
  ),
  writer AS ( -- the thread with most stores
    SELECT t.object_id AS object_id, t.thread_id AS thread_id, min(u.first) AS others
    FROM object AS o
    JOIN thread AS t ON t.object_id = o.object_id AND t.stores = o.top_stores
    JOIN thread AS u ON u.object_id = o.object_id AND u.thread_id <> t.thread_id
    WHERE o.top_stores >= 20
    GROUP BY t.object_id
  ),
  later AS ( -- stores of that thread after another thread first used the object: initialisation does not count
    SELECT w.object_id AS object_id, count(*) AS stores
    FROM writer AS w
    JOIN access AS a ON a.object_id = w.object_id AND a.thread_id = w.thread_id AND a.time >= w.others
    WHERE a.stores
    GROUP BY w.object_id
  )
SELECT
  o.object_id AS object_id,     -- objects.id
  CASE
    WHEN o.n < 50 THEN 'cannot tell'
    WHEN g.growth >= 0.9 THEN 'growing'
    WHEN wilson_low(o.top, o.n) >= 90 THEN 'private'
    WHEN l.stores >= 20 AND wilson_low(o.top_stores, o.stores) >= 80 AND o.n - o.top_stores >= 50 THEN 'one writer'
    WHEN coalesce(p.pairs, 0) < 200 THEN 'cannot tell'
    WHEN p.same - o.alike >= 0.75 * (1 - o.alike) THEN 'blocks'
    WHEN p.same - o.alike <= 0.25 * (1 - o.alike) THEN 'all over'
    ELSE 'overlapping'
  END AS pattern,               -- "private" (one thread has at least 90 % of the samples: lower end of the 95 % interval), "blocks" (each thread uses its own part), "all over" (each thread uses the whole object), "overlapping" (between these two), "one writer" (one thread writes while others read), "growing" (its addresses are used further and further on as time goes by), "cannot tell" (fewer than 50 samples, or too few in one place)
  o.n AS drawn,                 -- drawn samples of the object with a known thread, also without an address (count)
  o.threads AS threads,         -- threads with such a sample (count)
  100.0 * o.top / o.n AS top_pct, -- share of the thread with most samples, 0-100
  100.0 * o.alike AS alike_pct, -- share of pairs of samples that are of one thread, 0-100; NULL: there is only one sample
  100.0 * p.same AS same_pct,   -- share of pairs of samples in a bin that are of one thread, 0-100; NULL: no bin has two samples
  g.growth AS growth            -- correlation of address and time, -1 to 1; NULL: all samples have one address or one time
FROM object AS o
LEFT JOIN place AS p ON p.object_id = o.object_id
LEFT JOIN pass AS g ON g.object_id = o.object_id
LEFT JOIN later AS l ON l.object_id = o.object_id;
