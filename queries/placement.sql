-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   placement
-- summary: How an object's pages came to be there: page faults and their cost, placed how often, left by what was there before, and who was seen first in them.
-- param:   top 20 rows at most
-- param:   object - only this object: its id or name
-- column:  object_id   objects.id
-- column:  object      the object's name
-- column:  faults      page faults
-- column:  pages       of these, pages that were first touched as part of this object
-- column:  kib         sum of their sizes, KiB
-- column:  times       how often its memory was placed, at least
-- column:  fault_ms    time in the kernel's handler of page faults, ms (timer)
-- column:  fault_pct   the same as a share of all thread time, 0-100
-- column:  fault_low   lower end of its 95 % interval
-- column:  fault_high  upper end
-- column:  source      of the first access: "fault", its page was not there before; "sample": it was
-- column:  cpu_node    node of the CPU
-- column:  tid         thread
-- column:  comm        the thread's name
-- column:  function    the accessing code of the program; of no standard library where the caller is known
-- column:  file        source file
-- column:  line        source line
-- column:  inside      the library function called there that made the access, as memset or read
-- column:  samples     samples of pages with a known time of placement
-- column:  reused      of these, on pages that were placed before their block was born
-- column:  reused_pct  their share, 0-100
-- column:  low         lower end of its 95 % interval
-- column:  high        upper end
-- column:  first_users threads that were sampled first in its pages: number, home of the pages then, and pages (of a draw)
WITH
  first AS (
    SELECT object_id, thread_id, home_node_id, min(time)
    FROM drawn_samples
    WHERE object_id IS NOT NULL
    GROUP BY object_id, process_id, page
  ),
  users AS (
    SELECT object_id, group_concat(text, ', ') AS text
    FROM (
      SELECT f.object_id AS object_id, coalesce(t.tid, '?') || ' on ' || coalesce(f.home_node_id, '?') || ' ×' || count(*) AS text
      FROM first AS f
      LEFT JOIN threads AS t ON t.id = f.thread_id
      GROUP BY f.object_id, f.thread_id, f.home_node_id
      ORDER BY f.object_id, count(*) DESC, t.tid
    )
    GROUP BY object_id
  )
SELECT
  p.object_id AS object_id,
  p.object AS object,
  p.faults AS faults,
  p.pages AS pages,
  p.bytes / 1024 AS kib,
  p.times AS times,
  iif((SELECT cost_unit FROM run_costs) IS NOT 'cycles', round(p.fault_time / 1e6, 3), NULL) AS fault_ms,
  iif(p.fault_time > 0, round(p.fault_time_pct, 1), NULL) AS fault_pct,
  iif(p.fault_time > 0, round(p.fault_time_low_pct, 1), NULL) AS fault_low,
  iif(p.fault_time > 0, round(p.fault_time_high_pct, 1), NULL) AS fault_high,
  p.source AS source,
  p.cpu_node_id AS cpu_node,
  p.tid AS tid,
  p.comm AS comm,
  p.function AS function,
  p.file AS file,
  p.line AS line,
  p.inside AS inside,
  p.samples AS samples,
  p.reused AS reused,
  round(p.reused_pct, 1) AS reused_pct,
  round(p.reused_low_pct, 1) AS low,
  round(p.reused_high_pct, 1) AS high,
  u.text AS first_users
FROM object_placement AS p
LEFT JOIN users AS u ON u.object_id = p.object_id
WHERE :object IS NULL OR p.object_id = :object OR p.object = :object
ORDER BY p.samples + p.pages DESC, p.object_id
LIMIT coalesce(:top, 20);
