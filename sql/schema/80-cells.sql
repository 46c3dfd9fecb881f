-- SPDX-License-Identifier: GPL-2.0-or-later
-- Sums over samples and page faults, which memdb computes while it writes them. Queries read these sums, because they have some
-- ten thousand rows, while samples have millions. Several rows may have the same key, so queries must sum them. A sample
-- represents `period` events, so a sum of periods estimates the number of events. The effective sample size, (Σ w)² / Σ w², is the number of
-- equally weighted samples that would give the same certainty. Squares and products are REAL, because they may exceed 64 bits.

CREATE TABLE sample_cells (
	-- One or several rows per instruction, kind of access, thread and object: sums of their samples.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- the instruction
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- the kind of access
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	object_id INTEGER REFERENCES objects (id),                    -- the object; NULL: none
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL,                                      -- Σ period
	period_sq REAL NOT NULL,                                      -- Σ period²
	weighted INTEGER NOT NULL,                                    -- number of samples with a weight above 0 (0: not measured)
	weighted_period INTEGER NOT NULL,                             -- Σ period of the samples in weighted
	latency REAL NOT NULL,                                        -- Σ weight × period, core cycles: latency of all accesses that the samples represent
	latency_sq REAL NOT NULL                                      -- Σ (weight × period)²
) STRICT;

CREATE TABLE fault_cells (
	-- One or several rows per instruction, kind of fault, thread and object: the number of their page faults.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- the instruction
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- the kind of fault
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	object_id INTEGER REFERENCES objects (id),                    -- the object; NULL: none
	samples INTEGER NOT NULL                                      -- number of page faults
) STRICT;

CREATE TABLE allocation_cells (
	-- One or several rows per heap block and kind of access: sums of their samples.
	allocation_id INTEGER NOT NULL REFERENCES allocations (id),   -- the block
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- the kind of access
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL,                                      -- Σ period
	period_sq REAL NOT NULL,                                      -- Σ period²
	weighted INTEGER NOT NULL,                                    -- number of samples with a weight above 0 (0: not measured)
	weighted_period INTEGER NOT NULL,                             -- Σ period of the samples in weighted
	latency REAL NOT NULL,                                        -- Σ weight × period, core cycles: latency of all accesses that the samples represent
	latency_sq REAL NOT NULL                                      -- Σ (weight × period)²
) STRICT;

CREATE TABLE block_cells (
	-- One or several rows per object, threads, size and lifetime: sums over all blocks from malloc, mmap and similar calls.
	object_id INTEGER NOT NULL REFERENCES objects (id),           -- the object of the blocks
	thread_id INTEGER REFERENCES threads (id),                    -- the allocating thread; NULL: not known
	end_thread_id INTEGER REFERENCES threads (id),                -- the freeing thread; NULL: the blocks were not freed, or not known
	size_bits INTEGER NOT NULL,                                   -- size of each block: n means at least 2^(n-1) and less than 2^n bytes; 0: no bytes
	life_bits INTEGER,                                            -- lifetime of each block: n means at least 2^(n-1) and less than 2^n ns; NULL: the blocks lived to the end of the recording
	end_reason TEXT,                                              -- as in allocations
	hit INTEGER NOT NULL,                                         -- 1: each block has a sample or a page fault, 0: none has
	blocks INTEGER NOT NULL,                                      -- number of blocks (sum of stands_for)
	bytes INTEGER NOT NULL,                                       -- sum of the blocks' sizes, bytes
	stored INTEGER NOT NULL                                       -- number of these blocks for which a condition in allocations was true when they ended; allocations may have rows for a few more
) STRICT;

CREATE TABLE operation_cells (
	-- One or several rows per instruction and thread: samples of operations without a memory access (AMD IBS). They count as instructions. sample_data has no rows for them.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- the instruction
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL                                       -- Σ period, operations
) STRICT;

CREATE TABLE other_waits (
	-- One row per object: timer samples that may have waited for the object, but count for another object. An upper bound of the object's
	-- cost is the sum of its own cost, this period, and the cost of samples with an unknown object.
	object_id INTEGER PRIMARY KEY REFERENCES objects (id), -- the object
	period REAL NOT NULL                                   -- Σ period of these samples
) STRICT;

CREATE TABLE kind_measures (
	-- One row per kind of access. Most columns say whether samples of the kind count in the sum that the column is named after: 1 or 0. Kinds of events that only count instructions have no row.
	id INTEGER PRIMARY KEY REFERENCES access_kinds (id), -- the kind
	addressed INTEGER NOT NULL,                          -- samples whose data address, or at least the object, is known
	loads INTEGER NOT NULL,                              -- addressed samples that read
	stores INTEGER NOT NULL,                             -- addressed samples that write
	timed INTEGER NOT NULL,                              -- timer samples, whose period is thread time, ns; in a run without a timer: samples of a cycle counter
	waits INTEGER NOT NULL,                              -- timed samples that waited for a known access
	lost_waits INTEGER NOT NULL,                         -- timed samples that waited for an access whose address and object are lost, as if mov (%rax),%rax overwrites its address
	undecided INTEGER NOT NULL,                          -- timed samples that may have waited for memory, because their code is not known
	measured INTEGER NOT NULL,                           -- hardware samples, whose weight is the latency of the access
	local INTEGER NOT NULL,                              -- addressed samples whose page is on the CPU's own node
	remote INTEGER NOT NULL,                             -- addressed samples whose page is on another node
	hw_local INTEGER NOT NULL,                           -- addressed samples that a cache or memory of the CPU's node served, according to the hardware
	hw_remote INTEGER NOT NULL,                          -- addressed samples that a cache or memory of another node served, according to the hardware
	hitm INTEGER NOT NULL,                               -- addressed samples that found the cache line modified in another cache (hardware)
	cost TEXT                                            -- cost of a sample: "latency" (weight × period), "period" (the sample is a wait, lost or not); NULL: no cost. All costs of a run have the same unit
) STRICT;

