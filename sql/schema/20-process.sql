-- SPDX-License-Identifier: GPL-2.0-or-later
-- Processes, threads, and changes of their names and affinities.

CREATE TABLE processes (
	-- One row per process of the run. If the kernel reused a pid, each use of the pid has its own row.
	id INTEGER PRIMARY KEY,                      -- counts from 1
	parent_id INTEGER REFERENCES processes (id), -- the parent process; NULL: the parent is not in the run
	pid INTEGER NOT NULL,                        -- the kernel's process number
	exe TEXT,                                    -- path of the program that the process executed last
	command TEXT,                                -- its command line; arguments are joined by blanks
	start_ns INTEGER,                            -- start, ns; NULL: it started before the recording
	end_ns INTEGER,                              -- end, ns; NULL: it ended after the recording, or its end was not recorded
	tracked INTEGER NOT NULL                     -- 1: the allocations of every program that this process executed were recorded; 0: those of at least one program were not
) STRICT;

CREATE TABLE threads (
	-- One row per thread of the run. If the kernel reused a tid, each use of the tid has its own row.
	id INTEGER PRIMARY KEY,                                -- counts from 1
	process_id INTEGER NOT NULL REFERENCES processes (id), -- the thread's process
	pid INTEGER NOT NULL,                                  -- the kernel's process number
	tid INTEGER NOT NULL,                                  -- the kernel's thread number
	comm TEXT,                                             -- name (comm) of the thread at its end
	start_ns INTEGER,                                      -- start, ns; NULL: it started before the recording
	end_ns INTEGER                                         -- end, ns; NULL: it ended after the recording, or its end was not recorded
) STRICT;

CREATE TABLE thread_affinities (
	-- One row per observed change of a thread's affinity, which is the CPUs on which the thread may run.
	id INTEGER PRIMARY KEY,                            -- counts from 1
	thread_id INTEGER NOT NULL REFERENCES threads (id), -- the thread whose affinity changed
	time INTEGER,                                      -- the thread has this affinity from this time on, ns; NULL: from the start of the recording
	cpus TEXT,                                         -- the CPUs in list format, such as "0-3,8"
	node_id INTEGER REFERENCES nodes (id),             -- the node of all these CPUs; NULL: the CPUs belong to several nodes
	source TEXT                                        -- source of the row: "follower" (memdb reads affinities during the run), "thread start" (the thread's initial affinity), or the name of the intercepted function
) STRICT;

CREATE TABLE comms (
	-- One row per name (comm) of a thread.
	id INTEGER PRIMARY KEY,                             -- counts from 1
	thread_id INTEGER NOT NULL REFERENCES threads (id), -- the thread that got the name
	time INTEGER,                                      -- the thread has this name from this time on, ns; NULL: from the start of the recording
	comm TEXT NOT NULL,                                 -- the thread's name
	exec INTEGER NOT NULL,                              -- 1: exec() set the name
	tracked INTEGER                                     -- for an exec(): 1: the allocations of the new program were recorded, 0: they were not (see losses); NULL: not known, or exec() did not set the name
) STRICT;
