-- SPDX-License-Identifier: GPL-2.0-or-later
-- Processes, threads, and how their properties changed over time.

CREATE TABLE processes (
	-- Processes of the run. If the kernel reused a pid, each use is a process of its own.
	id INTEGER PRIMARY KEY,                      -- counts from 1
	parent_id INTEGER REFERENCES processes (id), -- who forked it; NULL: not in the run
	pid INTEGER NOT NULL,                        -- the kernel's process number
	exe TEXT,                                    -- path of the last executable
	command TEXT,                                -- its command line, joined by blanks
	start_ns INTEGER,                            -- birth, ns; NULL: before the recording
	end_ns INTEGER,                              -- end, ns; NULL: outlived the recording, or not seen
	tracked INTEGER NOT NULL                     -- 1: the allocations of all programs that it ran were recorded
) STRICT;

CREATE TABLE threads (
	-- Threads of the run. If the kernel reused a tid, each use is a thread of its own.
	id INTEGER PRIMARY KEY,                                -- counts from 1
	process_id INTEGER NOT NULL REFERENCES processes (id), -- the process it belongs to
	pid INTEGER NOT NULL,                                  -- the kernel's process number
	tid INTEGER NOT NULL,                                  -- the kernel's thread number
	comm TEXT,                                             -- its last name
	start_ns INTEGER,                                      -- birth, ns; NULL: before the recording
	end_ns INTEGER                                         -- end, ns; NULL: outlived the recording, or not seen
) STRICT;

CREATE TABLE thread_affinities (
	-- The CPUs on which a thread may run: one row for each observed change.
	id INTEGER PRIMARY KEY,                            -- counts from 1
	thread_id INTEGER NOT NULL REFERENCES threads (id), -- the thread it is about
	time INTEGER,                                      -- valid from this time on, ns; NULL: from the start
	cpus TEXT,                                         -- the CPUs in list format, such as "0-3,8"
	node_id INTEGER REFERENCES nodes (id),             -- the only node of these CPUs; NULL: they belong to several
	source TEXT                                        -- "follower", "thread start" (the initial affinity of a thread), or the function that was called
) STRICT;

CREATE TABLE comms (
	-- The names of threads through time.
	id INTEGER PRIMARY KEY,                             -- counts from 1
	thread_id INTEGER NOT NULL REFERENCES threads (id), -- the thread
	time INTEGER,                                       -- valid from this time on, ns; NULL: from the start
	comm TEXT NOT NULL,                                 -- the name
	exec INTEGER NOT NULL,                              -- 1: exec() set the name
	tracked INTEGER                                     -- 1: the allocations of the program started by this exec were recorded, 0: they were not, see losses; NULL: the row is no exec, or not one of the run
) STRICT;
