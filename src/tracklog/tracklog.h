/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the tracker's logs: merges the chunks that threads wrote into one stream of events in time
 * order. A log may end anywhere (SIGKILL, full disk) and its bytes are untrusted. The format is in
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

const char *tl_function_name(enum tl_function f); /* Returns "malloc", …, or "unknown". */

struct tl_event {
	enum tl_kind kind;
	enum tl_function function;
	uint64_t time; /* CLOCK_MONOTONIC, ns */
	uint32_t tid;
	int32_t cpu;            /* -1 unknown */
	uint64_t address, size; /* bytes; a TL_DEATH of size 0 means unknown */
	uint64_t old_address; /* the block that a realloc (TL_BIRTH) or mremap (TL_MAP) replaces; 0
				 none */
	uint32_t weight;      /* TL_BIRTH: the number of blocks that this event stands for, 1 to
				 TRACK_SAMPLE_MOST */
	uint32_t stack;       /* for tl_stack(), 0 none */
	int result;           /* of policy and affinity calls: 0 or the errno */

	/* The rest is borrowed until the next tl_next(). */
	struct {
		int32_t mode; /* MPOL_* or MADV_* */
		uint32_t flags;
		const uint64_t *nodes; /* bit mask, nwords words */
		uint32_t nwords;
	} policy;
	uint32_t subject;     /* pid or tid on which the call acts */
	const uint64_t *cpus; /* bit mask, ncpuwords words */
	uint32_t ncpuwords;
	const char *name;
	struct {
		uint64_t page_bytes; /* distance between two queried addresses (not the page size of
					a huge page) */
		const int32_t *nodes; /* node, or a negative errno, of address + i * page_bytes */
		uint32_t count;
	} homes;
	struct { /* TL_THREAD: size is the bytes from the thread pointer (address) to the end of
		    the thread's stack, as libc lays it out; 0 not known */
		const struct track_tls *modules;
		uint32_t count;
	} tls;
};

/* Description of the process image. Complete before the first tl_next(). */
struct tl_info {
	uint32_t pid, ppid;
	uint64_t start_ns;     /* CLOCK_MONOTONIC at the start of tracking */
	uint32_t sequence;     /* 0 for the process's first image, +1 with each exec */
	const char *exe;       /* path of the executable */
	const char *command;   /* argv, words separated by a blank; "" unknown */
	uint64_t min_size;     /* heap blocks below this size were not recorded */
	uint64_t sample_bytes; /* for heap blocks below this size … */
	uint32_t sample_every; /* … one in this many was recorded; 0 means all were */
	uint64_t page_bytes;   /* the system's page size */
	uint64_t slot; /* 1 + number of the shared file's slot in which the log begins; 0 none */
	bool forked; /* started by fork: the image inherits the parent's blocks, whose births are in
			the parent's log */
};

/* Losses of a log, for the database table losses. Complete only after tl_next() has returned 0. */
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

/* One moment, read on each clock that perf can use. Nanoseconds, except ticks; 0 means unknown. */
struct tl_moment {
	uint64_t ticks; /* time-stamp counter; 0 if the log does not use this counter */
	uint64_t monotonic, monotonic_raw, boottime, realtime;
};

struct tl_log;

/*
 * Opens the log in buf[0..len), which is borrowed and must outlive *out. The caller owns *out and
 * frees it with tl_close(). Returns 0, or with *out NULL:
 *   MD_EFORMAT   not a tracker log;  MD_ENOTSUP  of another version;  MD_ENOMEM
 */
int tl_open_mem(const void *buf, size_t len, struct tl_log **out, struct md_err *err);

/*
 * Lists the names of the logs in a folder: file names, and "shared.log:N" for a log that has only
 * slot N of the shared file. Returns 0, MD_EIO if the folder cannot be read (err->sys is errno), or
 * MD_ENOMEM. The caller frees *out with tl_names_release().
 */
struct tl_names {
	char **at;
	uint32_t n, cap;
};
int tl_names(const char *dir, struct tl_names *out, struct md_err *err);
void tl_names_release(struct tl_names *names);

/* Opens FOLDER/NAME, where NAME is one of tl_names(). Errors are those of tl_open_mem(), and
 * MD_EIO. */
int tl_open_path(const char *path, struct tl_log **out, struct md_err *err);
void tl_close(struct tl_log *l); /* NULL is fine */

const struct tl_info *tl_info(const struct tl_log *l);
const struct tl_losses *tl_losses(const struct tl_log *l);

/* Gets the next event in time order. Events of one thread keep their order. Returns 1 and sets *e,
 * 0 at the end, or MD_ENOMEM. Keeps in memory the list of chunks, one event per stream, and the
 * stacks. */
int tl_next(struct tl_log *l, struct tl_event *e, struct md_err *err);

/* For progress: tl_size() returns the bytes of all chunks, tl_position() those of the chunks that
 * were read to their end. */
uint64_t tl_size(const struct tl_log *l);
uint64_t tl_position(const struct tl_log *l);

/*
 * Gets the stack of an event: return addresses from the caller of the interposed function outward.
 * Equal stacks of one log may have several numbers. *pcs is borrowed until the next tl_stack() or
 * tl_close(). Returns the number of addresses, 0 if the stack is unknown or if out of memory. Sets
 * *truncated if the outermost frame of the stack is not the thread's first frame.
 */
uint32_t tl_stack(struct tl_log *l, uint32_t stack, const uint64_t **pcs, bool *truncated);

/* Stack numbers that end a walk over callers: no caller exists, or the caller is unknown. */
enum { TL_STACK_WHOLE, TL_STACK_TRUNCATED };

/* Gets the innermost frame of a stack: its return address, and the stack number of its caller,
 * which is smaller than `stack`. False if `stack` is not a stack or is one of the numbers above. */
bool tl_frame(const struct tl_log *l, uint32_t stack, uint64_t *pc, uint32_t *caller);

/* Returns 1 + the largest stack number so far. Callers use it to size a cache by stack number. */
uint32_t tl_stack_count(const struct tl_log *l);

/*
 * Collects all moments of a log, unordered. The caller frees *out with free(). Returns 0 or
 * MD_ENOMEM. Reads the whole log. If the moments are 10 ms apart, interpolation between them
 * converts an event's time with an error below 0.1 µs.
 */
int tl_moments(const struct tl_log *l, struct tl_moment **out, uint32_t *n, struct md_err *err);

#endif
