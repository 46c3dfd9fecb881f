-- SPDX-License-Identifier: GPL-2.0-or-later
-- Objects, allocations, and the types of objects.

CREATE TABLE types (
	-- One row per type of a sampled object's elements, from the debug information.
	id INTEGER PRIMARY KEY,      -- counts from 1
	name TEXT NOT NULL,          -- the name in the source language: "struct node", "double", "Order"
	kind TEXT NOT NULL,          -- "struct" (also class, derived type), "union", "scalar" (number, enumeration, pointer)
	size_bytes INTEGER NOT NULL  -- size of one element, bytes; never 0
) STRICT;

CREATE TABLE members (
	-- One row per range of bytes of a type: a member, a member of an inner struct, or a hole between members. The ranges do not overlap.
	id INTEGER PRIMARY KEY,                            -- counts from 1, sorted by offset within a type
	type_id INTEGER NOT NULL REFERENCES types (id),    -- types.id: the type that contains the member
	name TEXT,                                         -- such as "next", "position.x", "corner[2].y"; "a|b": members of a union, or bit-fields that share bytes; "" for a scalar; NULL: a hole (padding)
	offset INTEGER NOT NULL,                           -- offset from the start of the element, bytes
	size_bytes INTEGER NOT NULL,                       -- size of the member, bytes; 0: a flexible array that reaches to the end of the block
	type TEXT                                          -- type of the member (of "a|b": the type of a); NULL: a hole, or not known
) STRICT;

CREATE TABLE objects (
	-- One row per object: all heap blocks from one call path, a static or local variable, a stack, or a mapping.
	id INTEGER PRIMARY KEY,                         -- counts from 1
	name TEXT NOT NULL,                             -- name of the variable (a local variable: function::variable); if only a pointer to the object is known: "*" and the pointer's name; "[frame of FUNCTION]"; "[SECTION of FILE]": static data that no variable covers; of a mapped file, or memory with a name (memfd, shared memory, huge pages): the variable and the file, as in "table (data.bin)", or the file alone; else the allocating function and line, the symbol's name, or the mapping's name
	kind TEXT NOT NULL,                             -- "heap" (all blocks allocated at one call path; paths that differ only by recursion count as one path), "static", "stack", "mapping"
	dso_id INTEGER REFERENCES dsos (id),            -- of a variable or mapping: the file that contains it; of mapped memory with a name: that name
	symbol_id INTEGER REFERENCES symbols (id),      -- of a static variable: its symbol
	call_path_id INTEGER REFERENCES call_paths (id), -- of a heap object: the call path that allocates it, without recursion; allocations.call_path_id is the full path
	location_id INTEGER REFERENCES locations (id),  -- of a heap object: the code address that allocates it
	thread_id INTEGER REFERENCES threads (id),      -- of a stack or a thread-local variable: the thread that owns it
	process_id INTEGER REFERENCES processes (id),   -- the first process that had the object
	address_start INTEGER,                          -- address of the first byte in the process process_id (of a local variable: its first sampled address); NULL: a heap object
	size_bytes INTEGER NOT NULL,                    -- of a heap object: the maximum number of bytes allocated at one time; of other objects: the size, bytes (0: not known)
	allocations INTEGER NOT NULL,                   -- of a heap object: number of its blocks (the sum of their allocations.stands_for)
	allocated_bytes INTEGER NOT NULL,               -- of a heap object: sum of the sizes of all its blocks, bytes
	function TEXT,                                  -- of a heap object or mapping: the source function that allocates it; NULL: not known
	wrapper TEXT,                                   -- of a heap object or mapping: what `function` calls to get the memory, such as "xmalloc" or "std::vector::resize"; NULL: the allocator itself, or not known
	file_id INTEGER REFERENCES files (id),          -- source file of the allocation (heap object, mapping) or of the declaration (variable); NULL: not known
	line INTEGER,                                   -- line of the allocation or declaration; NULL: not known
	estimated INTEGER NOT NULL DEFAULT 0,           -- 1: size_bytes, allocations and allocated_bytes are estimates, because only one in N small blocks was recorded
	type_id INTEGER REFERENCES types (id),          -- type of the object's elements; NULL: not known, or the object has neither a sample nor a page fault
	type_source TEXT,                               -- how the type was found: "declared" (static, local variable), "container" (a call in the C++ library), "new", "sizeof", "cast", "assigned" (type of the pointer that receives the address), "accessed" (type of the pointer in the sampled accesses), "frame" (of a function: what the compiler saves there); NULL: no type
	type_start INTEGER,                             -- offset of the first element, bytes; not 0 if "new T[n]" stores n before the elements; NULL: no type
	type_repeats INTEGER,                           -- 1: elements fill the block or variable; 0: one element, then unknown data; NULL: no type
	first_sample_id INTEGER REFERENCES sample_data (id), -- the object's first sample; NULL: none
	first_fault_id INTEGER REFERENCES fault_data (id)    -- the object's first page fault; NULL: none
) STRICT;

CREATE TABLE allocations (
	-- One row per block from malloc, mmap or a similar call. If runs.keep_bytes is above 0, a block has a row only if one of these
	-- conditions is true: a sample or a page fault hit the block; its size is at least runs.keep_bytes, and it is among the first runs.keep_most blocks of its object; it is a mapping; it was never
	-- freed, although most blocks of its object were; previous_id of another row refers to it. block_cells counts all blocks.
	id INTEGER PRIMARY KEY,                                     -- number of the block in order of allocation, from 1; blocks without a row leave gaps
	object_id INTEGER REFERENCES objects (id),                  -- the block's object
	process_id INTEGER REFERENCES processes (id),               -- the process that owns the memory
	thread_id INTEGER REFERENCES threads (id),                  -- the allocating thread
	end_thread_id INTEGER REFERENCES threads (id),              -- the freeing thread; NULL: the block was not freed
	function INTEGER REFERENCES allocation_functions (id),      -- the allocating function
	time INTEGER,                                               -- time of allocation, ns (clock read after the call)
	end_time INTEGER,                                           -- time of deallocation, ns (clock read before the call); NULL: the block lived to the end of the recording
	address_start INTEGER NOT NULL,                             -- address of the first byte
	address_end INTEGER NOT NULL,                               -- address after the last byte
	size_bytes INTEGER NOT NULL,                                -- requested size, bytes
	call_path_id INTEGER REFERENCES call_paths (id),            -- call path of the allocation
	end_call_path_id INTEGER REFERENCES call_paths (id),        -- call path of the deallocation
	previous_id INTEGER REFERENCES allocations (id),            -- the block that realloc() or mremap() replaced by this block; NULL: none, or that block has no row
	cpu INTEGER,                                                -- CPU of the allocating call
	end_reason TEXT,                                            -- "freed", "resized", "process end", "reused" (its deallocation was not recorded, but a later block has its address); NULL: the block lived to the end of the recording
	stands_for INTEGER NOT NULL DEFAULT 1                       -- number of blocks that the row represents: 1, or N for a small block if one in N was recorded
) STRICT;
