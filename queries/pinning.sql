-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   pinning
-- summary: Accesses by class: pinned or unpinned thread, pinned or unpinned page, local or remote.
-- param:   by - one row per run (default), function, line, object or thread
-- values:  by run, function, line, object, thread
-- param:   top 30 rows at most
-- column:  name      name of the function, object or thread
-- column:  file      source file of the line
-- column:  line      source line
-- column:  memory    kind of node that the page is on: cpu node, or memory node (a node without CPUs)
-- column:  class     local or remote; nearest or farther (memory node); unpinned page, thread or both; unknown
-- column:  samples   number of samples with an address
-- column:  pct       share of all samples with an address, by Σ period, 0-100
-- column:  low       lower end of the 95 % interval of pct
-- column:  high      upper end of the 95 % interval of pct
SELECT
  CASE p.scope
    WHEN 'run' THEN 'run'
    WHEN 'object' THEN o.name
    WHEN 'thread' THEN coalesce(t.comm, '') || coalesce(' ' || t.tid, '')
    ELSE p.function
  END AS name,
  p.file AS file,
  p.line AS line,
  p.memory AS memory,
  p.class AS class,
  p.samples AS samples,
  round(p.share_pct, 1) AS pct,
  round(p.share_low_pct, 1) AS low,
  round(p.share_high_pct, 1) AS high
FROM pinning AS p
LEFT JOIN objects AS o ON o.id = p.object_id
LEFT JOIN threads AS t ON t.id = p.thread_id
WHERE p.scope = coalesce(:by, 'run')
ORDER BY p.estimate DESC, name, p.file, p.line, p.memory, p.class
LIMIT coalesce(:top, 30);
