-- SPDX-License-Identifier: GPL-2.0-or-later
-- Page homes, policy calls, tracepoints.

CREATE TABLE page_homes (
	-- One row per range of pages that were on one node when memdb queried the kernel. The queried pages are at address_start,
	-- address_start + step_bytes, and so on below address_end.
	id INTEGER PRIMARY KEY,                                 -- counts from 1
	process_id INTEGER NOT NULL REFERENCES processes (id),  -- the process that owns the memory
	time INTEGER NOT NULL,                                  -- time of the query, ns
	address_start INTEGER NOT NULL,                         -- address of the first page
	address_end INTEGER NOT NULL,                           -- address after the last byte
	step_bytes INTEGER NOT NULL,                            -- distance between two queried pages, bytes; the pages between were not queried
	node_id INTEGER REFERENCES nodes (id),                  -- node of the pages
	source TEXT                                             -- component that queried the kernel: "follower", "tracker"
) STRICT;

CREATE TABLE policy_calls (
	-- One row per call that can change the node of pages: mbind, set_mempolicy, migrate_pages, move_pages, madvise.
	id INTEGER PRIMARY KEY,                          -- counts from 1
	thread_id INTEGER REFERENCES threads (id),       -- the thread that made the call
	time INTEGER NOT NULL,                           -- time of the call, ns
	function TEXT NOT NULL,                          -- name of the called function
	address_start INTEGER,                           -- address of the first byte of the range; NULL: the call has no range
	address_end INTEGER,                             -- address after the last byte of the range
	mode TEXT,                                       -- "bind", "interleave", "preferred", "default", "local", "willneed", "hugepage", …
	flags INTEGER NOT NULL,                          -- the flags argument of the call
	nodes TEXT,                                      -- the nodes argument in list format
	result INTEGER NOT NULL,                         -- 0: success; else errno
	call_path_id INTEGER REFERENCES call_paths (id)  -- call path of the call
) STRICT;

CREATE TABLE tracepoints (
	-- One row per tracepoint event. The column fields holds a JSON object with the kernel's field names. Integers, enumerations and pointers
	-- are numbers. A pointer or unsigned value from 2^63 on is the negative number with the same 64 bits, as are all addresses in this
	-- database. An array of char is a string up to its NUL, and another array of integers is a JSON array. Any other field is a string of
	-- hexadecimal digits in byte order. The fields common_type, common_flags, common_preempt_count and common_pid, which every
	-- tracepoint has, are left out.
	id INTEGER PRIMARY KEY,                           -- counts from 1
	evsel_id INTEGER REFERENCES selected_events (id), -- the event of perf that recorded the tracepoint
	thread_id INTEGER REFERENCES threads (id),        -- the thread in which the event occurred
	cpu INTEGER,                                      -- the CPU; NULL: not recorded
	time INTEGER NOT NULL,                            -- time of the event, ns
	name TEXT NOT NULL,                               -- name of the event, such as "sched:sched_switch"
	fields TEXT,                                      -- fields of the event, a JSON object; NULL: memdb could not decode them (see losses)
	call_path_id INTEGER REFERENCES call_paths (id)   -- the call stack; NULL: not recorded
) STRICT;
