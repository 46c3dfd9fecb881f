/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracker's logs in the order of their events' times. */
#ifndef MEMDB_IMPORT_LOGS_H
#define MEMDB_IMPORT_LOGS_H

#include <stdint.h>

#include "base/heap.h"
#include "base/index.h"
#include "tracklog/tracklog.h"

struct import;

/* One tracker log that is being read. */
struct track {
	struct tl_log *log; /* NULL before start_ns and after its end */
	char *name;
	uint64_t slot; /* 1 + number of its slot of the shared file, 0 none */
	uint64_t start_ns;
	struct tl_event next;    /* valid while log is open */
	struct tl_losses losses; /* complete after its end */
	uint64_t passed;         /* of its bytes, so many are in tracks.passed */
	uint32_t process;        /* id, 0 before its first event */
	uint32_t mapped_by;      /* id of the process that perf saw mapping it, 0 none */
	struct {
		uint64_t address;
		uint32_t tid, policy;
	} leaving; /* the mapping that mremap has taken away last, until it puts it elsewhere */
	struct {
		struct stack_path {
			uint64_t generation; /* of the process's code when path was found */
			uint32_t path;       /* 0: not yet */
		} * at;
		uint32_t n, cap;
	} stacks; /* by number */
};

/* All logs, in the order of their names. */
struct tracks {
	struct track *at;
	uint32_t n, cap;
	uint64_t bytes, passed; /* of all logs: in all, and those that were read */
	uint32_t files;         /* logs that are there, readable or not */
	struct index index;     /* by name and by slot */
	struct heap next;       /* of positions in at, by their next event or their start */
	uint64_t sample_every,
		sample_bytes;     /* of smaller heap blocks one in so many was recorded */
	uint64_t unpaired_deaths; /* of blocks whose birth was not seen */
	uint64_t unknown_tids;    /* events of threads that perf knows by another number */
	uint64_t unsound_looks;   /* looks at pages that name nodes that cannot be */
};

int tracks_open(struct import *im);
/* Closes and forgets all logs. What was counted stays. */
void tracks_close(struct import *im);
/* The log whose next event is the oldest, or NULL; it is opened when its time comes and closed at
 * its end, so those of the processes that live are open. */
int tracks_oldest(struct import *im, struct track **oldest);
/* Reads the next event of the oldest log, which is closed at its end. */
int tracks_advance(struct import *im, struct track *t);

#endif
