/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads perf.data: from bytes to records. The file is untrusted: every offset, size and count is
 * checked before use, and memory stays in proportion to the input. Sources:
 * tools/perf/Documentation/perf.data-file-format.txt, include/uapi/linux/perf_event.h,
 * tools/lib/perf/include/perf/event.h.
 */
#ifndef MEMDB_PERFDATA_PERFDATA_H
#define MEMDB_PERFDATA_PERFDATA_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/err.h"

struct pd_file;

/* A recorded event: its attribute, ids and name. The file owns it. */
struct pd_evsel {
	struct perf_event_attr attr; /* fields that an older (shorter) attribute lacks are zero */
	const char *name; /* as perf shows the event: "cpu-clock", "mem-loads"; never NULL */
	const uint64_t *ids;
	uint32_t nids;
	uint32_t index;  /* place in the file, counted from 0 or from pd_number_events()'s first */
	uint32_t leader; /* index of its group's leader; its own index if it is in no group */
	const struct pd_pmu *pmu; /* NULL means the file does not say */
};

/* One encoded record. Borrowed: valid until the next pd_next() or pd_close(). */
struct pd_raw {
	uint64_t offset; /* bytes from the start of the file; of the enclosing record if compressed
			  */
	uint32_t type;   /* PERF_RECORD_*, or the user-space types of <perf/event.h> */
	uint16_t misc;   /* PERF_RECORD_MISC_* */
	size_t size;     /* bytes in body; the 8-byte header is not counted */
	const uint8_t *body; /* not aligned: decode with base/cursor.h */
};

/* Losses and skipped data of a reader, for the database table losses. */
struct pd_losses {
	uint64_t lost_events;      /* sum of PERF_RECORD_LOST.lost */
	uint64_t lost_samples;     /* sum of PERF_RECORD_LOST_SAMPLES.lost */
	uint64_t throttled;        /* PERF_RECORD_THROTTLE records */
	uint64_t truncated_aux;    /* PERF_RECORD_AUX records that report a full trace buffer */
	uint64_t unknown_records;  /* records of unknown type, skipped */
	uint64_t unknown_features; /* unknown header features, skipped */
	uint64_t damaged_records;  /* records too short for their content, skipped */
	uint64_t unread_bytes;     /* bytes from the point of damage to the end of the data */
	char what[200]; /* sentence about the first damage, with its offset; "" if none */
};

/* The structs up to pd_features hold header features, or the records that replace them in a pipe.
 * Missing features are NULL or 0. The file owns strings and arrays. */
struct pd_cpu {
	int32_t core, socket, node; /* -1 unknown */
};

struct pd_node {
	uint32_t id;
	uint64_t mem_total_bytes, mem_free_bytes;
	const char *cpus; /* list format: "0-3,8" */
};

/* The physical memory of one node. */
struct pd_memory {
	int32_t node;
	const uint8_t *blocks; /* a bitmap of nblocks bits in words of the file's byte order */
	uint64_t nblocks;
};

/* A performance monitoring unit: hardware, or implemented by the kernel. */
struct pd_pmu {
	uint32_t type; /* attr.type of its events */
	const char *name;
	const char *cpus; /* the CPUs of a hybrid machine that have this PMU, as "0-3,8"; NULL means
			     unknown */
	const char *caps; /* "branches=32 max_precise=3"; NULL means unknown */
};

struct pd_build_id {
	const char *path;
	uint8_t id[20];
	uint8_t size;
	int32_t pid;
	uint16_t misc;
};

/* How the kernel derives its clock from the CPU's counter: ns = zero + (ticks * mult >> shift). */
struct pd_time_conv {
	uint64_t shift, mult, zero;
};

enum { PD_CACHE_LEVELS = 3 };

