-- SPDX-License-Identifier: GPL-2.0-or-later
-- Sums over samples and page faults, counted while they were written. Queries start from these: they
-- have some ten thousand rows where the facts have millions. A cell may come in several rows: always sum. A
-- sample stands for `period` events: sums of periods are estimates of what happened, and (Σ w)² / Σ w² is the
-- number of equal samples that would be as sure (the effective sample size). Real numbers, because
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
	latency REAL NOT NULL,                                        -- Σ weight × period, core cycles: the latency of all that they stand for
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
	-- Samples by allocation, event and source of the address.
	allocation_id INTEGER NOT NULL REFERENCES allocations (id),   -- the block
	evsel_id INTEGER REFERENCES selected_events (id),             -- the event
	addr_source INTEGER NOT NULL REFERENCES addr_sources (id),    -- where the data address comes from
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL,                                      -- Σ period
	period_sq REAL NOT NULL,                                      -- Σ period²
	weighted INTEGER NOT NULL,                                    -- number of samples with a weight above 0 (0: not measured)
	weighted_period INTEGER NOT NULL,                             -- Σ period of these
	latency REAL NOT NULL,                                        -- Σ weight × period, core cycles: the latency of all that they stand for
	latency_sq REAL NOT NULL                                      -- Σ (weight × period)²
) STRICT;

CREATE TABLE operation_cells (
	-- Sampled operations (AMD IBS) that accessed no memory: they count as instructions and are not kept as samples.
	instruction_id INTEGER NOT NULL REFERENCES instructions (id), -- where
	thread_id INTEGER REFERENCES threads (id),                    -- the thread; NULL: not known
	samples INTEGER NOT NULL,                                     -- number of samples
	period INTEGER NOT NULL                                       -- sum of their periods, operations
) STRICT;

CREATE TABLE other_waits (
	-- Timer samples that may have waited for an object but are counted at another. With its own cost, and with that of samples whose
	-- object is not known, they are what it costs at most.
	object_id INTEGER PRIMARY KEY REFERENCES objects (id), -- the object
	period REAL NOT NULL                                   -- Σ period of these samples
) STRICT;

CREATE TABLE kind_measures (
	-- What a sample of each kind counts in, 1 or 0; kinds of events that only count instructions are not here.
	id INTEGER PRIMARY KEY REFERENCES access_kinds (id), -- the kind
	addressed INTEGER NOT NULL,                          -- samples with a data address
	loads INTEGER NOT NULL,                              -- addressed samples that read
	stores INTEGER NOT NULL,                             -- addressed samples that write
	timed INTEGER NOT NULL,                              -- samples of the timer, their period is thread time, ns; in a run without one, of a counter of cycles
	waits INTEGER NOT NULL,                              -- timed samples that waited for their address
	lost_waits INTEGER NOT NULL,                         -- timed samples that waited for an access whose address is gone, as of mov (%rax),%rax
	undecided INTEGER NOT NULL,                          -- timed samples of which is not known whether they waited for memory (the code is not known)
	measured INTEGER NOT NULL,                           -- samples whose weight is the latency of their address (hardware)
	local INTEGER NOT NULL,                              -- addressed samples of a page on the CPU's own node
	remote INTEGER NOT NULL,                             -- addressed samples of a page on another node
	hw_local INTEGER NOT NULL,                           -- addressed samples that this node's caches or memory served, says the hardware
	hw_remote INTEGER NOT NULL,                          -- addressed samples that another node's caches or memory served, says the hardware
	hitm INTEGER NOT NULL,                               -- addressed samples that found the line modified in another cache (hardware)
	cost TEXT                                            -- what one costs: its "latency" (× period), its "period" (of a wait, lost or not); NULL: nothing. In one run all cost is of one unit
) STRICT;

