-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   costs
-- summary: Cost of memory by object, code or thread: waiting time (timer), cycles or latency (hardware).
-- param:   by - one row per object (default: all blocks from one call path), name (all objects with the same name and place), type (all objects with the same type of elements), wrapper (all objects that were allocated through one function, such as xmalloc), function, line, thread, function_object, object_thread, allocation or run
-- values:  by object, name, type, wrapper, function, line, thread, function_object, object_thread, allocation, run
-- param:   top 20 rows at most
-- param:   object - only this object: its id or name; by=function, thread: each row shows the part of the object's cost that this function or thread has
-- with:    object by object, name, function, thread, function_object, object_thread, allocation
-- param:   function - only this function and its parallel regions: its name, with or without its arguments; by=object: each row shows the part of the object's cost that this function has
-- with:    function by object, name, function, line, function_object
-- param:   kind - only objects of this kind: heap, static, stack, mapping
-- with:    kind by object, name, function_object, object_thread, allocation
-- values:  kind heap, static, stack, mapping
-- column:  object_id       objects.id; by=name, type, wrapper: the first id of these objects
-- column:  object          the object's name; by=type: the type; by=wrapper: the function that the allocating code calls; [no object]: samples without a known object
-- column:  kind            heap, static, stack, mapping
-- column:  objects         by=name, type, wrapper: number of objects with that name and place, of that type, or from that function
-- column:  size_bytes      size, bytes; heap: the maximum number of bytes allocated at one time; by=allocation: the requested size
-- column:  allocation_id   by=allocation: allocations.id
-- column:  allocator       by=allocation: the allocating function
-- column:  life_ms         by=allocation: time from allocation to deallocation, ms; empty: the block lived to the end
-- column:  function        function of the innermost frame, inlined or not; the symbol if the function is not known; [file] if there is no symbol; by=name: the function that allocates the objects; for a parallel region the function around it, unless a row with that name has the same line
-- column:  symbol          the symbol that contains the function, if its name differs
-- column:  dso             the file of the code
-- column:  file            source file
-- column:  line            source line
-- column:  pid             process
-- column:  tid             thread; by=allocation: the allocating thread
-- column:  comm            the thread's name
-- column:  time_ms         thread time spent there, ms; only the timer sampler measures it
-- column:  samples         number of samples
-- column:  addressed       number of samples whose data address, or at least whose object, is known
-- column:  loads           number of addressed samples that read
-- column:  stores          number of addressed samples that write
-- column:  threads         number of threads with an addressed sample
-- column:  writers         number of threads that write
-- column:  wait_ms         waiting time, ms; only the timer sampler measures it
-- column:  cost_pct        share of the run's cost, 0-100
-- column:  cost_low        lower end of the 95 % interval of cost_pct
-- column:  cost_high       upper end of the 95 % interval of cost_pct
-- column:  time_pct        the cost as a share of the run's thread time, 0-100 (timer, cycles)
-- column:  time_most       upper bound of an object's time_pct (timer, cycles): upper end of the 95 % interval of all time that may have been waiting for the object
-- column:  lost_pct        the part of cost_pct for accesses whose address and object are lost
-- column:  access_pct      share of all accesses of the run, 0-100; empty: the samplers timer and cycles sample time, not accesses
-- column:  access_low      lower end of the 95 % interval of access_pct
-- column:  access_high     upper end of the 95 % interval of access_pct
-- column:  latency         mean latency, core cycles; only hardware samplers measure it
-- column:  remote_pct      share of accesses to pages on a different node, among the addressed samples whose nodes are known, 0-100; empty on a machine with one node
-- column:  remote_low      lower bound of remote_pct: counts samples with unknown nodes as local; lower end of the 95 % interval
-- column:  remote_high     upper bound of remote_pct: counts samples with unknown nodes as remote; upper end of the 95 % interval
-- column:  home_pct        coverage: share of addressed samples whose nodes are known, 0-100
-- column:  remote_cost_pct cost of accesses to pages on another node, as a share of the run's cost, 0-100
-- column:  remote_cost_low lower bound of remote_cost_pct: cost with unknown nodes counts as local in this row, and as remote in all other rows; lower end of the 95 % interval
-- column:  remote_cost_high upper bound of remote_cost_pct: cost with unknown nodes counts as remote in this row, and as local in all other rows; for an object, all waits that may have been for it count as its cost; upper end of the 95 % interval
-- column:  hint            by=object: the suggested change
WITH
  -- scope of the rows of `totals` to read: with by=function and an object, for example,
  -- those of scope function_object
  asked AS MATERIALIZED (
    SELECT CASE
      WHEN :by = 'function' AND :object IS NOT NULL THEN 'function_object'
      WHEN :by = 'thread' AND :object IS NOT NULL THEN 'object_thread'
      WHEN coalesce(:by, 'object') = 'object' AND :function IS NOT NULL THEN 'function_object'
      ELSE coalesce(:by, 'object')
    END AS by
  ),
  part AS (
    SELECT
      NULL AS object_id, NULL AS object, NULL AS kind, NULL AS objects, NULL AS size_bytes, NULL AS allocation_id,
      NULL AS allocator, NULL AS life_ns, NULL AS function, NULL AS symbol, NULL AS dso, NULL AS file, NULL AS line,
      NULL AS pid, NULL AS tid, NULL AS comm, thread_time, samples, addressed, loads, stores, threads, writers, cost, cost_pct,
      cost_low_pct, cost_high_pct, time_pct, NULL AS time_most_pct, lost_cost_pct, access_pct, access_low_pct, access_high_pct, latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct,
      remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM run_costs
    WHERE (SELECT by FROM asked) = 'run'
    UNION ALL
    SELECT
      object_id, object, kind, NULL, size_bytes, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, thread_time,
      samples, addressed, loads, stores, threads, writers, cost, cost_pct, cost_low_pct, cost_high_pct, time_pct, time_most_pct, lost_cost_pct, access_pct, access_low_pct, access_high_pct,
      latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct, remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM object_costs
    WHERE (SELECT by FROM asked) = 'object'
    UNION ALL
    SELECT
      object_id, object, kind, objects, size_bytes, NULL, NULL, NULL, function, NULL, NULL, file, line, NULL, NULL, NULL,
      thread_time, samples, addressed, loads, stores, threads, writers, cost, cost_pct, cost_low_pct, cost_high_pct, time_pct, time_most_pct,
      lost_cost_pct, access_pct, access_low_pct, access_high_pct, latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct, remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM object_name_costs
    WHERE (SELECT by FROM asked) = 'name'
    UNION ALL
    SELECT
      object_id, type, NULL, objects, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      thread_time, samples, addressed, loads, stores, threads, writers, cost, cost_pct, cost_low_pct, cost_high_pct, time_pct, time_most_pct,
      lost_cost_pct, access_pct, access_low_pct, access_high_pct, latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct, remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM type_costs
    WHERE (SELECT by FROM asked) = 'type'
    UNION ALL
    SELECT
      object_id, wrapper, NULL, objects, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      thread_time, samples, addressed, loads, stores, threads, writers, cost, cost_pct, cost_low_pct, cost_high_pct, time_pct, time_most_pct,
      lost_cost_pct, access_pct, access_low_pct, access_high_pct, latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct, remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM wrapper_costs
    WHERE (SELECT by FROM asked) = 'wrapper'
    UNION ALL
    SELECT
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, function, symbol, dso, NULL, NULL, NULL, NULL, NULL, thread_time,
      samples, addressed, loads, stores, threads, writers, cost, cost_pct, cost_low_pct, cost_high_pct, time_pct, NULL, lost_cost_pct, access_pct, access_low_pct, access_high_pct,
      latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct, remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM function_costs
    WHERE (SELECT by FROM asked) = 'function'
    UNION ALL
    SELECT
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, function, NULL, NULL, file, line, NULL, NULL, NULL, thread_time, samples,
      addressed, loads, stores, threads, writers, cost, cost_pct, cost_low_pct, cost_high_pct, time_pct, NULL, lost_cost_pct, access_pct, access_low_pct, access_high_pct, latency_avg,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM line_costs
    WHERE (SELECT by FROM asked) = 'line'
    UNION ALL
    SELECT
      NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, pid, tid, comm, thread_time, samples,
      addressed, loads, stores, threads, writers, cost, cost_pct, cost_low_pct, cost_high_pct, time_pct, NULL, lost_cost_pct, access_pct, access_low_pct, access_high_pct, latency_avg,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM thread_costs
    WHERE (SELECT by FROM asked) = 'thread'
    UNION ALL
    SELECT
      object_id, object, kind, NULL, NULL, NULL, NULL, NULL, function, symbol, NULL, NULL, NULL, NULL, NULL, NULL, thread_time,
      samples, addressed, loads, stores, threads, writers, cost, cost_pct, cost_low_pct, cost_high_pct, time_pct, time_most_pct, lost_cost_pct, access_pct, access_low_pct, access_high_pct,
      latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct, remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM function_object_costs
    WHERE (SELECT by FROM asked) = 'function_object'
    UNION ALL
    SELECT
      object_id, object, kind, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, pid, tid, comm, thread_time,
      samples, addressed, loads, stores, threads, writers, cost, cost_pct, cost_low_pct, cost_high_pct, time_pct, time_most_pct, lost_cost_pct, access_pct, access_low_pct, access_high_pct,
      latency_avg, remote_pct, remote_low_pct, remote_high_pct, home_pct, remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct
    FROM object_thread_costs
    WHERE (SELECT by FROM asked) = 'object_thread'
    UNION ALL
    SELECT
      object_id, object, kind, NULL, size_bytes, allocation_id, allocator, life_ns, NULL, NULL, NULL, NULL, NULL, NULL, tid,
      NULL, NULL, NULL, addressed, NULL, NULL, NULL, NULL, cost, cost_pct, cost_low_pct, cost_high_pct, NULL, NULL, NULL, access_pct, access_low_pct, access_high_pct, latency_avg,
      NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM allocation_costs
    WHERE (SELECT by FROM asked) = 'allocation'
  ),
  -- region: where a name such as "solve._omp_fn.0" (gcc), "solve.omp_outlined" (clang) or "solve..omp_par" (flang) says that the
  -- function is a parallel region
  regions AS (
    SELECT *, max(instr(function, '._omp_fn.'), instr(function, '.omp_outlined'), instr(function, '..omp_par')) AS region
    FROM part
  ),
  -- source: the function around the region. clang may write a namespace instead: "(anonymous namespace)::.omp_outlined."
  sources AS (
    SELECT
      *,
      CASE
        WHEN region < 2 OR substr(function, region - 1, 1) = ':' THEN function
        WHEN substr(function, 1, region - 1) LIKE '% [clone ' THEN substr(function, 1, region - 9)
        ELSE substr(function, 1, region - 1)
      END AS source
    FROM regions
  ),
  -- shown: the source function, if the row's symbol or line says that it is the region
  named AS (
    SELECT
      *,
      iif(
        coalesce(symbol, line) IS NULL OR count(*) OVER (PARTITION BY source, symbol, dso, file, line, object_id, allocation_id, pid, tid) > 1,
        function, source
      ) AS shown
    FROM sources
  ),
  -- for each object, the hint with the smallest priority: SQLite takes `advice` from the row that
  -- min() finds
  hint AS MATERIALIZED (
    SELECT object_id, advice, min(priority) FROM object_hints GROUP BY object_id
  )
