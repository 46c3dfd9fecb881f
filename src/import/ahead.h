/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the follower tells only afterwards. */
#ifndef MEMDB_IMPORT_AHEAD_H
#define MEMDB_IMPORT_AHEAD_H

#include <stdint.h>

#include "tracklog/follow.h"

struct import;

enum { NODES_MOST = 1024 }; /* the kernel's own limit */

/* What a look of the follower says of the time since the one before. */
struct told_later {
	enum fl_kind kind; /* FL_FREE, FL_COLLAPSE */
	uint32_t id;       /* node; pid */
	uint64_t since, time, bytes;
};

struct ahead {
	struct told_later *at; /* in the log's order */
	uint32_t n, cap;
	uint32_t next;                  /* those before have come */
	uint64_t free_next[NODES_MOST]; /* of each node at the first look; UINT64_MAX: none */
};

/* Reads what the log has of that; what it tells of the time up to now comes about; the least that a
 * node has from the start, when it had so many bytes, until the first look. */
int ahead_read(struct import *im);
void ahead_reach(struct import *im, uint64_t time);
uint64_t ahead_free(const struct import *im, uint32_t node, uint64_t bytes);

#endif