struct pd_features {
	const char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid;
	uint32_t nrcpus_online, nrcpus_available;
	uint64_t total_mem_bytes;
	/* the largest data or unified cache of each level, from the first; 0 unknown */
	uint64_t cache_bytes[PD_CACHE_LEVELS];
	const char *const *cmdline; /* ncmdline words: perf's own argv */
	uint32_t ncmdline;
	const struct pd_cpu *cpus; /* index = cpu number */
	uint32_t ncpus;
	const struct pd_node *nodes;
	uint32_t nnodes;
	const struct pd_build_id *build_ids;
	uint32_t nbuild_ids;
	const struct pd_memory *memories;
	uint32_t nmemories;
	uint64_t memory_block_bytes;
	const struct pd_pmu *pmus; /* by type */
	uint32_t npmus;
	uint64_t first_sample_ns, last_sample_ns;
	bool has_clockid;
	int32_t clockid; /* CLOCK_* of perf's option -k */
	uint64_t clock_resolution_ns;
	uint64_t clock_ref_ns,
		clock_ref_realtime_ns; /* CLOCK_DATA: the same moment on both clocks; 0 = none */
	bool has_time_conv; /* time_conv is known: times are those of the kernel's own clock */
	struct pd_time_conv time_conv;
	uint32_t auxtrace; /* PERF_AUXTRACE_*, the kind of the file's AUX trace; 0 means none */
	const uint8_t *tracing_data; /* for pd_formats_open() */
	size_t tracing_data_size;
};

/*
 * Opens the image buf[0..len): file format (version 1 or 2) or pipe format, either byte order. The
 * image is borrowed and must outlive *out. The caller owns *out and frees it with pd_close(). A
 * file that is cut short or unfinished (data size 0) opens too: pd_losses() reports what is
 * missing. Returns 0, or with *out NULL and a sentence in err->msg MD_EFORMAT (not a perf.data
 * file, or header or attributes lie outside the image) or MD_ENOMEM.
 */
int pd_open_mem(const void *buf, size_t len, struct pd_file **out, struct md_err *err);

/*
 * Opens the file at path, which must not shrink while it is open. If path is not a regular file (a
 * pipe, /dev/stdin), first copies the content into an unlinked temporary file. Reads a directory
 * (perf record --threads) as one file: `data`, then data.0, data.1 …; offsets count from the start
 * of each. Errors are those of pd_open_mem(), and:
 *   MD_EIO       path cannot be opened or read
 *   MD_EINTR     *stop was not 0 during the copy (stop may be NULL)
 */
int pd_open_path(const char *path, const volatile int *stop, struct pd_file **out,
		 struct md_err *err);

void pd_close(struct pd_file *f); /* NULL is fine */

bool pd_swapped(const struct pd_file *f);
bool pd_is_pipe(const struct pd_file *f);

/* Give the events by their place in the file. f may be NULL if the file has no events. */
uint32_t pd_evsel_count(const struct pd_file *f);
const struct pd_evsel *pd_evsel_at(const struct pd_file *f, uint32_t place);
/* Adds first to every event's index and leader, so that the events of several files have one
 * numbering. Call it once at most. */
void pd_number_events(struct pd_file *f, uint32_t first);
const struct pd_features *pd_features(const struct pd_file *f);
/* Finds the next contiguous part of m's memory from block number *block on. Returns true and sets
 * the part's physical addresses [*start, *end), and *block to the block after the part. Returns
 * false if there is no more. */
bool pd_memory_next(const struct pd_file *f, const struct pd_memory *m, uint64_t *block,
		    uint64_t *start, uint64_t *end);
uint64_t pd_memory_bytes(const struct pd_file *f, const struct pd_memory *m);
const struct pd_losses *pd_losses(const struct pd_file *f);

/* The recording kernel's description of a tracepoint. Borrowed from the image. */
struct pd_format {
	const char *system; /* "sched" */
	const char *name;   /* "sched_switch": name_len bytes, no NUL */
	size_t name_len;
	uint32_t id; /* attr.config of its events, common_type of its samples' raw data */
	const char
		*text; /* text_size bytes, no NUL; the input of libtraceevent's tep_parse_event() */
	size_t text_size;
};

