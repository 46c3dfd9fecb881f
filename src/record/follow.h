/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that periodically looks at the program from outside and writes follow.log (format:
 * tracklog/follow.h). A long look delays the next one, so that all looks together take at most 2 %
 * of one CPU.
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
	FILE *out;            /* follow.log; owned by the caller, not used after follow_stop() */
	pid_t root;           /* the program's first process */
	uint64_t interval_ns; /* time between two looks; the first few come sooner */
	bool homes;           /* ask for page homes: pointless with a single node */
	uint64_t page_bytes;
	const char *track_dir;   /* files mapped from here are the tracker's; NULL none */
	struct jitmaps *jitmaps; /* called for each process; or NULL */
};

struct follow_stats {
	unsigned looks;
	uint64_t cpu_ns; /* CPU time of all looks */
	uint64_t pages;  /* pages whose home was asked for */
	bool write_failed;
};

struct follow;

/*
 * Writes the first line, the topology, the page size, and the policy, affinity and nodes that the
 * program inherits from this process. follow_stats.write_failed reports errors.
 */
void follow_write_head(FILE *out, const char *root, uint64_t page_bytes);

/* Starts the thread, which copies *o. Returns 0, MD_ENOMEM or MD_ESYS. */
int follow_start(const struct follow_options *o, struct follow **out, struct md_err *err);

/* Ends the thread at once and frees f. stats and f may be NULL. */
void follow_stop(struct follow *f, struct follow_stats *stats);

#endif
