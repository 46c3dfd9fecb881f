/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads in advance what the follower reports only afterwards. */
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
	struct told_later *at; /* sorted by `since` */
	uint32_t n, cap;
	uint32_t next;                  /* position of the first report not yet applied */
	uint64_t free_next[NODES_MOST]; /* per node, at its first look; UINT64_MAX means none */
};

/* Reads the reports from the follower's log. Returns 0, MD_ENOMEM, or the error of the log. */
int ahead_read(struct import *im);
/* Applies the reports that hold from `time` or earlier to the model. */
void ahead_reach(struct import *im, uint64_t time);
/* Returns the least number of free bytes of a node between the start, when it has `bytes`, and the
 * first look. */
uint64_t ahead_free(const struct import *im, uint32_t node, uint64_t bytes);

#endif
