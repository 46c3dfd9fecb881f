-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   page_threads
-- summary: Which thread accesses which page.
-- param:   object - only this object: its id or name
-- param:   top 50 rows at most
-- column:  object_id  objects.id
-- column:  object    the object's name
-- column:  page      address of the page
-- column:  home      its node
-- column:  tid       thread
-- column:  accesses  accesses
-- column:  stores    those that write
-- column:  remote    those to another node
SELECT
  p.object_id AS object_id,
  o.name AS object,
  printf('%x', p.page) AS page,
  p.home_node_id AS home,
  t.tid AS tid,
  p.accesses AS accesses,
  p.stores AS stores,
  p.remote AS remote
FROM page_threads AS p
LEFT JOIN objects AS o ON o.id = p.object_id
LEFT JOIN threads AS t ON t.id = p.thread_id
WHERE :object IS NULL OR p.object_id = :object OR o.name = :object
ORDER BY p.accesses DESC, p.process_id, p.page, t.tid
LIMIT coalesce(:top, 50);