CREATE TABLE kind_totals (
	-- Samples by scope and kind of access, also of events that only count instructions.
	scope TEXT NOT NULL,                                 -- what a row is of: "run", "function", "line", "object", "thread"; ask for one: the rows of each are all samples
	instruction_id INTEGER REFERENCES instructions (id), -- function, line: the first of its instructions
	object_id INTEGER REFERENCES objects (id),           -- object: it; NULL: samples without one
	thread_id INTEGER REFERENCES threads (id),           -- thread: it; NULL: not known
	kind_id INTEGER NOT NULL REFERENCES access_kinds (id), -- what kind of access
	samples INTEGER NOT NULL,                            -- number of samples
	period REAL NOT NULL,                                -- Σ period
	period_sq REAL NOT NULL,                             -- Σ period²
	weighted INTEGER NOT NULL,                           -- number of samples with a weight above 0
	weighted_period REAL NOT NULL,                       -- Σ period of these
	latency REAL NOT NULL,                               -- Σ weight × period, core cycles
	latency_sq REAL NOT NULL                             -- Σ (weight × period)²
) STRICT;

CREATE TABLE totals (
	-- What each function, line, object, … has of the samples: read the views run_costs, function_costs, … instead.
	scope TEXT NOT NULL,                                 -- what a row is of: "run", "function", "line", "object", "thread", "function_object", "object_thread"; ask for one
	instruction_id INTEGER REFERENCES instructions (id), -- function…, line: the first of its instructions
	object_id INTEGER REFERENCES objects (id),           -- object…: it; NULL: samples without one, and the cost of waits whose address is gone
	thread_id INTEGER REFERENCES threads (id),           -- thread, object_thread: it; NULL: not known
	threads INTEGER NOT NULL,                            -- threads with an addressed sample (count)
	writers INTEGER NOT NULL,                            -- threads with one that writes (count)
	samples INTEGER NOT NULL,                            -- samples (count)
	addressed INTEGER NOT NULL,                          -- samples with a data address (count)
	loads INTEGER NOT NULL,                              -- of these, that read (count)
	stores INTEGER NOT NULL,                             -- of these, that write (count)
	local INTEGER NOT NULL,                              -- of these, of a page on the CPU's own node (count)
	remote INTEGER NOT NULL,                             -- of these, of a page on another node (count)
	hw_local INTEGER NOT NULL,                           -- of these, that this node served, says the hardware (count)
	hw_remote INTEGER NOT NULL,                          -- of these, that another node served, says the hardware (count)
	remote_loads INTEGER NOT NULL,                       -- of remote, that read (count)
	remote_stores INTEGER NOT NULL,                      -- of remote, that write (count)
	waits INTEGER NOT NULL,                              -- samples that waited for their address (count, timer or cycles)
	lost_waits INTEGER NOT NULL,                         -- samples that waited for an access whose address is gone (count, timer or cycles)
	measured INTEGER NOT NULL,                           -- addressed samples with a latency (count, hardware)
	thread_time REAL NOT NULL,                           -- Σ period of timed samples: thread time, ns (timer), or cycles
	thread_time_sq REAL NOT NULL,                        -- Σ of its squares
	undecided REAL NOT NULL,                             -- of thread_time, what may have waited for memory: the code is not known
	estimate REAL NOT NULL,                              -- Σ period of addressed samples: accesses (hardware), thread time or cycles (timer)
	estimate_sq REAL NOT NULL,                           -- Σ of its squares
	local_estimate REAL NOT NULL,                        -- Σ period of local ones
	remote_estimate REAL NOT NULL,                       -- Σ period of remote ones
	hw_local_estimate REAL NOT NULL,                     -- Σ period of hw_local ones
	hw_remote_estimate REAL NOT NULL,                    -- Σ period of hw_remote ones
	latency REAL NOT NULL,                               -- Σ latency × period, core cycles (hardware)
	measured_estimate REAL NOT NULL,                     -- Σ period of those with a latency
	cost REAL NOT NULL,                                  -- cost at a known address, in the run's unit (kind_measures.cost)
	cost_sq REAL NOT NULL,                               -- Σ of squares of cost and lost_cost
	lost_cost REAL NOT NULL,                             -- cost of accesses whose address is gone: no object has it
	local_cost REAL NOT NULL,                            -- of cost, at pages on the CPU's own node
	remote_cost REAL NOT NULL,                           -- of cost, at pages on another node
	hw_local_cost REAL NOT NULL,                         -- of cost, what this node served, says the hardware
	hw_remote_cost REAL NOT NULL                         -- of cost, what another node served, says the hardware
) STRICT;
