-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   page_migrations
-- summary: How many pages the kernel moved in each thread, by reason.
-- param:   top 50 rows at most
-- column:  reason      why: "mempolicy_mbind", "numa_misplaced", …
-- column:  tid         thread in which it happened; empty: not of the run
-- column:  comm        its name
-- column:  batches     times
-- column:  pages       pages moved
-- column:  failed      pages not moved
-- column:  huge_pages  huge pages moved
SELECT
  reason,
  tid,
  comm,
  count(*) AS batches,
  sum(pages) AS pages,
  sum(failed) AS failed,
  sum(huge_pages) AS huge_pages
FROM page_migrations
GROUP BY reason, thread_id
ORDER BY pages DESC, reason, tid
LIMIT coalesce(:top, 50);
