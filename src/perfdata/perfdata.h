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
	struct perf_event_attr attr; /* fields that an older, shorter attribute lacks are zero */
	const char *name; /* name that perf shows: "cpu-clock", "mem-loads"; never NULL */
	const uint64_t *ids;
	uint32_t nids;
	/* number of the event: its position in the file, counted from 0, or from `first` after
	 * pd_number_events() */
	uint32_t index;
	uint32_t leader; /* index of the leader of its group; its own index if it is in no group */
	const struct pd_pmu *pmu; /* NULL means unknown */
};

/* One encoded record. It is borrowed and valid until the next pd_next() or pd_close(). */
struct pd_raw {
	/* bytes from the start of the file; for a record that was compressed, the offset of the
	 * compressed record */
	uint64_t offset;
	/* PERF_RECORD_*, or a type that perf itself (<perf/event.h>) or simpleperf writes */
	uint32_t type;
	uint16_t misc;       /* PERF_RECORD_MISC_* */
	size_t size;         /* bytes in body, without the 8 bytes of the header */
	const uint8_t *body; /* not aligned, so it must be decoded with base/cursor.h */
};

/* What the recording lost and what the reader skipped, for the table `losses`. */
struct pd_losses {
	uint64_t lost_events;  /* sum of PERF_RECORD_LOST.lost */
	uint64_t lost_samples; /* sum of PERF_RECORD_LOST_SAMPLES.lost */
	uint64_t throttled;    /* PERF_RECORD_THROTTLE records */
	/* PERF_RECORD_AUX records that report that the trace buffer was full */
	uint64_t truncated_aux;
	uint64_t unknown_records;  /* records of unknown types; they are skipped */
	uint64_t unknown_features; /* header features that are unknown and skipped */
	/* records that are skipped as damaged, for example because they are too short for their
	 * content */
	uint64_t damaged_records;
	/* bytes from the damage to the end of the data. If the file was cut, the missing bytes
	 * count too. Pipes, the files data.N of a directory and unfinished files do not contain
	 * their length: then more bytes may be missing, and `what` mentions that */
	uint64_t unread_bytes;
	/* a sentence about the first damage; "" means that there is no damage */
	char what[200];
};

/* The structs from here to pd_features contain the header features of a file; in a pipe, records
 * contain the same data. A feature that is missing is NULL or 0. The file owns strings and
 * arrays. */
struct pd_cpu {
	int32_t core, socket, node; /* -1 means unknown */
};

struct pd_node {
	uint32_t id;
	uint64_t mem_total_bytes, mem_free_bytes;
	const char *cpus; /* in list format, such as "0-3,8" */
};

/* The physical memory of one node. */
struct pd_memory {
	int32_t node;
	/* a bitmap of nblocks bits, in words with the byte order of the file */
	const uint8_t *blocks;
	uint64_t nblocks;
};

/* A performance monitoring unit, of the hardware or of the kernel. */
struct pd_pmu {
	uint32_t type; /* perf_event_attr.type of its events */
	const char *name;
	/* CPUs that have this PMU, if the machine is hybrid, as "0-3,8"; NULL means unknown */
	const char *cpus;
	const char *caps; /* such as "branches=32 max_precise=3"; NULL means unknown */
};

struct pd_build_id {
	const char *path;
	uint8_t id[20];
	uint8_t size;
	int32_t pid;
	uint16_t misc;
};

/* How the kernel computes its clock from the CPU's counter: ns = zero + (ticks * mult >> shift). */
struct pd_time_conv {
	uint64_t shift, mult, zero;
};

enum { PD_CACHE_LEVELS = 3 };

