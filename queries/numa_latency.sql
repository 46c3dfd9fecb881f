-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   numa_latency
-- summary: Cycles of remote latency for each instruction (lpi_NUMA): above 0.1 NUMA is worth fixing.
-- param:   by - of what: run (if not said), function or object
-- values:  by run, function, object
-- param:   top 20 rows at most
-- column:  name          of the function or object
-- column:  remote_by     home: the page lives on another node; hardware: another node served it
-- column:  equation      2 (IBS) or 3 (PEBS)
-- column:  remote        remote accesses with a latency
-- column:  latency       their mean latency, core cycles
-- column:  instructions  what they are divided by
-- column:  lpi           cycles per instruction
-- column:  known_pct     accesses of which is known whether they are remote, 0-100
-- column:  verdict       whether it is worth fixing
SELECT
  coalesce(o.name, s.name, iif(l.of = 'run', 'run', '[' || trim(coalesce(d.short_name, 'unknown'), '[]') || ']')) AS name,
  l.remote_by AS remote_by,
  l.equation AS equation,
  l.remote AS remote,
  round(l.latency_avg, 1) AS latency,
  l.instructions AS instructions,
  round(l.lpi, 4) AS lpi,
  round(l.known_pct, 1) AS known_pct,
  iif(l.worth_fixing, 'worth fixing', 'not worth fixing') AS verdict
FROM numa_latency AS l
LEFT JOIN objects AS o ON o.id = l.object_id
LEFT JOIN symbols AS s ON s.id = l.symbol_id
LEFT JOIN dsos AS d ON d.id = l.dso_id
WHERE l.of = coalesce(:by, 'run')
ORDER BY l.lpi DESC, name, remote_by
LIMIT coalesce(:top, 20);
