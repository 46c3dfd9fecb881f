-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW samples AS
-- view:    samples
-- summary: Memory access and time samples.
-- grain:   one row per sample, but for those of events that only count instructions
-- note:    columns are named as in perf's export-to-sqlite.py where it has them; access_samples has the names instead of ids
SELECT
  s.id AS id,                         -- counts from 1, in the order of the recording
  k.evsel_id AS evsel_id,             -- selected_events.id
  s.thread_id AS thread_id,           -- threads.id
  s.cpu AS cpu,                       -- CPU; NULL: not recorded
  s.time AS time,                     -- ns
  i.ip AS ip,                         -- instruction pointer; timer samples: the instruction after the one that waited
  i.location_id AS location_id,       -- locations.id
  i.symbol_id AS symbol_id,           -- symbols.id
  i.dso_id AS dso_id,                 -- dsos.id
  s.call_path_id AS call_path_id,     -- call_paths.id
  s.address AS address,               -- data address; NULL: see addr_reason
  k.addr_source AS addr_source,       -- addr_sources.id
  k.addr_reason AS addr_reason,       -- addr_reasons.id; NULL where there is an address
  s.phys_address AS phys_address,     -- physical address; NULL: not recorded
  s.period AS period,                 -- events this sample stands for; ns for the event role "time"
  nullif(s.weight, 0) AS weight,      -- latency of the access, core cycles; NULL: not measured
  s.ins_lat AS ins_lat,               -- instruction latency, core cycles; NULL: not recorded
  k.data_src AS data_src,             -- perf_mem_data_src as recorded
  k.memory_opcode AS memory_opcode,   -- memory_opcodes.id
  k.memory_level AS memory_level,     -- memory_levels.id
  k.memory_snoop AS memory_snoop,     -- memory_snoop.id
  k.memory_lock AS memory_lock,       -- memory_lock.id
  k.memory_dtlb AS memory_dtlb,       -- memory_dtlb.id
  k.memory_blocked AS memory_blocked, -- memory_blocked.id
  k.remote AS remote,                 -- data source: 1 another node's cache or memory, 0 this node's
  k.hops AS hops,                     -- data source: distance, see access_kinds
  k.access_bytes AS access_bytes,     -- size of the access, bytes
  k.page_bytes AS page_bytes,         -- size of the page, bytes
  s.object_id AS object_id,           -- objects.id; NULL: see object_reason
  k.object_reason AS object_reason,   -- object_reasons.id; NULL where there is an object
  s.allocation_id AS allocation_id,   -- allocations.id; NULL: not a heap object
  s.object_offset AS object_offset,   -- bytes from the start of the block or variable
  k.cpu_node_id AS cpu_node_id,       -- node of the CPU
  k.home_node_id AS home_node_id,     -- node of the page at that time
  k.home_source AS home_source,       -- home_sources.id
  k.waited AS waited,                 -- timer: 1 waited for a memory access (addr_source says whether for this address), 0 not; NULL: not known
  k.thread_pinned AS thread_pinned,   -- 1: the thread's affinity was within one node, 0: it spanned nodes; NULL: not known
  k.page_pinned AS page_pinned,       -- 1: the page was placed by a pinned thread or a policy, 0: by an unpinned thread; NULL: not known
  k.reused AS reused                  -- heap: 1 the page was placed before the block was born, 0 since then; NULL: not known, or no block
FROM sample_data AS s
LEFT JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN instructions AS i ON i.id = s.instruction_id
WHERE NOT EXISTS (SELECT 1 FROM selected_events WHERE role = 'instructions') -- asked once: no need to look at each
  OR s.kind_id NOT IN (SELECT x.id FROM access_kinds AS x JOIN selected_events AS e ON e.id = x.evsel_id WHERE e.role = 'instructions');