struct pd_features {
	const char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid;
	uint32_t nrcpus_online, nrcpus_available;
	uint64_t total_mem_bytes;
	/* size of the largest data or unified cache of each level, first level first; 0 means
	 * unknown */
	uint64_t cache_bytes[PD_CACHE_LEVELS];
	const char *const *cmdline; /* command line of perf, ncmdline words */
	uint32_t ncmdline;
	const struct pd_cpu *cpus; /* indexed by the number of the CPU */
	uint32_t ncpus;
	const struct pd_node *nodes;
	uint32_t nnodes;
	const struct pd_build_id *build_ids;
	uint32_t nbuild_ids;
	const struct pd_memory *memories;
	uint32_t nmemories;
	uint64_t memory_block_bytes;
	const struct pd_pmu *pmus; /* sorted by type */
	uint32_t npmus;
	uint64_t first_sample_ns, last_sample_ns;
	bool has_clockid;
	int32_t clockid; /* CLOCK_* that perf's option -k selected */
	uint64_t clock_resolution_ns;
	/* HEADER_CLOCK_DATA: one moment on the clock of the recording (clockid) and on the wall
	 * clock; 0 means unknown */
	uint64_t clock_ref_ns, clock_ref_realtime_ns;
	/* time_conv is known; the times in the file are then times of the kernel's own clock */
	bool has_time_conv;
	struct pd_time_conv time_conv;
	/* PERF_AUXTRACE_*: the kind of the AUX trace in the file; 0 means that there is no trace */
	uint32_t auxtrace;
	const uint8_t *tracing_data; /* input of pd_formats_open() */
	size_t tracing_data_size;
};

/*
 * Opens the image buf[0..len). It may be in the file format (version 1 or 2) or in the pipe format,
 * and in either byte order. The image is borrowed and must outlive *out. The caller owns *out and
 * frees it with pd_close(). A file that is cut short or unfinished (data size 0) opens too:
 * pd_losses() reports what is missing. Returns 0, or with *out NULL and a sentence in err->msg
 * MD_EFORMAT (not a perf.data file, or header or attributes lie outside the image) or MD_ENOMEM.
 */
int pd_open_mem(const void *buf, size_t len, struct pd_file **out, struct md_err *err);

/*
 * Opens the file at path, which must not shrink while it is open. If path is not a regular file (a
 * pipe, a socket), first copies the content into an unlinked temporary file. "/dev/stdin" is read
 * through descriptor 0. Reads a directory (perf record --threads) as one file: `data`, then data.0,
 * data.1 …; offsets count from the start of each. Errors are those of pd_open_mem(), and:
 *   MD_EIO       path cannot be opened or read
 *   MD_EINTR     *stop was not 0 during the copy (stop may be NULL)
 */
int pd_open_path(const char *path, const volatile int *stop, struct pd_file **out,
		 struct md_err *err);

void pd_close(struct pd_file *f); /* f may be NULL */

bool pd_swapped(const struct pd_file *f);

/* pd_evsel_at() returns the event at position `place` in the file, counted from 0, or NULL if there
 * is none. f may be NULL; the count is 0 then. */
uint32_t pd_evsel_count(const struct pd_file *f);
const struct pd_evsel *pd_evsel_at(const struct pd_file *f, uint32_t place);
/* Adds `first` to the index and the leader of every event, so that events of several files have
 * different numbers. May be called only once. */
void pd_number_events(struct pd_file *f, uint32_t first);
const struct pd_features *pd_features(const struct pd_file *f);
/* Finds the next contiguous range of the node's memory, at or after block number *block. Returns
 * true and sets its physical addresses [*start, *end), and *block to the block after the range.
 * Returns false if there is no such range. */
bool pd_memory_next(const struct pd_file *f, const struct pd_memory *m, uint64_t *block,
		    uint64_t *start, uint64_t *end);
uint64_t pd_memory_bytes(const struct pd_file *f, const struct pd_memory *m);
const struct pd_losses *pd_losses(const struct pd_file *f);

/* How the recorded kernel describes a tracepoint. Borrowed from the image. */
struct pd_format {
	const char *system; /* such as "sched" */
	const char *name;   /* such as "sched_switch": name_len bytes without a NUL */
	size_t name_len;
	uint32_t id; /* attr.config of its events, and common_type in the raw data of its samples */
	const char
		*text; /* text_size bytes without a NUL, for tep_parse_event() of libtraceevent */
	size_t text_size;
};

