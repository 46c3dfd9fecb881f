-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   time_kinds
-- summary: Thread time by kind.
-- keep:    20 rows at most
WITH
  run AS MATERIALIZED run_totals()
SELECT
  s.time_kind AS time_kind,          -- what the thread did or waited for: "memory", "compute", "spin", "wait", "fault", "system", …, as in the table time_kinds
  sum(s.samples) AS samples,         -- number of samples with this kind of time
  sum(s.thread_time) AS thread_time, -- thread time of this kind, in ns (timer) or core cycles (cycle counter)
  sum(s.time_pct) AS time_pct,       -- share of all thread time, 0-100
  share_low(sum(s.thread_time), max(r.thread_time), max(r.thread_time_sq)) AS low_pct, -- lower end of the 95 % interval of time_pct
  share_high(sum(s.thread_time), max(r.thread_time), max(r.thread_time_sq)) AS high_pct, -- upper end of the 95 % interval of time_pct
  share_high((sum(s.thread_time) + (SELECT total(thread_time) FROM time_spent WHERE time_kind = 'unknown' AND s.time_kind = 'memory')), max(r.thread_time), max(r.thread_time_sq)) AS most_pct -- for "memory": upper end of the interval if all time of kind "unknown" counts as "memory", as in the verdict; for other kinds: high_pct
FROM time_spent AS s
CROSS JOIN run AS r
GROUP BY s.time_kind
ORDER BY sum(s.thread_time) DESC;
