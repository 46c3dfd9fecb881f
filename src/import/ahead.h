/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads in advance what the follower reports only afterwards: full nodes and huge pages. */
#ifndef MEMDB_IMPORT_AHEAD_H
#define MEMDB_IMPORT_AHEAD_H

#include <stdint.h>

#include "tracklog/follow.h"

struct import;

enum { NODES_MOST = 1024 }; /* node numbers are below this, as in the kernel (MAX_NUMNODES) */

/* A change that happened between two observations of the follower: one at `since` and the next one,
 * which reports the change. */
struct told_later {
	/* FL_FREE (free memory of a node) or FL_COLLAPSE (huge pages of a process) */
	enum fl_kind kind;
	uint32_t id; /* FL_FREE: node number; FL_COLLAPSE: pid */
	uint64_t since, time, bytes;
};

struct ahead {
	struct told_later *at; /* sorted by `since` */
	uint32_t n, cap;
	uint32_t next; /* position in `at` of the first report not yet applied */
	/* free bytes of each node in its first report, indexed by node number; UINT64_MAX means
	 * that there is none */
	uint64_t free_next[NODES_MOST];
};

/* Reads the reports from the follower's log. Returns 0, MD_ENOMEM, or the error of the log. */
int ahead_read(struct import *im);
/* Applies to the model all reports whose `since` is not later than `time`. */
void ahead_reach(struct import *im, uint64_t time);
/* Returns the smaller of two numbers: `bytes`, the free memory of a node in its description at the
 * start of the log, and the free memory in the node's first report. */
uint64_t ahead_free(const struct import *im, uint32_t node, uint64_t bytes);

#endif
