/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares one struct for each fact table: the rows that the import passes to the writer. Members
 * are named after the columns; sql/schema documents the columns. Samples and page faults are struct
 * row_sample in sample_columns.h.
 *
 * How a member expresses NULL, by its type:
 *
 * uint32_t      ids: 0 is NULL, ids count from 1
 * int32_t       node, CPU and enumerated ids: -1 is NULL
 * const char *  NULL is NULL; borrowed during the call only
 * int64_t       times (_ns, time): 0 is NULL; CLOCK_MONOTONIC is never 0
 *               others: NULL if their bit in `has` is not set; members without a HAS_ bit are
 *               never NULL
 *
 * Rows whose ids arrive as 1, 2, 3, … are written fastest.
 */
#ifndef MEMDB_DATABASE_ROWS_H
#define MEMDB_DATABASE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"

struct row_run {
	uint32_t id;
	const char *command;   /* the program's command line, joined by blanks */
	const char *directory; /* where the program was started */
	const char *hostname, *osrelease, *arch, *cpudesc;
	const char *memdb_version, *perf_version, *perf_command;
	/* "timer", "pebs", "ibs", "spe", "exact", "soft"; NULL for a perf.data not recorded by
	 * memdb */
	const char *sampler;
	const char *clock; /* "monotonic", or the name of another clock */
	const char *recorded_clock, *clock_conversion;
	int64_t started_realtime_ns;
	int64_t start_ns, end_ns;
	bool tracked; /* allocations were recorded */
	bool damaged; /* the recording is damaged or was not finished */
	/* heap blocks below this size were sampled, one in this many bytes */
	int64_t sample_every, sample_bytes;
	int64_t page_bytes;
	int64_t l1_bytes, l2_bytes, l3_bytes;
	const char *caches; /* source of these sizes: "kernel", "cpu", "model", "assumed" */
	int64_t exit_code, exit_signal;
	int64_t keep_bytes; /* smaller blocks have a row in allocations only if they matter */
	enum { HAS_RUN_EXIT_CODE = 1, HAS_RUN_EXIT_SIGNAL = 2, HAS_RUN_SAMPLE = 4 } has;
};

struct row_node {
	int32_t id;       /* the kernel's number */
	const char *cpus; /* list format; "" for a node without CPUs */
	int64_t mem_total_bytes, mem_free_bytes;
	enum { HAS_NODE_MEMORY = 1 } has;
};

struct row_node_distance {
	int32_t from_node_id, to_node_id;
	int64_t distance;
};

struct row_cpu {
	int32_t id; /* the kernel's number */
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
	const char *comm; /* the last name of the thread */
	int64_t start_ns, end_ns;
};

struct row_thread_affinity {
	uint32_t id, thread_id;
	int64_t time;
	const char *cpus;   /* list format */
	int32_t node_id;    /* the only node of these CPUs; NULL means they belong to several */
	const char *source; /* "follower" or the function that was called */
};

struct row_comm {
	uint32_t id, thread_id;
	int64_t time;
	const char *comm;
	bool exec;       /* the name was set by exec() */
	int32_t tracked; /* did exec start a tracked program? -1: unknown */
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
	const char *name;         /* demangled */
	const char *linkage_name; /* as in the file */
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
	int64_t offset;        /* in the DSO's file; if the DSO is not a file: the address */
	int64_t symbol_offset; /* bytes from the symbol's start */
	int64_t line, column;  /* of the innermost frame */
	int64_t own_depth;     /* depth of the innermost frame outside the standard libraries */
	const char *function;  /* innermost source function, inlined or not; NULL means unknown */
	enum { HAS_LOCATION_LINE = 1, HAS_LOCATION_SYMBOL_OFFSET = 2 } has;
};

struct row_inlined_frame {
	uint32_t id, location_id;
	int64_t depth; /* 1: the caller into which the innermost was inlined, 2: its caller, … */
	const char *function;
	uint32_t file_id;
	int64_t line;
};

struct row_call_path {
	uint32_t id, parent_id; /* the caller; NULL for a root */
	uint32_t location_id, symbol_id;
	int64_t depth; /* 1: child of a root */
	/* "root", "truncated" (the outer frames are unknown), "user", "kernel", "guest" */
	const char *kind;
};

/* An element type of objects. */
struct row_type {
	uint32_t id;
	const char *name, *kind; /* kind: "struct", "union", "scalar" */
	int64_t size_bytes;      /* of one element */
};

struct row_member {
	uint32_t id, type_id;
	const char *name; /* NULL means a hole; "" for a scalar */
	int64_t offset, size_bytes;
	const char *type; /* NULL means unknown */
};

