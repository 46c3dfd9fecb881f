-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   placement
-- summary: How the pages of each object were placed: number and time of page faults, how often memory was placed, how much memory is reused, and the first known access.
-- param:   top 20 rows at most
-- param:   object - only this object: its id or name
-- column:  object_id   objects.id
-- column:  object      name of the object
-- column:  faults      number of page faults
-- column:  pages       number of first touches: page faults that placed a page of the object
-- column:  kib         sum of the sizes of these pages, KiB
-- column:  times       lower bound of how often the kernel placed the object's memory
-- column:  fault_ms    time in the kernel's handler of page faults, ms; only the timer sampler measures it
-- column:  fault_pct   fault_ms as a share of all thread time, 0-100
-- column:  fault_low   lower end of the 95 % interval of fault_pct
-- column:  fault_high  upper end of the 95 % interval of fault_pct
-- column:  source      kind of the first known access: "fault": its page was not present; "sample": no page fault was recorded before
-- column:  cpu_node    node of the CPU
-- column:  tid         thread
-- column:  comm        the thread's name
-- column:  function    the program's function that made the access; if the caller is known, a function outside the standard libraries
-- column:  file        source file
-- column:  line        source line
-- column:  inside      the library function that was called at this line and made the access, such as memset or read
-- column:  samples     number of samples on pages whose time of placement is known
-- column:  reused      number of these samples whose page was placed before the block was allocated
-- column:  reused_pct  reused as a share of samples, 0-100
-- column:  low         lower end of the 95 % interval of reused_pct
-- column:  high        upper end of the 95 % interval of reused_pct
-- column:  first_users threads that made the first drawn access to a page: for each thread and node, the tid, the node and the number of such pages
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
