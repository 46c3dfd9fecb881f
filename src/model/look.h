/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at the page tables, given in time order: on which node pages were found. What was seen last
 * of a range of addresses counts.
 */
#ifndef MEMDB_MODEL_LOOK_H
#define MEMDB_MODEL_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/rangemap.h"

/* A look at some pages: node of the page at start + i * step, for all up to end. */
struct look_span {
	uint64_t start, end, step, time;
	uint32_t nodes; /* position of the first in looks.nodes */
};

/* { 0 } is empty. */
struct looks {
	struct {
		struct look_span *at;
		uint32_t n, cap;
	} spans;
	struct {
		int16_t *at; /* -1: the page was not there */
		uint32_t n, cap;
	} nodes;
	uint32_t unused_nodes; /* of nodes: no span names them any more */
	struct {
		struct rangemap *at; /* by process - 1: start -> position in spans */
		uint32_t n, cap;
	} maps;
	bool nomem;
};

void looks_release(struct looks *l);

/* A look at count pages of a process; nodes below 0: the page is not there. A range that leaves the
 * address space is ignored. */
void looks_add(struct looks *l, uint32_t process, uint64_t start, uint64_t step,
	       const int32_t *nodes, uint32_t count, uint64_t time);

/* What was seen of [start, end) is out of date; what was seen around it is not. */
void looks_forget(struct looks *l, uint32_t process, uint64_t start, uint64_t end);

/* The look that covers an address, NULL where there is none. Valid until the next change. */
const struct look_span *looks_at(const struct looks *l, uint32_t process, uint64_t address);

/* The node of the page that was asked and stands for an address in *s: its own, or the nearest one
 * that was asked; -1 where that is not there, or where those before and behind it are on two nodes.
 * *asked: that page's address. */
int32_t looks_node(const struct looks *l, const struct look_span *s, uint64_t address,
		   uint64_t page_bytes, uint64_t *asked);

#endif
