-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples and page faults. Values that many rows share are stored once, in instructions and access_kinds. The views
-- samples and page_faults join these tables.

CREATE TABLE instructions (
	-- One row per instruction with a sample or page fault.
	id INTEGER PRIMARY KEY,                        -- counts from 1
	ip INTEGER NOT NULL,                           -- address of the instruction; in a timer sample, the thread was about to execute it
	location_id INTEGER REFERENCES locations (id), -- the code address in its file: the address of ip; for a timer sample that waited, the address of the last byte of the instruction that ran before ip, if only one can have run then; NULL: not known
	symbol_id INTEGER REFERENCES symbols (id),     -- the function; NULL: not known
	dso_id INTEGER REFERENCES dsos (id),           -- the file; NULL: not known
	caller_id INTEGER REFERENCES locations (id),   -- for a page fault in a standard library or the kernel: the program's call that led to the fault; NULL: not known, or the fault is in the program's own code
	called_id INTEGER REFERENCES symbols (id)      -- for a page fault in a standard library or the kernel: the function that the program called, such as memset or read (also if the caller is unknown); NULL: the fault is in the program's own code
) STRICT;

CREATE TABLE access_kinds (
	-- One row per combination of properties that accesses (samples and page faults) share.
	id INTEGER PRIMARY KEY,                                  -- counts from 1
	evsel_id INTEGER REFERENCES selected_events (id),        -- the event that perf sampled
	addr_source INTEGER REFERENCES addr_sources (id),        -- where the data address comes from
	addr_reason INTEGER REFERENCES addr_reasons (id),        -- why there is no data address; NULL: there is one
	data_src INTEGER,                                        -- perf_mem_data_src as recorded; NULL: not recorded
	memory_opcode INTEGER REFERENCES memory_opcodes (id),    -- load, store, …; NULL: not recorded
	memory_level INTEGER REFERENCES memory_levels (id),      -- the cache level or memory that served the access; NULL: not recorded
	memory_snoop INTEGER REFERENCES memory_snoop (id),       -- what the access found in other caches (snoop); NULL: not recorded
	memory_lock INTEGER REFERENCES memory_lock (id),         -- whether the access was locked; NULL: not recorded
	memory_dtlb INTEGER REFERENCES memory_dtlb (id),         -- whether the data TLB had the page (memory_dtlb); NULL: not recorded
	memory_blocked INTEGER REFERENCES memory_blocked (id),   -- what delayed the access; NULL: nothing, or not recorded
	remote INTEGER,                                          -- 1: a cache or memory of a different node served the access, 0: a cache or memory of the CPU's own node did (according to data_src); NULL: not recorded
	hops INTEGER,                                            -- how far from the CPU the access was served, according to data_src: 0: another core of the node, 1: another node, 2: another socket, 3: another board; NULL: not recorded
	access_bytes INTEGER,                                    -- size of the access, bytes; NULL: not known
	page_bytes INTEGER,                                      -- size of the page, bytes; NULL: not known
	step INTEGER,                                            -- for a timer sample: bytes by which the address changes from one iteration of the innermost loop to the next, according to the code; if the loop loads the pointer of each row, the size of a row; NULL: not known, or always 0
	object_reason INTEGER REFERENCES object_reasons (id),    -- why no object is known; NULL: the object is known
	cpu_node_id INTEGER REFERENCES nodes (id),               -- node of the CPU; NULL: not known
	home_node_id INTEGER REFERENCES nodes (id),              -- node of the page at the time of the access; NULL: not known
	home_source INTEGER REFERENCES home_sources (id),        -- where home_node_id comes from
	first INTEGER,                                           -- for a page fault: 1: the first recorded fault of the page since its mapping began (a first touch, unless losses has earlier page faults that were not recorded), 0: a later fault, or a read of unwritten private memory (the kernel then maps the shared zero page)
	waited INTEGER,                                          -- for a timer sample: 1: the thread waited for a memory access (addr_source shows whether its address is lost), 0: it did not, or that is uncertain; NULL: another event, unknown code, or an emulated CPU
	time_kind INTEGER REFERENCES time_kinds (id),            -- for a sample of time: what the thread did or waited for, according to its code; NULL: another event, or an emulated CPU
	missed INTEGER,                                          -- for a timer sample: 0: memdb expects that all operands for which the thread may have waited hit the first-level cache, or that the loop's arithmetic takes longer (then the thread computed); 1: it expects a miss; NULL: not known
	thread_pinned INTEGER,                                   -- 1: the thread could run on one node only, 0: on several nodes (an unpinned thread); NULL: not known
	page_pinned INTEGER,                                     -- 1: a pinned thread placed the page, or a policy that names the page's node did; 0: an unpinned thread placed it (an unpinned page); NULL: not known
	reused INTEGER                                           -- 1: the page was placed before the heap block was allocated (malloc reused memory), 0: later; NULL: not known, or not a heap block
) STRICT;

