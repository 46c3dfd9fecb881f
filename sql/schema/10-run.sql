-- SPDX-License-Identifier: GPL-2.0-or-later
-- The run and the machine it ran on.

CREATE TABLE runs (
	-- The recording that this database holds: one command with all its processes and threads. One row.
	id INTEGER PRIMARY KEY,      -- 1
	command TEXT,                -- the program's command line, joined by blanks
	directory TEXT,              -- working directory at the start
	hostname TEXT,               -- the machine's name
	osrelease TEXT,              -- the kernel's release
	arch TEXT,                   -- the kernel's architecture, such as "x86_64"
	cpudesc TEXT,                -- the CPU's name
	memdb_version TEXT,          -- version of the memdb that wrote this database
	perf_version TEXT,           -- version of perf
	perf_command TEXT,           -- perf's command line
	sampler TEXT,                -- "timer", "pebs", "ibs", "spe", "exact", "soft"; NULL: not recorded by memdb
	clock TEXT,                  -- the clock of all times in this database: "monotonic" (CLOCK_MONOTONIC), or recorded_clock
	recorded_clock TEXT,         -- the clock with which perf recorded: "monotonic", "monotonic_raw", "boottime", "realtime", "tai", "perf" (the kernel's own)
	clock_conversion TEXT,       -- how times of recorded_clock were converted to clock; NULL: they were not
	started_realtime_ns INTEGER, -- wall clock at the start, ns since 1970
	start_ns INTEGER,            -- first moment of the recording, ns
	end_ns INTEGER,              -- last moment, ns
	tracked INTEGER NOT NULL,    -- 1: allocations were recorded
	damaged INTEGER NOT NULL,    -- 1: the recording is damaged or was not finished; this is the intact part, see losses
	sample_every INTEGER,        -- of small heap blocks one in this many was recorded; NULL: all were
	sample_bytes INTEGER,        -- small blocks are those below this size, bytes; NULL: all blocks were recorded
	page_bytes INTEGER NOT NULL, -- the system's page size, bytes
	l1_bytes INTEGER NOT NULL,   -- the first data cache with which timer samples are attributed, or of the model, bytes
	l2_bytes INTEGER NOT NULL,   -- the second, bytes
	l3_bytes INTEGER NOT NULL,   -- the third, bytes; as l2_bytes if there is none
	caches TEXT NOT NULL,        -- source: "kernel"; "cpu" (CPUID); "model": these caches were modelled (--model-caches); "assumed": the recording does not contain the sizes
	exit_code INTEGER,           -- of the command; NULL: a signal ended it, or unknown
	exit_signal INTEGER,         -- the signal that ended the command; NULL: none, or not known
	keep_bytes INTEGER           -- blocks of fewer bytes have a row in allocations only if they matter, see there; 0 or NULL: all blocks have one
) STRICT;

CREATE TABLE nodes (
	-- NUMA nodes. Includes nodes with memory but without CPUs (HBM, CXL).
	id INTEGER PRIMARY KEY,   -- the kernel's number
	cpus TEXT,                -- its CPUs in list format, such as "0-3,8"; "": it has none; NULL: not recorded
	mem_total_bytes INTEGER,  -- its memory, bytes; NULL: not recorded
	mem_free_bytes INTEGER    -- free memory at the start of the recording, bytes; NULL: not recorded
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
	-- The performance monitoring units of the machine, by perf's names: those of the hardware and those of the kernel.
	id INTEGER PRIMARY KEY,  -- counts from 1
	type INTEGER NOT NULL,   -- perf_event_attr.type of its events; may differ after a reboot
	name TEXT NOT NULL,      -- such as "cpu", "cpu_atom", "ibs_op", "software"
	cpus TEXT,               -- on a hybrid CPU: the CPUs that have it, in list format; NULL: not recorded
	capabilities TEXT        -- such as "branches=32 max_precise=3"; NULL: not recorded
) STRICT;

CREATE TABLE losses (
	-- Data that is missing in this database, or incomplete. No rows: nothing is known to be missing.
	id INTEGER PRIMARY KEY,  -- row number
	source TEXT NOT NULL,    -- where it was lost: "perf", "faults" (memdb's record of page faults), "tracker", "emulator" (what the sampler exact does not see), "follower", "symbols", "import"
	what TEXT NOT NULL,      -- what was lost, such as "lost samples", "damaged bytes"
	count INTEGER NOT NULL,  -- number lost
	detail TEXT              -- a sentence, or the file's name
) STRICT;
