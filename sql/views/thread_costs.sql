-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW thread_costs AS
-- view:    thread_costs
-- summary: Cost of memory by thread.
-- grain:   one row per thread with a sample
WITH
  run AS MATERIALIZED run_totals()
SELECT
  t.thread_id AS thread_id, -- threads.id; NULL: not known
  h.pid AS pid,             -- the kernel's process number
  h.tid AS tid,             -- the kernel's thread number
  h.comm AS comm,           -- the thread's name
  cost_columns(t, r, 0)
FROM totals AS t
CROSS JOIN run AS r
LEFT JOIN threads AS h ON h.id = t.thread_id
WHERE t.scope = 'thread';
