/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracker's logs: merges the chunks that threads wrote into one stream of events in time order.
 * A log may end anywhere (SIGKILL, full disk) and its bytes are untrusted. The format is in
 * preload/track_format.h, which this reader and the tracker share. One log covers one process
 * image: from its start (or exec, or fork) to its end (or exec). A pid and a start time identify
 * it, never the pid alone.
 */
#ifndef MEMDB_TRACKLOG_TRACKLOG_H
#define MEMDB_TRACKLOG_TRACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "track_format.h" /* enum tl_kind, enum tl_function */

const char *tl_function_name(enum tl_function f); /* "malloc", … */

struct tl_event {
	enum tl_kind kind;
	enum tl_function function;
	uint64_t time; /* CLOCK_MONOTONIC, ns */
	uint32_t tid;
	int32_t cpu;            /* -1 unknown */
	uint64_t address, size; /* bytes; a TL_DEATH of size 0: unknown */
	uint64_t old_address;   /* TL_BIRTH by realloc, TL_MAP by mremap: the block it replaces; 0
				   none */
	uint32_t weight;        /* TL_BIRTH: the number of blocks that it stands for, 1 to
				 * TRACK_SAMPLE_MOST */
	uint32_t stack;         /* for tl_stack(), 0 none */
	int result;             /* policy and affinity calls: 0 or the errno */

	/* The rest is borrowed until the next tl_next(). */
	struct {
		int32_t mode; /* MPOL_* or MADV_* */
		uint32_t flags;
		const uint64_t *nodes; /* bit mask, nwords words */
		uint32_t nwords;
	} policy;
	uint32_t subject;     /* tid the call is about */
	const uint64_t *cpus; /* bit mask, ncpuwords words */
	uint32_t ncpuwords;
	const char *name;
	struct {
		uint64_t page_bytes;  /* distance of two asked pages (not the page size of a huge
					 page) */
		const int32_t *nodes; /* node, or a negative errno, of address + i * page_bytes */
		uint32_t count;
	} homes;
	struct { /* TL_THREAD: size is the bytes from the thread pointer (address) to the end of
		    the thread's stack, as libc lays it out; 0 not known */
		const struct track_tls *modules;
		uint32_t count;
	} tls;
};

/* The description of the image, known before its first event. */
struct tl_info {
	uint32_t pid, ppid;
	uint64_t start_ns;     /* CLOCK_MONOTONIC when tracking of the image started */
	uint32_t sequence;     /* 0 for the process's first image, +1 with each exec */
	const char *exe;       /* path of the executable */
	const char *command;   /* argv, words separated by a blank; "" unknown */
	uint64_t min_size;     /* heap blocks below this size were not recorded */
	uint64_t sample_bytes; /* for heap blocks below this size … */
	uint32_t sample_every; /* … one in this many was recorded; 0: all were */
	uint64_t page_bytes;   /* the system's page size */
	uint64_t slot; /* 1 + number of the slot of the shared file where it begins, 0 none */
	bool forked;   /* started by fork: the parent's blocks live on in it, and their births are
			* in the parent's log */
};

/* What is missing, for the table losses. Complete only after tl_next() has returned 0. */
struct tl_losses {
	uint64_t lost_events;   /* events that the tracker dropped and counted: no room, full
				 * disk */
	uint64_t lost_stacks;   /* events with an unknown stack */
	uint64_t short_stacks;  /* events whose stack lacks its outer part */
	uint64_t damaged_bytes; /* bytes skipped as damaged */
	uint64_t lost_children; /* forked children that could not start a log */
	bool ended;             /* a TL_END was read: the image ended normally */
	char what[200];         /* a sentence about the first damage; "" if none */
};

/* One moment on each clock that perf can record by, in ns; 0: unknown. */
struct tl_moment {
	uint64_t ticks; /* of the time-stamp counter, where the log's times are by it */
	uint64_t monotonic, monotonic_raw, boottime, realtime;
};

struct tl_log;

/*
 * Opens the image buf[0..len) (borrowed, must outlive *out). Returns 0, or with *out NULL:
 *   MD_EFORMAT   not a tracker log;  MD_ENOTSUP  of another version;  MD_ENOMEM
 */
int tl_open_mem(const void *buf, size_t len, struct tl_log **out, struct md_err *err);

/*
 * The names of the logs in a folder: files, and "shared.log:N" for those that have only a slot of
 * that file. Returns 0, and the caller frees *out with tl_names_release(), MD_EIO where the folder
 * cannot be read (errno says why), or MD_ENOMEM.
 */
struct tl_names {
	char **at;
	uint32_t n, cap;
};
int tl_names(const char *dir, struct tl_names *out, struct md_err *err);
void tl_names_release(struct tl_names *names);

/* Opens FOLDER/NAME by such a name; maps the file read-only. Also MD_EIO. */
int tl_open_path(const char *path, struct tl_log **out, struct md_err *err);
void tl_close(struct tl_log *l); /* NULL is fine */

const struct tl_info *tl_info(const struct tl_log *l);
const struct tl_losses *tl_losses(const struct tl_log *l);

/* The next event in time order (events of one thread keep their order): 1 and *e set, 0 at the end,
 * MD_ENOMEM. Memory: the chunk directory, one place per thread, and the stacks. */
int tl_next(struct tl_log *l, struct tl_event *e, struct md_err *err);

/* Bytes of the log's chunks, and of those that were read to their end: for progress. */
uint64_t tl_size(const struct tl_log *l);
uint64_t tl_position(const struct tl_log *l);

/*
 * The stack of an event: return addresses from the caller of the interposed function outward. Equal
 * stacks of one log may have several numbers. The array is borrowed until the next tl_stack() or
 * tl_close(). Returns how many; *truncated when the outermost frame known is not the first of the
 * thread.
 */
uint32_t tl_stack(struct tl_log *l, uint32_t stack, const uint64_t **pcs, bool *truncated);

/* What calls the outermost frame of a stack: nothing, or what is not known. */
enum { TL_STACK_WHOLE, TL_STACK_TRUNCATED };

/* The innermost frame of a stack: its return address, and the stack of its caller, a smaller
 * number. False where `stack` is one of those above, or no stack. */
bool tl_frame(const struct tl_log *l, uint32_t stack, uint64_t *pc, uint32_t *caller);

/* One past the largest stack number of the events given so far: to cache by number. */
uint32_t tl_stack_count(const struct tl_log *l);

/*
 * What the log says about how those clocks ran: *n moments, malloc'ed, in no order. Costs a walk
 * over the whole log; an event's time is off from the line through them by less than 0.1 µs where
 * they are 10 ms apart. MD_ENOMEM.
 */
int tl_moments(const struct tl_log *l, struct tl_moment **out, uint32_t *n, struct md_err *err);

#endif