SELECT
  object_id,
  object,
  kind,
  objects,
  size_bytes,
  allocation_id,
  allocator,
  round(life_ns / 1e6, 3) AS life_ms,
  shown AS function,
  nullif(symbol, shown) AS symbol,
  dso,
  file,
  line,
  pid,
  tid,
  comm,
  iif((SELECT cost_unit FROM run_costs) IS NOT 'cycles', round(thread_time / 1e6, 3), NULL) AS time_ms,
  samples,
  addressed,
  loads,
  stores,
  threads,
  writers,
  iif((SELECT cost_unit FROM run_costs) = 'ns', nullif(round(cost / 1e6, 3), 0), NULL) AS wait_ms,
  round(cost_pct, 1) AS cost_pct,
  round(cost_low_pct, 1) AS cost_low,
  round(cost_high_pct, 1) AS cost_high,
  round(time_pct, 1) AS time_pct,
  round(time_most_pct, 1) AS time_most,
  nullif(round(lost_cost_pct, 1), 0) AS lost_pct,
  round(access_pct, 1) AS access_pct,
  round(access_low_pct, 1) AS access_low,
  round(access_high_pct, 1) AS access_high,
  round(latency_avg, 1) AS latency,
  round(remote_pct, 1) AS remote_pct,
  round(remote_low_pct, 1) AS remote_low,
  round(remote_high_pct, 1) AS remote_high,
  iif(remote_pct IS NOT NULL, round(home_pct, 1), NULL) AS home_pct,
  round(remote_cost_pct, 1) AS remote_cost_pct,
  round(remote_cost_low_pct, 1) AS remote_cost_low,
  round(remote_cost_high_pct, 1) AS remote_cost_high,
  iif((SELECT by FROM asked) = 'object', (SELECT h.advice FROM hint AS h WHERE h.object_id = named.object_id), NULL) AS hint
FROM named
WHERE (:object IS NULL OR object_id = :object OR object = :object)
  AND (:function IS NULL OR :function IN (function, source, substr(function, 1, instr(function, '(') - 1)))
  AND (:kind IS NULL OR kind = :kind)
ORDER BY cost DESC, access_pct DESC, addressed DESC, samples DESC, object_id, function, file, line, tid, allocation_id
LIMIT coalesce(:top, 20);
