-- SPDX-License-Identifier: GPL-2.0-or-later
-- Objects and allocations, and the types of what lies in objects.

CREATE TABLE types (
	-- Types of the program that objects are made of, by the debug information; those of objects with a sample.
	id INTEGER PRIMARY KEY,      -- counts from 1
	name TEXT NOT NULL,          -- as the language writes it: "struct node", "double", "Order"
	kind TEXT NOT NULL,          -- "struct" (also class, derived type), "union", "scalar" (number, enumeration, pointer)
	size_bytes INTEGER NOT NULL  -- of one element, bytes; never 0
) STRICT;

CREATE TABLE members (
	-- The bytes of each type: its members, of inner structs theirs, and the holes between them. No two overlap.
	id INTEGER PRIMARY KEY,                            -- counts from 1, those of a type in order of offset
	type_id INTEGER NOT NULL REFERENCES types (id),    -- the type
	name TEXT,                                         -- as "next", "position.x", "corner[2].y"; "a|b": of a union, or bits that share bytes; "" of a scalar; NULL: a hole (padding)
	offset INTEGER NOT NULL,                           -- from the start of the element, bytes
	size_bytes INTEGER NOT NULL,                       -- bytes; 0: a flexible array, to the end of the block
	type TEXT                                          -- type of the member; of several the first's; NULL: a hole, or not known
) STRICT;

CREATE TABLE objects (
	-- What a programmer would call the variable.
	id INTEGER PRIMARY KEY,                         -- counts from 1
	name TEXT NOT NULL,                             -- the variable's name (of a function's: function::variable), "[frame of FUNCTION]", else the allocating function and line, the symbol or the mapping
	kind TEXT NOT NULL,                             -- "heap" (all blocks of one allocation call path, recursion in it folded), "static", "stack", "mapping"
	dso_id INTEGER REFERENCES dsos (id),            -- static, mapping: the file
	symbol_id INTEGER REFERENCES symbols (id),      -- static: the variable's symbol
	call_path_id INTEGER REFERENCES call_paths (id), -- heap: who allocates it, without what lies between two calls of one function; allocations has the whole
	location_id INTEGER REFERENCES locations (id),  -- heap: the line that allocates it
	thread_id INTEGER REFERENCES threads (id),      -- stack, thread-local variable: whose
	process_id INTEGER REFERENCES processes (id),   -- the first process seen with it
	address_start INTEGER,                          -- static, stack, mapping: first byte (in that process; of a local variable where it was first); NULL for heap
	size_bytes INTEGER NOT NULL,                    -- heap: the largest sum of its blocks alive at one time; else its extent
	allocations INTEGER NOT NULL,                   -- heap: number of blocks (sum of stands_for)
	allocated_bytes INTEGER NOT NULL,               -- heap: sum of the sizes of all its blocks
	function TEXT,                                  -- heap, mapping: the source function that the name comes from; NULL: not known
	file_id INTEGER REFERENCES files (id),          -- its source file; static, local variable: where it is declared; NULL: not known
	line INTEGER,                                   -- the line in it; NULL: not known
	estimated INTEGER NOT NULL DEFAULT 0,           -- 1: size, number and sum of its blocks are estimates: of the small ones one in N was recorded
	type_id INTEGER REFERENCES types (id),          -- the type of its elements (an array: of one of them); NULL: not known, or no sample hit it
	type_source TEXT,                               -- who says so: "declared" (static, local variable), "container" (the C++ library's call), "new", "sizeof", "cast", "assigned" (the pointer that it is assigned to), "accessed" (the pointer that samples went through); NULL: no type
	type_start INTEGER,                             -- offset of the first element, bytes: what "new T[n]" keeps before it; NULL: no type
	type_repeats INTEGER,                           -- 1: elements follow one another to the end; 0: there is one, and what follows is not known; NULL: no type
	first_sample_id INTEGER REFERENCES sample_data (id), -- the first sample that hit it; NULL: none
	first_fault_id INTEGER REFERENCES fault_data (id)    -- the first page fault in it; NULL: none
) STRICT;

CREATE TABLE allocations (
	-- Blocks from malloc, mmap and the like, each with a birth and a death.
	id INTEGER PRIMARY KEY,                                     -- counts from 1, in order of birth
	object_id INTEGER REFERENCES objects (id),                  -- the object it is a block of
	process_id INTEGER REFERENCES processes (id),               -- whose memory
	thread_id INTEGER REFERENCES threads (id),                  -- who allocated it
	end_thread_id INTEGER REFERENCES threads (id),              -- who freed it; NULL: nobody
	function INTEGER REFERENCES allocation_functions (id),      -- how it was allocated
	time INTEGER,                                               -- birth, ns (taken after the call)
	end_time INTEGER,                                           -- death, ns (taken before the call); NULL: lived to the end
	address_start INTEGER NOT NULL,                             -- first byte
	address_end INTEGER NOT NULL,                               -- one past the last byte
	size_bytes INTEGER NOT NULL,                                -- size asked for, bytes
	call_path_id INTEGER REFERENCES call_paths (id),            -- who allocated it
	end_call_path_id INTEGER REFERENCES call_paths (id),        -- who freed it
	previous_id INTEGER REFERENCES allocations (id),            -- the block that realloc or mremap replaced by this one
	cpu INTEGER,                                                -- CPU of the allocating call
	end_reason TEXT,                                            -- "freed", "resized", "process end", "reused" (a birth where a live one was known); NULL: lived to the end
	stands_for INTEGER NOT NULL DEFAULT 1                       -- how many blocks it stands for: 1, or N of a small one where one in N was recorded
) STRICT;
