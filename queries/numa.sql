-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   numa
-- summary: Local and remote memory of the run, its functions, lines, objects or threads, and whether it is worth a thought.
-- param:   by - of what: object (if not said), thread, function, line or run
-- values:  by object, thread, function, line, run
-- param:   top 20 rows at most
-- column:  id              objects.id, threads.id
-- column:  name            of the object, function or thread
-- column:  file            source file of the line
-- column:  line            source line
-- column:  samples         samples with a data address (hardware: accesses; timer: moments of time)
-- column:  local           of these, of a page on the CPU's own node
-- column:  remote          of a page on another node; empty on one node, as remote_loads and remote_stores
-- column:  remote_loads    of remote, that read
-- column:  remote_stores   of remote, that write
-- column:  remote_pct      remote of both, 0-100; empty: homes are not known, or there is one node
-- column:  low             least share of all: none of the unknown are remote, lower end of the 95 % interval
-- column:  high            largest share: all of the unknown are, upper end
-- column:  home_pct        samples whose nodes are known, 0-100
-- column:  hw_pct          share that the hardware says another node served, of those where it says who did, 0-100
-- column:  hw_low          least share of all, as low
-- column:  hw_high         largest share
-- column:  hw_known_pct    samples where the hardware says who served, 0-100
-- column:  remote_cost_pct share of what remote pages cost in the run, 0-100 (hardware: latency, by who served if that is known for half; timer: waiting time)
-- column:  numa_low        share of all thread time that waited for other nodes, 0-100 (timer): at least, as waits were dealt to accesses
-- column:  numa_high       with all waits of which it is not known, also those dealt to local memory; for an object also all whose address is gone: at most
-- column:  lpi             cycles of remote latency for each instruction (hardware), of what is known
-- column:  lpi_low         lower end of its 95 % interval
-- column:  lpi_high        with all accesses of which it is not known: upper end
-- column:  verdict         run, function, line: worth it (thread time above 5 %, or above 0.1 cycles an instruction), not worth it, or cannot tell and why
WITH
  way AS MATERIALIZED ( -- one definition of remote for all rows: the hardware's, because caches may hold remote data, if it is known for half
    SELECT
      EXISTS (SELECT 1 FROM numa_verdicts WHERE scope = 'run' AND remote_by = 'hardware' AND known_pct >= 50) AS hardware,
      (SELECT count(*) FROM nodes) = 1 AS one_node
  ),
  part AS (
    SELECT NULL AS id, 'run' AS name, NULL AS instruction_id, NULL AS file, NULL AS line, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, hw_remote_cost_pct, numa_low_pct, numa_high_pct
    FROM run_costs
    WHERE coalesce(:by, 'object') = 'run'
    UNION ALL
    SELECT object_id, object, NULL, NULL, NULL, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, hw_remote_cost_pct, numa_low_pct, numa_high_pct
    FROM object_costs
    WHERE coalesce(:by, 'object') = 'object'
    UNION ALL
    SELECT thread_id, coalesce(comm, '') || coalesce(' ' || tid, ''), NULL, NULL, NULL, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, hw_remote_cost_pct, numa_low_pct, numa_high_pct
    FROM thread_costs
    WHERE coalesce(:by, 'object') = 'thread'
    UNION ALL
    SELECT NULL, function, instruction_id, NULL, NULL, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, hw_remote_cost_pct, numa_low_pct, numa_high_pct
    FROM function_costs
    WHERE coalesce(:by, 'object') = 'function'
    UNION ALL
    SELECT NULL, function, instruction_id, file, line, addressed, local, remote, remote_loads, remote_stores,
      remote_pct, remote_low_pct, remote_high_pct, home_pct, hw_remote_pct, hw_remote_low_pct, hw_remote_high_pct, hw_pct,
      remote_cost_pct, hw_remote_cost_pct, numa_low_pct, numa_high_pct
    FROM line_costs
    WHERE coalesce(:by, 'object') = 'line'
  ),
  top AS MATERIALIZED (
    SELECT p.*, iif(w.hardware, p.hw_remote_cost_pct, p.remote_cost_pct) AS cost_pct, w.one_node AS one_node
    FROM part AS p
    CROSS JOIN way AS w
    ORDER BY cost_pct DESC, numa_high_pct DESC, remote DESC, addressed DESC, id, name, file, line, instruction_id
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
  p.addressed AS samples,
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
  round(p.numa_low_pct, 1) AS numa_low,
  round(p.numa_high_pct, 1) AS numa_high,
  iif(v.measure = 'cycles per instruction', round(v.value, 3), NULL) AS lpi,
  iif(v.measure = 'cycles per instruction', round(v.low, 3), NULL) AS lpi_low,
  iif(v.measure = 'cycles per instruction', round(v.high, 3), NULL) AS lpi_high,
  v.verdict AS verdict
FROM top AS p
LEFT JOIN verdicts AS v
  ON v.instruction_id IS p.instruction_id
ORDER BY p.cost_pct DESC, p.numa_high_pct DESC, p.remote DESC, p.addressed DESC, p.id, p.name, p.file, p.line, p.instruction_id;
