-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW shared_lines AS
-- view:    shared_lines
-- summary: Cache lines that several threads use and at least one of them writes: true or false sharing.
-- grain:   one row per process and cache line of 64 bytes with a sampled store and samples of at least two threads
-- source:  Torrellas, Lam & Hennessy 1994; perf c2c. True sharing: two threads use the same byte, and one of them
--          writes it. False sharing: the threads use only different bytes of the line
-- note:    from drawn_samples: sharing of a byte is visible only if both threads have a sample of it, so "false" is more certain
--          the larger drawn is. An access whose size is not known counts as one byte
-- note:    an access that crosses into the next line counts in both lines
-- note:    if the samplers exact and soft count all accesses, a row has those of up to a second, so threads that use the line within a second
--          count as using it at the same time
-- note:    together 0: the threads did not use the line at the same time (as for data that one thread prepares for others), or all ran on one
--          CPU and share its caches. Such sharing costs next to nothing: the line moves once
WITH
  run AS MATERIALIZED run_totals(),
  drawn AS MATERIALIZED ( -- the drawn samples with the cache line that they access (line) and the offset in it (place); process 0: not known
    SELECT
      coalesce(process_id, 0) AS process, address >> 6 AS line, address & 63 AS place, max(1, min(coalesce(access_bytes, 1), 64)) AS bytes,
      thread_id, object_id, cpu, cpu_node_id, time, time + iif(estimate_sq = 0 AND (SELECT sampler FROM runs) IN ('exact', 'soft'), 1000000000, 0) AS until, stores, cost,
      estimate, latency, hitm, one_in
    FROM drawn_samples
    WHERE address IS NOT NULL
  ),
  used AS ( -- bits: a mask of the 64 bytes of the line that the access uses. An access that crosses into the next line has two rows
    SELECT *, ~(-1 << bytes) << place AS bits FROM drawn
    UNION ALL
    SELECT process, line + 1, 0, place + bytes - 64, thread_id, object_id, cpu, cpu_node_id, time, until, stores, cost, estimate, latency, hitm, one_in, ~(-1 << (place + bytes - 64))
    FROM drawn
    WHERE place + bytes > 64
  ),
  pieces AS MATERIALIZED ( -- only lines with a store and several threads: one row for each thread, object and mask of bytes
    SELECT
      process, line, thread_id, object_id, cpu_node_id, bits, count(*) AS drawn, sum(stores) AS stores, min(time) AS first,
      max(until) AS last, sum(cost * one_in) AS cost, max(one_in) AS one_in, sum(estimate) AS estimate,
      total(iif(latency IS NOT NULL, estimate, 0)) AS measured, total(latency * estimate) AS latency, sum(hitm) AS hitm,
      min(cpu) AS low_cpu, max(cpu) AS high_cpu
    FROM used
    WHERE (process, line) IN (SELECT process, line FROM used GROUP BY process, line HAVING min(thread_id) < max(thread_id) AND max(stores) = 1)
    GROUP BY process, line, thread_id, object_id, cpu_node_id, bits
  ),
  masks AS MATERIALIZED (
    SELECT
      process, line, bits, min(thread_id) AS first_thread, max(thread_id) AS last_thread,
      min(iif(stores > 0, thread_id, NULL)) AS first_writer, max(iif(stores > 0, thread_id, NULL)) AS last_writer
    FROM pieces
    WHERE thread_id IS NOT NULL
    GROUP BY process, line, bits
  ),
  spans AS MATERIALIZED (
    SELECT process, line, thread_id, min(first) AS first, max(last) AS last, sum(stores) AS stores
    FROM pieces
    GROUP BY process, line, thread_id
  ),
  parts AS (
    SELECT process, line, object_id, sum(drawn) AS drawn, sum(estimate) AS estimate FROM pieces GROUP BY process, line, object_id
  ),
  owners AS (
    SELECT
      process, line, object_id, drawn, estimate, count(object_id) OVER (PARTITION BY process, line) AS objects,
      row_number() OVER (PARTITION BY process, line ORDER BY estimate DESC, object_id) AS place
    FROM parts
  ),
  facts AS ( -- each row has values for some columns of a line; the last SELECT merges the rows of a line with max()
    SELECT
      process, line, NULL AS object_id, NULL AS drawn_object, NULL AS estimate, NULL AS objects, NULL AS threads, NULL AS writers,
      sum(drawn) AS drawn, sum(stores) AS stores, 0 AS meeting, 0 AS together, sum(cost) AS cost, max(one_in) AS one_in,
      sum(measured) AS measured, sum(latency) AS latency, sum(hitm) AS hitm, count(DISTINCT cpu_node_id) AS nodes,
      min(low_cpu) IS NULL OR min(low_cpu) <> max(high_cpu) AS apart
    FROM pieces
    GROUP BY process, line
    UNION ALL
    SELECT process, line, object_id, drawn, estimate, objects, NULL, NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0
    FROM owners
    WHERE place = 1
    UNION ALL
    SELECT process, line, NULL, NULL, NULL, NULL, count(thread_id), count(iif(stores > 0, thread_id, NULL)), NULL, NULL, 0, 0, NULL, NULL, NULL,
      NULL, NULL, NULL, 0
    FROM spans
    GROUP BY process, line
    UNION ALL -- meeting = 1: a thread writes bytes of the line that another thread uses
    SELECT DISTINCT a.process, a.line, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0
    FROM masks AS a
    JOIN masks AS b ON b.process = a.process AND b.line = a.line AND (a.bits & b.bits) <> 0
    WHERE a.first_writer < a.last_writer OR a.first_writer <> b.first_thread OR a.first_writer <> b.last_thread
    UNION ALL -- together = 1: a thread uses the line in the same period as another, and one of them writes
    SELECT process, line, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, 0
    FROM (
      SELECT process, line, first, stores, max(last) OVER before AS last, max(iif(stores > 0, last, NULL)) OVER before AS last_store
      FROM spans
      WHERE thread_id IS NOT NULL
      WINDOW before AS (PARTITION BY process, line ORDER BY first ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    WHERE first <= iif(stores > 0, last, last_store)
  )
SELECT
  nullif(f.process, 0) AS process_id, -- processes.id; NULL: not known
  f.line << 6 AS address,             -- address of the first byte of the line
  max(f.object_id) AS object_id,      -- objects.id of the object with most accesses in the line; NULL: no object
  max(f.objects) AS objects,          -- number of different objects with samples in the line
  max(f.threads) AS threads,          -- number of threads that access the line
  max(f.writers) AS writers,          -- number of threads that write the line
  max(f.drawn) AS drawn,              -- number of drawn samples (see drawn_samples) in the line
  max(f.drawn_object) AS drawn_object, -- number of drawn samples of the object object_id in the line
  max(f.estimate) AS drawn_estimate,  -- sum of the periods of the samples in drawn_object: accesses (hardware samplers), ns (timer) or cycles (cycle counter)
  max(f.stores) AS drawn_stores,      -- number of drawn samples in the line whose access writes
  iif(max(f.meeting), 'true', 'false') AS sharing, -- "true": threads use the same byte, "false": only different bytes
  max(f.together) AND max(f.apart) AS together, -- 1: two threads, one of them writing, used the line in overlapping periods, and not all on one CPU; 0: not
  100.0 * min(max(f.cost), r.cost + r.lost_cost) / nullif(r.cost + r.lost_cost, 0) AS cost_pct, -- share of the run's cost, estimated from the drawn samples, 0-100; NULL: not measured
  share_low(min(max(f.cost), r.cost + r.lost_cost), (r.cost + r.lost_cost), (r.cost_sq * max(f.one_in))) AS cost_low_pct, -- lower end of the 95 % interval of cost_pct
  share_high(min(max(f.cost), r.cost + r.lost_cost), (r.cost + r.lost_cost), (r.cost_sq * max(f.one_in))) AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  max(f.latency) / nullif(max(f.measured), 0) AS latency_avg, -- mean latency of the drawn samples, weighted by their periods, core cycles; NULL: the sampler does not measure it
  max(f.hitm) AS drawn_hitm,          -- number of drawn samples that found the line modified in another cache, according to the hardware
  max(f.nodes) AS nodes               -- number of different nodes whose CPUs access the line; 0: not known
FROM facts AS f
CROSS JOIN run AS r
GROUP BY f.process, f.line;