CREATE TABLE sample_data (
	-- One row per sample of memory accesses or time. Use the view samples instead: it joins the shared values.
	id INTEGER PRIMARY KEY,                                          -- counts from 1, in the order of the recording
	time INTEGER NOT NULL,                                           -- time of the event, ns
	thread_id INTEGER REFERENCES threads (id),                       -- the thread; NULL: not known
	cpu INTEGER,                                                     -- the CPU; NULL: not recorded
	instruction_id INTEGER NOT NULL REFERENCES instructions (id),    -- instructions.id: the instruction and its place in the code
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),           -- properties of the access (kind of event, load or store, memory level, …), stored once for all samples with the same properties
	call_path_id INTEGER REFERENCES call_paths (id),                 -- the call stack; its innermost frame is at instructions.location_id, if the stack was recorded in the same function; NULL: not recorded
	address INTEGER,                                                 -- data address; NULL: not known
	object_id INTEGER REFERENCES objects (id),                       -- the accessed object; NULL: none, or not known (see access_kinds.object_reason)
	allocation_id INTEGER REFERENCES allocations (id),               -- the block; NULL: not a heap object
	object_offset INTEGER,                                           -- bytes from the start of the block or variable
	period INTEGER NOT NULL,                                         -- number of events that the sample represents; for the event role "time": ns
	weight INTEGER,                                                  -- latency of the access, core cycles; 0: not measured, NULL: not recorded
	ins_lat INTEGER,                                                 -- latency of the complete instruction (perf calls it ins_lat), core cycles; NULL: not recorded
	phys_address INTEGER                                             -- physical address; NULL: not recorded
) STRICT;

CREATE TABLE drawn_data (
	-- One row per drawn sample: its columns of sample_data. The table is empty if drawing from sample_data is just as fast, as in a short recording. Use the view drawn_samples instead.
	id INTEGER PRIMARY KEY,                                          -- sample_data.id
	time INTEGER NOT NULL,                                           -- time of the event, ns
	thread_id INTEGER REFERENCES threads (id),                       -- the thread; NULL: not known
	cpu INTEGER,                                                     -- the CPU; NULL: not recorded
	instruction_id INTEGER NOT NULL REFERENCES instructions (id),    -- instructions.id: the instruction and its place in the code
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),           -- access_kinds.id: properties of the access
	call_path_id INTEGER REFERENCES call_paths (id),                 -- the call stack; NULL: not recorded
	address INTEGER,                                                 -- data address; NULL: not known
	object_id INTEGER REFERENCES objects (id),                       -- the accessed object; NULL: none, or not known
	allocation_id INTEGER REFERENCES allocations (id),               -- the block; NULL: not a heap object
	object_offset INTEGER,                                           -- bytes from the start of the block or variable
	period INTEGER NOT NULL,                                         -- number of events that the sample represents; for the event role "time": ns
	weight INTEGER,                                                  -- latency of the access, core cycles; 0: not measured, NULL: not recorded
	one_in INTEGER NOT NULL,                                         -- n: one in n samples was drawn
	least INTEGER NOT NULL                                           -- smallest number of accesses that a drawn count represents; 0: samples are not counts
) STRICT;

