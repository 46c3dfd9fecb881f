-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   first_touch
-- summary: The first touches that placed an object's pages: node, thread and code.
-- param:   by - code (default): one row per object, node, thread and line; line, thread, object: one row per line, thread or object
-- values:  by code, line, thread, object
-- param:   top 20 rows at most
-- param:   object - only this object: its id or name
-- column:  object_id   objects.id
-- column:  object      name of the object
-- column:  home        node on which the pages were placed
-- column:  cpu_node    node of the CPU that touched the pages
-- column:  tid         thread
-- column:  comm        the thread's name
-- column:  function    the program's function that touched the pages, outside allocators, libc and the runtimes of languages; [unknown]: their caller is not known
-- column:  file        source file
-- column:  line        source line
-- column:  inside      the library function that was called at this line and touched the pages, such as memset or read
-- column:  pages       number of first touches; each placed one page of any size
-- column:  kib         sum of the sizes of these pages, KiB
-- column:  unpinned_pct share of kib that threads touched while they could run on several nodes, 0-100; unless a memory policy chose the node of these pages, it is a matter of chance
-- column:  pct         share of the bytes that all first touches of the object (by=line, thread: of all objects) placed, 0-100; every page fault is counted, so there is no interval
-- column:  call_path_id call path of one of these page faults: memdb query call_stack path=ID
WITH
  part AS (
    SELECT
      iif(coalesce(:by, 'code') IN ('code', 'object'), object_id, NULL) AS object_id,
      iif(coalesce(:by, 'code') IN ('code', 'object'), object, NULL) AS object,
      home_node_id,
      iif(coalesce(:by, 'code') IN ('code', 'thread'), cpu_node_id, NULL) AS cpu_node_id,
      iif(coalesce(:by, 'code') IN ('code', 'thread'), thread_id, NULL) AS thread_id,
      iif(coalesce(:by, 'code') IN ('code', 'thread'), tid, NULL) AS tid,
      iif(coalesce(:by, 'code') IN ('code', 'thread'), comm, NULL) AS comm,
      iif(coalesce(:by, 'code') IN ('code', 'line'), function, NULL) AS function,
      iif(coalesce(:by, 'code') IN ('code', 'line'), file, NULL) AS file,
      iif(coalesce(:by, 'code') IN ('code', 'line'), line, NULL) AS line,
      iif(coalesce(:by, 'code') IN ('code', 'line'), inside, NULL) AS inside,
      pages, bytes, unpinned_bytes, object_id AS touched_id, thread_id AS toucher_id, location_id
    FROM first_touches
    WHERE :object IS NULL OR object_id = :object OR object = :object
  ),
  paths AS MATERIALIZED (
    SELECT object_id AS touched_id, thread_id AS toucher_id, iif(called_id IS NULL, location_id, caller_id) AS location_id, min(call_path_id) AS call_path_id
    FROM page_faults
    WHERE first = 1 AND object_id IS NOT NULL
    GROUP BY 1, 2, 3
  ),
  summed AS (
    SELECT object_id, object, home_node_id, cpu_node_id, thread_id, tid, comm, function, file, line, inside, sum(pages) AS pages,
      sum(bytes) AS bytes, sum(unpinned_bytes) AS unpinned_bytes, min(p.call_path_id) AS call_path_id
    FROM part AS t
    LEFT JOIN paths AS p ON p.touched_id = t.touched_id AND p.toucher_id IS t.toucher_id AND p.location_id IS t.location_id
    GROUP BY object_id, object, home_node_id, cpu_node_id, thread_id, tid, comm, function, file, line, inside
  )
SELECT
  object_id,
  object,
  home_node_id AS home,
  cpu_node_id AS cpu_node,
  tid,
  comm,
  function,
  file,
  line,
  inside,
  pages,
  bytes / 1024 AS kib,
  nullif(round(100.0 * unpinned_bytes / bytes, 1), 0) AS unpinned_pct,
  round(100.0 * bytes / sum(bytes) OVER (PARTITION BY object_id), 1) AS pct,
  call_path_id
FROM summed
ORDER BY bytes DESC, object_id, tid, function, line, home_node_id
LIMIT coalesce(:top, 20);
