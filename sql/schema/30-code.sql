-- SPDX-License-Identifier: GPL-2.0-or-later
-- Code: files, symbols, source lines, call paths.

CREATE TABLE dsos (
	-- Files (and the like) that code and data are mapped from.
	id INTEGER PRIMARY KEY,     -- counts from 1
	short_name TEXT NOT NULL,   -- the last part of the path
	long_name TEXT NOT NULL,    -- the path, as "/usr/lib/libc.so.6", "[kernel.kallsyms]", "[vdso]"
	build_id TEXT,              -- hexadecimal; NULL: not recorded
	kind TEXT,                  -- "file", "kernel", "module", "vdso", "jit" (a process's, or of BPF), "anonymous"
	state TEXT,                 -- what became of reading it: "ok", "missing", "replaced" (its build-id is not the recorded one), "unverified" (nothing proves that it is the file that ran: losses says why, and whether it was used), "not elf"; NULL: it was not needed
	has_lines INTEGER NOT NULL  -- 1: it names source lines
) STRICT;

CREATE TABLE mappings (
	-- What was mapped where, and when. A forked child has what its parent had when it began (processes.start_ns)
	-- until either changes it or the child calls exec: told once, of the parent.
	id INTEGER PRIMARY KEY,                       -- counts from 1
	process_id INTEGER REFERENCES processes (id), -- whose address space; NULL: the kernel's
	dso_id INTEGER REFERENCES dsos (id),          -- what was mapped; NULL: anonymous memory
	time INTEGER,                                 -- from then on, ns; NULL: from the start
	end_time INTEGER,                             -- until then, ns; NULL: to the end
	address_start INTEGER NOT NULL,               -- first byte
	address_end INTEGER NOT NULL,                 -- one past the last byte
	file_offset INTEGER NOT NULL,                 -- of the first byte, bytes
	prot INTEGER,                                 -- PROT_* bits; NULL: not recorded
	flags INTEGER NOT NULL,                       -- MAP_* bits
	source TEXT                                   -- who says so: "perf"
) STRICT;

CREATE TABLE symbols (
	-- Functions, variables and labels by the name that the linker knows.
	id INTEGER PRIMARY KEY,              -- counts from 1
	dso_id INTEGER REFERENCES dsos (id), -- the file it is in
	name TEXT NOT NULL,                  -- demangled
	linkage_name TEXT,                   -- as in the file
	sym_start INTEGER NOT NULL,          -- first byte, as in the file's symbol table
	sym_end INTEGER NOT NULL             -- one past the last byte
) STRICT;

CREATE TABLE files (
	-- Source files.
	id INTEGER PRIMARY KEY, -- counts from 1
	path TEXT NOT NULL      -- as the debug information has it
) STRICT;

CREATE TABLE locations (
	-- Code addresses, each told once per file: what a sampled or calling instruction means.
	id INTEGER PRIMARY KEY,                    -- counts from 1
	dso_id INTEGER REFERENCES dsos (id),       -- the file; NULL: no mapping is known there
	symbol_id INTEGER REFERENCES symbols (id), -- the function it lies in; NULL: not known
	file_id INTEGER REFERENCES files (id),     -- source file of the innermost frame; NULL: not known
	offset INTEGER NOT NULL,                   -- in the DSO's file, bytes; where the DSO is no file: the address
	symbol_offset INTEGER,                     -- bytes from the symbol's start
	line INTEGER,                              -- source line of the innermost frame; NULL: not known
	column INTEGER,                            -- source column of the innermost frame; 0: not known
	function TEXT,                             -- innermost source function, inlined or not; NULL: not known
	own_depth INTEGER                          -- innermost frame that is not of a standard library (std::…) or an allocator: 0, or its inlined_frames.depth; NULL: no lines
) STRICT;

CREATE TABLE inlined_frames (
	-- The callers into which the innermost function of a location was inlined.
	id INTEGER PRIMARY KEY,                                 -- counts from 1
	location_id INTEGER NOT NULL REFERENCES locations (id), -- the location
	depth INTEGER NOT NULL,                                 -- 1: the caller of the innermost frame, 2: its caller, …
	function TEXT,                                          -- the caller's name
	file_id INTEGER REFERENCES files (id),                  -- source file of the call
	line INTEGER NOT NULL                                   -- source line of the call; 0: not known
) STRICT;

CREATE TABLE call_paths (
	-- Call stacks as a tree: each row is one frame, its parent the caller.
	id INTEGER PRIMARY KEY,                         -- counts from 1
	parent_id INTEGER REFERENCES call_paths (id),   -- the caller; NULL for a root
	location_id INTEGER REFERENCES locations (id),  -- where the frame's code is; NULL for a root
	symbol_id INTEGER REFERENCES symbols (id),      -- its function; NULL: not known
	depth INTEGER NOT NULL,                         -- 0: a root, 1: outermost frame, …
	kind TEXT                                       -- "root", "truncated" (what follows began somewhere unknown), "user", "kernel", "guest"
) STRICT;

CREATE TABLE selected_events (
	-- The events that perf sampled.
	id INTEGER PRIMARY KEY,       -- counts from 1
	name TEXT NOT NULL,           -- as perf names it
	role TEXT,                    -- "access" (hardware memory samples), "time" (timer, ns), "cycles" (counter), "fault", "instructions", "tracepoint", "other"
	type INTEGER NOT NULL,        -- perf_event_attr.type
	config INTEGER NOT NULL,      -- perf_event_attr.config
	sample_type INTEGER NOT NULL, -- PERF_SAMPLE_* bits
	sample_period INTEGER,        -- events per sample; NULL: by frequency
	sample_freq INTEGER,          -- samples per second; NULL: by period
	pmu TEXT,                     -- pmus.name of what counts it; NULL: the CPU's, or not said
	leader_id INTEGER             -- the first event of its group, by which all of it is switched on and off: selected_events.id; NULL: it is in no group
) STRICT;
