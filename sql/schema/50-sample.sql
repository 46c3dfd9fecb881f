-- SPDX-License-Identifier: GPL-2.0-or-later
-- Samples and page faults. What repeats from row to row is stored once, in instructions and
-- access_kinds; the views samples and page_faults put the rows together again.

CREATE TABLE instructions (
	-- Instructions that samples and page faults stopped at.
	id INTEGER PRIMARY KEY,                        -- counts from 1
	ip INTEGER NOT NULL,                           -- the instruction pointer
	location_id INTEGER REFERENCES locations (id), -- the code it is about: the same as a place in a file; where a timer sample waited, the last byte of the instruction before, which it waited for; NULL: not known
	symbol_id INTEGER REFERENCES symbols (id),     -- the function; NULL: not known
	dso_id INTEGER REFERENCES dsos (id),           -- the file; NULL: not known
	caller_id INTEGER REFERENCES locations (id),   -- page faults in a standard library or the kernel: the program's call that led there; NULL: not known, or the program's own code
	called_id INTEGER REFERENCES symbols (id)      -- page faults: the function that was called there, as memset or read; NULL: as caller_id
) STRICT;

CREATE TABLE access_kinds (
	-- What samples and page faults have in common: each combination once.
	id INTEGER PRIMARY KEY,                                  -- counts from 1
	evsel_id INTEGER REFERENCES selected_events (id),        -- the event
	addr_source INTEGER REFERENCES addr_sources (id),        -- where the data address comes from
	addr_reason INTEGER REFERENCES addr_reasons (id),        -- why there is none; NULL: there is one
	data_src INTEGER,                                        -- perf_mem_data_src as recorded; NULL: not recorded
	memory_opcode INTEGER REFERENCES memory_opcodes (id),    -- load, store, …; NULL: not said
	memory_level INTEGER REFERENCES memory_levels (id),      -- what served the access; NULL: not said
	memory_snoop INTEGER REFERENCES memory_snoop (id),       -- what the snoop found; NULL: not said
	memory_lock INTEGER REFERENCES memory_lock (id),         -- whether it was a locked access; NULL: not said
	memory_dtlb INTEGER REFERENCES memory_dtlb (id),         -- what the data TLB did; NULL: not said
	memory_blocked INTEGER REFERENCES memory_blocked (id),   -- what held the access up; NULL: nothing, or not said
	remote INTEGER,                                          -- data source: 1 another node's cache or memory, 0 this node's; NULL: not said
	hops INTEGER,                                            -- data source: 0 another core of the node, 1 another node, 2 another socket, 3 another board; NULL: not said
	access_bytes INTEGER,                                    -- size of the access, bytes; NULL: not known
	page_bytes INTEGER,                                      -- size of the page, bytes; NULL: not known
	object_reason INTEGER REFERENCES object_reasons (id),    -- why there is no object; NULL: there is one
	cpu_node_id INTEGER REFERENCES nodes (id),               -- node of the CPU; NULL: not known
	home_node_id INTEGER REFERENCES nodes (id),              -- node of the page at that time; NULL: not known
	home_source INTEGER REFERENCES home_sources (id),        -- where home_node_id comes from
	first INTEGER,                                           -- page faults: 1 the first of the page since its mapping began (a first touch), 0 a later one, or a read of private memory that nobody had written (it shows a shared page of zeros)
	waited INTEGER,                                          -- timer: 1 the thread waited for a memory access (its address may be gone: see addr_source), 0 it waited for something else, or that is not certain; NULL: another event, code that is not known, or an emulated CPU
	thread_pinned INTEGER,                                   -- 1: the thread's affinity was within one node, 0: it spanned nodes (an unpinned thread); NULL: not known
	page_pinned INTEGER,                                     -- 1: the page was placed by a pinned thread or under a policy that names its node, 0: by an unpinned thread (an unpinned page); NULL: not known
	reused INTEGER                                           -- heap: 1 the page was placed before the block was born (malloc used memory again), 0 since then; NULL: not known, or no block
) STRICT;

CREATE TABLE sample_data (
	-- Memory access and time samples, as stored. Read the view samples instead.
	id INTEGER PRIMARY KEY,                                          -- counts from 1, in the order of the recording
	time INTEGER NOT NULL,                                           -- ns
	thread_id INTEGER REFERENCES threads (id),                       -- the thread; NULL: not known
	cpu INTEGER,                                                     -- the CPU; NULL: not recorded
	instruction_id INTEGER NOT NULL REFERENCES instructions (id),    -- where
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),           -- what kind of access
	call_path_id INTEGER REFERENCES call_paths (id),                 -- how it came there; NULL: not recorded
	address INTEGER,                                                 -- data address; NULL: not known
	object_id INTEGER REFERENCES objects (id),                       -- what lies there
	allocation_id INTEGER REFERENCES allocations (id),               -- the block; NULL: not a heap object
	object_offset INTEGER,                                           -- bytes from the start of the block or variable
	period INTEGER NOT NULL,                                         -- events this sample stands for; ns for the event role "time"
	weight INTEGER,                                                  -- cost of the access, core cycles; 0: not measured, NULL: not recorded
	ins_lat INTEGER,                                                 -- instruction latency, core cycles; NULL: not recorded
	phys_address INTEGER                                             -- physical address; NULL: not recorded
) STRICT;

CREATE TABLE fault_data (
	-- Page faults, as stored. Read the view page_faults instead.
	id INTEGER PRIMARY KEY,                                          -- counts from 1, in the order of the recording
	time INTEGER NOT NULL,                                           -- ns
	thread_id INTEGER REFERENCES threads (id),                       -- the thread; NULL: not known
	cpu INTEGER,                                                     -- the CPU; NULL: not recorded
	instruction_id INTEGER NOT NULL REFERENCES instructions (id),    -- where
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),           -- what kind of access
	call_path_id INTEGER REFERENCES call_paths (id),                 -- how it came there; NULL: not recorded
	address INTEGER,                                                 -- data address; NULL: not known
	object_id INTEGER REFERENCES objects (id),                       -- what lies there
	allocation_id INTEGER REFERENCES allocations (id),               -- the block; NULL: not a heap object
	object_offset INTEGER                                            -- bytes from the start of the block or variable
) STRICT;