CREATE TABLE fault_data (
	-- One row per page fault. Use the view page_faults instead: it joins the shared values.
	id INTEGER PRIMARY KEY,                                          -- counts from 1, in the order of the recording
	time INTEGER NOT NULL,                                           -- time of the event, ns
	thread_id INTEGER REFERENCES threads (id),                       -- the thread; NULL: not known
	cpu INTEGER,                                                     -- the CPU; NULL: not recorded
	instruction_id INTEGER NOT NULL REFERENCES instructions (id),    -- instructions.id: the instruction and its place in the code
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),           -- properties of the access, stored once for all page faults with the same properties
	call_path_id INTEGER REFERENCES call_paths (id),                 -- the call stack; NULL: not recorded
	address INTEGER,                                                 -- data address; NULL: not known
	object_id INTEGER REFERENCES objects (id),                       -- the accessed object; NULL: none, or not known (see access_kinds.object_reason)
	allocation_id INTEGER REFERENCES allocations (id),               -- the block; NULL: not a heap object
	object_offset INTEGER                                            -- bytes from the start of the block or variable
) STRICT;

CREATE VIEW samples AS
-- view:    samples
-- summary: Samples of memory accesses and of time.
-- grain:   one row per sample; samples of events that only count instructions are left out
-- note:    columns that perf's export-to-sqlite.py also has have the names that it gives them; access_samples has names instead of ids
SELECT
  s.id AS id,                         -- counts from 1, in the order of the recording
  k.evsel_id AS evsel_id,             -- selected_events.id
  s.thread_id AS thread_id,           -- threads.id
  s.cpu AS cpu,                       -- CPU; NULL: not recorded
  s.time AS time,                     -- time of the sample, ns
  i.ip AS ip,                         -- instruction pointer; in a timer sample, the thread was about to execute the instruction at ip, so the instruction before ip waited
  i.location_id AS location_id,       -- locations.id
  i.symbol_id AS symbol_id,           -- symbols.id
  i.dso_id AS dso_id,                 -- dsos.id
  s.call_path_id AS call_path_id,     -- call_paths.id
  s.address AS address,               -- data address; NULL: not known (see addr_reason)
  k.addr_source AS addr_source,       -- addr_sources.id
  k.addr_reason AS addr_reason,       -- addr_reasons.id: why there is no address; NULL: there is one
  s.phys_address AS phys_address,     -- physical address; NULL: not recorded
  s.period AS period,                 -- number of events that the sample represents; for the event role "time": ns
  nullif(s.weight, 0) AS weight,      -- latency of the access, core cycles; NULL: not measured
  s.ins_lat AS ins_lat,               -- latency of the complete instruction, core cycles; NULL: not recorded
  k.data_src AS data_src,             -- perf_mem_data_src as recorded
  k.memory_opcode AS memory_opcode,   -- memory_opcodes.id
  k.memory_level AS memory_level,     -- memory_levels.id
  k.memory_snoop AS memory_snoop,     -- memory_snoop.id
  k.memory_lock AS memory_lock,       -- memory_lock.id
  k.memory_dtlb AS memory_dtlb,       -- memory_dtlb.id
  k.memory_blocked AS memory_blocked, -- memory_blocked.id
  k.remote AS remote,                 -- 1: a cache or memory of a different node served the access, 0: a cache or memory of the CPU's own node did (according to data_src); NULL: not recorded
  k.hops AS hops,                     -- how far from the CPU the access was served, as in access_kinds.hops; NULL: not recorded
  k.access_bytes AS access_bytes,     -- size of the access, bytes; NULL: not known
  k.page_bytes AS page_bytes,         -- size of the page, bytes; NULL: not known
  k.step AS step,                     -- for a timer sample: bytes by which the address changes from one iteration of the innermost loop to the next, as in access_kinds.step; NULL: not known, always 0, or more than 64 although each iteration uses more than half of the cache line
  s.object_id AS object_id,           -- objects.id; NULL: none, or not known (see object_reason)
  k.object_reason AS object_reason,   -- object_reasons.id: why no object is known; NULL: it is known
  s.allocation_id AS allocation_id,   -- allocations.id; NULL: not a heap object
  s.object_offset AS object_offset,   -- bytes from the start of the block or variable
  k.cpu_node_id AS cpu_node_id,       -- node of the CPU; NULL: not known
  k.home_node_id AS home_node_id,     -- node of the page at the time of the access; NULL: not known
  k.home_source AS home_source,       -- home_sources.id
  k.waited AS waited,                 -- for a timer sample: 1: the thread waited for a memory access (addr_source shows whether it waited for this address), 0: it did not, or that is uncertain; NULL: not known
  k.time_kind AS time_kind,           -- for a sample of time: time_kinds.id of what the thread did or waited for, according to its code; NULL: not known
  k.missed AS missed,                 -- for a timer sample: 0: memdb expects that all operands for which the thread may have waited hit the first-level cache, or that the loop's arithmetic takes longer; 1: it expects a miss; NULL: not known
  k.thread_pinned AS thread_pinned,   -- 1: the thread could run on one node only, 0: on several nodes; NULL: not known
  k.page_pinned AS page_pinned,       -- 1: a pinned thread placed the page, or a policy that names the page's node did; 0: an unpinned thread placed it; NULL: not known
  k.reused AS reused                  -- 1: the page was placed before the heap block was allocated (malloc reused memory), 0: later; NULL: not known, or not a heap block
