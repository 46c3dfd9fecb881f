-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   time
-- summary: Thread time by kind: memory, computing, synchronisation, page faults, system calls; in total, or by function or line.
-- param:   by - one row per kind (default), function or line of each kind
-- values:  by kind, function, line
-- param:   kind - only this kind of time
-- values:  kind unknown, memory, cached, compute, fence, atomic, spin, wait, fault, system, sharing
-- param:   top 20 rows at most
-- column:  time_kind memory: waits for accesses; cached: accesses that cost nothing, because they hit the first-level cache or the loop's arithmetic takes longer; compute: computing; fence: memory fences; atomic: atomic operations; spin: loops that only another thread can end; wait: waits for locks, barriers and messages of MPI; fault: page faults; sharing: waits for cache lines that other threads use at the same time; system: other work in the kernel; unknown
-- column:  function  function of the innermost frame, inlined or not; the symbol if the function is not known; [file] if there is no symbol
-- column:  file      source file
-- column:  line      source line
-- column:  dso       the file of the code
-- column:  time_ms   thread time, ms; only the timer sampler measures it
-- column:  samples   number of samples
-- column:  time_pct  share of all thread time, 0-100
WITH
  part AS (
    SELECT
      time_kind, iif(:by IN ('function', 'line'), function, NULL) AS function, iif(:by = 'line', file, NULL) AS file,
      iif(:by = 'line', line, NULL) AS line, iif(:by IN ('function', 'line'), dso, NULL) AS dso, samples, thread_time
    FROM time_spent
    WHERE :kind IS NULL OR time_kind = :kind
  ),
  run AS MATERIALIZED (
    SELECT thread_time, EXISTS (SELECT 1 FROM selected_events WHERE role = 'time') AS has_ns FROM run_costs
  )
SELECT
  p.time_kind AS time_kind, p.function AS function, p.file AS file, p.line AS line, p.dso AS dso,
  iif(r.has_ns, round(sum(p.thread_time) / 1e6, 1), NULL) AS time_ms,
  sum(p.samples) AS samples,
  round(100.0 * sum(p.thread_time) / r.thread_time, 1) AS time_pct
FROM part AS p, run AS r
GROUP BY p.time_kind, p.function, p.file, p.line, p.dso
ORDER BY sum(p.thread_time) DESC, p.time_kind, p.function, p.line
LIMIT coalesce(:top, 20);
