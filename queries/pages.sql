-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   pages
-- summary: Threads by page of an object: one row per range of pages with the same pattern, or per page.
-- param:   object - the object: its id or name; if several objects have that name, the object with the highest cost; default: the object with the highest cost, except stacks
-- param:   by - one row per range of pages with the same pattern (default), or per page
-- values:  by range, page
-- param:   top 50 rows at most
-- column:  object_id  objects.id
-- column:  object     name of the object
-- column:  first      address of the first page
-- column:  last       address of the last page
-- column:  pages      number of pages (of the system's page size) with a sample
-- column:  pattern    "one thread"; "blocks": several threads, each with pages of its own; "all": several threads share pages; "unknown": the object is known, but not the page
-- column:  threads    number of threads
-- column:  tids       the kernel's numbers of the threads, at most eight
-- column:  homes      nodes of the pages, with the number of pages on each
-- column:  drawn      number of drawn samples; these are all samples or, if there are very many, an evenly drawn part of them
-- column:  drawn_stores number of drawn samples that write
-- column:  drawn_remote number of drawn samples of pages that are known to be on another node; empty on a machine with one node
-- column:  drawn_unknown number of drawn samples whose nodes are not known, so they may be remote; empty on a machine with one node
WITH
  chosen AS MATERIALIZED (
    SELECT object_id AS id, object AS name
    FROM object_costs
    WHERE object_id IS NOT NULL AND iif(:object IS NULL, kind <> 'stack', :object IN (object_id, object))
    ORDER BY rank
    LIMIT 1
  ),
  used AS MATERIALIZED (
    SELECT s.process_id AS process_id, s.page AS page, s.thread_id AS thread_id, t.tid AS tid, s.home_node_id AS home_node_id, min(s.time),
      sum(s.accesses) AS drawn, sum(s.stores * s.accesses) AS stores, total((s.home_node_id <> s.cpu_node_id) * s.accesses) AS remote,
      sum((s.home_node_id IS NULL OR s.cpu_node_id IS NULL) * s.accesses) AS unknown
    FROM drawn_samples AS s
    LEFT JOIN threads AS t ON t.id = s.thread_id
    WHERE s.object_id = (SELECT id FROM chosen)
    GROUP BY s.process_id, s.page, s.thread_id -- min() makes SQLite take home_node_id from the first sample of the page
  ),
  page AS ( -- thread_id: the page's only thread, or NULL if it has several
    SELECT process_id, page, count(*) AS threads, iif(count(*) = 1, min(coalesce(thread_id, 0)), NULL) AS thread_id, min(home_node_id) AS home_node_id
    FROM used
    GROUP BY process_id, page
  ),
  -- begins: 1 if the page begins a new range: it belongs to a different process than the page
  -- before, or different threads use it
  change AS (
    SELECT *, coalesce(thread_id IS NOT lag(thread_id) OVER w OR process_id IS NOT lag(process_id) OVER w OR lag(page) OVER w IS NULL, 1) AS begins
    FROM page
    WINDOW w AS (ORDER BY process_id, page)
  ),
  run AS MATERIALIZED (
    SELECT *, sum(begins) OVER (ORDER BY process_id, page) AS run FROM change
  ),
  -- Adjacent ranges of single threads, with fewer than eight pages each, become one range "blocks".
  runs AS (
    SELECT run, process_id, min(page) AS first, count(*) AS pages, max(thread_id) AS thread_id FROM run GROUP BY run
  ),
  kind AS (
    SELECT *, CASE WHEN first IS NULL THEN 'unknown' WHEN thread_id IS NULL THEN 'all' WHEN pages < 8 THEN 'blocks' ELSE 'one thread' END AS pattern FROM runs
  ),
  step AS (
    SELECT *, coalesce(pattern = 'one thread' OR pattern <> lag(pattern) OVER w OR process_id IS NOT lag(process_id) OVER w, 1) AS begins
    FROM kind
    WINDOW w AS (ORDER BY run)
  ),
  ranges AS MATERIALIZED (
    SELECT run, pattern, sum(begins) OVER (ORDER BY run) AS range FROM step
  ),
  member AS MATERIALIZED (
    SELECT
      iif(:by = 'page', row_number() OVER (ORDER BY r.process_id, r.page), g.range) AS range, r.process_id AS process_id, r.page AS page,
      r.home_node_id AS home_node_id, iif(:by = 'page', CASE WHEN r.page IS NULL THEN 'unknown' WHEN r.thread_id IS NULL THEN 'all' ELSE 'one thread' END, g.pattern) AS pattern
    FROM run AS r
    JOIN ranges AS g ON g.run = r.run
  ),
  homes AS (
    SELECT range, group_concat(coalesce(home_node_id, '?') || ' ×' || n, ', ') AS homes
    FROM (SELECT range, home_node_id, count(*) AS n FROM member GROUP BY range, home_node_id ORDER BY range, n DESC, home_node_id)
    GROUP BY range
  ),
  threads_of AS (
    SELECT range, count(*) AS threads, group_concat(iif(place <= 8, tid, NULL), ', ') AS tids
    FROM (
      SELECT m.range AS range, coalesce(u.tid, '?') AS tid, row_number() OVER (PARTITION BY m.range ORDER BY sum(u.drawn) DESC, u.tid) AS place
      FROM member AS m
      JOIN used AS u ON u.process_id IS m.process_id AND u.page IS m.page
      GROUP BY m.range, u.thread_id
    )
    GROUP BY range
  ),
  part AS (
    SELECT m.range AS range, min(m.pattern) AS pattern, min(m.page) AS first, max(m.page) AS last, count(DISTINCT m.page) AS pages, sum(u.drawn) AS drawn,
      sum(u.stores) AS stores, CAST(sum(u.remote) AS INTEGER) AS remote, sum(u.unknown) AS unknown
    FROM member AS m
    JOIN used AS u ON u.process_id IS m.process_id AND u.page IS m.page
    GROUP BY m.range
  )
SELECT
  o.id AS object_id,
  o.name AS object,
  iif(p.first IS NULL, NULL, printf('%x', p.first)) AS first,
  iif(p.last IS NULL, NULL, printf('%x', p.last)) AS last,
  p.pages AS pages,
  iif(p.pattern = 'blocks' AND t.threads = 1, 'one thread', p.pattern) AS pattern,
  t.threads AS threads,
  t.tids AS tids,
  h.homes AS homes,
  p.drawn AS drawn,
  p.stores AS drawn_stores,
  iif((SELECT count(*) FROM nodes) <> 1, p.remote, NULL) AS drawn_remote,
  iif((SELECT count(*) FROM nodes) <> 1, p.unknown, NULL) AS drawn_unknown
FROM part AS p
CROSS JOIN chosen AS o
LEFT JOIN threads_of AS t ON t.range = p.range
LEFT JOIN homes AS h ON h.range = p.range
ORDER BY p.first IS NULL, p.range
LIMIT coalesce(:top, 50);
