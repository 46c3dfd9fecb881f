-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    drawn_samples
-- summary: Accesses with their place in their object; of a long recording one in every so many samples, drawn evenly.
-- grain:   one row per drawn sample with a data address
-- note:    where bins, pages, cache lines and points in time start. A recording of up to 131,072 samples is here whole; of a longer
--          one every n-th sample, n being the least that leaves no more. Samples are a draw of the accesses, so a draw of
--          the samples is one too: shares keep their meaning, and their own count and interval.
-- column:  id              INTEGER  samples.id
-- column:  one_in          INTEGER  one of so many samples was drawn
-- column:  time            INTEGER  ns
-- column:  thread_id       INTEGER  threads.id; NULL: not known
-- column:  process_id      INTEGER  processes.id; NULL: not known
-- column:  call_path_id    INTEGER  call_paths.id; NULL: not recorded
-- column:  symbol_id       INTEGER  symbols.id; NULL: not known
-- column:  cpu_node_id     INTEGER  node of the CPU; NULL: not known
-- column:  home_node_id    INTEGER  node of the page; NULL: not known
-- column:  address         INTEGER  data address
-- column:  access_bytes    INTEGER  size of the access, bytes; NULL: not known
-- column:  object_id       INTEGER  objects.id; NULL: no object
-- column:  object_offset   INTEGER  bytes from the start of the block or variable; NULL: no object
-- column:  extent_bytes    INTEGER  size of the block, variable or mapping; NULL: not known
-- column:  reads           INTEGER  1: the access reads
-- column:  writes          INTEGER  1: the access writes
-- column:  waits           INTEGER  1: the sample waited for this address (timer or cycles)
-- column:  wait_ns         INTEGER  its time, ns (timer)
-- column:  weighted        INTEGER  1: the access has a weight (hardware)
-- column:  weight          INTEGER  its weight, core cycles
-- column:  hitm            INTEGER  1: the line was found modified in another cache, says the hardware
CREATE VIEW drawn_samples AS
WITH RECURSIVE
  drawn (id, step, last) AS (
    SELECT step, step, n
    FROM (SELECT max(id) AS n, (max(id) + 131071) / 131072 AS step FROM sample_data)
    WHERE n > 0
    UNION ALL
    SELECT id + step, step, last FROM drawn WHERE id + step <= last
  )
SELECT
  s.id AS id,
  d.step AS one_in,
  s.time AS time,
  s.thread_id AS thread_id,
  t.process_id AS process_id,
  s.call_path_id AS call_path_id,
  i.symbol_id AS symbol_id,
  k.cpu_node_id AS cpu_node_id,
  k.home_node_id AS home_node_id,
  s.address AS address,
  k.access_bytes AS access_bytes,
  s.object_id AS object_id,
  s.object_offset AS object_offset,
  nullif(coalesce(a.size_bytes, o.size_bytes), 0) AS extent_bytes,
  coalesce(k.memory_opcode IN (1, 3), 0) AS reads,
  coalesce(k.memory_opcode IN (2, 3), 0) AS writes,
  k.addr_source = 2 AS waits,
  iif(k.addr_source = 2 AND e.role = 'time', s.period, 0) AS wait_ns,
  coalesce(k.addr_source = 1 AND s.weight > 0, 0) AS weighted,
  iif(k.addr_source = 1 AND s.weight > 0, s.weight, 0) AS weight,
  coalesce(k.memory_snoop = 4, 0) AS hitm
FROM drawn AS d
CROSS JOIN sample_data AS s ON s.id = d.id
CROSS JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN selected_events AS e ON e.id = k.evsel_id
LEFT JOIN instructions AS i ON i.id = s.instruction_id
LEFT JOIN threads AS t ON t.id = s.thread_id
LEFT JOIN allocations AS a ON a.id = s.allocation_id
LEFT JOIN objects AS o ON o.id = s.object_id
WHERE k.addr_source BETWEEN 1 AND 4 AND e.role IS NOT 'instructions';
