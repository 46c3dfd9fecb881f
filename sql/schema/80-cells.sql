-- SPDX-License-Identifier: GPL-2.0-or-later
-- Sums over samples and page faults, computed while those were written. Queries start from them, because they
-- have some ten thousand rows where samples have millions. A cell may have several rows: always sum. A
-- sample stands for `period` events: sums of periods are estimates of what happened, and (Σ w)² / Σ w² is the
-- number of equal samples that would be as certain (the effective sample size). Real numbers, because
-- squares and products would not fit into integers.

CREATE TABLE sample_cells (
	-- Samples by instruction, kind of access, thread and object.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- where
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- what kind of access
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	object_id INTEGER REFERENCES objects (id),                    -- the object; NULL: none
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL,                                      -- Σ period
	period_sq REAL NOT NULL,                                      -- Σ period²
	weighted INTEGER NOT NULL,                                    -- number of samples with a weight above 0 (0: not measured)
	weighted_period INTEGER NOT NULL,                             -- Σ period of these
	latency REAL NOT NULL,                                        -- Σ weight × period, core cycles: the latency of all accesses they stand for
	latency_sq REAL NOT NULL                                      -- Σ (weight × period)²
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
	-- Samples by allocation and kind of access.
	allocation_id INTEGER NOT NULL REFERENCES allocations (id),   -- the block
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id),        -- what kind of access
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL,                                      -- Σ period
	period_sq REAL NOT NULL,                                      -- Σ period²
	weighted INTEGER NOT NULL,                                    -- number of samples with a weight above 0 (0: not measured)
	weighted_period INTEGER NOT NULL,                             -- Σ period of these
	latency REAL NOT NULL,                                        -- Σ weight × period, core cycles: the latency of all accesses they stand for
	latency_sq REAL NOT NULL                                      -- Σ (weight × period)²
) STRICT;

CREATE TABLE block_cells (
	-- All blocks from malloc, mmap and similar calls, by object, threads, size and lifetime.
	object_id INTEGER NOT NULL REFERENCES objects (id),           -- the object that the blocks belong to
	thread_id INTEGER REFERENCES threads (id),                    -- who allocated them; NULL: not known
	end_thread_id INTEGER REFERENCES threads (id),                -- who freed them; NULL: nobody, or not known
	size_bits INTEGER NOT NULL,                                   -- their sizes: n means at least 2^(n-1) and less than 2^n bytes; 0: no bytes
	life_bits INTEGER,                                            -- from birth to death: n means at least 2^(n-1) and less than 2^n ns; NULL: lived to the end
	end_reason TEXT,                                              -- as in allocations
	hit INTEGER NOT NULL,                                         -- 1: a sample or a page fault hit each of them, 0: none of them
	blocks INTEGER NOT NULL,                                      -- number of blocks (sum of stands_for)
	bytes INTEGER NOT NULL,                                       -- sum of their sizes, bytes
	stored INTEGER NOT NULL                                       -- number of them that mattered at their ends; a few more may have a row in allocations
) STRICT;

CREATE TABLE operation_cells (
	-- Sampled operations (AMD IBS) without memory access: they count as instructions and are not stored as samples.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- where
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL                                       -- sum of their periods, operations
) STRICT;

CREATE TABLE other_waits (
	-- Timer samples that may have waited for an object but are counted for another one. Added to its own cost and to that of samples whose
	-- object is not known, they give an upper bound of its cost.
	object_id INTEGER PRIMARY KEY REFERENCES objects (id), -- the object
	period REAL NOT NULL                                   -- Σ period of these samples
) STRICT;

CREATE TABLE kind_measures (
	-- Which sums a sample of each kind is added to, 1 or 0. Without the kinds of events that only count instructions.
	id INTEGER PRIMARY KEY REFERENCES access_kinds (id), -- the kind
	addressed INTEGER NOT NULL,                          -- samples whose data address, or at least the object, is known
	loads INTEGER NOT NULL,                              -- addressed samples that read
	stores INTEGER NOT NULL,                             -- addressed samples that write
	timed INTEGER NOT NULL,                              -- samples of the timer, whose period is thread time, ns; in a run without timer, samples of a cycle counter
	waits INTEGER NOT NULL,                              -- timed samples that waited for a known access
	lost_waits INTEGER NOT NULL,                         -- timed samples that waited for an access whose address and object are lost, as in mov (%rax),%rax
	undecided INTEGER NOT NULL,                          -- timed samples that may have waited for memory (the code is not known)
	measured INTEGER NOT NULL,                           -- samples whose weight is the latency of the access (hardware)
	local INTEGER NOT NULL,                              -- addressed samples on a page of the CPU's own node
	remote INTEGER NOT NULL,                             -- addressed samples on a page of another node
	hw_local INTEGER NOT NULL,                           -- addressed samples served by this node's caches or memory, according to the hardware
	hw_remote INTEGER NOT NULL,                          -- addressed samples served by another node's caches or memory, according to the hardware
	hitm INTEGER NOT NULL,                               -- addressed samples that found the line modified in another cache (hardware)
	cost TEXT                                            -- what a sample costs: its "latency" (× period), its "period" (of a wait, lost or not); NULL: nothing. All costs in one run have the same unit
) STRICT;

