-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW access_samples AS
-- view:    access_samples
-- summary: Samples with names instead of ids, so that most questions need no join.
-- grain:   one row per sample, even if it has no access; samples of events that only count instructions are left out
-- note:    a sample in a page fault (address_source "fault") is not an access, so it has no address and no object; object_placement counts its time
-- note:    a wait for an access whose address and object are lost has no address and no object here, so sums of cost by object and by code are
--          correct. If the address of the thread's next access is known, the view samples shows that access, and the views of costs count it
-- note:    a timer sample is a moment at which a thread waited or computed, so count(*) measures time. A hardware sample is an access, so
--          count(*) measures accesses if all periods are equal. sum(estimate) is correct in both cases
SELECT
  s.id AS sample_id,                                    -- samples.id
  (s.time - r.start_ns) / 1e9 AS time_s,                -- seconds since the start of the recording
  t.pid AS pid,                                         -- the kernel's process number
  t.tid AS tid,                                         -- the kernel's thread number
  t.comm AS comm,                                       -- the thread's name
  s.cpu AS cpu,                                         -- the CPU; NULL: not recorded
  k.cpu_node_id AS node,                                -- node of the CPU; NULL: not known
  h.home_node_id AS home,                               -- node of the page at the time of the access; NULL: not known
  h.home_node_id <> k.cpu_node_id AS is_remote,         -- 1: the page is on a different node than the CPU, 0: on the CPU's node; NULL: not known
  k.remote AS hw_remote,                                -- 1: a cache or memory of a different node served the access, 0: a cache or memory of the CPU's own node did (according to the hardware); NULL: not recorded
  e.name AS event,                                      -- perf's name of the sampled event
  n.name AS address_source,                             -- addr_sources.name: how the address is known, such as "hardware", "retired" (computed: the thread waited for this access), "next" (computed: the next access of the thread); NULL: not known
  x.address AS address,                                 -- data address; NULL: not known, also for address_source "object"
  x.address - (x.address & (r.page_bytes - 1)) AS page, -- address of the first byte of the page, with the system's page size
  x.object_id AS object_id,                             -- objects.id; NULL: no object
  o.name AS object,                                     -- objects.name, such as the name of the variable
  o.kind AS object_kind,                                -- kind of the object: "heap", "static", "stack" or "mapping"
  x.object_offset AS object_offset,                     -- bytes from the start of the block or variable
  w.name AS type,                                       -- type of the object's elements; NULL: not known
  element_at(o, w, x.object_offset) AS element,         -- number of the element, from 0; NULL: not known
  b.name AS member,                                     -- the member of the element; "": the element is a scalar, which has no members (known for an array of scalars even if the address is not); NULL: a hole, or not known
  nullif(coalesce(a.size_bytes, o.size_bytes), 0) AS extent_bytes, -- size of the block, variable or mapping; NULL: not known
  max(0.0, min(1.0 * x.object_offset / nullif(coalesce(a.size_bytes, o.size_bytes), 0), 1.0)) AS place, -- object_offset / extent_bytes, in [0, 1]
  x.allocation_id AS allocation_id,                     -- allocations.id; NULL: not a heap object
  p.name AS opcode,                                     -- memory_opcodes.name: "Load", "Store", …; NULL: not known
  iif(m.lost_waits, NULL, m.loads) AS is_load,               -- 1: the access reads, 0: it does not; NULL: the access is not known, because its address is lost
  iif(m.lost_waits, NULL, m.stores) AS is_store,             -- 1: the access writes, 0: it does not; NULL: the access is not known, because its address is lost
  h.access_bytes AS access_bytes,                       -- size of the access, bytes; NULL: not known
  h.step AS step,                                       -- for a timer sample: bytes by which the address changes from one iteration of the innermost loop to the next, as in access_kinds.step; NULL: not known, always 0, or more than 64 although each iteration uses more than half of the cache line
  iif(m.measured, nullif(s.weight, 0), NULL) AS latency, -- latency of the access, core cycles; NULL: the sampler does not measure it
  v.name AS level,                                      -- memory_levels.name: what served the access, such as "L1", "Local RAM"; NULL: only hardware samplers know
  s.period AS estimate,                                 -- what the sample represents (its period): accesses (hardware samplers), ns of thread time (timer) or cycles (cycle counter)
  CASE m.cost WHEN 'period' THEN s.period WHEN 'latency' THEN nullif(s.weight, 0) * s.period END AS cost, -- cost of the sample, in run_costs.cost_unit; NULL: no cost, or not measured
  m.waits AS waited,                                    -- 1: the thread waited for this access; only samples of time (timer, cycle counter) show waits
  m.lost_waits AS lost,                                 -- 1: the thread waited for an access whose address and object are lost; the sample has a cost, but neither address nor object
  code_name(coalesce(l.function, y.name), d.short_name) AS function, -- function of the innermost frame, inlined or not; the symbol if there is no debug information; [file] if there is no symbol
  coalesce(
    (SELECT n.function FROM inlined_frames AS n WHERE n.location_id = i.location_id AND n.depth = 1),
    CASE u.kind WHEN 'root' THEN NULL WHEN 'truncated' THEN '[unknown]' ELSE code_name(coalesce(ul.function, us.name), ud.short_name) END
  ) AS caller,                                          -- the function's caller, or the function into which it was inlined; NULL: none, or not recorded; "[unknown]": not known
  y.name AS symbol,                                     -- the symbol that contains the code; NULL: not known
  f.path AS file,                                       -- source file; NULL: not known
  l.line AS line,                                       -- source line; NULL: not known
  d.short_name AS dso,                                  -- name of the program or library that contains the code
  s.call_path_id AS call_path_id,                       -- call_stacks.call_path_id; NULL: not recorded
  s.thread_id AS thread_id                              -- threads.id; NULL: not known
FROM sample_data AS s
CROSS JOIN kind_measures AS m ON m.id = s.kind_id
CROSS JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN sample_data AS x ON x.id = s.id AND m.addressed AND NOT m.lost_waits -- x: columns of the access itself, NULL if its address and object are lost
LEFT JOIN access_kinds AS h ON h.id = s.kind_id AND m.addressed AND NOT m.lost_waits
LEFT JOIN runs AS r ON r.id = 1
LEFT JOIN instructions AS i ON i.id = s.instruction_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS y ON y.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
LEFT JOIN files AS f ON f.id = l.file_id
LEFT JOIN objects AS o ON o.id = x.object_id
LEFT JOIN types AS w ON w.id = o.type_id
LEFT JOIN members AS b ON b.id = member_at(o, w, x.object_offset) AND k.addr_source <> 10
LEFT JOIN allocations AS a ON a.id = x.allocation_id
LEFT JOIN call_paths AS c ON c.id = s.call_path_id
LEFT JOIN call_paths AS u ON u.id = c.parent_id
LEFT JOIN locations AS ul ON ul.id = u.location_id
LEFT JOIN symbols AS us ON us.id = u.symbol_id
LEFT JOIN dsos AS ud ON ud.id = ul.dso_id
LEFT JOIN threads AS t ON t.id = s.thread_id
LEFT JOIN selected_events AS e ON e.id = k.evsel_id
LEFT JOIN addr_sources AS n ON n.id = k.addr_source AND NOT m.lost_waits
LEFT JOIN memory_opcodes AS p ON p.id = h.memory_opcode
LEFT JOIN memory_levels AS v ON v.id = k.memory_level;
