-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   object_first_touch
-- summary: Who placed an object's pages: node, thread and code of the first touches.
-- param:   top 20 rows at most
-- param:   object - only this object: its id or name
-- column:  object_id  objects.id
-- column:  object     the object's name
-- column:  node       node on which the pages were placed
-- column:  cpu_node   node of the CPU that touched them
-- column:  tid        thread
-- column:  comm       the thread's name
-- column:  function   the touching code of the program; of no standard library where the caller is known
-- column:  file       source file
-- column:  line       source line
-- column:  inside     the library function called there that touched them, as memset or read
-- column:  touches    first touches, which is pages
-- column:  unpinned   of these by a thread whose affinity spanned nodes just then: chance, but for a policy
-- column:  pct        share of the object's first touches, 0-100; all were counted: no interval
SELECT
  object_id,
  object,
  node_id AS node,
  cpu_node_id AS cpu_node,
  tid,
  comm,
  function,
  file,
  line,
  inside,
  touches,
  unpinned,
  round(touches_pct, 1) AS pct
FROM object_first_touch
WHERE :object IS NULL OR object_id = :object OR object = :object
ORDER BY touches DESC, object_id, tid, function, line
LIMIT coalesce(:top, 20);
