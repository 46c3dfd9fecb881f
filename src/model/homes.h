/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Homes: on which node a page lives, from looks at the page tables and from first touches, both
 * given in time order.
 */
#ifndef MEMDB_MODEL_HOMES_H
#define MEMDB_MODEL_HOMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/rangemap.h"
#include "model/ranges.h"

/* A look at some pages: node of the page at start + i * step, for all up to end. */
struct home_span {
	uint64_t start, end, step, time;
	uint32_t nodes; /* position of the first in homes.nodes */
};

/* The first touch of a page. */
struct home_touch {
	uint64_t page, time; /* page: address / page size */
	uint32_t process;
	int32_t node;
};

struct homes {
	uint64_t page_bytes;
	struct {
		struct home_span *at;
		uint32_t n, cap;
	} spans;
	struct {
		int16_t *at;
		uint32_t n, cap;
	} nodes;
	uint32_t unused_nodes; /* of nodes: no span names them any more */
	struct {
		struct home_touch *at;
		uint32_t n, cap;
	} touches;
	struct {
		struct rangemap *at; /* by process - 1: start -> position in spans */
		uint32_t n, cap;
	} maps;
	struct {
		struct ranges *at; /* by process - 1: when pages were moved by a call */
		uint32_t n, cap;
	} moves;
	struct index touch_index;
	bool nomem;
};

void homes_init(struct homes *h, uint64_t page_bytes);
void homes_release(struct homes *h);

/* A look at count pages of a process; nodes below 0: the page is not there. */
void homes_look(struct homes *h, uint32_t process, uint64_t start, uint64_t step,
		const int32_t *nodes, uint32_t count, uint64_t time);

/* A fault at address while the page's block or mapping lives since `birth` (0 unknown), on a CPU of
 * this node: true if it is the first touch since then. */
bool homes_touch(struct homes *h, uint32_t process, uint64_t address, uint64_t birth, int32_t node,
		 uint64_t time);

/* A call may have moved these pages: what was known of them is out of date. */
void homes_move(struct homes *h, uint32_t process, uint64_t start, uint64_t end, uint64_t time);

/* The node by the nearest earlier look, or by the first touch, not older than birth; -1 unknown. */
int32_t homes_by_look(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth);
int32_t homes_by_touch(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth);

/*
 * The best of both, not older than birth; -1 unknown. A look at the page itself counts, then the
 * page's first touch. Where a look skipped the page, a neighbour that was looked at stands for it
 * if nothing is known of the page, or if that neighbour has left the node of its own first touch.
 * *looked: the node comes from a look.
 */
int32_t homes_find(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth,
		   bool *looked);

#endif
