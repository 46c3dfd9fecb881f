-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    page_threads
-- summary: Which thread accesses which page.
-- grain:   one row per process, page, object and thread with an access
-- source:  Trahay et al. 2018, 3.4 (NumaMMA): accesses by page and thread
-- note:    from drawn_samples; pages of the system's size, whatever the page table has
-- column:  object_id       INTEGER  objects.id; NULL: no object
-- column:  process_id      INTEGER  processes.id; NULL: not known
-- column:  page            INTEGER  address of the page's first byte
-- column:  thread_id       INTEGER  threads.id; NULL: not known
-- column:  accesses        INTEGER  accesses (count)
-- column:  stores          INTEGER  those that write (count)
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
-- column:  home_node_id    INTEGER  the page's home at the first of these accesses; NULL: not known
-- column:  first_ns        INTEGER  time of the first of these accesses
CREATE VIEW page_threads AS
SELECT
  s.object_id AS object_id,
  s.process_id AS process_id,
  s.address - (s.address & (r.page_bytes - 1)) AS page,
  s.thread_id AS thread_id,
  count(*) AS accesses,
  sum(s.writes) AS stores,
  coalesce(sum(s.home_node_id = s.cpu_node_id), 0) AS local,
  coalesce(sum(s.home_node_id <> s.cpu_node_id), 0) AS remote,
  s.home_node_id AS home_node_id, -- of the row with the least time
  min(s.time) AS first_ns
FROM drawn_samples AS s
CROSS JOIN runs AS r
GROUP BY 1, 2, 3, 4;
