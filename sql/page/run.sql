-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   run
-- summary: Totals of the run, to which all shares refer: samples, time and cost.
-- keep:    1 row at most
WITH
  run AS MATERIALIZED run_totals()
SELECT
  r.command AS command,                      -- the program's command line; NULL: not recorded by memdb
  r.sampler AS sampler,                      -- the sampler, such as "timer", "pebs", "ibs" or "spe"; NULL: not recorded by memdb
  (r.end_ns - r.start_ns) / 1e9 AS seconds,  -- duration of the recording
  coalesce(r.page_bytes, 4096) AS page_bytes, -- the system's page size
  (SELECT count(*) FROM nodes) AS nodes,     -- number of NUMA nodes; 0: not known
  (SELECT cost_unit FROM run_costs) AS cost_unit, -- unit of cost: "ns" of thread time, "cycles" of thread time, "latency" (core cycles of accesses); NULL: not measured
  t.samples AS samples,                      -- number of samples of the recording
  nullif(t.thread_time, 0) AS thread_time,   -- time that threads ran, in ns (timer) or core cycles (cycle counter)
  t.cost + t.lost_cost AS cost,              -- cost of memory, in cost_unit
  iif(w.yes, 100.0 * (t.cost + t.lost_cost) / t.thread_time, NULL) AS waiting_pct, -- `cost` as a share of `thread_time`, 0-100: waits for memory and for cache lines that other threads use, and time that may be computing; NULL: cost is not thread time
  iif(w.yes, share_low((t.cost + t.lost_cost), t.thread_time, t.thread_time_sq), NULL) AS waiting_low_pct, -- lower end of the 95 % interval of waiting_pct
  iif(w.yes, share_high((t.cost + t.lost_cost), t.thread_time, t.thread_time_sq), NULL) AS waiting_high_pct, -- upper end of the 95 % interval of waiting_pct
  t.lost_cost AS lost_cost,                  -- the part of `cost` that comes from waits for accesses whose address and object are lost; no object has this cost
  coalesce(claims((t.waits + t.lost_waits), t.addressed) AND NOT emulated(r.cpudesc), 0) AS claims, -- 1: there are enough samples to state costs, 0: there are not, so rows are ranked by their number of samples
  all_counted() AS counted, -- 1: every access was counted (samplers exact and soft with period 1), so shares have no sampling error
  (SELECT max(one_in) FROM drawn_samples) AS one_in -- number of samples that each row of `points` represented before `points` was reduced to its limit (see the table `contents`)
FROM runs AS r
LEFT JOIN run AS t
LEFT JOIN (SELECT coalesce(cost_unit IN ('ns', 'cycles'), 0) AS yes FROM run_costs) AS w;
