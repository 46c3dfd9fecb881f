-- SPDX-License-Identifier: GPL-2.0-or-later
-- Sums over samples and page faults, which memdb computes while it writes the samples. Queries read these tables, because they have some
-- ten thousand rows, while sample_data may have millions. Several rows may have the same key, so queries must add them up. A sample
-- represents `period` events, so a sum of periods estimates the number of events. The effective sample size, (Σ w)² / Σ w², is the number of
-- equally weighted samples that would give the same certainty. Squares and products are REAL, because they may exceed 64 bits.

CREATE TABLE sample_cells (
	-- One or several rows for each combination of instruction, kind of access, thread and object: sums over its samples.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- instructions.id: the instruction and its place in the code
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- access_kinds.id: the properties that these samples share
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	object_id INTEGER REFERENCES objects (id),                    -- the object; NULL: none
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL,                                      -- sum of the samples' periods
	period_sq REAL NOT NULL,                                      -- sum of the squares of the samples' periods
	weighted INTEGER NOT NULL,                                    -- number of samples whose weight (latency) was measured
	weighted_period INTEGER NOT NULL,                             -- sum of the periods of the samples that `weighted` counts
	latency REAL NOT NULL,                                        -- sum of weight × period over the samples: the latency of all accesses that they represent, core cycles
	latency_sq REAL NOT NULL                                      -- sum of the squares of weight × period
) STRICT;

CREATE TABLE fault_cells (
	-- One or several rows for each combination of instruction, kind of fault, thread and object: the number of its page faults.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- instructions.id: the instruction and its place in the code
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- access_kinds.id: the properties that these page faults share
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	object_id INTEGER REFERENCES objects (id),                    -- the object; NULL: none
	samples INTEGER NOT NULL                                      -- number of page faults
) STRICT;

CREATE TABLE allocation_cells (
	-- One or several rows for each combination of heap block and kind of access: sums over its samples.
	allocation_id INTEGER NOT NULL REFERENCES allocations (id),   -- the heap block
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- access_kinds.id: the properties that these samples share
	samples INTEGER NOT NULL,                                     -- number of these samples
	period INTEGER NOT NULL,                                      -- sum of the samples' periods
	period_sq REAL NOT NULL,                                      -- sum of the squares of the samples' periods
	weighted INTEGER NOT NULL,                                    -- number of samples whose weight (latency) was measured
	weighted_period INTEGER NOT NULL,                             -- sum of the periods of the samples that `weighted` counts
	latency REAL NOT NULL,                                        -- sum of weight × period over the samples: the latency of all accesses that they represent, core cycles
	latency_sq REAL NOT NULL                                      -- sum of the squares of weight × period
) STRICT;

CREATE TABLE block_cells (
	-- One or several rows for each combination of object, threads, size, lifetime and end: sums over all blocks from malloc, mmap and similar calls.
	object_id INTEGER NOT NULL REFERENCES objects (id),           -- the object to which the blocks belong
	thread_id INTEGER REFERENCES threads (id),                    -- the allocating thread; NULL: not known
	end_thread_id INTEGER REFERENCES threads (id),                -- the freeing thread; NULL: the blocks were not freed, or not known
	size_bits INTEGER NOT NULL,                                   -- size of each block: n means at least 2^(n-1) and less than 2^n bytes; 0: no bytes
	life_bits INTEGER,                                            -- lifetime of each block: n means at least 2^(n-1) and less than 2^n ns; NULL: the blocks lived to the end of the recording
	end_reason TEXT,                                              -- how the blocks ended, as in allocations.end_reason
	hit INTEGER NOT NULL,                                         -- 1: each of these blocks has a sample or a page fault, 0: no block has
	blocks INTEGER NOT NULL,                                      -- number of blocks (sum of stands_for)
	bytes INTEGER NOT NULL,                                       -- sum of the blocks' sizes, bytes
	stored INTEGER NOT NULL                                       -- number of these blocks that met a condition for a row in allocations when they ended; a few more blocks may have a row there
) STRICT;

CREATE TABLE operation_cells (
	-- One or several rows for each combination of instruction and thread: samples of operations without a memory access (AMD IBS). Their periods are part of the number of instructions by which lpi is divided. sample_data has no rows for these samples.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- instructions.id: the instruction and its place in the code
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	samples INTEGER NOT NULL,                                     -- number of these samples
	period INTEGER NOT NULL                                       -- sum of the samples' periods: the number of operations that they represent
) STRICT;

