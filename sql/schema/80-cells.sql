-- SPDX-License-Identifier: GPL-2.0-or-later
-- Sums over samples and page faults, counted while they were written. Queries start from these: they
-- have some ten thousand rows where the facts have millions. A cell may be told in several rows:
-- always sum. They can be dropped and rebuilt (sql/derived), but for operation_cells, which is a fact.

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
