-- SPDX-License-Identifier: GPL-2.0-or-later
-- Names of constants. memdb fills these tables. Their rows are the same in every database.

CREATE TABLE addr_sources (
	-- One row per source of a sample's data address.
	id INTEGER PRIMARY KEY,   -- 0 none, 1 hardware (recorded by the PMU), 2 retired (computed: the thread waited for this access), 3 next (computed: the next access, for which the thread did not wait), 4 instrumented, 5 fault. For 6 to 10, too, the thread waited: 6 again (the address is lost; this is the next one of the same load, or of the load that touches the same cache line first), 7 recovered (computed from a copy of the lost register), 8 earlier (operand of an earlier instruction whose result was needed), 9 object (the address is lost, the object is known), 10 nearby (the address is lost; this is one in the same element or the next one; the member is not known)
	name TEXT NOT NULL UNIQUE -- the source, such as "hardware"
) STRICT;

CREATE TABLE addr_reasons (
	-- One row per reason why a sample has no data address.
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- the reason, such as "no-operand"
) STRICT;

CREATE TABLE object_reasons (
	-- One row per reason why a sample has no object.
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- the reason in words
) STRICT;

CREATE TABLE home_sources (
	-- One row per source of the home node of a sample's page.
	id INTEGER PRIMARY KEY,   -- 0: the home is not known
	name TEXT NOT NULL UNIQUE -- the source in words
) STRICT;

CREATE TABLE time_kinds (
	-- One row per kind of thread time: what the thread did or waited for.
	id INTEGER PRIMARY KEY,   -- 0 unknown (the code, or which instruction ran, is not known; or the arithmetic of a loop may take as long as its memory), 1 memory (waited for an access), 2 cached (at an access that the first-level cache or arithmetic hides; or whose object is a stack or fits into that cache), 3 compute (an instruction without memory access), 4 fence (a fence, or an atomic operation on the thread's own stack), 5 atomic (an atomic operation), 6 spin (a loop of the program that only another thread can end), 7 wait (a lock or a barrier: pthread's, OpenMP's, a futex), 8 fault (page faults, in the kernel), 9 system (other kernel work: system calls, interrupts), 10 sharing (waited for a cache line that another thread uses at the same time, one of them writing)
	name TEXT NOT NULL UNIQUE -- the kind, such as "memory"
) STRICT;

CREATE TABLE allocation_functions (
	-- One row per function that the tracker intercepts.
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- the function's name, such as "malloc"
) STRICT;

CREATE TABLE memory_opcodes (
	-- One row per kind of access (perf_mem_data_src.mem_op).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- the kind of access, such as "Load"
) STRICT;

CREATE TABLE memory_levels (
	-- One row per cache level or memory that can serve an access (perf_mem_data_src.mem_lvl, or mem_lvl_num with remote and hops).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- the cache level or memory, such as "Local RAM"
) STRICT;

CREATE TABLE memory_snoop (
	-- One row per result of a snoop of other caches (perf_mem_data_src.mem_snoop, mem_snoopx).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- the result in words
) STRICT;

CREATE TABLE memory_lock (
	-- One row per answer whether an access was locked (perf_mem_data_src.mem_lock).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- the answer in words
) STRICT;

CREATE TABLE memory_dtlb (
	-- One row per result of a data TLB lookup (perf_mem_data_src.mem_dtlb).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- the result in words
) STRICT;

CREATE TABLE memory_blocked (
	-- One row per cause that delayed an access (perf_mem_data_src.mem_blk).
	id INTEGER PRIMARY KEY,   -- counts from 1
	name TEXT NOT NULL UNIQUE -- the cause in words
) STRICT;
