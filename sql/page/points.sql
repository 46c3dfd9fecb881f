-- SPDX-License-Identifier: GPL-2.0-or-later
-- table:   points
-- summary: An even selection of the samples, from which the page draws pictures and computes filtered sums.
-- draw:    40000
WITH -- drawn_samples aims at 32,768 samples. If the samples are counts, it may exceed that number by chance, and a limit of 32,768 would then drop every second point
  levels AS MATERIALIZED (
    SELECT k.id AS id, l.name AS name FROM access_kinds AS k JOIN memory_levels AS l ON l.id = k.memory_level
  )
SELECT
  (d.time - r.start_ns) / 1000 AS time_us, -- time of the sample, microseconds since the start of the recording
  d.thread_id AS thread_id,       -- threads.thread_id
  s.cpu AS cpu,                   -- the CPU on which the thread ran
  d.object_id AS object_id,       -- objects.object_id; NULL: no object
  CAST(round(d.place * 1e6) AS INTEGER) AS place, -- offset in the block or variable, in millionths of its size
  iif(d.object_id IS NULL OR d.page IS NULL, NULL, dense_rank() OVER (PARTITION BY d.object_id ORDER BY d.page IS NULL, d.process_id, d.page)) AS page, -- number of the page among the object's sampled pages, in the order of process and address, from 1; NULL: not known
  d.cpu_node_id AS cpu_node,      -- node of the CPU; NULL: not known
  d.home_node_id AS home,         -- node of the page; NULL: not known
  iif(d.address IS NULL, NULL, d.stores) AS store, -- 1: the access writes, 0: it reads; NULL: no address is known
  d.estimate AS estimate,         -- what the sample represents (its period): accesses (hardware samplers), ns of thread time (timer) or cycles (cycle counter)
  CAST(d.cost AS INTEGER) AS cost, -- cost of the access, in run.cost_unit
  CAST(d.lost_cost AS INTEGER) AS lost_cost, -- cost of a wait for an access whose address is lost, in run.cost_unit
  d.member_id AS member_id,       -- members.member_id; NULL: not known
  (SELECT name FROM time_kinds WHERE id = k.time_kind AND m.timed) AS time_kind, -- what the thread did, as in time_kinds; NULL: not measured
  d.latency AS latency,           -- latency, core cycles; NULL: the sampler does not measure it
  l.name AS level,                -- what served the access, such as "L1"; NULL: only hardware samplers know
  d.call_path_id AS path_id,      -- paths.id
  i.location_id AS location_id    -- frames.location_id
FROM drawn_samples AS d
JOIN sample_data AS s ON s.id = d.id
CROSS JOIN kind_measures AS m ON m.id = s.kind_id
CROSS JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN instructions AS i ON i.id = d.instruction_id
LEFT JOIN levels AS l ON l.id = s.kind_id
CROSS JOIN runs AS r
ORDER BY d.id;
