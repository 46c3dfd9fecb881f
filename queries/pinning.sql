-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   pinning
-- summary: Accesses by whether thread and page were pinned, or left to chance.
-- param:   by - of what: run (if not said), function, object or thread
-- values:  by run, function, object, thread
-- param:   top 30 rows at most
-- column:  name      of the function, object or thread
-- column:  memory    cpu node, or memory node (without CPUs)
-- column:  class     local, remote; unpinned page, thread or both; unknown
-- column:  accesses  accesses
-- column:  pct       their share, 0-100
-- column:  low       lower end of its 95 % interval
-- column:  high      upper end
SELECT
  CASE p.of
    WHEN 'run' THEN 'run'
    WHEN 'object' THEN o.name
    WHEN 'thread' THEN coalesce(t.comm, '') || coalesce(' ' || t.tid, '')
    ELSE coalesce(s.name, '[' || trim(coalesce(d.short_name, 'unknown'), '[]') || ']')
  END AS name,
  p.memory AS memory,
  p.class AS class,
  p.accesses AS accesses,
  round(p.accesses_pct, 1) AS pct,
  round(p.accesses_low_pct, 1) AS low,
  round(p.accesses_high_pct, 1) AS high
FROM pinning AS p
LEFT JOIN objects AS o ON o.id = p.object_id
LEFT JOIN symbols AS s ON s.id = p.symbol_id
LEFT JOIN dsos AS d ON d.id = p.dso_id
LEFT JOIN threads AS t ON t.id = p.thread_id
WHERE p.of = coalesce(:by, 'run')
ORDER BY p.accesses DESC, name, p.memory, p.class
LIMIT coalesce(:top, 30);
