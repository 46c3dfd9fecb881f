/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One struct for each fact table: what the import hands to the writer. Column names are the
 * members' names; what a column means stands in sql/schema, once. Samples and page faults are
 * struct row_sample of sample_columns.h.
 *
 * How NULL is said, by the member's type:
 *
 * uint32_t      ids: 0 is NULL, they count from 1
 * int32_t       node, CPU and enumerated ids: -1 is NULL
 * const char *  NULL is NULL; borrowed during the call only
 * int64_t       times (_ns, time): 0 is NULL, CLOCK_MONOTONIC never is;
 *               others: NULL where their bit in `has` is not set, never NULL without a HAS_ bit
 *
 * Rows that come in the order of their ids, counted from 1 without gaps, are written fastest.
 */
#ifndef MEMDB_DATABASE_ROWS_H
#define MEMDB_DATABASE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "database/sample_columns.h"

struct row_run {
	uint32_t id;
	const char *command;   /* the program's words, separated by blanks */
	const char *directory; /* where it was started */
	const char *hostname, *osrelease, *arch, *cpudesc;
	const char *memdb_version, *perf_version, *perf_command;
	const char *sampler; /* "timer", "pebs", "ibs", "spe"; NULL for a foreign
				perf.data */
	const char *clock;   /* "monotonic", or the name of another clock */
	const char *recorded_clock, *clock_conversion;
	int64_t started_realtime_ns;
	int64_t start_ns, end_ns;
	bool tracked;                       /* allocations were recorded */
	bool damaged;                       /* the recording is, or was not finished */
	int64_t sample_every, sample_bytes; /* of smaller heap blocks one in so many was recorded */
	int64_t page_bytes;
	int64_t exit_code, exit_signal;
	enum { HAS_RUN_EXIT_CODE = 1, HAS_RUN_EXIT_SIGNAL = 2, HAS_RUN_SAMPLE = 4 } has;
};

struct row_node {
	int32_t id;       /* the kernel's number */
	const char *cpus; /* list format; "" for a node with memory only */
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
	const char *comm; /* the last name it had */
	int64_t start_ns, end_ns;
};

struct row_thread_affinity {
	uint32_t id, thread_id;
	int64_t time;
	const char *cpus;   /* list format */
	int32_t node_id;    /* the only node these CPUs belong to; NULL: they span nodes */
	const char *source; /* "follower" or the function that was called */
};

struct row_comm {
	uint32_t id, thread_id;
	int64_t time;
	const char *comm;
	bool exec;       /* the name came with exec() */
	int32_t tracked; /* of the program that exec started; -1: not known */
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

struct row_location {
	uint32_t id, dso_id, symbol_id, file_id;
	int64_t offset;        /* in the DSO's file; where the DSO is no file: the address */
	int64_t symbol_offset; /* bytes from the symbol's start */
	int64_t line, column;  /* innermost frame */
	int64_t own_depth;     /* of the innermost frame that is not of a standard library */
	const char *function;  /* innermost source function, inlined or not; NULL unknown */
	enum { HAS_LOCATION_LINE = 1, HAS_LOCATION_SYMBOL_OFFSET = 2 } has;
};

struct row_inlined_frame {
	uint32_t id, location_id;
	int64_t depth; /* 1: the caller into which the innermost frame was inlined, 2: its caller, …
			*/
	const char *function;
	uint32_t file_id;
	int64_t line;
};

struct row_call_path {
	uint32_t id, parent_id; /* the caller; NULL for a root */
	uint32_t location_id, symbol_id;
	int64_t depth;    /* 1: child of a root */
	const char *kind; /* "root", "truncated" (what follows began somewhere unknown), "user",
			     "kernel", "guest" */
};

/* A type that objects are made of. */
struct row_type {
	uint32_t id;
	const char *name, *kind; /* kind: "struct", "union", "scalar" */
	int64_t size_bytes;      /* of an element */
};

struct row_member {
	uint32_t id, type_id;
	const char *name; /* NULL: a hole; "" of a scalar */
	int64_t offset, size_bytes;
	const char *type; /* NULL: not known */
};

struct row_object {
	uint32_t id;
	const char *name;
	const char *kind; /* "heap", "static", "stack", "mapping" */
	uint32_t dso_id, symbol_id, call_path_id, location_id, thread_id, process_id;
	const char *function; /* heap, tracked mapping: the source frame that the name comes from */
	uint32_t file_id;     /* its file; static: where it is declared */
	int64_t line;
	int64_t address_start; /* static, stack, mapping: where it lies (of the first process seen)
				*/
	int64_t size_bytes;    /* heap: the largest sum of its blocks alive at one time; else its
				  extent */
	int64_t allocations;   /* heap: number of blocks, recorded ones */
	int64_t allocated_bytes; /* heap: sum over all blocks */
	uint32_t first_sample_id, first_fault_id;
	bool estimated;   /* the sizes and numbers are estimates: small blocks were sampled */
	uint32_t type_id; /* of its elements */
	const char *type_source;
	int64_t type_start;   /* offset of the first element, bytes */
	int64_t type_repeats; /* 1: elements to the end; 0: one */
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
	int32_t stands_for;     /* blocks; more than 1 where small ones were sampled */
	const char *end_reason; /* "freed", "resized", "process end", "reused" (a birth where a live
				   one was known), NULL alive */
};

/* Waits that may have been for an object, but were counted at another. */
struct row_other_wait {
	uint32_t object_id;
	double period;
};

/* Pages address_start, + step_bytes, … below address_end were found on one node. */
struct row_page_home {
	uint32_t id, process_id;
	int64_t time;
	int64_t address_start, address_end, step_bytes;
	int32_t node_id;    /* -1 (NULL): not there */
	const char *source; /* "follower", "tracker" */
};

struct row_policy_call {
	uint32_t id, thread_id;
	int64_t time;
	const char *function;
	int64_t address_start, address_end;
	const char *mode; /* "bind", "interleave", "preferred", "default", "local", "willneed",
			     "hugepage", … */
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
	const char *name;   /* "sched:sched_switch" */
	const char *fields; /* JSON object */
	uint32_t call_path_id;
};

/* Something that did not get in, or only in part. */
struct row_loss {
	uint32_t id;
	const char *source; /* "perf", "tracker", "follower", "symbols", "import" */
	const char *what;   /* "lost samples", "damaged bytes", … */
	int64_t count;
	const char *detail; /* a sentence, or the file's name */
};

/* Why an address has no object; the values are those of the table object_reasons. */
enum object_reason {
	OBJECT_NO_ADDRESS = 1, /* the sample has no data address: see addr_reason */
	OBJECT_KERNEL = 2,     /* a kernel address */
	OBJECT_UNMAPPED = 3,   /* no mapping is known at that address and time */
	OBJECT_NO_PROCESS = 4, /* the sample's process is not known */
	OBJECT_REASONS
};

/* Where a home node comes from; the values are those of the table home_sources. */
enum home_source {
	HOME_UNKNOWN = 0,
	HOME_PHYS = 1,        /* the sample's physical address */
	HOME_PAGE = 2,        /* the nearest earlier look at the page */
	HOME_FIRST_TOUCH = 3, /* the node of the first toucher, under the policy in force */
	HOME_SINGLE = 4,      /* the machine has one node with memory */
	HOME_LATER = 5,       /* the nearest later look at the page: there was none earlier */
	HOME_SOURCES
};

/*
 * What the time of a thread went to; the values are those of the table time_kinds. The one list:
 * names and meaning stand in sql/schema/70-decode.sql too, for those who ask.
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
