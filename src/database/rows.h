/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares one struct for each fact table: the rows that the import passes to the writer. Members
 * are named after the columns; sql/schema documents the columns. Samples and page faults are struct
 * row_sample in sample_columns.h.
 *
 * How a member expresses NULL, by its type:
 *
 *   uint32_t      an id: 0 is NULL, ids count from 1
 *   int32_t       number of a node or CPU, or id of a name: -1 is NULL
 *   const char *  NULL is NULL; borrowed only during the call
 *   int64_t       a time (_ns, time): 0 is NULL, because CLOCK_MONOTONIC is never 0
 *                 others: NULL if the bit of the member in `has` is not set; a member without
 *                 a HAS_ bit is never NULL
 *
 * Rows are written fastest if their ids arrive as 1, 2, 3, …
 */
#ifndef MEMDB_DATABASE_ROWS_H
#define MEMDB_DATABASE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"

struct row_run {
	uint32_t id;
	const char *command;   /* command line of the program, joined by blanks */
	const char *directory; /* working directory when the program was started */
	const char *hostname, *osrelease, *arch, *cpudesc;
	const char *memdb_version, *perf_version, *perf_command;
	/* "timer", "pebs", "ibs", "spe", "exact", "soft"; NULL for a perf.data not recorded by
	 * memdb */
	const char *sampler;
	/* clock of all times: "monotonic", or the name of perf's clock if its times could not be
	 * converted */
	const char *clock;
	const char *recorded_clock, *clock_conversion;
	int64_t started_realtime_ns;
	int64_t start_ns, end_ns;
	bool tracked; /* whether the tracker recorded allocations */
	bool damaged; /* whether the recording is damaged or incomplete */
	/* of the heap blocks below sample_bytes, the tracker recorded one in sample_every */
	int64_t sample_every, sample_bytes;
	int64_t page_bytes;
	int64_t l1_bytes, l2_bytes, l3_bytes;
	const char *caches; /* source of the cache sizes: "kernel", "cpu", "model", "assumed" */
	int64_t exit_code, exit_signal;
	/* smaller blocks, and others than the first keep_most of an object, have a row in
	 * allocations only if a query may need it */
	int64_t keep_bytes, keep_most;
	enum { HAS_RUN_EXIT_CODE = 1, HAS_RUN_EXIT_SIGNAL = 2, HAS_RUN_SAMPLE = 4 } has;
};

struct row_node {
	int32_t id;       /* the kernel's number of the node */
	const char *cpus; /* in list format, such as "0-3,8"; "" for a node without CPUs */
	int64_t mem_total_bytes, mem_free_bytes;
	enum { HAS_NODE_MEMORY = 1 } has;
};

struct row_node_distance {
	int32_t from_node_id, to_node_id;
	int64_t distance;
};

struct row_cpu {
	int32_t id; /* the kernel's number of the CPU */
	int32_t node_id, core, socket;
};

struct row_pmu {
	uint32_t id; /* counts from 1 */
	int64_t type;
	const char *name, *cpus, *capabilities;
};

struct row_process {
	uint32_t id, parent_id;
	int64_t pid;
	const char *exe, *command;
	int64_t start_ns, end_ns;
	bool tracked;
};

struct row_thread {
	uint32_t id, process_id;
	int64_t pid, tid;
	const char *comm; /* last name of the thread */
	int64_t start_ns, end_ns;
};

struct row_thread_affinity {
	uint32_t id, thread_id;
	int64_t time;
	const char *cpus; /* in list format, such as "0-3,8" */
	/* the node to which all these CPUs belong; if they belong to several, -1, which is NULL in
	 * the table */
	int32_t node_id;
	const char *source; /* "follower", or the name of the function with which the thread set its
			     * affinity */
};

struct row_comm {
	uint32_t id, thread_id;
	int64_t time;
	const char *comm;
	bool exec;       /* whether exec() has set the name */
	int32_t tracked; /* whether the program that exec started was tracked: 1, 0, or -1 if
			  * unknown */
};

struct row_selected_event {
	uint32_t id;
	const char *name;
	const char *role; /* "access", "time", "cycles", "fault", "instructions", "tracepoint",
			     "other" */
	int64_t type, config, sample_type;
	int64_t sample_period, sample_freq;
	const char *pmu;
	uint32_t leader_id;
	enum { HAS_EVENT_PERIOD = 1, HAS_EVENT_FREQ = 2 } has;
};

struct row_dso {
	uint32_t id;
	const char *short_name, *long_name;
	const char *build_id; /* hexadecimal */
	const char *kind;     /* "file", "kernel", "module", "vdso", "jit", "anonymous" */
	const char *state;    /* "ok", "missing", "replaced", "unverified", "not elf" */
	bool has_lines;
};

