-- SPDX-License-Identifier: GPL-2.0-or-later
-- Rebuilds kind_measures: which samples count in which sum.
-- Cost counts only where it belongs to the address: hardware (weight) and retired (waiting time). Samples of events that only
-- count instructions are in no sum.
DELETE FROM kind_measures;
INSERT INTO kind_measures (
  id, accesses, loads, stores, timed, waits, lost_waits, measured, local, remote, placed_waits, remote_waits, hw_local, hw_remote, hitm
)
SELECT
  k.id,
  coalesce(k.addr_source BETWEEN 1 AND 4, 0),
  coalesce(k.addr_source BETWEEN 1 AND 4 AND k.memory_opcode IN (1, 3), 0),
  coalesce(k.addr_source BETWEEN 1 AND 4 AND k.memory_opcode IN (2, 3), 0),
  e.role IS 'time',
  coalesce(e.role IN ('time', 'cycles') AND k.addr_source = 2, 0),
  coalesce(e.role IN ('time', 'cycles') AND k.waited = 1 AND k.addr_source IS NOT 2, 0),
  k.addr_source IS 1,
  coalesce(k.addr_source BETWEEN 1 AND 4 AND k.home_node_id = k.cpu_node_id, 0),
  coalesce(k.addr_source BETWEEN 1 AND 4 AND k.home_node_id <> k.cpu_node_id, 0),
  coalesce(e.role = 'time' AND k.addr_source = 2 AND k.home_node_id IS NOT NULL AND k.cpu_node_id IS NOT NULL, 0),
  coalesce(e.role = 'time' AND k.addr_source = 2 AND k.home_node_id <> k.cpu_node_id, 0),
  coalesce(k.addr_source BETWEEN 1 AND 4 AND k.remote = 0, 0),
  coalesce(k.addr_source BETWEEN 1 AND 4 AND k.remote = 1, 0),
  coalesce(k.addr_source BETWEEN 1 AND 4 AND k.memory_snoop = 4, 0)
FROM access_kinds AS k
LEFT JOIN selected_events AS e ON e.id = k.evsel_id
WHERE e.role IS NOT 'instructions'
ORDER BY k.id;
