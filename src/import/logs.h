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
	struct tl_log *log; /* NULL before start_ns and after its end */
	char *name;
	uint64_t slot; /* 1 + number of its slot in the shared file, 0 means no slot */
	uint64_t start_ns;
	struct tl_event next;    /* valid while log is open */
	struct tl_losses losses; /* complete once the end is read */
	uint64_t passed;         /* bytes of this log already counted in tracks.passed */
	uint32_t process;        /* id, 0 means before its first event */
	uint32_t mapped_by; /* id of the process that mapped it, according to perf; 0 means none */
	struct {
		uint64_t address;
		uint32_t tid, policy;
	} leaving; /* the range that mremap has unmapped and not yet mapped elsewhere */
	struct {
		struct stack_path {
			/* generation of the process's code when `path` was computed */
			uint64_t generation;
			uint32_t path; /* 0 means not computed yet */
		} * at;
		uint32_t n, cap;
	} stacks; /* by stack number */
};

/* All logs, sorted by name. */
struct tracks {
	struct track *at;
	uint32_t n, cap;
	uint64_t bytes, passed; /* total bytes of all logs; bytes read so far */
	uint32_t files;         /* number of logs found, readable or not */
	struct index index;     /* finds logs by name and by slot */
	struct heap next;       /* positions in `at`, by time of the next event or of the start */
	uint64_t sample_every,
		/* heap blocks below this size were sampled, one in this many bytes */
		sample_bytes;
	uint64_t unpaired_deaths; /* deaths of blocks whose birth was not seen */
	uint64_t unknown_tids;    /* events of threads whose tid in perf's namespace is unknown */
	uint64_t unsound_looks;   /* looks at pages with impossible node numbers */
};

/* Finds all logs in the folder. No folder is not an error, unless the user named it. Returns 0 or
 * an MD_E*. */
int tracks_open(struct import *im);
/* Closes and frees all logs. Keeps the counters. */
void tracks_close(struct import *im);
/* Sets *oldest to the log with the oldest next event, NULL if all are at their ends. Opens logs
 * when their time comes; they close at their end, so only those of live processes are open. Returns
 * 0 or an MD_E*. */
int tracks_oldest(struct import *im, struct track **oldest);
/* Reads the next event of the oldest log; closes the log at its end. Returns 0 or an MD_E*. */
int tracks_advance(struct import *im, struct track *t);

#endif
