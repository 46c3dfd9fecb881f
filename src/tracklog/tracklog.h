/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the tracker's logs: merges the records of all threads into one sequence of events in the
 * order of time. A log may end anywhere (SIGKILL, full disk), and its bytes are untrusted.
 * preload/track_format.h describes the format; the tracker uses the same header. A log covers one
 * process image: from its start (or exec, or fork) to its end (or exec). Pid and start time
 * together identify it, because pids are reused.
 */
#ifndef MEMDB_TRACKLOG_TRACKLOG_H
#define MEMDB_TRACKLOG_TRACKLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "track_format.h" /* for enum tl_kind and enum tl_function */

/* Returns the name of a function, such as "malloc", or "unknown". */
const char *tl_function_name(enum tl_function f);

struct tl_event {
	enum tl_kind kind;
	enum tl_function function;
	uint64_t time; /* CLOCK_MONOTONIC, ns */
	uint32_t tid;
	int32_t cpu;            /* -1 means unknown */
	uint64_t address, size; /* size: bytes; in a TL_DEATH, 0 means unknown */
	/* realloc (TL_BIRTH) and mremap (TL_MAP): address of the block that the new block replaces;
	 * 0 means none */
	uint64_t old_address;
	/* TL_BIRTH: number of blocks that the event represents, 1 to TRACK_SAMPLE_MOST */
	uint32_t weight;
	uint32_t stack; /* argument for tl_frame(); 0 means that the event has no stack, or an
			 * unknown one */
	int result;     /* policy and affinity calls: 0, or the errno */

	/* The members from here on are for some kinds of events only. Their pointers are borrowed
	 * until the next tl_next(). */
	struct {
		int32_t mode; /* MPOL_* or MADV_* */
		uint32_t flags;
		const uint64_t *nodes; /* bit mask of nwords words */
		uint32_t nwords;
	} policy;
	uint32_t subject;     /* pid or tid on which the call acts */
	const uint64_t *cpus; /* bit mask of ncpuwords words */
	uint32_t ncpuwords;
	const char *name;
	struct {
		/* distance in bytes between two addresses whose nodes were looked up; not the size
		 * of a page */
		uint64_t page_bytes;
		const int32_t *nodes; /* node of address + i * page_bytes, or a negative errno */
		uint32_t count;
	} homes;
	/* TL_THREAD: `address` is the thread pointer. In the event of the image's first thread,
	 * `modules` has entries, and `size` is the distance from the thread pointer of any other
	 * thread to the end of that thread's stack; 0 means unknown */
	struct {
		const struct track_tls *modules;
		uint32_t count;
	} tls;
};

/* Describes the process image. Complete before the first tl_next(). */
struct tl_info {
	uint32_t pid, ppid;
	uint64_t start_ns; /* CLOCK_MONOTONIC when tracking began */
	/* SEQUENCE in the name of the log's own file, PID-START-SEQUENCE.log; 0 means that it has
	 * no file */
	uint32_t sequence;
	const char *exe;       /* path of the executable */
	const char *command;   /* command line, words separated by blanks; "" means unknown */
	uint64_t min_size;     /* heap blocks below this size were not recorded */
	uint64_t sample_bytes; /* heap blocks below this size were sampled */
	uint32_t sample_every; /* N: one in N of these blocks was recorded; 0 means all */
	uint64_t page_bytes;   /* page size of the system */
	uint64_t slot; /* number of the slot in which the log begins + 1; 0 means that it begins in
			* no slot */
	/* fork() started the image: it inherits the blocks of its parent, whose births are in
	 * the parent's log */
	bool forked;
	/* the program defines malloc itself: its blocks are in the log only if its malloc passes
	 * the calls on to the tracker */
	bool own_heap;
};