struct row_object {
	uint32_t id;
	const char *name;
	const char *kind; /* "heap", "static", "stack", "mapping" */
	uint32_t dso_id, symbol_id, call_path_id, location_id, thread_id, process_id;
	/* heap, tracked mapping: the source function from which the name was taken */
	const char *function;
	/* the file of that function; static: where the variable is declared */
	uint32_t file_id;
	int64_t line;
	int64_t address_start;   /* static, stack, mapping: the address in the first process seen */
	int64_t size_bytes;      /* heap: peak of the bytes alive; others: size */
	int64_t allocations;     /* heap: number of recorded blocks */
	int64_t allocated_bytes; /* heap: sum over all blocks */
	uint32_t first_sample_id, first_fault_id;
	bool estimated;   /* sizes and counts are estimates, because small blocks were sampled */
	uint32_t type_id; /* of its elements */
	const char *type_source;
	int64_t type_start;   /* offset of the first element, bytes */
	int64_t type_repeats; /* 1: elements up to the end; 0: a single one */
	enum { HAS_OBJECT_ADDRESS = 1, HAS_OBJECT_LINE = 2, HAS_OBJECT_TYPE = 4 } has;
};

struct row_allocation {
	uint32_t id, object_id, process_id, thread_id, end_thread_id;
	int32_t function; /* allocation_functions.id */
	int64_t time, end_time;
	int64_t address_start, address_end; /* the end is exclusive */
	int64_t size_bytes;
	uint32_t call_path_id, end_call_path_id;
	uint32_t previous_id; /* the block that realloc or mremap replaced by this one */
	int32_t cpu;
	int32_t stands_for; /* number of blocks; more than 1 if small blocks were sampled */
	/* "freed", "resized", "process end", "reused" (another block was born at its address);
	 * NULL means alive */
	const char *end_reason;
};

/* A block to be counted, because it ended or the recording did. */
struct row_block {
	uint32_t object_id, thread_id, end_thread_id;
	uint64_t size_bytes;
	uint64_t life_ns;       /* if it ended */
	const char *end_reason; /* a constant; NULL means it lived to the end of the recording */
	bool hit;               /* a sample or a page fault hit it */
	bool stored;            /* it has a row in allocations */
	uint32_t stands_for;
};

/* Waits that may have been for an object but were attributed to another one. */
struct row_other_wait {
	uint32_t object_id;
	double period;
};

/* The pages at address_start, + step_bytes, … below address_end were found on one node. */
struct row_page_home {
	uint32_t id, process_id;
	int64_t time;
	int64_t address_start, address_end, step_bytes;
	int32_t node_id;    /* -1 (NULL): not present */
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
	const char *nodes; /* list format */
	int64_t result;    /* 0 or the errno */
	uint32_t call_path_id;
	enum { HAS_POLICY_RANGE = 1 } has;
};

struct row_tracepoint {
	uint32_t id, evsel_id, thread_id;
	int32_t cpu;
	int64_t time;
	const char *name;   /* such as "sched:sched_switch" */
	const char *fields; /* JSON object */
	uint32_t call_path_id;
};

/* Something that is missing in the database, or incomplete. */
struct row_loss {
	uint32_t id;
	const char *source; /* "perf", "faults", "tracker", "follower", "emulator", "symbols",
			       "sources", "import" */
	const char *what;   /* "lost samples", "damaged bytes", … */
	int64_t count;
	const char *detail; /* a sentence, or the file's name */
};

/* Why an address has no object. The values are those of the table object_reasons. */
enum object_reason {
	OBJECT_NO_ADDRESS = 1, /* the sample has no data address: see addr_reason */
	OBJECT_KERNEL = 2,     /* a kernel address */
	OBJECT_UNMAPPED = 3,   /* no mapping is known at that address and time */
	OBJECT_NO_PROCESS = 4, /* the sample's process is unknown */
	OBJECT_REASONS
};

/* Where a home node comes from. The values are those of the table home_sources. */
enum home_source {
	HOME_UNKNOWN = 0,
	HOME_PHYS = 1, /* the sample's physical address */
	HOME_PAGE = 2, /* the nearest earlier look at the page */
	/* the node of the thread that touched it first, under the policy in force */
	HOME_FIRST_TOUCH = 3,
	HOME_SINGLE = 4, /* the machine has one node with memory */
	/* the nearest later look at the page, because there is no earlier one */
	HOME_LATER = 5,
	HOME_SOURCES
};

/*
 * The kinds of a thread's time. The values are those of the table time_kinds. Names and meaning are
 * repeated for users in sql/schema/70-decode.sql.
 */
#define TIME_KINDS_OF(X)                                                                         \
	X(UNKNOWN, "unknown") /* the code, or which instruction ran, is not known */             \
	X(MEMORY, "memory")   /* waited for an access to memory */                               \
	X(CACHED, "cached")   /* the same, of a stack or what fits into the first-level cache */ \
	X(COMPUTE, "compute") /* an instruction that accesses no memory */                       \
	X(FENCE, "fence")     /* a fence, or an atomic operation on the own stack */             \
	X(ATOMIC, "atomic")   /* an atomic operation */                                          \
	X(SPIN, "spin")       /* a loop of the program that only another thread can end */       \
	X(WAIT, "wait")       /* a lock or a barrier: pthread's, OpenMP's, a futex */            \
	X(FAULT, "fault")     /* page faults, in the kernel */                                   \
	X(SYSTEM, "system")   /* the kernel besides: system calls, interrupts */

#define TIME_KIND_MEMBER(name, text) TIME_##name,
enum time_kind { TIME_KINDS_OF(TIME_KIND_MEMBER) TIME_KINDS };

#endif
