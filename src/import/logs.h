/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the tracker's logs, merged by time. */
#ifndef MEMDB_IMPORT_LOGS_H
#define MEMDB_IMPORT_LOGS_H

#include <stdint.h>

#include "base/heap.h"
#include "base/index.h"
#include "tracklog/tracklog.h"

struct import;

/* One tracker log. */
struct track {
	struct tl_log *log; /* NULL before its start time and after its last event */
	char *name;
	/* number of the log's slot in the file that new processes share, + 1; 0 means the log is
	 * a file of its own */
	uint64_t slot;
	uint64_t start_ns;
	struct tl_event next;    /* next event of the log; valid while log is open */
	struct tl_losses losses; /* complete after the last event */
	uint64_t passed;         /* bytes of this log that tracks.passed already counts */
	uint32_t process;        /* processes.id; 0 before the log's first event */
	/* processes.id of the process that mapped the log, as perf has recorded it; 0 means none */
	uint32_t mapped_by;
	struct {
		struct thread_tid {
			/* the tid in the log, and the same thread's tid in perf's numbering
			 * (they differ in a PID namespace) */
			uint32_t tid, perfs;
		} * at;
		uint32_t n, cap;
	} tids; /* threads that mapped a page to show perf's tid (images.h); sorted by tid */
	struct {
		uint64_t address;
		uint32_t tid, policy;
		/* for mremap(): the range that the current call has unmapped and not yet mapped at
		 * its new address */
	} leaving;
	struct {
		struct stack_path {
			/* code generation of the process when `path` was resolved; a later
			 * generation makes it invalid */
			uint64_t generation;
			uint32_t path; /* call_paths.id; 0 means not resolved */
		} * at;
		uint32_t n, cap;
	} stacks; /* indexed by the number of the stack in the log */
};

/* All logs, sorted by name. */
struct tracks {
	struct track *at;
	uint32_t n, cap;
	/* size of all logs, and how much of it was read, bytes; for the progress display */
	uint64_t bytes, passed;
	uint32_t files;     /* number of logs found, readable or not */
	struct index index; /* finds logs by file name and by slot */
	/* heap of the logs by the time of their next event, or of their start; `source` is the
	 * position in `at` */
	struct heap next;
	uint64_t sample_every,
		/* the tracker recorded only some of the heap blocks below sample_bytes: one in
		 * sample_every */
		sample_bytes;
	uint64_t unpaired_deaths; /* deaths of blocks whose birth was not seen */
	struct {
		struct shown_page {
			uint64_t address;
			uint32_t process, tid; /* tid in perf's numbering */
		} * at;
		uint32_t n, cap;
	} shown; /* pages that threads have mapped to show their tid to perf (images.h), until their
		    log names the pages */
	/* number of events of threads whose tid in perf's numbering is unknown */
	uint64_t unknown_tids;
	/* number of looks (queries of pages' nodes) with impossible node numbers */
	uint64_t unsound_looks;
};

/* Finds all logs in the folder. If it is missing, that is an error only if the user named it.
 * Returns 0 or an MD_E*. */
int tracks_open(struct import *im);
/* Closes and frees all logs. Keeps the counters. */
void tracks_close(struct import *im);
/* Sets *oldest to the log with the oldest next event; NULL means that all logs have been read. A
 * log is opened at its start time, and tracks_advance() closes it at its end, so only logs of live
 * processes are open. Returns 0 or an MD_E*. */
int tracks_oldest(struct import *im, struct track **oldest);
/* Reads the next event of the oldest log. Closes the log if there is none. Returns 0 or an
 * MD_E*. */
int tracks_advance(struct import *im, struct track *t);

#endif