/* What a log lost, for the table `losses`. Complete when tl_next() has returned 0. */
struct tl_losses {
	/* events that the tracker could not record and only counted */
	uint64_t lost_events;
	uint64_t lost_stacks;   /* events whose stack is unknown */
	uint64_t short_stacks;  /* events whose stack lacks its outermost frames */
	uint64_t damaged_bytes; /* bytes that were skipped as damaged */
	uint64_t lost_children; /* forked children that could not begin a log */
	char what[200];         /* a sentence about the first damage; "" means that there is no
				 * damage */
};

/* One moment on each clock that perf can use, in ns except for ticks. 0 means unknown. */
struct tl_moment {
	uint64_t ticks; /* time-stamp counter; 0 if the log does not use it */
	uint64_t monotonic, monotonic_raw, boottime, realtime;
};

struct tl_log;

/*
 * Opens the log in buf[0..len), which is borrowed and must outlive *out. The caller owns *out and
 * frees it with tl_close(). Returns 0, or with *out NULL:
 *   MD_EFORMAT   not a tracker log, or its header is damaged
 *   MD_ENOTSUP   a log of another version
 *   MD_ENOMEM
 */
int tl_open_mem(const void *buf, size_t len, struct tl_log **out, struct md_err *err);

/*
 * Lists the names of the logs in a folder: file names, and "shared.log:N" for a log that begins in
 * slot N of the shared file and has no file of its own. Returns 0, MD_EIO if the folder cannot be
 * read (err->sys is errno), or MD_ENOMEM. The caller frees *out with tl_names_release().
 */
struct tl_names {
	char **at;
	uint32_t n, cap;
	uint64_t missing; /* bytes by which the shared file is shorter than its used part */
};
int tl_names(const char *dir, struct tl_names *out, struct md_err *err);
void tl_names_release(struct tl_names *names);

/*
 * Is the file that a tracker has made no log yet, because the process ended too early? Nothing is
 * lost then. The tracker makes the empty file long, fills in the header, stores its magic, and only
 * then claims chunks. So a file that is short or has a chunk has lost its header. tl_names() leaves
 * out such files. (capture.json tells of files that were emptied later.)
 */
bool tl_is_unborn(int fd);

/* Opens FOLDER/NAME, where NAME is one that tl_names() lists. Errors are those of tl_open_mem(),
 * and MD_EIO. */
int tl_open_path(const char *path, struct tl_log **out, struct md_err *err);
void tl_close(struct tl_log *l); /* l may be NULL */

const struct tl_info *tl_info(const struct tl_log *l);
const struct tl_losses *tl_losses(const struct tl_log *l);

/* Gets the next event in the order of time. Events of one thread keep their order. Returns 1 and
 * sets *e, 0 at the end, or MD_ENOMEM. Uses memory only for the list of chunks, one event for each
 * stream (track_format.h), and the stacks. */
int tl_next(struct tl_log *l, struct tl_event *e, struct md_err *err);

/* For progress: tl_size() returns the size of all chunks, tl_position() the size of the chunks that
 * were read to their end. */
uint64_t tl_size(const struct tl_log *l);
uint64_t tl_position(const struct tl_log *l);

/* What tl_frame() returns as the caller of an outermost frame. TL_STACK_WHOLE: the frame has no
 * caller, so the stack is complete. TL_STACK_TRUNCATED: the frame has callers, but they are
 * unknown. */
enum { TL_STACK_WHOLE, TL_STACK_TRUNCATED };

/* Gets the innermost frame of a stack. *pc is its return address; for the stack of an event, the
 * one in the caller of the interposed function. *caller is the number of the stack without this
 * frame, which is smaller than `stack`. Returns false if `stack` is unknown or is one of the
 * numbers above. */
bool tl_frame(const struct tl_log *l, uint32_t stack, uint64_t *pc, uint32_t *caller);

/*
 * Collects all moments of a log, in no particular order. The caller frees *out with free(). Returns
 * 0 or MD_ENOMEM. Reads the entire log. If the moments are 10 ms apart, interpolating between them
 * yields the time of an event with an error below 0.1 µs.
 */
int tl_moments(const struct tl_log *l, struct tl_moment **out, uint32_t *n, struct md_err *err);

#endif
