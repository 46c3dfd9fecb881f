-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   first_touches
-- summary: The first touches that placed an object's pages.
-- keep:    2000 rows at most
SELECT
  object_id AS object_id,       -- objects.object_id
  home_node_id AS home,         -- node on which the pages were placed; NULL: not known
  cpu_node_id AS cpu_node,      -- node of the CPU that touched the pages first
  thread_id AS thread_id,       -- threads.thread_id
  tid AS tid,                   -- the kernel's thread number
  comm AS comm,                 -- the thread's name
  function AS function,         -- the program's function that touched the pages
  file AS file,                 -- source file
  line AS line,                 -- source line
  inside AS inside,             -- library function that was called at this line and touched the pages, such as memset; NULL: the line's own code touched them
  pages AS pages,               -- number of pages that a first touch placed; a huge page counts as one
  bytes AS bytes,               -- sum of the sizes of these pages
  unpinned_bytes AS unpinned_bytes, -- the part of `bytes` that unpinned threads (threads that may run on several nodes) touched: the nodes of these pages may differ in the next run
  bytes_pct AS bytes_pct        -- share of the bytes that all first touches of the object placed, 0-100; every first touch was counted, so there is no interval
FROM first_touches
ORDER BY bytes DESC, object_id, home_node_id, thread_id, location_id;
