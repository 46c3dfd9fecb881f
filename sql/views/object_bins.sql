-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_bins
-- summary: Which part of an object costs: its extent in five bins.
-- grain:   one row per object and bin with an access; an object of up to five pages has one bin
-- source:  Liu & Mellor-Crummey 2014, 5.2: bins of large variables, hot bins
-- note:    from drawn_samples. Blocks of one object lie on top of each other: a bin is a part of each block. The query bins cuts
--          into any number
-- note:    cost is waiting time (timer), else latency (hardware), else accesses: what the object has
-- column:  object_id       INTEGER  objects.id
-- column:  bin             INTEGER  number of the bin, from 0
-- column:  bins            INTEGER  number of bins: 5 or 1
-- column:  accesses        INTEGER  accesses (count)
-- column:  accesses_pct    REAL     their share of the object's, 0-100
-- column:  accesses_low_pct  REAL   lower end of its 95 % Wilson interval
-- column:  accesses_high_pct REAL   upper end
-- column:  cost            INTEGER  waiting time, ns; latency, core cycles; or accesses
-- column:  cost_pct        REAL     share of the object's cost, 0-100
-- column:  cost_low_pct    REAL     lower end of its 95 % Wilson interval, by count; NULL: of latency
-- column:  cost_high_pct   REAL     upper end
-- column:  hot             INTEGER  1: one of the fewest bins that hold 90 % of the cost
-- column:  threads         INTEGER  threads that access it (count)
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
-- column:  remote_pct      REAL     remote of local and remote, 0-100; NULL: no home is known
-- column:  remote_low_pct  REAL     lower end of its interval
-- column:  remote_high_pct REAL     upper end
CREATE VIEW object_bins AS
WITH
  part AS (
    SELECT
      object_id, bin, bins, sum(accesses) AS accesses, sum(waits) AS waits, sum(wait_ns) AS wait_ns, sum(weight) AS weight,
      count(DISTINCT thread_id) AS threads, sum(local) AS local, sum(remote) AS remote
    FROM object_bin_threads
    GROUP BY object_id, bin
  ),
  cost AS (
    SELECT
      *,
      CASE WHEN sum(wait_ns) OVER o > 0 THEN wait_ns WHEN sum(weight) OVER o > 0 THEN weight ELSE accesses END AS cost,
      CASE WHEN sum(wait_ns) OVER o > 0 THEN waits WHEN sum(weight) OVER o > 0 THEN NULL ELSE accesses END AS costing, -- samples that the cost is made of
      sum(accesses) OVER o AS all_accesses
    FROM part
    WINDOW o AS (PARTITION BY object_id)
  ),
  ranked AS ( -- hot: what is costlier does not yet hold 90 %
    SELECT
      *,
      sum(cost) OVER (PARTITION BY object_id) AS all_cost,
      sum(costing) OVER (PARTITION BY object_id) AS all_costing,
      sum(cost) OVER (PARTITION BY object_id ORDER BY cost DESC, bin ROWS UNBOUNDED PRECEDING) - cost AS costlier
    FROM cost
  )
SELECT
  object_id,
  bin,
  bins,
  accesses,
  100.0 * accesses / all_accesses AS accesses_pct,
  wilson_low(accesses, all_accesses) AS accesses_low_pct,
  wilson_high(accesses, all_accesses) AS accesses_high_pct,
  cost,
  100.0 * cost / all_cost AS cost_pct,
  wilson_low(costing, all_costing) AS cost_low_pct,
  wilson_high(costing, all_costing) AS cost_high_pct,
  cost > 0 AND costlier < 0.9 * all_cost AS hot,
  threads,
  local,
  remote,
  100.0 * remote / (local + remote) AS remote_pct,
  wilson_low(remote, (local + remote)) AS remote_low_pct,
  wilson_high(remote, (local + remote)) AS remote_high_pct
FROM ranked;