CREATE TABLE other_waits (
	-- One row per object: timer samples that may have waited for this object, but are attributed
	-- to a different object. An upper bound of the object's cost is the sum of its own cost, of
	-- `period`, and of the cost of samples with an unknown object.
	object_id INTEGER PRIMARY KEY REFERENCES objects (id), -- the object for which the samples may have waited
	period REAL NOT NULL,                                  -- sum of the periods of these samples
	dealt REAL NOT NULL DEFAULT 0                          -- the part of `period` that is the cost of other objects: which object was waited for is an estimate
) STRICT;

CREATE TABLE kind_measures (
	-- One row per kind of access. Most columns have the name of a sum, and are 1 if samples of this kind count in that sum, else 0. Kinds of events that only count instructions have no row.
	id INTEGER PRIMARY KEY REFERENCES access_kinds (id), -- access_kinds.id: the properties of an access that samples of this kind share
	addressed INTEGER NOT NULL,                          -- 1: the data address, or at least the object, is known: an addressed sample
	loads INTEGER NOT NULL,                              -- 1: an addressed sample whose access reads
	stores INTEGER NOT NULL,                             -- 1: an addressed sample whose access writes
	timed INTEGER NOT NULL,                              -- 1: a sample of time: from the timer, whose period is thread time in ns, or, in a run without a timer, from a cycle counter
	waits INTEGER NOT NULL,                              -- 1: a timed sample in which the thread waited for an access whose address or object is known
	lost_waits INTEGER NOT NULL,                         -- 1: a timed sample in which the thread waited for an access whose address and object are lost, as after mov (%rax),%rax, which overwrites the register with the address
	undecided INTEGER NOT NULL,                          -- 1: a timed sample whose code is not known, so the thread may or may not have waited for memory
	measured INTEGER NOT NULL,                           -- 1: a sample from the hardware, whose weight is the latency of the access
	local INTEGER NOT NULL,                              -- 1: an addressed sample whose page is on the CPU's own node
	remote INTEGER NOT NULL,                             -- 1: an addressed sample whose page is on a different node than the CPU
	hw_local INTEGER NOT NULL,                           -- 1: an addressed sample that a cache or memory of the CPU's node served, according to the hardware
	hw_remote INTEGER NOT NULL,                          -- 1: an addressed sample that a cache or memory of another node served, according to the hardware
	hitm INTEGER NOT NULL,                               -- 1: an addressed sample that found the cache line modified in another cache, according to the hardware; where every access was counted: for which the line moved from another thread
	cost TEXT                                            -- what a sample costs: "latency": weight × period; "period": its period, because the thread waited for memory; NULL: nothing. All costs of a run have the same unit
) STRICT;

CREATE TABLE kind_totals (
	-- One row for each combination of scope, member of the scope (such as a function), and kind of access: sums over its samples, including samples of events that only count instructions.
	scope TEXT NOT NULL,                                 -- kind of the member whose samples the row sums: "run", "function", "line", "object" or "thread". The rows of each scope cover all samples, so select one scope
	instruction_id INTEGER REFERENCES instructions (id), -- for scopes "function" and "line": first instruction of the function or line
	object_id INTEGER REFERENCES objects (id),           -- for scope "object": the object; NULL: samples without an object
	thread_id INTEGER REFERENCES threads (id),           -- for scope "thread": the thread; NULL: not known
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id), -- access_kinds.id: the properties that these samples share
	samples INTEGER NOT NULL,                            -- number of samples of this kind; where every access was counted: number of accesses
	period REAL NOT NULL,                                -- sum of the samples' periods
	period_sq REAL NOT NULL,                             -- sum of the squares of the samples' periods; 0: every access was counted, so the sums have no sampling error
	weighted INTEGER NOT NULL,                           -- number of samples whose weight (latency) was measured
	weighted_period REAL NOT NULL,                       -- sum of the periods of the samples that `weighted` counts
	latency REAL NOT NULL,                               -- sum of weight × period over the samples, core cycles
	latency_sq REAL NOT NULL                             -- sum of the squares of weight × period
) STRICT;

