-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds kind_measures, which says for each kind of access in which sums its samples count. Samples of events that only count instructions
-- are in no sum.
--
-- All costs of a run have one unit: latency if the hardware measured it for accesses with an address, else thread time of a timer, else cycles of a counter.
-- A sample adds cost to an address or object only if the thread waited for it, or if the hardware recorded it.
-- A sample with a known object counts for the object even if the address is lost. Then the home of its page is not known.
-- If memdb expects that all operands hit the first-level cache, or that the arithmetic takes longer (missed = 0), the thread computed, so the sample
-- costs nothing.
DELETE FROM kind_measures;
INSERT INTO kind_measures (
  id, addressed, loads, stores, timed, waits, lost_waits, undecided, measured, local, remote, hw_local, hw_remote, hitm, cost
)
WITH
  run AS MATERIALIZED (
    SELECT
      (SELECT role FROM selected_events WHERE role IN ('time', 'cycles') AND id IN (SELECT evsel_id FROM access_kinds)
       ORDER BY role DESC LIMIT 1) AS clock,
      EXISTS ( -- a join would make SQLite build an index of all cells
        SELECT 1 FROM sample_cells WHERE weighted > 0 AND kind_id IN (SELECT id FROM access_kinds WHERE addr_source = 1)
      ) AS has_latency
  ),
  kinds AS (
    SELECT
      k.id AS id, k.addr_source IN (1, 2, 3, 6, 7, 8, 9, 10) AS addressed, k.memory_opcode AS opcode, k.home_node_id AS home, k.cpu_node_id AS node,
      k.remote AS remote, k.memory_snoop AS snoop, k.addr_source IS 1 AS measured, e.role IS r.clock AND e.role IS NOT NULL AS timed,
      coalesce(k.addr_source IN (2, 6, 7, 8, 9, 10), 0) AND k.missed IS NOT 0 AS known, iif(k.missed = 0, 0, k.waited) AS waited, r.has_latency AS has_latency
    FROM access_kinds AS k
    CROSS JOIN run AS r
    LEFT JOIN selected_events AS e ON e.id = k.evsel_id
    WHERE e.role IS NOT 'instructions'
  )
SELECT
  id,
  coalesce(addressed, 0),
  coalesce(addressed AND opcode IN (1, 3), 0),
  coalesce(addressed AND opcode IN (2, 3), 0),
  timed,
  timed AND known,
  coalesce(timed AND waited = 1 AND NOT known, 0),
  timed AND waited IS NULL AND NOT known,
  measured,
  coalesce(addressed AND home = node, 0),
  coalesce(addressed AND home <> node, 0),
  coalesce(addressed AND remote = 0, 0),
  coalesce(addressed AND remote = 1, 0),
  coalesce(addressed AND snoop IN (4, 7), 0),
  CASE
    WHEN has_latency THEN iif(measured, 'latency', NULL)
    WHEN timed AND (known OR waited = 1) THEN 'period'
  END
FROM kinds
ORDER BY id;
