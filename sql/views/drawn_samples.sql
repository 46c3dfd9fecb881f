-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW drawn_samples AS
-- view:    drawn_samples
-- summary: Samples with their position in the object. A sample in this view is called drawn: a short recording has all samples here, a long recording
--          an even selection of them.
-- grain:   one row per drawn sample, even if it has no data address
-- note:    a sample in a page fault is not an access, so it has no address and no object here
-- note:    views and queries by bin, page, cache line and time read this view. It has all samples of a recording of up to 32,768 samples. If a
--          recording has more samples, the view draws one of each n successive samples, with the smallest n that leaves at most 32,768. A fixed
--          sequence of random numbers chooses which one, so that a loop with period n is not sampled at one position only. Drawn samples are a random
--          draw of accesses, as all samples are. So shares of drawn samples are valid, and have intervals of their own. Sums must be multiplied by
--          one_in
-- note: if every access was counted, a sample is a count of accesses, and a few counts may contain most accesses. So a count is drawn with a
--       probability proportional to its accesses. A count of at least `least` accesses is always drawn; a smaller one, if drawn, stands for `least`
--       accesses. one_in is then 1, and the columns "drawn" of other views and of queries are numbers of accesses (sums of estimate)
-- source:  random numbers: Park & Miller 1988, with the multiplier 48271
WITH
  extent AS MATERIALIZED ( -- SQLite evaluates max() in a scalar subquery by one look-up; in a FROM clause, it would read all rows
    SELECT n FROM (SELECT (SELECT max(id) FROM sample_data) AS n) WHERE NOT EXISTS (SELECT 1 FROM drawn_data)
  ),
  chosen AS (
    SELECT * FROM drawn_data
    UNION ALL
    SELECT drawn_columns(s), d.one_in, 0 FROM draw_samples(extent) AS d CROSS JOIN sample_data AS s ON s.id = d.id
  )
SELECT
  s.id AS id,                       -- samples.id
  s.one_in AS one_in,                 -- n: one in n samples was drawn, so sums must be multiplied by n
  s.time AS time,                   -- time of the sample, ns
  s.thread_id AS thread_id,         -- threads.id; NULL: not known
  t.process_id AS process_id,       -- processes.id; NULL: not known
  s.call_path_id AS call_path_id,   -- call_paths.id; NULL: not recorded
  s.instruction_id AS instruction_id, -- instructions.id
  s.cpu AS cpu,                     -- the CPU; NULL: not recorded
  k.cpu_node_id AS cpu_node_id,     -- node of the CPU; NULL: not known
  k.home_node_id AS home_node_id,   -- node of the page; NULL: not known
  k.addr_source AS addr_source,     -- addr_sources.id: where the data address comes from
  m.addressed AS addressed,         -- 1: the data address, or at least the object, is known
  iif(k.addr_source = 5, NULL, s.address) AS address,             -- data address; NULL: not known
  iif(k.addr_source = 5, NULL, s.address - (s.address & (r.page_bytes - 1))) AS page, -- address of the first byte of the page, with the system's page size, also within a huge page; NULL: not known
  k.access_bytes AS access_bytes,   -- size of the access, bytes; NULL: not known
  k.step AS step,                   -- for a timer sample: bytes by which the address changes from one iteration of the innermost loop to the next, as in access_kinds.step; NULL: not known, always 0, or more than 64 although each iteration uses more than half of the cache line
  o.id AS object_id,         -- objects.id; NULL: no object
  iif(k.addr_source = 5, NULL, s.object_offset) AS object_offset, -- bytes from the start of the block or variable; NULL: no object
  nullif(coalesce(a.size_bytes, o.size_bytes), 0) AS extent_bytes, -- size of the block, variable or mapping; NULL: not known
  max(0.0, min(1.0 * iif(k.addr_source = 5, NULL, s.object_offset) / nullif(coalesce(a.size_bytes, o.size_bytes), 0), 1.0)) AS place, -- object_offset / extent_bytes, in [0, 1]; NULL: not known
  (
    SELECT b.id FROM types AS y JOIN members AS b ON b.id = member_at(o, y, s.object_offset) WHERE y.id = o.type_id AND k.addr_source <> 10
  ) AS member_id,                   -- members.id; NULL: not known
  o.name || coalesce((
    SELECT substr(member_name(o, y, b, NULL), length(o.name) + 1)
    FROM types AS y JOIN members AS b ON b.id = member_at(o, y, s.object_offset)
    WHERE y.id = o.type_id AND k.addr_source <> 10
  ), '') AS expression,             -- the member as in source code, without the number of the element: "nodes[].next"; the object's name if no member is known
  (
    SELECT member_name(o, y, b, element_at(o, y, s.object_offset))
    FROM types AS y JOIN members AS b ON b.id = member_at(o, y, s.object_offset)
    WHERE y.id = o.type_id AND k.addr_source <> 10
  ) AS element_expression,          -- the member with the number of the element: "nodes[3].next"; NULL: no member is known
  m.loads AS loads,                 -- 1: the access reads, 0: it does not
  m.stores AS stores,               -- 1: the access writes, 0: it does not
  max(s.period, s.least) AS estimate, -- what the sample represents: its period, or for a drawn count at least `least`. The unit is accesses (hardware samplers), ns of thread time (timer) or cycles (cycle counter)
  iif(e.sample_period = 1 AND s.one_in = 1 AND s.period >= s.least, 0.0, 1.0 * max(s.period, s.least) * max(s.period, s.least)) AS estimate_sq, -- the square of estimate, for intervals; 0 for a count that is always drawn, because it has no sampling error
  iif(e.sample_period = 1, max(s.period, s.least), 1) AS accesses, -- 1; where every access was counted, the number of accesses that the row represents (estimate)
  iif(m.lost_waits, 0.0, sample_cost(m, s)) AS cost, -- cost of the access, in run_costs.cost_unit; 0: it has none
  iif(m.lost_waits AND m.cost = 'period', 1.0 * s.period, 0.0) AS lost_cost, -- cost of an access whose address and object are lost; it counts for the code and thread, but not for an object
  iif(m.measured, nullif(s.weight, 0), NULL) AS latency, -- latency of the access, core cycles; NULL: the sampler does not measure it
  m.hitm AS hitm                    -- 1: the cache line was modified in another cache, according to the hardware; where every access was counted: the line moved from another thread
FROM chosen AS s
CROSS JOIN kind_measures AS m ON m.id = s.kind_id
CROSS JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN selected_events AS e ON e.id = k.evsel_id
LEFT JOIN runs AS r ON r.id = 1
LEFT JOIN threads AS t ON t.id = s.thread_id
LEFT JOIN allocations AS a ON a.id = s.allocation_id
LEFT JOIN objects AS o ON o.id = s.object_id AND k.addr_source IS NOT 5;
