-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   first_touches
-- summary: Who placed an object's pages.
-- keep:    2000
SELECT
  object_id AS object_id,       -- objects.object_id
  home_node_id AS home,         -- node on which the pages were placed; NULL: not known
  cpu_node_id AS cpu_node,      -- node of the CPU that touched them
  thread_id AS thread_id,       -- threads.thread_id
  tid AS tid,                   -- the kernel's thread number
  comm AS comm,                 -- the thread's name
  function AS function,         -- the touching code of the program
  file AS file,                 -- source file
  line AS line,                 -- source line
  inside AS inside,             -- the library function called there that touched them, as memset
  pages AS pages,               -- first touches, which is pages of any size (count)
  bytes AS bytes,               -- sum of their sizes
  unpinned_bytes AS unpinned_bytes, -- of these, by a thread that was allowed on several nodes: chance
  bytes_pct AS bytes_pct        -- share of the object's first touched bytes, 0-100; all were counted
FROM first_touches
ORDER BY bytes DESC, object_id, home_node_id, thread_id, location_id;
