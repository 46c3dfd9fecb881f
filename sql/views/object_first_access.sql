-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_first_access
-- summary: Which thread was the first to be sampled in the pages of an object.
-- grain:   one row per object, thread and home node of the pages
-- note:    from drawn_samples. The object's first access is not the page's first touch: memory that malloc gives out again keeps the
--          home that its former user gave it (object_first_touch). Where they differ, placing by first touch did not work
-- column:  object_id       INTEGER  objects.id
-- column:  thread_id       INTEGER  threads.id; NULL: not known
-- column:  home_node_id    INTEGER  home of the pages then; NULL: not known
-- column:  pages           INTEGER  pages with a sample whose first was this thread's (count)
-- column:  pages_pct       REAL     their share of the object's sampled pages, 0-100
-- column:  pages_low_pct   REAL     lower end of its 95 % Wilson interval
-- column:  pages_high_pct  REAL     upper end
-- column:  first_ns        INTEGER  time of the earliest of these samples
CREATE VIEW object_first_access AS
WITH
  first AS (
    SELECT object_id, thread_id, home_node_id, min(first_ns) AS first_ns
    FROM page_threads
    WHERE object_id IS NOT NULL
    GROUP BY object_id, process_id, page
  ),
  part AS (
    SELECT object_id, thread_id, home_node_id, count(*) AS pages, min(first_ns) AS first_ns
    FROM first
    GROUP BY object_id, thread_id, home_node_id
  ),
  whole AS (
    SELECT *, sum(pages) OVER (PARTITION BY object_id) AS n FROM part
  )
SELECT
  object_id,
  thread_id,
  home_node_id,
  pages,
  100.0 * pages / n AS pages_pct,
  wilson_low(pages, n) AS pages_low_pct,
  wilson_high(pages, n) AS pages_high_pct,
  first_ns
FROM whole;
