-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   touch_paths
-- summary: The call paths of the first touches that placed an object's pages. Paths that differ only in the instruction of the touch are one.
-- keep:    1000 rows at most
SELECT
  object_id AS object_id, -- objects.object_id
  thread_id AS thread_id, -- threads.thread_id
  path_id AS path_id,     -- paths.id
  pages AS pages          -- number of first touches; each placed one page, of any size
FROM touch_paths();
