-- SPDX-License-Identifier: GPL-2.0-or-later
-- query:   object_names
-- summary: What memory costs at all objects of one name and place together: a pool, the nodes of a container.
-- param:   top 20 rows at most
-- param:   kind - only this kind: heap, static, stack, mapping
-- values:  kind heap, static, stack, mapping
-- column:  object       the name
-- column:  kind         heap, static, stack, mapping
-- column:  objects      objects of that name and place; other queries take the name for all of them: object=NAME
-- column:  sampled      those with a sample
-- column:  size_bytes   sum of their sizes; heap: each at its most, which may have been at different times
-- column:  allocations  heap: blocks
-- column:  cost_pct     share of all waiting time (timer) or latency (hardware), also of what has no known object, 0-100
-- column:  low          lower end of its 95 % interval (timer)
-- column:  high         upper end (timer)
-- column:  accesses     samples with a data address
-- column:  wait_ms      waiting time, ms (timer)
-- column:  latency      mean latency, core cycles (hardware)
-- column:  threads      threads that use them
-- column:  writers      threads that write to them
-- column:  remote_pct   accesses to another node, 0-100; empty: homes are not known, or there is one node
-- column:  remote_low   lower end of its 95 % interval
-- column:  remote_high  upper end
-- column:  function     where they come from
-- column:  file         source file
-- column:  line         source line
SELECT
  object,
  kind,
  objects,
  sampled,
  size_bytes,
  allocations,
  round(cost_pct, 1) AS cost_pct,
  round(cost_low_pct, 1) AS low,
  round(cost_high_pct, 1) AS high,
  accesses,
  nullif(round(wait_ns / 1e6, 3), 0) AS wait_ms,
  round(weight_avg, 1) AS latency,
  threads,
  writers,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_pct, 1), NULL) AS remote_pct,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_low_pct, 1), NULL) AS remote_low,
  iif((SELECT count(*) FROM nodes) <> 1, round(remote_high_pct, 1), NULL) AS remote_high,
  function,
  file,
  line
FROM object_names
WHERE samples > 0 AND (:kind IS NULL OR kind = :kind)
ORDER BY wait_ns DESC, weight_sum DESC, accesses DESC, object_id
LIMIT coalesce(:top, 20);