/* An iterator over the descriptions in the tracing data. */
struct pd_formats {
	struct cursor c;
	uint32_t systems, events; /* remaining systems, and remaining events of this system */
	const char *system;
	uint8_t long_bytes; /* size of the recording kernel's long */
};

bool pd_formats_open(const struct pd_file *f, struct pd_formats *it);
bool pd_formats_next(struct pd_formats *it, struct pd_format *out);

/*
 * Gets the next record in file order, already inflated. Returns 1 and sets *rec, 0 at the end, or
 * MD_ENOMEM. Damaged data are not an error: reading ends there (in a directory, it continues with
 * the next file), and pd_losses() reports where and how much.
 */
int pd_next(struct pd_file *f, struct pd_raw *rec, struct md_err *err);

/* Returns to the first record for another pass. Losses are counted only in the first pass. */
void pd_rewind(struct pd_file *f);

/* For progress: return the bytes of the data section that were read so far, and the section's size.
 */
uint64_t pd_position(const struct pd_file *f);
uint64_t pd_data_size(const struct pd_file *f);

/* A decoded sample. A field that its event's sample_type lacks is 0, and its bit in `has` is not
 * set. */
struct pd_sample {
	/* NULL if the sample's id is not that of an event: then `has` covers only the leading
	 * fields that all events have at the same offset */
	const struct pd_evsel *evsel;
	uint64_t has;  /* PERF_SAMPLE_* bits of the decoded fields */
	uint16_t misc; /* as in pd_raw: the cpu mode is misc & PERF_RECORD_MISC_CPUMODE_MASK */
	uint64_t ip, time, addr, id, stream_id, period;
	uint32_t pid, tid, cpu;
	uint64_t weight;      /* PERF_SAMPLE_WEIGHT, or var1_dw of WEIGHT_STRUCT */
	uint16_t ins_lat;     /* var2_w */
	uint16_t p_stage_cyc; /* var3_w */
	uint64_t data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;

	/* Borrowed byte ranges in file byte order (pd_swapped): read with base/cursor.h. */
	const uint8_t *callchain; /* ncallchain u64, context markers included */
	uint64_t ncallchain;
	/* nbranches × 24 bytes {from, to, flags}; flags are bit fields in the file's byte order */
	const uint8_t *branches;
	uint64_t nbranches;
	const uint8_t *raw; /* PERF_SAMPLE_RAW payload */
	uint32_t raw_size;
	uint64_t user_regs_abi, user_regs_mask; /* abi 0 means none were captured */
	const uint8_t *user_regs; /* popcount(mask) u64, in the order of the mask's bits */
	uint64_t intr_regs_abi, intr_regs_mask;
	const uint8_t *intr_regs;
	const uint8_t *user_stack; /* user_stack_size bytes, from the user's stack pointer upward */
	uint64_t user_stack_size;
	const uint8_t *aux;
	uint64_t aux_size;
	uint64_t read_value; /* PERF_SAMPLE_READ; in a group the value with the sample's id, or the
				leader's if no value has that id */
};

/*
 * Decodes a PERF_RECORD_SAMPLE. Returns 0, or MD_EFORMAT if the record is too short for its fields
 * (counted in pd_losses().damaged_records).
 */
int pd_sample(struct pd_file *f, const struct pd_raw *rec, struct pd_sample *out);

/* The sample_id fields. They end every record except samples if attr.sample_id_all is set. */
struct pd_sample_id {
	uint64_t has; /* PERF_SAMPLE_TID, TIME, ID, CPU, … */
	uint64_t time, id, stream_id;
	uint32_t pid, tid, cpu;
};

