-- SPDX-License-Identifier: GPL-2.0-or-later
-- Page homes, policy calls, tracepoints.

CREATE TABLE page_homes (
	-- Looks at the nodes of pages. A row means: the pages at address_start, + step_bytes, … below
	-- address_end were on one node.
	id INTEGER PRIMARY KEY,                                 -- counts from 1
	process_id INTEGER NOT NULL REFERENCES processes (id),  -- whose memory
	time INTEGER NOT NULL,                                  -- time of the look, ns
	address_start INTEGER NOT NULL,                         -- first page
	address_end INTEGER NOT NULL,                           -- one past the last byte
	step_bytes INTEGER NOT NULL,                            -- distance between two pages looked at, bytes
	node_id INTEGER REFERENCES nodes (id),                  -- the node; NULL: the pages are not present
	source TEXT                                             -- who looked: "follower", "tracker"
) STRICT;

CREATE TABLE policy_calls (
	-- Calls that change where pages are placed: mbind, set_mempolicy, migrate_pages, move_pages, madvise.
	id INTEGER PRIMARY KEY,                          -- counts from 1
	thread_id INTEGER REFERENCES threads (id),       -- who called
	time INTEGER NOT NULL,                           -- ns
	function TEXT NOT NULL,                          -- what was called
	address_start INTEGER,                           -- first byte of the range; NULL: the call has no range
	address_end INTEGER,                             -- one past its last byte
	mode TEXT,                                       -- "bind", "interleave", "preferred", "default", "local", "willneed", "hugepage", …
	flags INTEGER NOT NULL,                          -- as passed
	nodes TEXT,                                      -- the nodes in list format
	result INTEGER NOT NULL,                         -- 0 or the errno
	call_path_id INTEGER REFERENCES call_paths (id)  -- who called
) STRICT;

CREATE TABLE tracepoints (
	-- Tracepoint events. In fields, integers, enumerations and pointers are numbers. A pointer or an unsigned
	-- value from 2^63 on is the negative number with the same 64 bits, like all addresses here. Arrays of char are
	-- strings up to their NUL, other arrays of integers are arrays. Anything else is a string of
	-- hexadecimal digits in byte order. Field names are those of the recording kernel. The fields that all
	-- tracepoints have (common_type, common_flags, common_preempt_count, common_pid) is left out.
	id INTEGER PRIMARY KEY,                           -- counts from 1
	evsel_id INTEGER REFERENCES selected_events (id), -- the event
	thread_id INTEGER REFERENCES threads (id),        -- the thread
	cpu INTEGER,                                      -- the CPU; NULL: not recorded
	time INTEGER NOT NULL,                            -- ns
	name TEXT NOT NULL,                               -- the event, such as "sched:sched_switch"
	fields TEXT,                                      -- its fields, a JSON object; NULL: could not be decoded, see losses
	call_path_id INTEGER REFERENCES call_paths (id)   -- the call stack; NULL: not recorded
) STRICT;
