/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that reads the state of the program's processes from /proc at intervals (a "look") and
 * writes it to follow.log (format: tracklog/follow.h). The pause after a look is at least 50 times
 * as long as the CPU time of the look, so that all looks together take at most 2 % of one CPU.
 */
#ifndef MEMDB_RECORD_FOLLOW_H
#define MEMDB_RECORD_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/err.h"
#include "record/jitmaps.h"

struct follow_options {
	/* the open follow.log, owned by the caller; in use until follow_stop() returns */
	FILE *out;
	pid_t root; /* first process of the program */
	/* pause between two looks. The first pauses are shorter; the pause after a look that took
	 * much CPU time is longer. 0 means only one look at the nodes, in follow_stop() */
	uint64_t interval_ns;
	/* whether to find out on which nodes pages are; useless if the machine has only one node */
	bool homes;
	uint64_t page_bytes;
	/* folder of the tracker's logs; their mappings are skipped, because they are not the
	 * program's memory. NULL means none */
	const char *track_dir;
	struct jitmaps *jitmaps; /* jitmaps_see() is called for each process that is new or executes
				  * a new program; may be NULL */
};

struct follow_stats {
	unsigned looks;
	uint64_t cpu_ns; /* CPU time that all looks took */
	uint64_t pages;  /* number of pages whose nodes were queried */
	bool write_failed;
};

struct follow;

/* Writes the first line, the topology, the page size, and the settings that the program inherits
 * from this process: policy, affinity and permitted nodes. Also writes whether the kernel balances
 * pages, and its counters of pages on other nodes. follow_stats.write_failed reports errors. */
void follow_write_head(FILE *out, const char *root, uint64_t page_bytes);

/* Copies *o and starts the thread. Returns 0, MD_ENOMEM or MD_ESYS. */
int follow_start(const struct follow_options *o, struct follow **out, struct md_err *err);

/* Ends the thread, looks at the nodes once more if follow_options.homes is set, and frees f. stats
 * and f may be NULL. */
void follow_stop(struct follow *f, struct follow_stats *stats);

#endif
