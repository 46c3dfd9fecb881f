-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW object_pages AS
-- view:    object_pages
-- summary: Which thread accesses which page, and where the page lives.
-- grain:   one row per process, page, object and thread with a sample
-- source:  Trahay et al. 2018, 3.4 (NumaMMA): accesses by page and thread
-- note:    from drawn_samples; pages of the system's size, whatever the page table has. The query pages has ranges of pages with one
--          pattern
SELECT
  s.object_id AS object_id,   -- objects.id; NULL: no object
  s.process_id AS process_id, -- processes.id; NULL: not known
  s.address - (s.address & (r.page_bytes - 1)) AS page, -- address of the page's first byte
  s.thread_id AS thread_id,   -- threads.id; NULL: not known
  count(*) AS drawn,          -- drawn samples (count)
  sum(s.stores) AS drawn_stores, -- of these, that write (count)
  coalesce(sum(s.home_node_id = s.cpu_node_id), 0) AS local, -- drawn samples while the page was on the CPU's own node (count)
  coalesce(sum(s.home_node_id <> s.cpu_node_id), 0) AS remote, -- while it was on another (count)
  s.home_node_id AS home_node_id, -- the page's home at the first of these samples; NULL: not known
  min(s.time) AS first_ns     -- time of the first of these samples
FROM drawn_samples AS s
CROSS JOIN runs AS r
GROUP BY 1, 2, 3, 4;
