-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   numa
-- summary: Local and remote memory of the run, its functions, lines, objects or threads, and whether remote memory is worth fixing.
-- param:   by - one row per object (default), thread, function, line or run
-- values:  by object, thread, function, line, run
-- param:   top 20 rows at most
-- column:  id              objects.id, threads.id
-- column:  name            name of the object, function or thread
-- column:  file            source file of the line
-- column:  line            source line
-- column:  addressed       number of samples whose data address, or at least whose object, is known, as in costs (hardware: accesses; timer: moments of time)
-- column:  local           number of samples of pages on the CPU's own node
-- column:  remote          number of samples of pages on another node; empty on a machine with one node
-- column:  remote_loads    number of remote samples that read; empty on a machine with one node
-- column:  remote_stores   number of remote samples that write; empty on a machine with one node
-- column:  remote_pct      remote as a share of local + remote, by Σ period, 0-100; empty: no sample has known nodes, or there is one node
-- column:  low             lower bound of remote_pct: counts samples with unknown nodes as local; lower end of the 95 % interval
-- column:  high            upper bound of remote_pct: counts samples with unknown nodes as remote; upper end of the 95 % interval
-- column:  home_pct        coverage: share of samples whose nodes are known, 0-100
-- column:  hw_pct          share of the accesses that another node served, among the accesses for which the hardware reports the node, 0-100
-- column:  hw_low          lower bound of hw_pct, computed in the same way as low
-- column:  hw_high         upper bound of hw_pct, computed in the same way as high
-- column:  hw_known_pct    coverage: share of samples for which the hardware reports the node, 0-100
-- column:  remote_cost_pct cost of remote accesses, as a share of the run's cost, 0-100 (timer: share of waiting time; hardware: share of latency, where "remote" refers to the node that served the access if it is known for half of the samples, otherwise to the node of the page)
-- column:  remote_cost_low lower bound of remote_cost_pct: cost with unknown nodes counts as local in this row, and as remote in all other rows; lower end of the 95 % interval
-- column:  remote_cost_high upper bound of remote_cost_pct: cost with unknown nodes counts as remote in this row, and as local in all other rows; for an object, all waits that may have been for it count as its cost; upper end of the 95 % interval
-- column:  numa_low        lower bound of the share of all thread time that was spent in waits for other nodes (timer), 0-100; lower end of the 95 % interval
-- column:  numa_high       upper bound of the same share: includes all waits whose node is not known, and those that count as local but may have been remote; for an object also all waits whose address is not known; upper end of the 95 % interval
-- column:  lpi             cycles of remote latency per instruction (hardware), from accesses that are known to be remote
-- column:  lpi_low         lower end of the 95 % interval of lpi
-- column:  lpi_high        upper bound of lpi: counts all accesses with unknown nodes as remote; upper end of the 95 % interval
-- column:  verdict         by=run, function, line: whether remote memory is worth fixing: worth it (above 5 % of the thread time, or above 0.1 cycles per instruction), not worth it, or cannot tell; with the reason
WITH
  way AS MATERIALIZED ( -- "remote" means the same in all rows: according to the hardware if it reports the node for half of the samples, because caches may hold remote data; else by the homes of the pages
    SELECT
      EXISTS (SELECT 1 FROM numa_verdicts WHERE scope = 'run' AND remote_by = 'hardware' AND known_pct >= 50) AS hardware,
      (SELECT count(*) FROM nodes) = 1 AS one_node
  ),
  part AS (
    SELECT NULL AS id, 'run' AS name, NULL AS instruction_id, NULL AS file, NULL AS line, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct, hw_remote_cost_pct, hw_remote_cost_low_pct, hw_remote_cost_high_pct, numa_low_pct, numa_high_pct, estimate, remote_estimate
    FROM run_costs
    WHERE coalesce(:by, 'object') = 'run'
    UNION ALL
    SELECT object_id, object, NULL, NULL, NULL, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct, hw_remote_cost_pct, hw_remote_cost_low_pct, hw_remote_cost_high_pct, numa_low_pct, numa_high_pct, estimate, remote_estimate
    FROM object_costs
    WHERE coalesce(:by, 'object') = 'object'
    UNION ALL
    SELECT thread_id, coalesce(comm, '') || coalesce(' ' || tid, ''), NULL, NULL, NULL, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct, hw_remote_cost_pct, hw_remote_cost_low_pct, hw_remote_cost_high_pct, numa_low_pct, numa_high_pct, estimate, remote_estimate
    FROM thread_costs
    WHERE coalesce(:by, 'object') = 'thread'
    UNION ALL
    SELECT NULL, function, instruction_id, NULL, NULL, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct, hw_remote_cost_pct, hw_remote_cost_low_pct, hw_remote_cost_high_pct, numa_low_pct, numa_high_pct, estimate, remote_estimate
    FROM function_costs
    WHERE coalesce(:by, 'object') = 'function'
    UNION ALL
    SELECT NULL, function, instruction_id, file, line, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, remote_cost_low_pct, remote_cost_high_pct, hw_remote_cost_pct, hw_remote_cost_low_pct, hw_remote_cost_high_pct, numa_low_pct, numa_high_pct, estimate, remote_estimate
    FROM line_costs
    WHERE coalesce(:by, 'object') = 'line'
  ),
  top AS MATERIALIZED (
    SELECT p.*, iif(w.hardware, p.hw_remote_cost_pct, p.remote_cost_pct) AS cost_pct, iif(w.hardware, p.hw_remote_cost_low_pct, p.remote_cost_low_pct) AS cost_low_pct,
      iif(w.hardware, p.hw_remote_cost_high_pct, p.remote_cost_high_pct) AS cost_high_pct, w.one_node AS one_node
    FROM part AS p
    CROSS JOIN way AS w
    ORDER BY cost_pct DESC, numa_high_pct DESC, remote_estimate DESC, estimate DESC, id, name, file, line, instruction_id
    LIMIT coalesce(:top, 20)
  ),
  verdicts AS MATERIALIZED (
    SELECT instruction_id, measure, value, low, high, verdict
    FROM numa_verdicts
    WHERE scope = coalesce(:by, 'object') AND remote_by = (SELECT iif(hardware, 'hardware', 'home') FROM way)
  )
