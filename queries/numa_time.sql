-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   numa_time
-- summary: Share of all thread time that passed waiting for memory of another node: what better placement can gain at most.
-- param:   by - of what: run (if not said), function, line, object or thread
-- values:  by run, function, line, object, thread
-- param:   top 20 rows at most
-- column:  name          of the function, object or thread; function, file and number of the line
-- column:  remote_waits  samples that waited for an address on another node
-- column:  of_samples    timer samples of the whole run
-- column:  numa_pct      share of the thread time of the whole run, 0-100
-- column:  low           lower end of its 95 % interval
-- column:  high          upper end
-- column:  home_pct      waits whose nodes are known of all its waits, 0-100
SELECT
  CASE n.of
    WHEN 'run' THEN 'run'
    WHEN 'line' THEN n.function || coalesce(' ' || f.path || ':' || n.line, '')
    WHEN 'object' THEN o.name
    WHEN 'thread' THEN coalesce(t.comm, '') || coalesce(' ' || t.tid, '')
    ELSE coalesce(s.name, '[' || trim(coalesce(d.short_name, 'unknown'), '[]') || ']')
  END AS name,
  n.remote_waits AS remote_waits,
  n.samples AS of_samples,
  round(n.numa_pct, 2) AS numa_pct,
  round(n.numa_low_pct, 2) AS low,
  round(n.numa_high_pct, 2) AS high,
  round(n.home_pct, 1) AS home_pct
FROM numa_time AS n
LEFT JOIN objects AS o ON o.id = n.object_id
LEFT JOIN symbols AS s ON s.id = n.symbol_id
LEFT JOIN dsos AS d ON d.id = n.dso_id
LEFT JOIN files AS f ON f.id = n.file_id
LEFT JOIN threads AS t ON t.id = n.thread_id
WHERE n.of = coalesce(:by, 'run')
ORDER BY n.remote_wait_ns DESC, name
LIMIT coalesce(:top, 20);
