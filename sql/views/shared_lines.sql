-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW shared_lines AS
-- view:    shared_lines
-- summary: Cache lines that several threads use and at least one of them writes: true or false sharing.
-- grain:   one row per process, cache line of 64 bytes with a sampled store and samples of at least two threads, and object in the line.
--          Columns without "object" in their names are of the whole line
-- source:  Torrellas, Lam & Hennessy 1994; perf c2c. True sharing: two threads use the same byte, and one of them
--          writes it. False sharing: the threads use only different bytes of the line
-- note: computed from drawn_samples. A pair is two accesses to the line by different threads, at least one of them a store. True sharing: at least
--       one in 64 pairs has a byte in common. False sharing: fewer pairs have one, and there are at least 100 pairs. With 100 pairs, threads that use
--       the same 16 places evenly have no common byte in only one of 500 lines. Lines of an object with fewer pairs are judged together; if all of
--       them together have fewer than 100 pairs, the answer is "cannot tell". An access whose size is not known counts as one byte
-- note:    an access that crosses into the next line counts in both lines
-- note:    an operand of an earlier instruction (addr_source 8, 10) counts only if another sample shows that the thread accesses this byte, because
--          the thread may have reached ip by a path without that instruction
-- note: if the samplers exact and soft counted every access, they also counted how often the line moves between threads. Then together is 1 if the
--       line moves again and again for at least two threads: at least 10 times, and at least once in 1000 accesses. The first move for each thread
--       does not count. Threads for which it moves only once are left out, such as the thread that initialises it
-- note: together is 0 if the threads did not use the line at the same time (one thread may prepare data for others), or if all ran on one CPU and
--       share its caches. Such sharing costs almost nothing, because the line moves only once
WITH
  run AS MATERIALIZED run_totals(),
  moving AS MATERIALIZED moving_lines(),
  drawn AS MATERIALIZED ( -- the drawn samples with the cache line that they access (line) and the offset in it (place); process 0: not known
    SELECT
      certain_access(d) AS certain,
      coalesce(process_id, 0) AS process, address >> 6 AS line, address & 63 AS place, max(1, min(coalesce(access_bytes, 1), 64)) AS bytes,
      thread_id, object_id, cpu, cpu_node_id, time, stores, cost,
      estimate, observed_accesses(d) AS observed, d.accesses AS seen, latency, hitm, one_in
    FROM drawn_samples AS d
    WHERE address IS NOT NULL
  ),
  used AS ( -- bits: a mask of the 64 bytes of the line that the access uses. An access that crosses into the next line has two rows
    SELECT *, ~(-1 << bytes) << place AS bits FROM drawn WHERE certain
    UNION ALL
    SELECT certain, process, line + 1, 0, place + bytes - 64, thread_id, object_id, cpu, cpu_node_id, time, stores, cost, estimate, observed, seen, latency, hitm, one_in, ~(-1 << (place + bytes - 64))
    FROM drawn
    WHERE certain AND place + bytes > 64
  ),
  pieces AS MATERIALIZED ( -- only lines with a store and several threads: one row for each thread, object and mask of bytes
    SELECT
      process, line, thread_id, object_id, cpu_node_id, bits, sum(seen) AS drawn, sum(stores * seen) AS stores, min(time) AS first,
      max(time) AS last, sum(cost * one_in) AS cost, max(one_in) AS one_in, sum(estimate) AS estimate,
      sum(observed) AS observed, total(observed * stores) AS written, total(iif(latency IS NOT NULL, estimate, 0)) AS measured, total(latency * estimate) AS latency, sum(iif(has_counts(), 0, hitm)) AS hitm,
      min(cpu) AS low_cpu, max(cpu) AS high_cpu
    FROM used
    WHERE (process, line) IN (SELECT process, line FROM used GROUP BY process, line HAVING min(thread_id) < max(thread_id) AND max(stores) = 1)
      AND ((process, line) NOT IN (SELECT process, line FROM moving) OR (process, line, thread_id) IN (SELECT process, line, thread_id FROM moving))
    GROUP BY process, line, thread_id, object_id, cpu_node_id, bits
  ),
  -- pairs of accesses A and B of different threads: A's stores multiplied by B's accesses. A pair of two stores would count twice, so a store in B
  -- counts half
  own AS MATERIALIZED (
    SELECT process, line, bits, thread_id, sum(written) AS written, sum(observed) - 0.5 * sum(written) AS partners
    FROM pieces
    WHERE thread_id IS NOT NULL
    GROUP BY process, line, bits, thread_id
  ),
  masks AS MATERIALIZED (
    SELECT process, line, bits, sum(written) AS written, sum(partners) AS partners FROM own GROUP BY process, line, bits
  ),
  met AS ( -- number of pairs with a byte in common: all pairs minus those of one thread
    SELECT process, line, sum(pairs) AS pairs
    FROM (
      SELECT a.process AS process, a.line AS line, a.written * b.partners AS pairs
      FROM masks AS a
      JOIN masks AS b ON b.process = a.process AND b.line = a.line AND (a.bits & b.bits) <> 0
      WHERE a.written > 0
      UNION ALL
      SELECT a.process, a.line, -a.written * b.partners
      FROM own AS a
      JOIN own AS b ON b.process = a.process AND b.line = a.line AND b.thread_id = a.thread_id AND (a.bits & b.bits) <> 0
      WHERE a.written > 0
    )
    GROUP BY process, line
  ),
  spans AS MATERIALIZED (
    SELECT process, line, thread_id, min(first) AS first, max(last) AS last, sum(stores) AS stores, sum(written) AS written, sum(observed) - 0.5 * sum(written) AS partners
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
  facts AS ( -- each row has values for some columns of a line; `lines` merges the rows of a line with max()
    SELECT
      process, line, NULL AS threads, NULL AS writers, NULL AS pairs, sum(drawn) AS drawn, sum(observed) AS observed, sum(stores) AS stores, 0 AS met, 0 AS together, sum(cost) AS cost,
      max(one_in) AS one_in, sum(measured) AS measured, sum(latency) AS latency, sum(hitm) AS hitm, count(DISTINCT cpu_node_id) AS nodes,
      has_counts() OR min(low_cpu) IS NULL OR min(low_cpu) <> max(high_cpu) AS apart
    FROM pieces
    GROUP BY process, line
    UNION ALL
    SELECT process, line, count(*), sum(stores > 0), sum(written) * sum(partners) - sum(written * partners), NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0
    FROM spans
    WHERE thread_id IS NOT NULL
    GROUP BY process, line
    UNION ALL
    SELECT process, line, NULL, NULL, NULL, NULL, NULL, NULL, pairs, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0
    FROM met
    UNION ALL -- together = 1: a thread uses the line in the same period as another thread, and one of the two writes
    SELECT process, line, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, 0
    FROM (
      SELECT process, line, first, stores, max(last) OVER before AS last, max(iif(stores > 0, last, NULL)) OVER before AS last_store
      FROM spans
      WHERE thread_id IS NOT NULL AND NOT has_counts()
      WINDOW before AS (PARTITION BY process, line ORDER BY first ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )
    WHERE first <= iif(stores > 0, last, last_store)
    UNION ALL
    SELECT process, line, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, NULL, NULL, NULL, sum(moved), NULL, 0 FROM moving GROUP BY process, line
  ),
  lines AS (
    SELECT
      process, line, max(threads) AS threads, max(writers) AS writers, max(pairs) AS pairs, max(drawn) AS drawn, max(observed) AS observed, max(stores) AS stores, max(met) AS met,
      max(together) AND max(apart) AS together, max(cost) AS cost, max(one_in) AS one_in, max(measured) AS measured, max(latency) AS latency, max(hitm) AS hitm, max(nodes) AS nodes
    FROM facts
    GROUP BY process, line
  )
SELECT
  nullif(f.process, 0) AS process_id, -- processes.id; NULL: not known
  f.line << 6 AS address,             -- address of the first byte of the line
  o.object_id AS object_id,           -- objects.id; NULL: no object
  o.place AS object_place,            -- 1: the object has most accesses in the line, 2: it has the next most, ...
  o.objects AS objects,               -- number of different objects with samples in the line
  f.threads AS threads,               -- number of threads that access the line
  f.writers AS writers,               -- number of threads that write the line
  f.drawn AS drawn,                   -- number of drawn samples (see drawn_samples) in the line
  f.observed AS observed,             -- number of observed accesses in the line: where every access was counted, the number of accesses, else the number of drawn samples
  o.drawn AS drawn_object,            -- number of drawn samples of the object in the line
  o.estimate AS drawn_estimate_object, -- sum of the periods of the samples in drawn_object: accesses (hardware samplers, exact, soft), ns (timer) or cycles (cycle counter)
  f.stores AS drawn_stores,           -- number of drawn samples in the line whose access writes
  CASE
    WHEN f.met > 0 AND 64 * f.met >= f.pairs THEN 'true sharing'
    WHEN f.pairs >= 100 THEN 'false sharing'
    WHEN o.object_id IS NOT NULL AND sum(iif(f.pairs < 100, f.pairs, 0)) OVER w >= max(100, 64 * sum(iif(f.pairs < 100, f.met, 0)) OVER w) THEN 'false sharing'
    ELSE 'cannot tell'
  END AS sharing,                     -- "true sharing": threads use the same bytes, "false sharing": different bytes, "cannot tell": there are too few samples to say that
  f.together AS together,             -- 1: two threads, one of them writing, used the line in overlapping periods and on different CPUs; 0: no such threads
  100.0 * min(f.cost, r.cost + r.lost_cost) / nullif(r.cost + r.lost_cost, 0) AS cost_pct, -- share of the run's cost, estimated from the drawn samples, 0-100; NULL: not measured
  share_low(min(f.cost, r.cost + r.lost_cost), (r.cost + r.lost_cost), (r.cost_sq * f.one_in)) AS cost_low_pct, -- lower end of the 95 % interval of cost_pct
  share_high(min(f.cost, r.cost + r.lost_cost), (r.cost + r.lost_cost), (r.cost_sq * f.one_in)) AS cost_high_pct, -- upper end of the 95 % interval of cost_pct
  f.latency / nullif(f.measured, 0) AS latency_avg, -- mean latency of the drawn samples, weighted by their periods, core cycles; NULL: the sampler does not measure it
  f.hitm AS drawn_hitm,               -- number of drawn samples that found the line modified in another cache, according to the hardware; where every access was counted: number of accesses for which the line moved from another thread
  f.nodes AS nodes                    -- number of different nodes whose CPUs access the line; 0: not known
FROM lines AS f
JOIN owners AS o ON o.process = f.process AND o.line = f.line
CROSS JOIN run AS r
WHERE o.place = 1 OR o.object_id IS NOT NULL
WINDOW w AS (PARTITION BY o.object_id, f.together);
