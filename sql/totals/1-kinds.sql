-- SPDX-License-Identifier: GPL-2.0-or-later
-- Returns one row per kind of access: for each column of totals, the number of the column of sample_cells that is added to it; 0: nothing is added.
-- src/database/totals.c sets the parameters (:samples, …) to the numbers of the columns with these names. The names and order of columns of the result are
-- those in src/database/totals.h.
WITH
  parts AS ( -- own_cost: number of the sample_cells column that contains the cost: period or latency (× period)
    SELECT
      *,
      CASE cost WHEN 'period' THEN :period WHEN 'latency' THEN :latency ELSE 0 END AS own_cost,
      CASE cost WHEN 'period' THEN :period_sq WHEN 'latency' THEN :latency_sq ELSE 0 END AS own_cost_sq
    FROM kind_measures
  ),
  counted AS ( -- samples: number of the sample_cells column that contains the number of samples, or of counted accesses
    SELECT k.id AS id, iif(e.sample_period = 1, :period, :samples) AS samples FROM access_kinds AS k LEFT JOIN selected_events AS e ON e.id = k.evsel_id
  )
SELECT
  k.id,
  p.samples * (m.id IS NOT NULL) AS samples, -- if every access was counted, a row is a count, so samples are accesses
  p.samples * m.addressed AS addressed,
  p.samples * m.loads AS loads,
  p.samples * m.stores AS stores,
  p.samples * m.local AS local,
  p.samples * m.remote AS remote,
  p.samples * m.hw_local AS hw_local,
  p.samples * m.hw_remote AS hw_remote,
  p.samples * (m.remote AND m.loads) AS remote_loads,
  p.samples * (m.remote AND m.stores) AS remote_stores,
  :samples * m.waits AS waits,
  :samples * m.lost_waits AS lost_waits,
  :weighted * m.measured AS measured,
  :period * m.timed AS thread_time,
  :period_sq * m.timed AS thread_time_sq,
  :period * m.undecided AS undecided,
  :period * m.addressed AS estimate,
  :period_sq * m.addressed * (e.sample_period IS NOT 1) AS estimate_sq, -- with period 1 every access is counted, so there is no sampling error
  :period * m.local AS local_estimate,
  :period * m.remote AS remote_estimate,
  :period * m.hw_local AS hw_local_estimate,
  :period * m.hw_remote AS hw_remote_estimate,
  :latency * m.measured AS latency,
  :weighted_period * m.measured AS measured_estimate,
  iif(m.lost_waits, 0, m.own_cost) AS cost,
  m.own_cost_sq AS cost_sq,
  iif(m.lost_waits, m.own_cost, 0) AS lost_cost,
  -- if the address of a wait is lost, `local` and `remote` describe the thread's next access, so
  -- the cost is in neither. An access that is expected to hit the cache counts as local
  m.own_cost * (NOT m.lost_waits AND (m.local OR k.missed IS 0)) AS local_cost,
  m.own_cost * (NOT m.lost_waits AND m.remote AND k.missed IS NOT 0) AS remote_cost,
  m.own_cost * m.hw_local AS hw_local_cost,
  m.own_cost * m.hw_remote AS hw_remote_cost
FROM access_kinds AS k
JOIN counted AS p ON p.id = k.id
LEFT JOIN parts AS m ON m.id = k.id
LEFT JOIN selected_events AS e ON e.id = k.evsel_id
ORDER BY k.id;
