-- SPDX-License-Identifier: GPL-2.0-or-later
-- The run and the machine it ran on.

CREATE TABLE runs (
	-- The recording that this database holds: one command with all its processes and threads. One row.
	id INTEGER PRIMARY KEY,      -- 1
	command TEXT,                -- the program's words, separated by blanks
	directory TEXT,              -- where it was started
	hostname TEXT,               -- the machine's name
	osrelease TEXT,              -- the kernel's release
	arch TEXT,                   -- the kernel's machine, as "x86_64"
	cpudesc TEXT,                -- the CPU's name
	memdb_version TEXT,          -- the memdb that wrote this database
	perf_version TEXT,           -- the perf that recorded
	perf_command TEXT,           -- perf's command line
	sampler TEXT,                -- "timer", "pebs", "ibs", "spe", "exact"; NULL: recorded by hand
	clock TEXT,                  -- "monotonic" (CLOCK_MONOTONIC), or the clock that all times of this run are of
	recorded_clock TEXT,         -- the clock that perf recorded by: "monotonic", "monotonic_raw", "boottime", "realtime", "tai", "perf" (the kernel's own)
	clock_conversion TEXT,       -- how its times became those of clock; NULL: they were not converted
	started_realtime_ns INTEGER, -- wall clock at the start, ns since 1970
	start_ns INTEGER,            -- first moment of the recording, ns
	end_ns INTEGER,              -- last moment, ns
	tracked INTEGER NOT NULL,    -- 1: allocations were recorded
	damaged INTEGER NOT NULL,    -- 1: the recording is damaged or was not finished, and what is sound of it is here: see losses
	sample_every INTEGER,        -- one in so many small heap blocks was recorded; NULL: all were
	sample_bytes INTEGER,        -- the blocks below this size, bytes; NULL: all were recorded
	page_bytes INTEGER NOT NULL, -- the system's page size, bytes
	exit_code INTEGER,           -- of the command; NULL: it did not exit by itself, or not known
	exit_signal INTEGER          -- the signal that ended the command; NULL: none, or not known
) STRICT;

CREATE TABLE nodes (
	-- NUMA nodes. One with memory but no CPUs (HBM, CXL) is a node too.
	id INTEGER PRIMARY KEY,   -- the kernel's number
	cpus TEXT,                -- its CPUs in list format, as "0-3,8"; "" for memory only; NULL: not recorded
	mem_total_bytes INTEGER,  -- its memory, bytes; NULL: not recorded
	mem_free_bytes INTEGER    -- free when the recording began, bytes; NULL: not recorded
) STRICT;

CREATE TABLE node_distances (
	-- The kernel's distances between nodes (SLIT): 10 is local.
	from_node_id INTEGER NOT NULL ON CONFLICT IGNORE REFERENCES nodes (id), -- where the CPU is
	to_node_id INTEGER NOT NULL ON CONFLICT IGNORE REFERENCES nodes (id),   -- where the memory is
	distance INTEGER NOT NULL,                                              -- relative latency, local = 10
	PRIMARY KEY (from_node_id, to_node_id) ON CONFLICT REPLACE
) STRICT, WITHOUT ROWID;

CREATE TABLE cpus (
	-- The machine's CPUs.
	id INTEGER PRIMARY KEY,                 -- the kernel's number
	node_id INTEGER REFERENCES nodes (id),  -- the node it belongs to; NULL: not known
	core INTEGER,                           -- core number within the socket
	socket INTEGER                          -- socket number
) STRICT;

CREATE TABLE pmus (
	-- The performance monitoring units of the machine, as perf names them: hardware and the kernel's own.
	id INTEGER PRIMARY KEY,  -- counts from 1
	type INTEGER NOT NULL,   -- its number at that boot, perf_event_attr.type of its events
	name TEXT NOT NULL,      -- as "cpu", "cpu_atom", "ibs_op", "software"
	cpus TEXT,               -- on a hybrid CPU: the cores that have it, in list format; NULL: not said
	capabilities TEXT        -- as "branches=32 max_precise=3"; NULL: not said
) STRICT;

CREATE TABLE losses (
	-- What did not get in, or only in part. No rows: nothing is known to be missing.
	id INTEGER PRIMARY KEY,  -- row number
	source TEXT NOT NULL,    -- who lost it: "perf", "tracker", "follower", "symbols", "import"
	what TEXT NOT NULL,      -- what was lost, as "lost samples", "damaged bytes"
	count INTEGER NOT NULL,  -- how many of it
	detail TEXT              -- a sentence, or the file's name
) STRICT;