/* An iterator over the descriptions of tracepoints in pd_features.tracing_data. */
struct pd_formats {
	struct cursor c;
	/* number of systems that are left, and of events of the current system that are left */
	uint32_t systems, events;
	const char *system;
	uint8_t long_bytes; /* size of a long in the recorded kernel */
};

bool pd_formats_open(const struct pd_file *f, struct pd_formats *it);
bool pd_formats_next(struct pd_formats *it, struct pd_format *out);

/*
 * Gets the next record in the order of the file; compressed records are inflated. Returns 1 if it
 * has set *rec, 0 at the end of the data, or MD_ENOMEM. Damaged data are not an error: reading
 * stops there (in a directory, it goes on with the next file), and pd_losses() reports where and
 * how much is lost.
 */
int pd_next(struct pd_file *f, struct pd_raw *rec, struct md_err *err);

/* Goes back to the first record, for another pass over the file. Losses are counted only once, no
 * matter how many passes find them. */
void pd_rewind(struct pd_file *f);

/* For progress: how many bytes of the data section were read so far, and its size. */
uint64_t pd_position(const struct pd_file *f);
uint64_t pd_data_size(const struct pd_file *f);

/* A decoded sample. A field that the event's sample_type does not have is 0, and its bit in
 * `has` is not set. */
struct pd_sample {
	/* NULL if no event has the id of the sample. Then all fields are decoded if all events have
	 * the same layout, otherwise only those leading fields that are at the same offsets for all
	 * events */
	const struct pd_evsel *evsel;
	uint64_t has; /* PERF_SAMPLE_* bits of the decoded fields */
	/* as in pd_raw. The mode of the CPU is misc & PERF_RECORD_MISC_CPUMODE_MASK */
	uint16_t misc;
	uint64_t ip, time, addr, id, stream_id, period;
	uint32_t pid, tid, cpu;
	uint64_t weight;      /* PERF_SAMPLE_WEIGHT, or var1_dw of PERF_SAMPLE_WEIGHT_STRUCT */
	uint16_t ins_lat;     /* var2_w of PERF_SAMPLE_WEIGHT_STRUCT */
	uint16_t p_stage_cyc; /* var3_w of PERF_SAMPLE_WEIGHT_STRUCT */
	uint64_t data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;

	/* Borrowed bytes in the byte order of the file (pd_swapped), to be read with
	 * base/cursor.h. */
	const uint8_t *callchain; /* ncallchain words of 64 bits, with the markers of contexts */
	uint64_t ncallchain;
	/* nbranches entries of 24 bytes: from, to, flags. flags are bit-fields in the byte order
	 * of the file */
	const uint8_t *branches;
	uint64_t nbranches;
	const uint8_t *raw; /* content of PERF_SAMPLE_RAW */
	uint32_t raw_size;
	uint64_t user_regs_abi, user_regs_mask; /* abi 0 means that no registers were recorded */
	/* one word of 64 bits for each register in user_regs_mask, in the order of the bits, lowest
	 * first */
	const uint8_t *user_regs;
	uint64_t intr_regs_abi, intr_regs_mask;
	const uint8_t *intr_regs;
	/* user_stack_size bytes, from the user's stack pointer upwards */
	const uint8_t *user_stack;
	uint64_t user_stack_size;
	const uint8_t *aux;
	uint64_t aux_size;
	/* PERF_SAMPLE_READ. In a group, the value of the event with the sample's id; if there is no
	 * such event, the leader's value */
	uint64_t read_value;
};

/*
 * Decodes a PERF_RECORD_SAMPLE. Returns 0, or MD_EFORMAT if the record is too short for its fields
 * (counted in pd_losses().damaged_records).
 */
int pd_sample(struct pd_file *f, const struct pd_raw *rec, struct pd_sample *out);

/* The fields of sample_id. If attr.sample_id_all is set, it is at the end of every record that the
 * kernel writes, except samples. */
struct pd_sample_id {
	uint64_t has; /* PERF_SAMPLE_* bits of the decoded fields */
	uint64_t time, id, stream_id;
	uint32_t pid, tid, cpu;
};

