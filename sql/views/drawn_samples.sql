-- SPDX-License-Identifier: GPL-2.0-or-later
-- view:    drawn_samples
-- summary: Accesses with their place in their object; of a long recording one in every so many samples, drawn evenly.
-- grain:   one row per drawn sample with a data address
-- note:    where bins, pages, cache lines and points in time start. A recording of up to 131,072 samples is here whole; of a longer
--          one, one of each n samples in a row, n being the least that leaves no more; which one is left to a fixed sequence of
--          random numbers, so that a loop in step with n is not seen at one place only. Samples are a draw of the accesses, so a
--          draw of the samples is one too: shares keep their meaning, and their own count and interval.
-- source:  random numbers: Park & Miller 1988, with the multiplier 48271
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
  drawn (before, step, last, random) AS ( -- each run of samples, and a random number for it
    SELECT 0, (n + 131071) / 131072, n, 48271
    FROM (SELECT (SELECT max(id) FROM sample_data) AS n) -- a seek; in the FROM clause max() scans
    WHERE n > 0
    UNION ALL
    SELECT before + step, step, last, random * 48271 % 2147483647 FROM drawn WHERE before + step < last
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
  m.loads AS reads,
  m.stores AS writes,
  m.waits AS waits,
  s.period * (m.waits AND m.timed) AS wait_ns,
  m.measured AND s.weight > 0 AS weighted,
  iif(m.measured AND s.weight > 0, s.weight, 0) AS weight,
  m.hitm AS hitm
FROM drawn AS d
CROSS JOIN sample_data AS s ON s.id = d.before + 1 + d.random % d.step
CROSS JOIN kind_measures AS m ON m.id = s.kind_id
CROSS JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN instructions AS i ON i.id = s.instruction_id
LEFT JOIN threads AS t ON t.id = s.thread_id
LEFT JOIN allocations AS a ON a.id = s.allocation_id
LEFT JOIN objects AS o ON o.id = s.object_id
WHERE m.accesses;