CREATE TABLE kind_totals (
	-- Samples by scope and kind of access, including events that only count instructions.
	scope TEXT NOT NULL,                                 -- what the row is about: "run", "function", "line", "object", "thread". Select one: the rows of each scope cover all samples
	instruction_id INTEGER REFERENCES instructions (id), -- function, line: its first instruction
	object_id INTEGER REFERENCES objects (id),           -- object: the object; NULL: samples without one
	thread_id INTEGER REFERENCES threads (id),           -- thread: the thread; NULL: not known
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id), -- what kind of access
	samples INTEGER NOT NULL,                            -- number of samples
	period REAL NOT NULL,                                -- Σ period
	period_sq REAL NOT NULL,                             -- Σ period²; 0: accesses counted one by one, whose sums owe nothing to chance
	weighted INTEGER NOT NULL,                           -- number of samples with a weight above 0
	weighted_period REAL NOT NULL,                       -- Σ period of these
	latency REAL NOT NULL,                               -- Σ weight × period, core cycles
	latency_sq REAL NOT NULL                             -- Σ (weight × period)²
) STRICT;

CREATE TABLE totals (
	-- Sums of the samples of each function, line, object, …. Read the views run_costs, function_costs, … instead.
	scope TEXT NOT NULL,                                 -- what the row is about: "run", "function", "line", "object", "thread", "function_object", "object_thread". Select one
	instruction_id INTEGER REFERENCES instructions (id), -- function…, line: its first instruction
	object_id INTEGER REFERENCES objects (id),           -- object…: the object; NULL: samples that access none, and the cost of waits whose object is lost
	thread_id INTEGER REFERENCES threads (id),           -- thread, object_thread: the thread; NULL: not known
	threads INTEGER NOT NULL,                            -- threads with an addressed sample (count)
	writers INTEGER NOT NULL,                            -- threads with an addressed sample that writes (count)
	samples INTEGER NOT NULL,                            -- samples (count)
	addressed INTEGER NOT NULL,                          -- samples whose data address, or at least the object, is known (count)
	loads INTEGER NOT NULL,                              -- of these, that read (count)
	stores INTEGER NOT NULL,                             -- of these, that write (count)
	local INTEGER NOT NULL,                              -- of these, on a page of the CPU's own node (count)
	remote INTEGER NOT NULL,                             -- of these, on a page of another node (count)
	hw_local INTEGER NOT NULL,                           -- of these, served by this node according to the hardware (count)
	hw_remote INTEGER NOT NULL,                          -- of these, served by another node according to the hardware (count)
	remote_loads INTEGER NOT NULL,                       -- of remote, that read (count)
	remote_stores INTEGER NOT NULL,                      -- of remote, that write (count)
	waits INTEGER NOT NULL,                              -- samples that waited for a known access (count, timer or cycles)
	lost_waits INTEGER NOT NULL,                         -- samples that waited for an access whose address and object are lost (count, timer or cycles)
	measured INTEGER NOT NULL,                           -- addressed samples with a latency (count, hardware)
	thread_time REAL NOT NULL,                           -- Σ period of timed samples: thread time, ns (timer), or cycles
	thread_time_sq REAL NOT NULL,                        -- Σ of squares of these
	undecided REAL NOT NULL,                             -- part of thread_time that may have waited for memory: the code is not known
	estimate REAL NOT NULL,                              -- Σ period of addressed samples: accesses (hardware), thread time or cycles (timer)
	estimate_sq REAL NOT NULL,                           -- Σ of squares of these
	local_estimate REAL NOT NULL,                        -- Σ period of local ones
	remote_estimate REAL NOT NULL,                       -- Σ period of remote ones
	hw_local_estimate REAL NOT NULL,                     -- Σ period of hw_local ones
	hw_remote_estimate REAL NOT NULL,                    -- Σ period of hw_remote ones
	latency REAL NOT NULL,                               -- Σ latency × period, core cycles (hardware)
	measured_estimate REAL NOT NULL,                     -- Σ period of those with a latency
	cost REAL NOT NULL,                                  -- cost of known accesses, in the run's unit (kind_measures.cost)
	cost_sq REAL NOT NULL,                               -- Σ of squares of cost and lost_cost
	lost_cost REAL NOT NULL,                             -- cost of accesses whose address and object are lost: counted for no object
	local_cost REAL NOT NULL,                            -- part of cost on pages of the CPU's own node, or expected to hit the first-level cache
	remote_cost REAL NOT NULL,                           -- part of cost on pages of another node, without what is expected to hit the first-level cache
	hw_local_cost REAL NOT NULL,                         -- part of cost served by this node, according to the hardware
	hw_remote_cost REAL NOT NULL                         -- part of cost served by another node, according to the hardware
) STRICT;
