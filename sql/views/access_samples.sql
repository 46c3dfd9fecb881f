-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW access_samples AS
-- view:    access_samples
-- summary: Samples with all names: what most questions need, without a join.
-- grain:   one row per sample, also those that access nothing; not those of events that only count instructions
-- note:    a sample in a page fault (address_source "fault") is no access: it has no address and no object; object_placement has its time
-- note:    a wait for an access whose address and object are gone has neither here, so that sums of cost are right by object and by code. Where
--          the sampler knows the address of the next access, samples and the counts of the views of costs have that
-- note:    one of a timer is a moment in which a thread waited or computed, not an access drawn at random: count(*) then is a share of
--          time, and with hardware of accesses where periods are equal; sum(estimate) is right in both cases
SELECT
  s.id AS sample_id,                                    -- samples.id
  (s.time - r.start_ns) / 1e9 AS time_s,                -- seconds since the start of the recording
  t.pid AS pid,                                         -- the kernel's process number
  t.tid AS tid,                                         -- the kernel's thread number
  t.comm AS comm,                                       -- the thread's name
  s.cpu AS cpu,                                         -- the CPU; NULL: not recorded
  k.cpu_node_id AS node,                                -- node of the CPU; NULL: not known
  h.home_node_id AS home,                               -- node of the page at that time; NULL: not known
  h.home_node_id <> k.cpu_node_id AS is_remote,         -- 1: the page lives on another node, 0: on the CPU's; NULL: not known
  k.remote AS hw_remote,                                -- 1: another node's cache or memory served it, according to the hardware, 0: this node's; NULL: it does not say
  e.name AS event,                                      -- the event that was sampled
  n.name AS address_source,                             -- where the address comes from: "hardware", "retired" (waited for it), "next", …
  x.address AS address,                                 -- data address; NULL: unknown, for addr_source "object" too
  x.address - (x.address & (r.page_bytes - 1)) AS page, -- address of the first byte of its page, of the system's size
  x.object_id AS object_id,                             -- objects.id; NULL: no object
  o.name AS object,                                     -- the object's name
  o.kind AS object_kind,                                -- "heap", "static", "stack", "mapping"
  x.object_offset AS object_offset,                     -- bytes from the start of the block or variable
  w.name AS type,                                       -- type of the object's elements; NULL: not known
  element_at(o, w, x.object_offset) AS element,         -- number of the element, from 0; NULL: none is known there
  b.name AS member,                                     -- the member; "" of an element that has none; NULL: a hole, or none is known there
  nullif(coalesce(a.size_bytes, o.size_bytes), 0) AS extent_bytes, -- size of the block, variable or mapping; NULL: not known
  max(0.0, min(1.0 * x.object_offset / nullif(coalesce(a.size_bytes, o.size_bytes), 0), 1.0)) AS place, -- object_offset as a part of extent_bytes, in [0, 1]
  x.allocation_id AS allocation_id,                     -- allocations.id; NULL: not a heap object
  p.name AS opcode,                                     -- "Load", "Store", …; NULL: not known
  iif(m.lost_waits, NULL, m.loads) AS is_load,               -- 1: it reads its address
  iif(m.lost_waits, NULL, m.stores) AS is_store,             -- 1: it writes its address
  h.access_bytes AS access_bytes,                       -- size of the access, bytes; NULL: not known
  iif(m.measured, nullif(s.weight, 0), NULL) AS latency, -- of the access, core cycles (hardware); NULL: not measured
  v.name AS level,                                      -- what served it, as "L1", "Local RAM" (hardware); NULL: not said
  s.period AS estimate,                                 -- what the sample stands for: accesses (hardware), ns of thread time (timer), cycles
  CASE m.cost WHEN 'period' THEN s.period WHEN 'latency' THEN nullif(s.weight, 0) * s.period END AS cost, -- what memory costs, in run_costs.cost_unit; NULL: nothing, or not measured
  m.waits AS waited,                                    -- 1: the thread waited for this access (timer or cycles)
  m.lost_waits AS lost,                                 -- 1: the thread waited for an access with a lost address and object: it has a cost, but neither
  code_name(coalesce(l.function, y.name), d.short_name) AS function, -- innermost source function, inlined or not; else the symbol; [file] without one
  coalesce(
    (SELECT n.function FROM inlined_frames AS n WHERE n.location_id = i.location_id AND n.depth = 1),
    CASE u.kind WHEN 'root' THEN NULL WHEN 'truncated' THEN '[unknown]' ELSE code_name(coalesce(ul.function, us.name), ud.short_name) END
  ) AS caller,                                          -- the function that called it, or that it was inlined into; NULL: none, or not recorded; "[unknown]": not known
  y.name AS symbol,                                     -- the symbol it is in; NULL: not known
  f.path AS file,                                       -- source file; NULL: not known
  l.line AS line,                                       -- source line; NULL: not known
  d.short_name AS dso,                                  -- the file of the code
  s.call_path_id AS call_path_id,                       -- call_stacks.call_path_id; NULL: not recorded
  s.thread_id AS thread_id                              -- threads.id; NULL: not known
FROM sample_data AS s
CROSS JOIN kind_measures AS m ON m.id = s.kind_id
CROSS JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN sample_data AS x ON x.id = s.id AND m.addressed AND NOT m.lost_waits -- what is known of the access that it is of
LEFT JOIN access_kinds AS h ON h.id = s.kind_id AND m.addressed AND NOT m.lost_waits
LEFT JOIN runs AS r ON r.id = 1
LEFT JOIN instructions AS i ON i.id = s.instruction_id
LEFT JOIN locations AS l ON l.id = i.location_id
LEFT JOIN symbols AS y ON y.id = i.symbol_id
LEFT JOIN dsos AS d ON d.id = i.dso_id
LEFT JOIN files AS f ON f.id = l.file_id
LEFT JOIN objects AS o ON o.id = x.object_id
LEFT JOIN types AS w ON w.id = o.type_id
LEFT JOIN members AS b ON b.id = member_at(o, w, x.object_offset)
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