struct row_mapping {
	uint32_t id, process_id, dso_id;
	int64_t time, end_time;
	int64_t address_start, address_end; /* the end is exclusive */
	int64_t file_offset;
	int64_t prot, flags;
	const char *source; /* "perf" */
	enum { HAS_MAPPING_PROT = 1 } has;
};

struct row_symbol {
	uint32_t id, dso_id;
	const char *name;         /* demangled name */
	const char *linkage_name; /* name as in the symbol table */
	int64_t sym_start, sym_end;
};

struct row_file {
	uint32_t id;
	const char *path;
};

struct row_source_line {
	uint32_t id, file_id;
	int64_t line;
	const char *text;
};

struct row_location {
	uint32_t id, dso_id, symbol_id, file_id;
	int64_t offset;        /* offset in the DSO's file; an address if the DSO is not a file */
	int64_t symbol_offset; /* bytes from the start of the symbol */
	/* source line and column of the innermost frame in the program's own sources (frames of
	 * inlined functions count, too); if there is none, of the innermost frame */
	int64_t line, column;
	/* the function of that frame; NULL means unknown */
	const char *function;
	enum { HAS_LOCATION_LINE = 1, HAS_LOCATION_SYMBOL_OFFSET = 2 } has;
};

struct row_inlined_frame {
	uint32_t id, location_id;
	/* 1 is the caller into which the function of the location was inlined, 2 is the caller of
	 * that one, and so on; -1 is the function of a library that was inlined into the function
	 * of the location, -2 the one inlined into that, and so on */
	int64_t depth;
	const char *function;
	uint32_t file_id;
	int64_t line;
};

struct row_call_path {
	uint32_t id, parent_id; /* parent_id: the caller; NULL for a root */
	uint32_t location_id, symbol_id;
	int64_t depth; /* 1 for a child of a root */
	/* "root", "truncated" (the outer frames are unknown), "user", "kernel", "guest", "skipped"
	 * (callers between two frames are unknown) */
	const char *kind;
};

/* The type of an object's elements. */
struct row_type {
	uint32_t id;
	const char *name, *kind; /* kind: "struct", "union" or "scalar" */
	int64_t size_bytes;      /* size of one element */
};

struct row_member {
	uint32_t id, type_id;
	const char *name; /* NULL for the hole between two members; "" for the value of a scalar */
	int64_t offset, size_bytes;
	const char *type; /* name of the member's type; NULL means unknown */
};

struct row_object {
	uint32_t id;
	const char *name;
	const char *kind; /* "heap", "static", "stack", "mapping" */
	uint32_t dso_id, symbol_id, call_path_id, location_id, thread_id, process_id;
	/* for kind heap and for mappings that the tracker saw: the function whose source text
	 * contains the name */
	const char *function;
	/* for the same kinds: the function that `function` called to get the block; NULL means the
	 * allocator itself, or unknown */
	const char *wrapper;
	/* for the same kinds: the source file of `function`; for kind static: where the variable is
	 * declared */
	uint32_t file_id;
	int64_t line;
	/* for kinds static, stack and mapping: address in the first process that had the object */
	int64_t address_start;
	/* for kind heap: the largest number of bytes that were alive at the same time; for other
	 * kinds: the size */
	int64_t size_bytes;
	int64_t allocations;     /* for kind heap: number of its blocks */
	int64_t allocated_bytes; /* for kind heap: sum of the sizes of all its blocks */
	uint32_t first_sample_id, first_fault_id;
	/* whether sizes and counts are estimates, because the tracker recorded only some of the
	 * small blocks */
	bool estimated;
	uint32_t type_id; /* types.id of the object's elements */
	const char *type_source;
	int64_t type_start; /* offset of the first element in the object, bytes */
	/* 1 if elements of this type fill the object up to its end, 0 if it has only one element */
	int64_t type_repeats;
	enum { HAS_OBJECT_ADDRESS = 1, HAS_OBJECT_LINE = 2, HAS_OBJECT_TYPE = 4 } has;
};

struct row_allocation {
	uint32_t id, object_id, process_id, thread_id, end_thread_id;
	int32_t function; /* allocation_functions.id */
	int64_t time, end_time;
	int64_t address_start, address_end; /* the end is exclusive */
	int64_t size_bytes;
	uint32_t call_path_id, end_call_path_id;
	uint32_t previous_id; /* for a block from realloc or mremap: the block that it replaced */
	int32_t cpu;
	/* number of blocks that the row represents: more than 1 if only some small blocks were
	 * recorded */
	int32_t stands_for;
	/* "freed", "resized", "process end", or "reused" if another block was born at its address;
	 * NULL means that it was alive at the end of the recording */
	const char *end_reason;
};

