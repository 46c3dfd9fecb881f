-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    object_contexts
-- summary: Which part of an object each thread uses, by calling context.
-- grain:   one row per object, call path and thread with an access
-- source:  Liu & Mellor-Crummey 2014, 5.2: the address range of each thread, by calling context
-- note:    from drawn_samples; a pattern that is a mixture over the whole run may be regular in each context
-- column:  object_id       INTEGER  objects.id
-- column:  call_path_id    INTEGER  call_paths.id; NULL: not recorded
-- column:  symbol_id       INTEGER  symbols.id of the innermost function; NULL: not known
-- column:  thread_id       INTEGER  threads.id; NULL: not known
-- column:  low             REAL     lowest offset, as a part of the object's extent, in [0, 1]
-- column:  high            REAL     highest offset
-- column:  accesses        INTEGER  accesses (count)
-- column:  stores          INTEGER  those that write (count)
-- column:  waits           INTEGER  samples that waited for their address (count, timer or cycles)
-- column:  wait_ns         INTEGER  their time, ns (timer)
-- column:  weighted        INTEGER  accesses with a weight (count, hardware)
-- column:  weight          INTEGER  sum of the weights, core cycles
-- column:  local           INTEGER  accesses to the CPU's own node (count)
-- column:  remote          INTEGER  accesses to another node (count)
CREATE VIEW object_contexts AS
SELECT
  object_id,
  call_path_id,
  min(symbol_id) AS symbol_id,
  thread_id,
  max(0.0, min(min(1.0 * object_offset / extent_bytes), 1.0)) AS low,
  max(0.0, min(max(1.0 * object_offset / extent_bytes), 1.0)) AS high,
  count(*) AS accesses,
  sum(writes) AS stores,
  sum(waits) AS waits,
  sum(wait_ns) AS wait_ns,
  sum(weighted) AS weighted,
  sum(weight) AS weight,
  coalesce(sum(home_node_id = cpu_node_id), 0) AS local,
  coalesce(sum(home_node_id <> cpu_node_id), 0) AS remote
FROM drawn_samples
WHERE extent_bytes > 0 AND object_id IS NOT NULL
GROUP BY object_id, call_path_id, thread_id;