CREATE TABLE totals (
	-- One row for each combination of scope and member of the scope (such as a function): sums over its samples. Use the views run_costs, function_costs, … instead.
	scope TEXT NOT NULL,                                 -- kind of the member whose samples the row sums: "run", "function", "line", "object", "thread", "function_object" or "object_thread". The rows of each scope cover all samples, so select one scope
	instruction_id INTEGER REFERENCES instructions (id), -- for scopes with a function or line: its first instruction
	object_id INTEGER REFERENCES objects (id),           -- for scopes with an object: the object; NULL: samples without an object, and waits whose object is lost
	thread_id INTEGER REFERENCES threads (id),           -- for scopes with a thread: the thread; NULL: not known
	threads INTEGER NOT NULL,                            -- number of threads with an addressed sample
	writers INTEGER NOT NULL,                            -- number of threads with an addressed sample whose access writes
	samples INTEGER NOT NULL,                            -- number of samples in this member of the scope; where every access was counted (samplers exact and soft with period 1), this column and the following ones are numbers of accesses
	addressed INTEGER NOT NULL,                          -- number of samples whose data address, or at least whose object, is known (the "addressed samples")
	loads INTEGER NOT NULL,                              -- number of addressed samples whose access reads
	stores INTEGER NOT NULL,                             -- number of addressed samples whose access writes
	local INTEGER NOT NULL,                              -- number of addressed samples whose page is on the CPU's own node
	remote INTEGER NOT NULL,                             -- number of addressed samples whose page is on a different node than the CPU
	hw_local INTEGER NOT NULL,                           -- number of addressed samples that a cache or memory of the CPU's own node served, according to the hardware
	hw_remote INTEGER NOT NULL,                          -- number of addressed samples that a cache or memory of another node served, according to the hardware
	remote_loads INTEGER NOT NULL,                       -- number of samples that `remote` counts and whose access reads
	remote_stores INTEGER NOT NULL,                      -- number of samples that `remote` counts and whose access writes
	waits INTEGER NOT NULL,                              -- number of samples in which the thread waited for an access whose address or object is known; only samples of time (timer, cycle counter) show waits
	lost_waits INTEGER NOT NULL,                         -- number of samples in which the thread waited for an access whose address and object are both lost, for example because its register was overwritten
	measured INTEGER NOT NULL,                           -- number of addressed samples with a latency, which only hardware samplers measure
	thread_time REAL NOT NULL,                           -- sum of the periods of timed samples: time that threads ran, in ns (timer) or core cycles (cycle counter)
	thread_time_sq REAL NOT NULL,                        -- sum of the squares of the periods of the same samples
	undecided REAL NOT NULL,                             -- the part of thread_time in unknown code, where the threads may or may not have waited for memory
	estimate REAL NOT NULL,                              -- what the addressed samples represent (sum of their periods): accesses (hardware samplers), ns (timer) or cycles (cycle counter)
	estimate_sq REAL NOT NULL,                           -- sum of the squares of the periods of the same samples
	local_estimate REAL NOT NULL,                        -- sum of the periods of the samples that `local` counts
	remote_estimate REAL NOT NULL,                       -- sum of the periods of the samples that `remote` counts
	hw_local_estimate REAL NOT NULL,                     -- sum of the periods of the samples that `hw_local` counts
	hw_remote_estimate REAL NOT NULL,                    -- sum of the periods of the samples that `hw_remote` counts
	latency REAL NOT NULL,                               -- sum of latency × period over the samples that `measured` counts, core cycles
	measured_estimate REAL NOT NULL,                     -- sum of the periods of the samples that `measured` counts
	cost REAL NOT NULL,                                  -- cost of known accesses, in the run's unit (kind_measures.cost)
	cost_sq REAL NOT NULL,                               -- sum of the squares of what each sample adds to `cost` or `lost_cost`
	lost_cost REAL NOT NULL,                             -- cost of accesses whose address and object are lost; it belongs to no object
	local_cost REAL NOT NULL,                            -- part of cost: accesses to pages of the CPU's own node, and accesses that memdb expects to hit the first-level cache
	remote_cost REAL NOT NULL,                           -- part of cost: accesses to pages of a different node, without accesses that memdb expects to hit the first-level cache
	hw_local_cost REAL NOT NULL,                         -- part of cost: accesses that the CPU's own node served, according to the hardware
	hw_remote_cost REAL NOT NULL                         -- part of cost: accesses that another node served, according to the hardware
) STRICT;
