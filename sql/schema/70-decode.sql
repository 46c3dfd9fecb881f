-- SPDX-License-Identifier: GPL-2.0-or-later
-- Names of constants. memdb fills these tables. Their rows are the same in every database.

CREATE TABLE addr_sources (
	-- One row per source of a sample's data address. With the sources 2 and 6 to 10, the thread waited for the access. The
	-- address of a wait is lost if the register with the address was overwritten, as mov (%rax),%rax does.
	id INTEGER PRIMARY KEY,   -- 0 none; 1 hardware: recorded by the PMU; 2 retired: computed from the operand of the instruction before ip; 3 next: computed from an operand of an instruction at or after ip, for which the thread did not wait; 5 fault: address of a page fault; 6 again: the address is lost, this is the next address of the same load, or of the load that accesses the same cache line first; 7 recovered: computed from a copy of the lost register; 8 earlier: operand of an earlier instruction whose result was needed; 9 object: the address is lost, only the object is known; 10 nearby: the address is lost, this address is in the same element or the next element, and the member is not known
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
	id INTEGER PRIMARY KEY,   -- 0 unknown (the code, or which instruction ran, is not known; or the arithmetic of a loop, or a mispredicted jump, may take as long as the memory accesses), 1 memory (waited for an access), 2 cached (at an access that hits the first-level cache, or that the loop's arithmetic hides; the object may be a stack), 3 compute (an instruction without memory access), 4 fence (a fence, or an atomic operation on the thread's own stack), 5 atomic (an atomic operation), 6 spin (a loop of the program that only another thread can end), 7 wait (a lock or a barrier: pthread's, OpenMP's, a futex), 8 fault (page faults, in the kernel), 9 system (other kernel work: system calls, interrupts; also at the instruction after a system call), 10 sharing (waited for a cache line that other threads use at the same time, while at least one of them writes it)
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