CREATE TABLE kind_totals (
	-- One row per scope, member of the scope, and kind of access: sums of its samples, including those of events that only count instructions.
	scope TEXT NOT NULL,                                 -- kind of the sum: "run", "function", "line", "object", "thread". The rows of each scope cover all samples, so select one scope
	instruction_id INTEGER REFERENCES instructions (id), -- function, line: first instruction of the function or line
	object_id INTEGER REFERENCES objects (id),           -- object: the object; NULL: samples without an object
	thread_id INTEGER REFERENCES threads (id),           -- thread: the thread; NULL: not known
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id), -- the kind of access
	samples INTEGER NOT NULL,                            -- number of samples
	period REAL NOT NULL,                                -- Σ period
	period_sq REAL NOT NULL,                             -- Σ period²; 0: every access was counted, so the sums have no sampling error
	weighted INTEGER NOT NULL,                           -- number of samples with a weight above 0
	weighted_period REAL NOT NULL,                       -- Σ period of the samples in weighted
	latency REAL NOT NULL,                               -- Σ weight × period, core cycles
	latency_sq REAL NOT NULL                             -- Σ (weight × period)²
) STRICT;

CREATE TABLE totals (
	-- One row per scope and member of the scope (such as a function): sums of its samples. Use the views run_costs, function_costs, … instead.
	scope TEXT NOT NULL,                                 -- kind of the sum: "run", "function", "line", "object", "thread", "function_object", "object_thread". The rows of each scope cover all samples, so select one scope
	instruction_id INTEGER REFERENCES instructions (id), -- function, function_object, line: first instruction of the function or line
	object_id INTEGER REFERENCES objects (id),           -- object, function_object, object_thread: the object; NULL: samples without an object, and waits whose object is lost
	thread_id INTEGER REFERENCES threads (id),           -- thread, object_thread: the thread; NULL: not known
	threads INTEGER NOT NULL,                            -- threads with an addressed sample (count)
	writers INTEGER NOT NULL,                            -- threads with an addressed sample that writes (count)
	samples INTEGER NOT NULL,                            -- number of samples
	addressed INTEGER NOT NULL,                          -- samples whose data address, or at least the object, is known (count)
	loads INTEGER NOT NULL,                              -- addressed samples that read (count)
	stores INTEGER NOT NULL,                             -- addressed samples that write (count)
	local INTEGER NOT NULL,                              -- addressed samples whose page is on the CPU's own node (count)
	remote INTEGER NOT NULL,                             -- addressed samples whose page is on another node (count)
	hw_local INTEGER NOT NULL,                           -- addressed samples that the CPU's own node served, according to the hardware (count)
	hw_remote INTEGER NOT NULL,                          -- addressed samples that another node served, according to the hardware (count)
	remote_loads INTEGER NOT NULL,                       -- remote samples that read (count)
	remote_stores INTEGER NOT NULL,                      -- remote samples that write (count)
	waits INTEGER NOT NULL,                              -- samples that waited for a known access (count, timer or cycles)
	lost_waits INTEGER NOT NULL,                         -- samples that waited for an access whose address and object are lost (count, timer or cycles)
	measured INTEGER NOT NULL,                           -- addressed samples with a latency (count, hardware)
	thread_time REAL NOT NULL,                           -- Σ period of timed samples: thread time, ns (timer), or cycles
	thread_time_sq REAL NOT NULL,                        -- Σ period² of the same samples
	undecided REAL NOT NULL,                             -- part of thread_time that may be waits for memory, because the code is not known
	estimate REAL NOT NULL,                              -- Σ period of addressed samples: accesses (hardware), thread time or cycles (timer)
	estimate_sq REAL NOT NULL,                           -- Σ period² of the same samples
	local_estimate REAL NOT NULL,                        -- Σ period of the samples in local
	remote_estimate REAL NOT NULL,                       -- Σ period of the samples in remote
	hw_local_estimate REAL NOT NULL,                     -- Σ period of the samples in hw_local
	hw_remote_estimate REAL NOT NULL,                    -- Σ period of the samples in hw_remote
	latency REAL NOT NULL,                               -- Σ latency × period, core cycles (hardware)
	measured_estimate REAL NOT NULL,                     -- Σ period of the samples in measured
	cost REAL NOT NULL,                                  -- cost of known accesses, in the run's unit (kind_measures.cost)
	cost_sq REAL NOT NULL,                               -- Σ of squares of cost and lost_cost
	lost_cost REAL NOT NULL,                             -- cost of accesses whose address and object are lost; no object has this cost
	local_cost REAL NOT NULL,                            -- part of cost: accesses to pages of the CPU's own node, or that memdb expects to hit the first-level cache
	remote_cost REAL NOT NULL,                           -- part of cost: accesses to pages of another node, without those that memdb expects to hit the first-level cache
	hw_local_cost REAL NOT NULL,                         -- part of cost: accesses that the CPU's own node served, according to the hardware
	hw_remote_cost REAL NOT NULL                         -- part of cost: accesses that another node served, according to the hardware
) STRICT;