/* A decoded record other than a sample. `kind` is the PERF_RECORD_* type. Strings are borrowed. */
struct pd_side {
	uint32_t kind;
	uint16_t misc;
	struct pd_sample_id id;
	union {
		struct { /* PERF_RECORD_MMAP and MMAP2 */
			uint32_t pid, tid;
			uint64_t start, len, pgoff;
			const char *path;
			bool is_data;  /* PERF_RECORD_MISC_MMAP_DATA: not executable */
			bool has_prot; /* MMAP2: prot and flags are known */
			uint32_t prot, flags;
			uint32_t maj, min; /* MMAP2 without build-id */
			uint64_t ino, ino_generation;
			uint8_t build_id[20];
			uint8_t build_id_size; /* 0 means none in the record */
		} map;
		struct { /* COMM */
			uint32_t pid, tid;
			const char *comm;
			bool exec; /* PERF_RECORD_MISC_COMM_EXEC: the process called exec() */
		} comm;
		struct { /* FORK, EXIT */
			uint32_t pid, ppid, tid, ptid;
			uint64_t time;
		} task;
		struct { /* LOST, LOST_SAMPLES (id 0) */
			uint64_t id, lost;
		} lost;
		struct { /* THROTTLE, UNTHROTTLE */
			uint64_t time, id, stream_id;
		} throttle;
		struct { /* SWITCH, SWITCH_CPU_WIDE; out: the thread leaves the CPU */
			bool out, preempt;
			uint32_t next_prev_pid, next_prev_tid;
		} context;
		struct { /* KSYMBOL */
			uint64_t addr;
			uint32_t len;
			bool unregister;
			const char *name;
		} ksymbol;
		struct { /* NAMESPACES */
			uint32_t pid, tid;
		} namespaces;
		struct { /* CGROUP */
			uint64_t id;
			const char *path;
		} cgroup;
		struct { /* AUX */
			uint64_t offset, size, flags;
		} aux;
	};
};

/*
 * Decodes any record except a sample. Returns 1 and sets *out. Returns 0 for a record that the
 * model does not use (FINISHED_ROUND, HEADER_*, unknown types …); out->kind is set nevertheless,
 * and out->id if the kernel wrote the record. Returns MD_EFORMAT if the record is too short for its
 * fields (counted in damaged_records).
 */
int pd_side(struct pd_file *f, const struct pd_raw *rec, struct pd_side *out);

/* Gets a record's time without decoding the rest, for sorting. False if the record has no time:
 * perf's own records have 0 or -1 instead. */
bool pd_time(struct pd_file *f, const struct pd_raw *rec, uint64_t *time);

/* Gets register `reg` (PERF_REG_X86_*, PERF_REG_ARM64_*) from user_regs. False if it was not
 * captured. */
bool pd_user_reg(const struct pd_file *f, const struct pd_sample *s, unsigned reg, uint64_t *value);

/*
 * Sorts records by time, as perf's ordered_events does. Holds records until a FINISHED_ROUND record
 * guarantees that no older record can follow: this releases all records up to the largest time of
 * the previous round. Records of equal time keep the order of the file. The window of held records
 * is limited to half a million ascending runs of records. In a compressed file the held records
 * must be copied, and the copies are limited to 512 MiB. A run takes 56 bytes, however many records
 * it has. A record that is older than one already returned is returned at once and counted as late.
 */
struct pd_order;

int pd_order_open(struct pd_file *f, struct pd_order **out, struct md_err *err);
void pd_order_close(struct pd_order *o);

/* Gets the next record by time. A record without a time keeps its place, and *time is 0. Returns 1,
 * 0 at the end, or MD_ENOMEM. *rec is borrowed until the next call. */
int pd_order_next(struct pd_order *o, struct pd_raw *rec, uint64_t *time, struct md_err *err);
uint64_t pd_order_late(const struct pd_order *o);

/* Returns the position like pd_position(), but counts only the records returned so far. An
 * estimate. */
uint64_t pd_order_position(const struct pd_order *o);

#endif
