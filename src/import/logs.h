/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the tracker's logs, merged by time. */
#ifndef MEMDB_IMPORT_LOGS_H
#define MEMDB_IMPORT_LOGS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/heap.h"
#include "base/index.h"
#include "tracklog/tracklog.h"

struct import;

/* One tracker log. */
struct track {
	struct tl_log *log; /* NULL before the log's start time and after its last event */
	char *name;
	/* slot + 1 in the file in which new processes share space for their logs; 0 means that the
	 * log is a file of its own */
	uint64_t slot;
	uint64_t start_ns;
	const char *exe; /* interned; NULL before the first event, and for a forked child */
	bool built; /* whether its program was built for the sampler soft; known only at the end */
	/* the program has its own malloc (tl_info), and no call of malloc() was recorded so far */
	bool own_heap;
	uint32_t comm;           /* comms.id of the exec() that started the program; 0: unknown */
	struct tl_event next;    /* next event of the log; valid while log is open */
	struct tl_losses losses; /* events that the tracker could not log; complete when the last
				  * event has been read */
	uint64_t passed;         /* bytes of this log that tracks.passed already counts */
	uint32_t process;        /* processes.id; 0 before the log's first event */
	/* processes.id of the process that mapped the log, as perf has recorded it; 0 means none */
	uint32_t mapped_by;
	struct {
		struct thread_tid {
			/* the tid in the log, and the tid of the same thread in perf's numbering:
			 * they differ in a PID namespace */
			uint32_t tid, perfs;
		} * at;
		uint32_t n, cap;
		/* the threads whose `perfs` is known: each has mapped a page, and perf's record of
		 * this mapping has that number (images.h). Sorted by tid */
	} tids;
	struct {
		uint64_t address;
		uint32_t tid, policy;
		/* for mremap(): the range that the current call has unmapped, until the pages are
		 * mapped at their new address */
	} leaving;
	struct {
		struct stack_path {
			/* code generation (process.h) at which `path` was resolved; if the process
			 * has a later one, the path is invalid */
			uint64_t generation;
			uint32_t path; /* call_paths.id; 0 means not resolved */
			/* for event_path(), while it goes from callees to callers: the stack before
			 * this one, that of the callee; 0 means none */
			uint32_t inner;
		} * at;
		uint32_t n, cap;
	} stacks; /* indexed by the number of the stack in the log */
};

/* All logs: first the log files, sorted by name, then the logs in slots of the shared file, sorted
 * by slot. */
struct tracks {
	struct track *at;
	uint32_t n, cap;
	/* bytes of all logs, and number of those bytes that were read; for the progress display */
	uint64_t bytes, passed;
	uint32_t files; /* number of logs found, readable or not */
	/* names of logs that a program mapped, and that are not in the folder */
	struct strings gone;
	/* bytes by which the file that logs share is shorter than its used part */
	uint64_t missing_bytes;
	struct index index; /* finds the position + 1 in `at` of a log, by its file name or slot */
	/* heap of the logs, by the time of their next event, or of their start if they are not open
	 * yet; an entry's `source` is the log's position in `at` */
	struct heap next;
	uint64_t sample_every,
		/* if sample_every is not 0, the tracker recorded one in sample_every of the heap
		 * blocks below sample_bytes */
		sample_bytes;
	uint64_t unpaired_deaths; /* number of deaths of blocks whose birth is in no log */
	struct {
		struct shown_page {
			uint64_t address;
			uint32_t process, tid; /* tid in perf's numbering */
		} * at;
		uint32_t n, cap;
		/* pages that threads have mapped to show their tid in perf's numbering
		 * (images_shown()), until the log reports the page */
	} shown;
	/* number of events of threads whose tid in perf's numbering is unknown */
	uint64_t unknown_tids;
	/* number of looks (queries that ask on which nodes pages are) with impossible node numbers
	 */
	uint64_t unsound_looks;
};

/* Finds all logs in the folder. A missing folder is an error only if the user named it. Returns 0
 * or an MD_E*. */
int tracks_open(struct import *im);
/* Closes and frees all logs, and the lists of pages and of missing logs. Keeps the counts of
 * losses. */
void tracks_close(struct import *im);
/* Sets *oldest to the log with the oldest next event; NULL means that all logs have been read. A
 * log is opened at its start time, and tracks_advance() closes it at the end, so only logs of live
 * processes are open. Returns 0 or an MD_E*. */
int tracks_oldest(struct import *im, struct track **oldest);
/* Reads the next event of t, which must be the oldest log. Closes the log if it has no more.
 * Returns 0 or an MD_E*. */
int tracks_advance(struct import *im, struct track *t);

#endif
