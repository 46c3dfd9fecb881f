/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts that the follower reports only afterwards. */
#ifndef MEMDB_IMPORT_AHEAD_H
#define MEMDB_IMPORT_AHEAD_H

#include <stdint.h>

#include "tracklog/follow.h"

struct import;

enum { NODES_MOST = 1024 }; /* the kernel's own limit */

/* A report of the follower about the time since its previous look. */
struct told_later {
	enum fl_kind kind; /* FL_FREE, FL_COLLAPSE */
	uint32_t id;       /* node number; pid */
	uint64_t since, time, bytes;
};

struct ahead {
	struct told_later *at; /* in the log's order */
	uint32_t n, cap;
	uint32_t next;                  /* position of the first report not yet applied */
	uint64_t free_next[NODES_MOST]; /* per node, at the first look; UINT64_MAX: none */
};

/* ahead_read() reads these reports from the log. ahead_reach() applies those up to a time.
 * ahead_free() gives the least number of free bytes of a node between the start, when it had so
 * many, and the first look. */
int ahead_read(struct import *im);
void ahead_reach(struct import *im, uint64_t time);
uint64_t ahead_free(const struct import *im, uint32_t node, uint64_t bytes);

#endif
