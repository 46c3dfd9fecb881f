-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_first_touch
-- summary: Who placed an object's pages: node, thread and code of the first touches.
-- grain:   one row per object, node, thread, location and called function with a first touch
-- source:  Liu & Mellor-Crummey 2014, 4.3
-- note:    memory that malloc uses again is not touched for the first time again
-- note:    the code is the program's own where that is known: who called memset, not memset. It is known of recordings
--          whose page faults have a copy of the stack, as memdb record makes them
-- column:  object_id       INTEGER  objects.id
-- column:  object          TEXT     the object's name
-- column:  node_id         INTEGER  node on which the pages were placed; NULL: not known
-- column:  cpu_node_id     INTEGER  node of the CPU that touched them; NULL: not known
-- column:  thread_id       INTEGER  threads.id; NULL: not known
-- column:  tid             INTEGER  the kernel's thread number
-- column:  comm            TEXT     the thread's name
-- column:  location_id     INTEGER  locations.id of the touching code, or of the program's call that led there
-- column:  function        TEXT     its innermost function that is not of a standard library; [file] where there is no symbol
-- column:  file            TEXT     source file; NULL: not known
-- column:  line            INTEGER  source line; NULL: not known
-- column:  inside          TEXT     what that called and what touched the page, as "memset", "read", "std::…"; NULL: it touched it itself
-- column:  touches         INTEGER  first touches, which is pages (count)
-- column:  unpinned        INTEGER  of these by a thread whose affinity spanned nodes just then: where they lie is chance, but for a policy (count)
-- column:  touches_pct     REAL     share of the object's first touches, 0-100; all were counted: no interval
CREATE VIEW object_first_touch AS
WITH
  part AS (
    SELECT
      c.object_id AS object_id, k.home_node_id AS node_id, k.cpu_node_id AS cpu_node_id,
      c.thread_id AS thread_id, coalesce(i.caller_id, i.location_id) AS location_id, i.called_id AS called_id,
      sum(c.samples) AS touches, sum(iif(k.thread_pinned = 0, c.samples, 0)) AS unpinned
    FROM fault_cells AS c
    JOIN access_kinds AS k ON k.id = c.kind_id
    LEFT JOIN instructions AS i ON i.id = c.instruction_id
    WHERE k.first = 1 AND c.object_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6
  )
SELECT
  p.object_id AS object_id,
  o.name AS object,
  p.node_id AS node_id,
  p.cpu_node_id AS cpu_node_id,
  p.thread_id AS thread_id,
  th.tid AS tid,
  th.comm AS comm,
  p.location_id AS location_id,
  coalesce(f.function, '[unknown]') AS function,
  f.file AS file,
  f.line AS line,
  coalesce(s.name, iif(l.own_depth > 0, l.function, NULL)) AS inside,
  p.touches AS touches,
  p.unpinned AS unpinned,
  100.0 * p.touches / sum(p.touches) OVER (PARTITION BY p.object_id) AS touches_pct
FROM part AS p
LEFT JOIN objects AS o ON o.id = p.object_id
LEFT JOIN threads AS th ON th.id = p.thread_id
LEFT JOIN locations AS l ON l.id = p.location_id
LEFT JOIN location_frames AS f ON f.location_id = l.id AND f.depth = coalesce(l.own_depth, 0)
LEFT JOIN symbols AS s ON s.id = p.called_id;
