-- SPDX-License-Identifier: GPL-2.0-or-later
-- The names of numbers. memdb fills these tables itself; they are the same in every database.

CREATE TABLE addr_sources (
	-- Where a sample's data address comes from.
	id INTEGER PRIMARY KEY,   -- 0 none, 1 hardware (recorded by the PMU), 2 retired (computed: what the thread waited for), 3 next (computed: the next access, which the thread did not wait for), 4 instrumented, 5 fault; also waited for: 6 again (the address is lost, this is the next access of the same instruction or pointer), 7 recovered (from a copy of its register), 8 earlier (operand of an earlier instruction whose value was needed), 9 object (the address is lost, the object is known)
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE addr_reasons (
	-- Why a sample has no data address.
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE object_reasons (
	-- Why a sample has no object.
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE home_sources (
	-- Where the home node of a sample's page comes from.
	id INTEGER PRIMARY KEY,   -- 0: the home is not known
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE time_kinds (
	-- What a thread's time was spent on.
	id INTEGER PRIMARY KEY,   -- 0 unknown (the code, or which instruction ran, is not known), 1 memory (waited for an access), 2 cached (likewise, but to a stack or to an object that fits into the first-level cache; views separate it from memory), 3 compute (an instruction without memory access), 4 fence (or an atomic operation on the own stack), 5 atomic (an atomic operation), 6 spin (a loop of the program that only another thread can end), 7 wait (a lock or a barrier: pthread's, OpenMP's, a futex), 8 fault (page faults, in the kernel), 9 system (other kernel work: system calls, interrupts)
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE allocation_functions (
	-- The functions that the tracker intercepts.
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE memory_opcodes (
	-- Kinds of access (perf_mem_data_src.mem_op).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE memory_levels (
	-- What served an access (perf_mem_data_src.mem_lvl, or mem_lvl_num with remote and hops).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE memory_snoop (
	-- What a snoop of other caches found (perf_mem_data_src.mem_snoop, mem_snoopx).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE memory_lock (
	-- Whether an access was locked (perf_mem_data_src.mem_lock).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE memory_dtlb (
	-- Result of the data TLB lookup (perf_mem_data_src.mem_dtlb).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;

CREATE TABLE memory_blocked (
	-- What delayed an access (perf_mem_data_src.mem_blk).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- its name
) STRICT;
