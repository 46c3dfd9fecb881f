/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads in advance what the follower reports only afterwards: full nodes and huge pages. */
#ifndef MEMDB_IMPORT_PRESCAN_H
#define MEMDB_IMPORT_PRESCAN_H

#include <stdint.h>

#include "tracklog/follow.h"

struct import;

enum { NODES_MOST = 1024 }; /* node numbers are below this, as in the kernel (MAX_NUMNODES) */

/* A change that happened between two observations of the follower: one at `since` and the next one,
 * which reports the change. */
struct told_later {
	/* FL_FOREIGN: the kernel placed on other nodes pages that belong on the node `id`.
	 * FL_COLLAPSE: the kernel made huge pages in a process */
	enum fl_kind kind;
	uint32_t id; /* FL_FOREIGN: node number; FL_COLLAPSE: pid, 0 means each process */
	/* earliest start and latest end of the change. For FL_FOREIGN, `until` is 0 if nothing
	 * changed, and UINT64_MAX if there is no next observation */
	uint64_t since, until;
	uint64_t pages; /* FL_FOREIGN: total number of these pages since the kernel started */
};

struct ahead {
	struct told_later *at; /* sorted by `since` */
	uint32_t n, cap;
	uint32_t next; /* position in `at` of the first report not yet applied */
};

/* Reads the reports from the follower's log. Returns 0, MD_ENOMEM, or the error of the log. */
int ahead_read(struct import *im);
/* Returns the `since` of the next report; UINT64_MAX if there is none. */
uint64_t ahead_time(const struct import *im);
/* Applies the next report to the model. The home nodes of new pages depend on it, so it must be
 * applied before other events of the same time. */
void ahead_step(struct import *im);

#endif
