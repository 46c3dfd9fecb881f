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
  inside AS inside,             -- library function, called there, that touched the pages, such as memset
  pages AS pages,               -- pages that were placed by a first touch (count); a huge page counts as one
  bytes AS bytes,               -- sum of the sizes of these pages
  unpinned_bytes AS unpinned_bytes, -- part of bytes that an unpinned thread touched; the node of these pages is chance
  bytes_pct AS bytes_pct        -- share of the object's first-touched bytes, 0-100; every first touch was counted
FROM first_touches
ORDER BY bytes DESC, object_id, home_node_id, thread_id, location_id;
