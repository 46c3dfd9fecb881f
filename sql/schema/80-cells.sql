-- SPDX-License-Identifier: GPL-2.0-or-later
-- Sums over samples and page faults, counted while they were written. Queries start from these: they
-- have some ten thousand rows where the facts have millions. A cell may be told in several rows:
-- always sum. A thing, of what the views tell, has one row of thing_sums and one for each kind of access
-- in thing_cells: however many cells there are, they stay few. All can be emptied and filled again
-- (sql/derived), but for operation_cells, which is a fact.

CREATE TABLE sample_cells (
	-- Samples by instruction, kind of access, thread and object.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- where
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- what kind of access
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	object_id INTEGER REFERENCES objects (id),                    -- the object; NULL: none
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL,                                      -- sum of their periods
	weighted INTEGER NOT NULL,                                    -- number of samples with a weight above 0 (0: not measured)
	weight INTEGER NOT NULL                                       -- sum of their weights, core cycles
) STRICT;

CREATE TABLE fault_cells (
	-- Page faults by instruction, kind, thread and object.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- where
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- what kind of fault
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	object_id INTEGER REFERENCES objects (id),                    -- the object; NULL: none
	samples INTEGER NOT NULL                                      -- number of page faults
) STRICT;

CREATE TABLE allocation_cells (
	-- Samples by allocation, event and source of the address.
	allocation_id INTEGER NOT NULL REFERENCES allocations (id), -- the block
	evsel_id INTEGER REFERENCES selected_events (id),           -- the event
	addr_source INTEGER NOT NULL REFERENCES addr_sources (id),  -- where the data address comes from
	samples INTEGER NOT NULL,                                   -- number of samples
	period INTEGER NOT NULL,                                    -- sum of their periods
	weighted INTEGER NOT NULL,                                  -- number of samples with a weight above 0 (0: not measured)
	weight INTEGER NOT NULL                                     -- sum of their weights, core cycles
) STRICT;

CREATE TABLE operation_cells (
	-- Sampled operations (AMD IBS) that accessed no memory: they count as instructions and are not kept as samples.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- where
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL                                       -- sum of their periods, operations
) STRICT;

CREATE TABLE kind_measures (
	-- What a sample of each kind counts in, 1 or 0; kinds of events that only count instructions are not here.
	id INTEGER PRIMARY KEY REFERENCES access_kinds (id), -- the kind
	accesses INTEGER NOT NULL,                           -- samples with a data address
	loads INTEGER NOT NULL,                              -- accesses that read
	stores INTEGER NOT NULL,                             -- accesses that write
	timed INTEGER NOT NULL,                              -- samples of the timer: their period is thread time, ns
	waits INTEGER NOT NULL,                              -- samples that waited for their address (timer or cycles)
	lost_waits INTEGER NOT NULL,                         -- samples that waited for an access whose address is gone, as of mov (%rax),%rax
	measured INTEGER NOT NULL,                           -- accesses whose weight is their latency (hardware)
	local INTEGER NOT NULL,                              -- accesses to the CPU's own node
	remote INTEGER NOT NULL,                             -- accesses to another node
	placed_waits INTEGER NOT NULL,                       -- waits for an address on a known node, from a known one (timer)
	remote_waits INTEGER NOT NULL,                       -- those for an address on another node (timer)
	hw_local INTEGER NOT NULL,                           -- accesses that the hardware says this node's caches or memory served
	hw_remote INTEGER NOT NULL,                          -- accesses that the hardware says another node's caches or memory served
	hitm INTEGER NOT NULL                                -- accesses that found the line modified in another cache (hardware)
) STRICT;

CREATE TABLE thing_cells (
	-- Samples by thing and kind of access. A thing is named by the columns that its kind of thing has; the others are NULL.
	of TEXT NOT NULL,                                    -- kind of thing: "run", "function", "object", "thread"
	instruction_id INTEGER REFERENCES instructions (id), -- function: the first of its instructions (the same symbol and file)
	object_id INTEGER REFERENCES objects (id),           -- object: it; NULL: samples without one
	thread_id INTEGER REFERENCES threads (id),           -- thread: it; NULL: not known
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id), -- what kind of access
	samples INTEGER NOT NULL,                            -- number of samples
	period INTEGER NOT NULL,                             -- sum of their periods
	weighted INTEGER NOT NULL,                           -- number of samples with a weight above 0 (0: not measured)
	weight INTEGER NOT NULL                              -- sum of their weights, core cycles
) STRICT;

CREATE TABLE thing_sums (
	-- What each thing has of the samples, but of those that only count instructions: read the view shares instead.
	of TEXT NOT NULL,                                    -- kind of thing: "run", "function", "line", "object", "thread", "function_object", "object_thread"
	instruction_id INTEGER REFERENCES instructions (id), -- function…, line: the first of its instructions
	object_id INTEGER REFERENCES objects (id),           -- object…: it; samples without one are not there
	thread_id INTEGER REFERENCES threads (id),           -- thread, object_thread: it; NULL: not known
	threads INTEGER NOT NULL,                            -- threads with a sample (count)
	writers INTEGER NOT NULL,                            -- threads that wrote (count)
	samples INTEGER NOT NULL,                            -- samples (count)
	accesses INTEGER NOT NULL,                           -- samples with a data address (count)
	loads INTEGER NOT NULL,                              -- accesses that read (count)
	stores INTEGER NOT NULL,                             -- accesses that write (count)
	time_ns INTEGER NOT NULL,                            -- thread time, ns (timer)
	timed INTEGER NOT NULL,                              -- samples of the timer (count)
	waits INTEGER NOT NULL,                              -- samples that waited for their address (count, timer or cycles)
	wait_ns INTEGER NOT NULL,                            -- their time, ns (timer)
	lost_waits INTEGER NOT NULL,                         -- samples that waited for an access whose address is gone (count, timer or cycles)
	lost_wait_ns INTEGER NOT NULL,                       -- their time, ns (timer)
	weighted INTEGER NOT NULL,                           -- accesses with a weight (count, hardware)
	weight INTEGER NOT NULL,                             -- sum of the weights, core cycles (hardware)
	local INTEGER NOT NULL,                              -- accesses to the CPU's own node (count)
	remote INTEGER NOT NULL,                             -- accesses to another node (count)
	placed_waits INTEGER NOT NULL,                       -- waits for an address whose node is known, from a known one (count, timer)
	remote_waits INTEGER NOT NULL,                       -- those for an address on another node (count, timer)
	remote_wait_ns INTEGER NOT NULL,                     -- their time, ns (timer)
	hw_local INTEGER NOT NULL,                           -- accesses that the hardware says this node's caches or memory served (count)
	hw_remote INTEGER NOT NULL                           -- accesses that the hardware says another node's caches or memory served (count)
) STRICT;