FROM sample_data AS s
LEFT JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN instructions AS i ON i.id = s.instruction_id
WHERE NOT EXISTS (SELECT 1 FROM selected_events WHERE role = 'instructions') -- SQLite evaluates this condition once; if it is true, SQLite skips the next condition
  OR s.kind_id NOT IN (SELECT x.id FROM access_kinds AS x JOIN selected_events AS e ON e.id = x.evsel_id WHERE e.role = 'instructions');

CREATE VIEW page_faults AS
-- view:    page_faults
-- summary: Page faults. A fault with first = 1 placed its page.
-- grain:   one row per recorded page fault
SELECT
  s.id AS id,                       -- counts from 1, in the order of the recording
  k.evsel_id AS evsel_id,           -- selected_events.id
  s.thread_id AS thread_id,         -- threads.id
  s.cpu AS cpu,                     -- CPU; NULL: not recorded
  s.time AS time,                   -- time of the page fault, ns
  i.ip AS ip,                       -- address of the instruction that caused the page fault
  i.location_id AS location_id,     -- locations.id
  i.symbol_id AS symbol_id,         -- symbols.id
  i.dso_id AS dso_id,               -- dsos.id
  i.caller_id AS caller_id,         -- for a fault in a standard library or the kernel: locations.id of the program's call that led to the fault; NULL: not known, or the fault is in the program's own code
  i.called_id AS called_id,         -- for a fault in a standard library or the kernel: symbols.id of the function that the program called, such as memset or read (also if caller_id is not known); NULL: the fault is in the program's own code
  s.call_path_id AS call_path_id,   -- call_paths.id
  s.address AS address,             -- the address whose access caused the fault
  s.object_id AS object_id,         -- objects.id; NULL: none, or not known (see object_reason)
  k.object_reason AS object_reason, -- object_reasons.id: why no object is known; NULL: it is known
  s.allocation_id AS allocation_id, -- allocations.id; NULL: not a heap object
  s.object_offset AS object_offset, -- bytes from the start of the block or variable
  k.memory_opcode AS memory_opcode, -- memory_opcodes.id: load or store; NULL: not known
  k.page_bytes AS page_bytes,       -- size of the page, bytes; NULL: not known
  k.cpu_node_id AS cpu_node_id,     -- node of the CPU that touched the page; NULL: not known
  k.home_node_id AS home_node_id,   -- node on which the kernel placed the page; NULL: not known
  k.home_source AS home_source,     -- home_sources.id
  k.first AS first,                 -- 1: the first recorded fault of this page since its mapping began (a first touch), 0: as in access_kinds.first
  k.thread_pinned AS thread_pinned, -- 1: the thread could run on one node only, 0: on several nodes; NULL: not known
  k.page_pinned AS page_pinned,     -- 1: a pinned thread placed the page by this fault, or a policy that names the node applied; 0: an unpinned thread placed it; NULL: not known
  k.reused AS reused                -- 1: the page was placed before the heap block was allocated (malloc reused memory), 0: later; NULL: not known, or not a heap block
FROM fault_data AS s
LEFT JOIN access_kinds AS k ON k.id = s.kind_id
LEFT JOIN instructions AS i ON i.id = s.instruction_id;
