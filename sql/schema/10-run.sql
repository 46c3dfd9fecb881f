-- SPDX-License-Identifier: GPL-2.0-or-later
-- The run, and the machine on which it ran.

CREATE TABLE runs (
	-- One row: the recording in this database, of one command with all its processes and threads.
	id INTEGER PRIMARY KEY,      -- 1
	command TEXT,                -- the program's command line; arguments are joined by blanks
	directory TEXT,              -- working directory at the start
	hostname TEXT,               -- the machine's name
	osrelease TEXT,              -- the kernel's release
	arch TEXT,                   -- the kernel's architecture, such as "x86_64"
	cpudesc TEXT,                -- name of the CPU model
	memdb_version TEXT,          -- version of the memdb that wrote this database
	perf_version TEXT,           -- version of perf
	perf_command TEXT,           -- perf's command line
	sampler TEXT,                -- "timer", "pebs", "ibs", "spe", "exact", "soft"; NULL: not recorded by memdb
	clock TEXT,                  -- clock of all times in this database: "monotonic" (CLOCK_MONOTONIC), or the value of recorded_clock
	recorded_clock TEXT,         -- clock that perf used: "monotonic", "monotonic_raw", "boottime", "realtime", "tai", "perf" (the kernel's own)
	clock_conversion TEXT,       -- how times were converted from recorded_clock to clock; NULL: times were not converted
	started_realtime_ns INTEGER, -- wall clock at the start, ns since 1970
	start_ns INTEGER,            -- start of the recording, ns
	end_ns INTEGER,              -- end of the recording, ns
	tracked INTEGER NOT NULL,    -- 1: allocations were recorded
	damaged INTEGER NOT NULL,    -- 1: the recording is damaged or incomplete, so this database has only its intact part (see losses)
	sample_every INTEGER,        -- N: one in N small heap blocks was recorded; NULL: all blocks were recorded
	sample_bytes INTEGER,        -- a block below this size is small, bytes; NULL: all blocks were recorded
	page_bytes INTEGER NOT NULL, -- the system's page size, bytes
	l1_bytes INTEGER NOT NULL,   -- size of the first-level data cache, bytes; memdb uses the sizes of all three caches to attribute timer samples, and for --model-caches
	l2_bytes INTEGER NOT NULL,   -- size of the second-level cache, bytes
	l3_bytes INTEGER NOT NULL,   -- size of the third-level cache, bytes; equal to l2_bytes if there is none
	caches TEXT NOT NULL,        -- source of the cache sizes: "kernel"; "cpu" (CPUID); "model": the cache model of --model-caches; "assumed": the recording does not contain them
	exit_code INTEGER,           -- exit code of the command; NULL: a signal ended the command, or not known
	exit_signal INTEGER,         -- the signal that ended the command; NULL: none, or not known
	keep_bytes INTEGER,          -- size, bytes: a smaller block has a row in allocations only if it meets a condition listed there; 0 or NULL: every block has a row
	keep_most INTEGER            -- number of blocks of an object after which larger ones have a row only if they meet such a condition, too; 0 or NULL: no limit
) STRICT;

CREATE TABLE nodes (
	-- One row per NUMA node, including nodes with memory but without CPUs (HBM, CXL).
	id INTEGER PRIMARY KEY,   -- the kernel's number of the node
	cpus TEXT,                -- CPUs of the node in list format, such as "0-3,8"; "": the node has no CPUs; NULL: not recorded
	mem_total_bytes INTEGER,  -- size of the node's memory, bytes; NULL: not recorded
	mem_free_bytes INTEGER    -- the node's free memory at the start of the recording, bytes; NULL: not recorded
) STRICT;

CREATE TABLE node_distances (
	-- One row per pair of nodes: the distance that the kernel reports (SLIT).
	from_node_id INTEGER NOT NULL ON CONFLICT IGNORE REFERENCES nodes (id), -- node of the CPU
	to_node_id INTEGER NOT NULL ON CONFLICT IGNORE REFERENCES nodes (id),   -- node of the memory
	distance INTEGER NOT NULL,                                              -- latency according to the firmware, on a scale where local memory is 10; 20: twice the latency
	PRIMARY KEY (from_node_id, to_node_id) ON CONFLICT REPLACE
) STRICT, WITHOUT ROWID;

CREATE TABLE cpus (
	-- One row per CPU of the machine.
	id INTEGER PRIMARY KEY,                 -- the kernel's number of the CPU
	node_id INTEGER REFERENCES nodes (id),  -- the CPU's node; NULL: not known
	core INTEGER,                           -- number of the core in its socket
	socket INTEGER                          -- number of the socket
) STRICT;

CREATE TABLE pmus (
	-- One row per performance monitoring unit (PMU), of the hardware or of the kernel.
	id INTEGER PRIMARY KEY,  -- counts from 1
	type INTEGER NOT NULL,   -- perf_event_attr.type of the PMU's events; may differ after a reboot
	name TEXT NOT NULL,      -- perf's name of the PMU, such as "cpu", "cpu_atom", "ibs_op", "software"
	cpus TEXT,               -- on a machine with different kinds of cores: the CPUs with this PMU, in list format; NULL: not recorded
	capabilities TEXT        -- the PMU's capabilities in sysfs, such as "branches=32 max_precise=3"; NULL: not recorded
) STRICT;

CREATE TABLE losses (
	-- One row per kind of data that is missing or incomplete in this database. No rows: nothing is known to be missing.
	id INTEGER PRIMARY KEY,  -- counts from 1
	source TEXT NOT NULL,    -- component that lost the data: "perf", "faults" (memdb's record of page faults), "tracker", "emulator" (the emulator of the sampler "exact"), "follower", "symbols", "recording" (memdb record), "import"
	what TEXT NOT NULL,      -- what was lost, such as "lost samples", "damaged bytes"
	count INTEGER NOT NULL,  -- number of lost items, such as samples or bytes
	detail TEXT              -- an explanation, or the name of the file concerned
) STRICT;
