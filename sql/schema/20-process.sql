-- SPDX-License-Identifier: GPL-2.0-or-later
-- Processes, threads and what is known of them through time.

CREATE TABLE processes (
	-- Processes of the run; a pid that the kernel used again is another process.
	id INTEGER PRIMARY KEY,                      -- counts from 1
	parent_id INTEGER REFERENCES processes (id), -- who forked it; NULL: not in the run
	pid INTEGER NOT NULL,                        -- the kernel's process number
	exe TEXT,                                    -- path of the last executable
	command TEXT,                                -- its words, separated by blanks
	start_ns INTEGER,                            -- birth, ns; NULL: before the recording
	end_ns INTEGER,                              -- end, ns; NULL: outlived the recording, or not seen
	tracked INTEGER NOT NULL                     -- 1: the allocations of all programs that it ran were recorded
) STRICT;

CREATE TABLE threads (
	-- Threads of the run; a tid that the kernel used again is another thread.
	id INTEGER PRIMARY KEY,                                -- counts from 1
	process_id INTEGER NOT NULL REFERENCES processes (id), -- the process it is of
	pid INTEGER NOT NULL,                                  -- the kernel's process number
	tid INTEGER NOT NULL,                                  -- the kernel's thread number
	comm TEXT,                                             -- the last name it had
	start_ns INTEGER,                                      -- birth, ns; NULL: before the recording
	end_ns INTEGER                                         -- end, ns; NULL: outlived the recording, or not seen
) STRICT;

CREATE TABLE thread_affinities (
	-- On which CPUs a thread may run, each time this was seen to change.
	id INTEGER PRIMARY KEY,                            -- counts from 1
	thread_id INTEGER NOT NULL REFERENCES threads (id), -- the thread it is about
	time INTEGER,                                      -- from then on, ns; NULL: from the start
	cpus TEXT,                                         -- the CPUs in list format, as "0-3,8"
	node_id INTEGER REFERENCES nodes (id),             -- the only node these CPUs belong to; NULL: they span nodes
	source TEXT                                        -- "follower", "thread start" (what a new thread had), or the function that was called
) STRICT;

CREATE TABLE comms (
	-- The names of threads through time.
	id INTEGER PRIMARY KEY,                             -- counts from 1
	thread_id INTEGER NOT NULL REFERENCES threads (id), -- the thread
	time INTEGER,                                       -- from then on, ns; NULL: from the start
	comm TEXT NOT NULL,                                 -- the name
	exec INTEGER NOT NULL,                              -- 1: the name came with exec()
	tracked INTEGER                                     -- of the program that the exec started: 1: its allocations were recorded, 0: not, see losses; NULL: no program of the run
) STRICT;
