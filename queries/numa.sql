-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   numa
-- summary: Local and remote accesses of the run, its functions, lines, objects or threads.
-- param:   by - of what: run, function, line, object (if not said) or thread
-- values:  by run, function, line, object, thread
-- param:   top 20 rows at most
-- column:  id          objects.id, symbols.id, threads.id
-- column:  name        of the object, function or thread; file of the line
-- column:  line        source line
-- column:  accesses    samples with a data address
-- column:  local       to the CPU's own node
-- column:  remote      to another node
-- column:  remote_pct  remote of both, 0-100; empty: homes are not known
-- column:  low         lower end of its 95 % interval
-- column:  high        upper end
-- column:  home_pct    accesses whose nodes are known, 0-100
-- column:  hw_remote   accesses that the hardware says another node served
-- column:  hw_pct      of those where it says who did, 0-100; empty: it does not say
-- column:  hw_low      lower end of its 95 % interval
-- column:  hw_high     upper end
-- column:  numa_pct    share of all thread time waiting for other nodes, 0-100 (timer)
-- column:  numa_low    lower end of its 95 % interval
-- column:  numa_high   upper end
WITH
  run AS MATERIALIZED (
    SELECT 1.0 * sum(timed) AS n, sum(time_ns) AS time_ns FROM thing_sums WHERE of = 'run'
  )
SELECT
  coalesce(h.object_id, h.symbol_id, h.thread_id) AS id,
  CASE h.of
    WHEN 'run' THEN 'run'
    WHEN 'object' THEN o.name
    WHEN 'thread' THEN coalesce(t.comm, '') || coalesce(' ' || t.tid, '')
    WHEN 'line' THEN h.function || coalesce(' ' || f.path, '')
    ELSE coalesce(s.name, '[' || trim(coalesce(d.short_name, 'unknown'), '[]') || ']')
  END AS name,
  h.line AS line,
  h.accesses AS accesses,
  h.local AS local,
  h.remote AS remote,
  round(h.remote_pct, 1) AS remote_pct,
  round(h.remote_low_pct, 1) AS low,
  round(h.remote_high_pct, 1) AS high,
  round(h.home_pct, 1) AS home_pct,
  iif(h.hw_pct > 0, h.hw_remote, NULL) AS hw_remote,
  round(h.hw_remote_pct, 1) AS hw_pct,
  round(h.hw_remote_low_pct, 1) AS hw_low,
  round(h.hw_remote_high_pct, 1) AS hw_high,
  iif(h.placed_waits > 0, round(100.0 * h.remote_wait_ns / r.time_ns, 2), NULL) AS numa_pct,
  iif(h.placed_waits > 0, round(max(0, 100.0 * (h.remote_waits + 1.9208 - 1.96 * sqrt(h.remote_waits * (r.n - h.remote_waits) / r.n + 0.9604)) / (r.n + 3.8416)), 2), NULL) AS numa_low,
  iif(h.placed_waits > 0, round(min(100, 100.0 * (h.remote_waits + 1.9208 + 1.96 * sqrt(h.remote_waits * (r.n - h.remote_waits) / r.n + 0.9604)) / (r.n + 3.8416)), 2), NULL) AS numa_high
FROM run AS r
CROSS JOIN shares AS h
LEFT JOIN objects AS o ON o.id = h.object_id
LEFT JOIN symbols AS s ON s.id = h.symbol_id
LEFT JOIN dsos AS d ON d.id = h.dso_id
LEFT JOIN files AS f ON f.id = h.file_id
LEFT JOIN threads AS t ON t.id = h.thread_id
WHERE h.of = coalesce(:by, 'object')
ORDER BY h.remote DESC, h.accesses DESC, id, name, line
LIMIT coalesce(:top, 20);
