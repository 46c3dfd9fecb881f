-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   object_first_access
-- summary: Which thread was the first to be sampled in an object's pages, and where they lived then.
-- param:   object - only this object: its id or name
-- param:   top 30 rows at most
-- column:  object_id  objects.id
-- column:  object     the object's name
-- column:  tid        thread
-- column:  home       node of the pages then
-- column:  pages      pages
-- column:  pct        share of the object's sampled pages, 0-100
-- column:  low        lower end of its 95 % interval
-- column:  high       upper end
SELECT
  f.object_id AS object_id,
  o.name AS object,
  t.tid AS tid,
  f.home_node_id AS home,
  f.pages AS pages,
  round(f.pages_pct, 1) AS pct,
  round(f.pages_low_pct, 1) AS low,
  round(f.pages_high_pct, 1) AS high
FROM object_first_access AS f
LEFT JOIN objects AS o ON o.id = f.object_id
LEFT JOIN threads AS t ON t.id = f.thread_id
WHERE :object IS NULL OR f.object_id = :object OR o.name = :object
ORDER BY f.pages DESC, f.object_id, t.tid, f.home_node_id
LIMIT coalesce(:top, 30);
