-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW run_costs AS
-- view:    run_costs
-- summary: Totals of the run, to which all shares refer: samples, cost, local and remote accesses.
-- grain:   one row if the run has samples, else no row
-- source:  M_l, M_r: Liu & Mellor-Crummey 2014, 4.1; intervals: Wilson 1927, by effective sample size (Kish 1965)
-- note:    local and remote are known from the nodes of page and CPU, hw_local and hw_remote from the hardware. A near cache may serve an access
--          to a remote page, so the two pairs differ. No view mixes them
WITH
  run AS MATERIALIZED run_totals()
SELECT
  CASE
    WHEN r.cost + r.lost_cost = 0 THEN NULL
    WHEN r.unit = 'latency' THEN 'latency'
    WHEN EXISTS (SELECT 1 FROM selected_events AS e JOIN access_kinds AS k ON k.evsel_id = e.id WHERE e.role = 'time') THEN 'ns'
    ELSE 'cycles'
  END AS cost_unit, -- unit of cost: "ns" (thread time, from a timer), "cycles" (thread time, from a cycle counter) or "latency" (core cycles that accesses took, from a hardware sampler); NULL: not measured
  cost_columns(r, r, 0)
FROM run AS r;