/* A decoded record that is not a sample. `kind` is its PERF_RECORD_* type. Strings are borrowed. */
struct pd_side {
	uint32_t kind;
	uint16_t misc;
	struct pd_sample_id id;
	union {
		struct { /* for PERF_RECORD_MMAP and MMAP2 */
			uint32_t pid, tid;
			uint64_t start, len, pgoff;
			const char *path;
			/* the mapping contains data and no code (PERF_RECORD_MISC_MMAP_DATA) */
			bool is_data;
			bool has_prot; /* MMAP2: prot and flags are known */
			uint32_t prot, flags;
			uint32_t maj, min; /* MMAP2, if it has no build-id */
			uint64_t ino, ino_generation;
			uint8_t build_id[20];
			uint8_t build_id_size; /* 0 means that the record has no build-id */
		} map;
		struct { /* for COMM */
			uint32_t pid, tid;
			const char *comm;
			bool exec; /* PERF_RECORD_MISC_COMM_EXEC: the process has called exec() */
		} comm;
		struct { /* for FORK and EXIT */
			uint32_t pid, ppid, tid, ptid;
			uint64_t time;
		} task;
		struct { /* for LOST and LOST_SAMPLES; the latter has id 0 */
			uint64_t id, lost;
		} lost;
		struct { /* for THROTTLE and UNTHROTTLE */
			uint64_t time, id, stream_id;
		} throttle;
		/* for SWITCH and SWITCH_CPU_WIDE; `out` says that the thread leaves the CPU */
		struct {
			bool out, preempt;
			uint32_t next_prev_pid, next_prev_tid;
		} context;
		struct { /* for KSYMBOL */
			uint64_t addr;
			uint32_t len;
			bool unregister;
			const char *name;
		} ksymbol;
		struct { /* for NAMESPACES */
			uint32_t pid, tid;
		} namespaces;
		struct { /* for CGROUP */
			uint64_t id;
			const char *path;
		} cgroup;
		struct { /* for AUX */
			uint64_t offset, size, flags;
		} aux;
	};
};

/*
 * Decodes any record except a sample. Returns 1 and sets *out. Returns 0 for a record that memdb
 * does not import (FINISHED_ROUND, HEADER_*, unknown types, …); then only out->kind and out->misc
 * are set and, if the kernel wrote the record, out->id. Returns MD_EFORMAT if the record is too
 * short for its fields, which is counted in damaged_records.
 */
int pd_side(struct pd_file *f, const struct pd_raw *rec, struct pd_side *out);

/* Gets the time of a record without decoding the rest, for sorting. Returns false if the record has
 * no time; in records that perf itself makes, 0 or -1 stands for no time. */
bool pd_time(struct pd_file *f, const struct pd_raw *rec, uint64_t *time);

/* Gets the register `reg` (PERF_REG_X86_*, PERF_REG_ARM64_*) from user_regs. Returns false if it
 * was not recorded. */
bool pd_user_reg(const struct pd_file *f, const struct pd_sample *s, unsigned reg, uint64_t *value);

/*
 * Sorts records by time, like perf's ordered_events. Records wait until a FINISHED_ROUND guarantees
 * that no older record can follow: then all records up to the largest time of the previous round
 * are returned. Records with equal times keep their order in the file. At most half a million
 * ascending runs of records wait. In a compressed file they are copied, and the copies are limited
 * to 512 MiB. A run takes 56 bytes, however many records it has. A record that is older than one
 * already returned is returned at once and counted as late.
 */
struct pd_order;

int pd_order_open(struct pd_file *f, struct pd_order **out, struct md_err *err);
void pd_order_close(struct pd_order *o);

/* Gets the next record by time. A record without a time keeps its position in the file; *time is 0
 * then. Returns 1, 0 at the end, or MD_ENOMEM. *rec is borrowed until the next call. */
int pd_order_next(struct pd_order *o, struct pd_raw *rec, uint64_t *time, struct md_err *err);
uint64_t pd_order_late(const struct pd_order *o);

/* Like pd_position(), but counts only the records that were returned. It is an estimate. */
uint64_t pd_order_position(const struct pd_order *o);

#endif