/* What block_cells counts of a block. The block has ended, or was alive at the end of the
 * recording. */
struct row_block {
	uint32_t object_id, thread_id, end_thread_id;
	uint64_t size_bytes;
	uint64_t life_ns; /* lifetime; 0 if the block was alive at the end */
	uint8_t end;      /* enum block_end (model/objects.h) */
	bool hit;         /* whether a sample or a page fault hit it */
	bool stored;      /* whether the table `allocations` has a row for it */
	uint32_t stands_for;
};

/* Time that threads may have spent waiting for this object, but that was attributed to a different
 * object. */
struct row_other_wait {
	uint32_t object_id;
	double period;
	double dealt; /* the part of `period` that is the cost of other objects */
};

/* Pages that one look (a query of the nodes of pages) found on one node: those at address_start,
 * address_start + step_bytes, …, below address_end. */
struct row_page_home {
	uint32_t id, process_id;
	int64_t time;
	int64_t address_start, address_end, step_bytes;
	int32_t node_id;    /* -1, which is NULL in the table, means that the pages are not
			     * present */
	const char *source; /* "follower", "tracker" */
};

struct row_policy_call {
	uint32_t id, thread_id;
	int64_t time;
	const char *function;
	int64_t address_start, address_end;
	/* "bind", "interleave", "preferred", "default", "local", "willneed", "hugepage", … */
	const char *mode;
	int64_t flags;
	const char *nodes; /* in list format, such as "0-3,8" */
	int64_t result;    /* 0, or the errno of the call */
	uint32_t call_path_id;
	enum { HAS_POLICY_RANGE = 1 } has;
};

struct row_tracepoint {
	uint32_t id, evsel_id, thread_id;
	int32_t cpu;
	int64_t time;
	const char *name;   /* name of the tracepoint, such as "sched:sched_switch" */
	const char *fields; /* fields of the tracepoint as a JSON object */
	uint32_t call_path_id;
};

/* Data that are missing or incomplete in the database. */
struct row_loss {
	uint32_t id;
	const char *source; /* "perf", "faults", "tracker", "follower", "emulator", "symbols",
			       "sources", "import" */
	const char *what;   /* "lost samples", "damaged bytes", … */
	int64_t count;
	const char *detail; /* a sentence, or the name of the file */
};

/* Why an address has no object. The values are the ids of the table `object_reasons`. */
enum object_reason {
	OBJECT_NO_ADDRESS = 1, /* the sample has no data address: see addr_reason */
	OBJECT_KERNEL = 2,     /* the address belongs to the kernel */
	OBJECT_UNMAPPED = 3,   /* no mapping of the program contained the address at that time */
	OBJECT_NO_PROCESS = 4, /* the process of the sample is unknown */
	OBJECT_REASONS
};

/* How the home node of a page (the node on which the page is) became known. The values are the ids
 * of the table `home_sources`. */
enum home_source {
	HOME_UNKNOWN = 0,
	HOME_PHYS = 1, /* from the physical address in the sample */
	HOME_PAGE = 2, /* from the last look at the page (a query of its node) before the sample */
	/* from the page's first touch: the node of the CPU that touched it, and the policy in force
	 */
	HOME_FIRST_TOUCH = 3,
	HOME_SINGLE = 4, /* the machine has only one node with memory */
	HOME_SOURCES
};

/* What a thread spends its time on. The values are the ids of the table `time_kinds`.
 * sql/schema/70-decode.sql repeats the names and their meaning for users. */
#define TIME_KINDS_OF(X)                                                                          \
	X(UNKNOWN, "unknown") /* the instruction that ran, or its code, is unknown */             \
	X(MEMORY, "memory")   /* an instruction waited for an access to memory */                 \
	X(CACHED, "cached")   /* the same, for an access to a stack or to data that fit the       \
				 first-level cache */                                             \
	X(COMPUTE, "compute") /* an instruction that accesses no memory ran */                    \
	X(FENCE, "fence")     /* a fence, or an atomic operation on the thread's own stack */     \
	X(ATOMIC, "atomic")   /* an atomic operation */                                           \
	X(SPIN, "spin")     /* a loop of the program that ends only when another thread writes */ \
	X(WAIT, "wait")     /* waiting at a lock or a barrier: pthreads, OpenMP, futex() */       \
	X(FAULT, "fault")   /* the kernel handled a page fault */                                 \
	X(SYSTEM, "system") /* other work of the kernel: system calls, interrupts */              \
	X(SHARING, "sharing") /* an instruction waited for a cache line that another thread uses  \
			       */

#define TIME_KIND_MEMBER(name, text) TIME_##name,
enum time_kind { TIME_KINDS_OF(TIME_KIND_MEMBER) TIME_KINDS };

#endif
