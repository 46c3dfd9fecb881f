-- SPDX-License-Identifier: GPL-2.0-or-later
-- Objects, allocations, and the types of objects.

CREATE TABLE types (
	-- Types of objects that have a sample, from the debug information.
	id INTEGER PRIMARY KEY,      -- counts from 1
	name TEXT NOT NULL,          -- in the notation of the language: "struct node", "double", "Order"
	kind TEXT NOT NULL,          -- "struct" (also class, derived type), "union", "scalar" (number, enumeration, pointer)
	size_bytes INTEGER NOT NULL  -- of one element, bytes; never 0
) STRICT;

CREATE TABLE members (
	-- The bytes of each type: its members, those of inner structs, and the holes between them. No two rows overlap.
	id INTEGER PRIMARY KEY,                            -- counts from 1, sorted by offset within a type
	type_id INTEGER NOT NULL REFERENCES types (id),    -- the type
	name TEXT,                                         -- such as "next", "position.x", "corner[2].y"; "a|b": members of a union, or bit-fields that share bytes; "" for a scalar; NULL: a hole (padding)
	offset INTEGER NOT NULL,                           -- from the start of the element, bytes
	size_bytes INTEGER NOT NULL,                       -- bytes; 0: a flexible array up to the end of the block
	type TEXT                                          -- type of the member; of "a|b" that of the first; NULL: a hole, or not known
) STRICT;

CREATE TABLE objects (
	-- Objects: what a programmer would call a variable.
	id INTEGER PRIMARY KEY,                         -- counts from 1
	name TEXT NOT NULL,                             -- the variable's name (of a local variable: function::variable), "[frame of FUNCTION]", else the allocating function and line, the symbol or the mapping
	kind TEXT NOT NULL,                             -- "heap" (all blocks allocated at one call path; paths that differ only by recursion are one), "static", "stack", "mapping"
	dso_id INTEGER REFERENCES dsos (id),            -- static, local variable, mapping: the file
	symbol_id INTEGER REFERENCES symbols (id),      -- static: the variable's symbol
	call_path_id INTEGER REFERENCES call_paths (id), -- heap: where it is allocated, with recursion removed; allocations has the full path
	location_id INTEGER REFERENCES locations (id),  -- heap: the code that allocates it
	thread_id INTEGER REFERENCES threads (id),      -- stack, thread-local variable: the owner
	process_id INTEGER REFERENCES processes (id),   -- the first process that had it
	address_start INTEGER,                          -- static, stack, mapping: first byte in that process (for a local variable, where it was first seen); NULL for heap
	size_bytes INTEGER NOT NULL,                    -- heap: peak of the bytes alive at one time; others: size
	allocations INTEGER NOT NULL,                   -- heap: number of blocks (sum of stands_for)
	allocated_bytes INTEGER NOT NULL,               -- heap: sum of the sizes of all its blocks
	function TEXT,                                  -- heap, mapping: the source function from which the name was taken; NULL: not known
	file_id INTEGER REFERENCES files (id),          -- source file of that function; static, local variable: where it is declared; NULL: not known
	line INTEGER,                                   -- the line in it; NULL: not known
	estimated INTEGER NOT NULL DEFAULT 0,           -- 1: size, number and sum of its blocks are estimates, because of the small ones one in N was recorded
	type_id INTEGER REFERENCES types (id),          -- the type of its elements; NULL: not known, or neither a sample nor a fault hit it
	type_source TEXT,                               -- how the type was found: "declared" (static, local variable), "container" (a call in the C++ library), "new", "sizeof", "cast", "assigned" (type of the pointer that receives it), "accessed" (type of the pointer by which samples accessed it); NULL: no type
	type_start INTEGER,                             -- offset of the first element, bytes: not 0 if "new T[n]" stores its count before it; NULL: no type
	type_repeats INTEGER,                           -- 1: an array of elements up to the end; 0: one element, followed by unknown data; NULL: no type
	first_sample_id INTEGER REFERENCES sample_data (id), -- the first sample that hit it; NULL: none
	first_fault_id INTEGER REFERENCES fault_data (id)    -- the first page fault in it; NULL: none
) STRICT;

CREATE TABLE allocations (
	-- Blocks from malloc, mmap and similar calls, each with its birth and death. Unless runs.keep_bytes is 0, only blocks that
	-- matter: a sample or a page fault hit them, they have at least runs.keep_bytes, they are mappings, they were never freed although
	-- most of the object's blocks were, or a row refers to them by previous_id. block_cells counts all blocks.
	id INTEGER PRIMARY KEY,                                     -- in order of birth; counts all blocks from 1, so blocks without a row leave gaps
	object_id INTEGER REFERENCES objects (id),                  -- the object that the block belongs to
	process_id INTEGER REFERENCES processes (id),               -- whose memory
	thread_id INTEGER REFERENCES threads (id),                  -- who allocated it
	end_thread_id INTEGER REFERENCES threads (id),              -- who freed it; NULL: nobody
	function INTEGER REFERENCES allocation_functions (id),      -- how it was allocated
	time INTEGER,                                               -- birth, ns (read after the call)
	end_time INTEGER,                                           -- death, ns (read before the call); NULL: lived to the end
	address_start INTEGER NOT NULL,                             -- first byte
	address_end INTEGER NOT NULL,                               -- one past the last byte
	size_bytes INTEGER NOT NULL,                                -- requested size, bytes
	call_path_id INTEGER REFERENCES call_paths (id),            -- who allocated it
	end_call_path_id INTEGER REFERENCES call_paths (id),        -- who freed it
	previous_id INTEGER REFERENCES allocations (id),            -- the block that realloc or mremap replaced by this one; NULL: none, or it has no row
	cpu INTEGER,                                                -- CPU of the allocating call
	end_reason TEXT,                                            -- "freed", "resized", "process end", "reused" (another block was born at its address, so its end was missed); NULL: lived to the end
	stands_for INTEGER NOT NULL DEFAULT 1                       -- how many blocks it stands for: 1, or N for a small block when one in N was recorded
) STRICT;
