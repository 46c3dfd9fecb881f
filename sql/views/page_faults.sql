-- SPDX-License-Identifier: GPL-2.0-or-later
CREATE VIEW page_faults AS
-- view:    page_faults
-- summary: Page faults; those with first = 1 placed their page.
-- grain:   one row per recorded page fault
SELECT
  s.id AS id,                       -- counts from 1, in the order of the recording
  k.evsel_id AS evsel_id,           -- selected_events.id
  s.thread_id AS thread_id,         -- threads.id
  s.cpu AS cpu,                     -- CPU; NULL: not recorded
  s.time AS time,                   -- ns
  i.ip AS ip,                       -- instruction pointer
  i.location_id AS location_id,     -- locations.id
  i.symbol_id AS symbol_id,         -- symbols.id
  i.dso_id AS dso_id,               -- dsos.id
  i.caller_id AS caller_id,         -- locations.id: in a standard library or the kernel, the program's call that led there; NULL: not known, or the program's own code
  i.called_id AS called_id,         -- symbols.id: the function that it called, as memset or read
  s.call_path_id AS call_path_id,   -- call_paths.id
  s.address AS address,             -- the address that was touched
  s.object_id AS object_id,         -- objects.id; NULL: see object_reason
  k.object_reason AS object_reason, -- object_reasons.id; NULL where there is an object
  s.allocation_id AS allocation_id, -- allocations.id; NULL: not a heap object
  s.object_offset AS object_offset, -- bytes from the start of the block or variable
  k.memory_opcode AS memory_opcode, -- memory_opcodes.id: what the instruction did; NULL: not known
  k.page_bytes AS page_bytes,       -- size of the page; NULL: not known
  k.cpu_node_id AS cpu_node_id,     -- node of the CPU that touched the page
  k.home_node_id AS home_node_id,   -- node on which the page was placed
  k.home_source AS home_source,     -- home_sources.id
  k.first AS first,                 -- 1: the first fault of this page since its mapping began (a first touch)
  k.thread_pinned AS thread_pinned, -- 1: the thread's affinity was within one node, 0: it spanned nodes; NULL: not known
  k.page_pinned AS page_pinned,     -- 1: this fault placed the page under a policy or in a pinned thread, 0: in an unpinned one; NULL: not known
  k.reused AS reused                -- heap: 1 the page was placed before the block was born, 0 since then; NULL: not known, or no block
FROM fault_data AS s
LEFT JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN instructions AS i ON i.id = s.instruction_id;
