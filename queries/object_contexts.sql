-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   object_contexts
-- summary: Which part of an object each thread uses, by calling context.
-- param:   object - only this object: its id or name
-- param:   top 40 rows at most
-- column:  object_id     objects.id
-- column:  object        the object's name
-- column:  call_path_id  the calling context; see the query call_stack
-- column:  function      its innermost function
-- column:  tid           thread
-- column:  low           lowest offset, as a part of the object's extent, in [0, 1]
-- column:  high          highest offset
-- column:  accesses      accesses
-- column:  wait_ms       waiting time, ms (timer)
-- column:  weight_sum    sum of latencies, core cycles (hardware)
-- column:  remote_pct    accesses to another node, 0-100; empty: homes are not known
-- column:  remote_low    lower end of its 95 % interval
-- column:  remote_high   upper end
-- column:  home_pct      accesses whose nodes are known, 0-100
WITH
  heavy AS ( -- contexts together, the costliest first
    SELECT *, sum(wait_ns) OVER c AS w, sum(weight) OVER c AS l, sum(accesses) OVER c AS n
    FROM object_contexts
    WINDOW c AS (PARTITION BY object_id, call_path_id)
  )
SELECT
  h.object_id AS object_id,
  o.name AS object,
  h.call_path_id AS call_path_id,
  s.name AS function,
  t.tid AS tid,
  round(h.low, 3) AS low,
  round(h.high, 3) AS high,
  h.accesses AS accesses,
  nullif(round(h.wait_ns / 1e6, 3), 0) AS wait_ms,
  nullif(h.weight, 0) AS weight_sum,
  round(100.0 * h.remote / (h.local + h.remote), 1) AS remote_pct,
  round(max(0, 100.0 * (h.remote + 1.9208 - 1.96 * sqrt(1.0 * h.remote * h.local / (h.local + h.remote) + 0.9604)) / (h.local + h.remote + 3.8416)), 1) AS remote_low,
  round(min(100, 100.0 * (h.remote + 1.9208 + 1.96 * sqrt(1.0 * h.remote * h.local / (h.local + h.remote) + 0.9604)) / (h.local + h.remote + 3.8416)), 1) AS remote_high,
  round(100.0 * (h.local + h.remote) / h.accesses, 1) AS home_pct
FROM heavy AS h
LEFT JOIN objects AS o ON o.id = h.object_id
LEFT JOIN symbols AS s ON s.id = h.symbol_id
LEFT JOIN threads AS t ON t.id = h.thread_id
WHERE :object IS NULL OR h.object_id = :object OR o.name = :object
ORDER BY h.w DESC, h.l DESC, h.n DESC, h.object_id, h.call_path_id, h.low, t.tid
LIMIT coalesce(:top, 40);