SELECT
  p.id AS id,
  p.name AS name,
  p.file AS file,
  p.line AS line,
  p.addressed AS addressed,
  p.local AS local,
  iif(p.one_node, NULL, p.remote) AS remote,
  iif(p.one_node, NULL, p.remote_loads) AS remote_loads,
  iif(p.one_node, NULL, p.remote_stores) AS remote_stores,
  round(p.remote_pct, 1) AS remote_pct,
  round(p.remote_low_pct, 1) AS low,
  round(p.remote_high_pct, 1) AS high,
  round(p.home_pct, 1) AS home_pct,
  round(p.hw_remote_pct, 1) AS hw_pct,
  round(p.hw_remote_low_pct, 1) AS hw_low,
  round(p.hw_remote_high_pct, 1) AS hw_high,
  iif(p.hw_remote_pct IS NULL, NULL, round(p.hw_pct, 1)) AS hw_known_pct,
  round(p.cost_pct, 1) AS remote_cost_pct,
  round(p.cost_low_pct, 1) AS remote_cost_low,
  round(p.cost_high_pct, 1) AS remote_cost_high,
  round(p.numa_low_pct, 1) AS numa_low,
  round(p.numa_high_pct, 1) AS numa_high,
  iif(v.measure = 'cycles per instruction', round(v.value, 3), NULL) AS lpi,
  iif(v.measure = 'cycles per instruction', round(v.low, 3), NULL) AS lpi_low,
  iif(v.measure = 'cycles per instruction', round(v.high, 3), NULL) AS lpi_high,
  v.verdict AS verdict
FROM top AS p
LEFT JOIN verdicts AS v
  ON v.instruction_id IS p.instruction_id
ORDER BY p.cost_pct DESC, p.numa_high_pct DESC, p.remote_estimate DESC, p.estimate DESC, p.id, p.name, p.file, p.line, p.instruction_id;
