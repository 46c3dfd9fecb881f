/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at the page tables, given in time order: on which node pages were found. The latest look at
 * an address range counts.
 */
#ifndef MEMDB_MODEL_LOOK_H
#define MEMDB_MODEL_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/rangemap.h"

/* A look at some pages: the nodes of the pages at start + i * step, up to end. */
struct look_span {
	uint64_t start, end, step, time;
	uint32_t nodes; /* position of its first node in looks.nodes */
};

/* { 0 } is empty. */
struct looks {
	struct {
		struct look_span *at;
		uint32_t n, cap;
	} spans;
	struct {
		int16_t *at; /* -1: the page was not present */
		uint32_t n, cap;
	} nodes;
	uint32_t unused_nodes; /* how many elements of nodes no span refers to any more */
	struct {
		struct rangemap *at; /* by process - 1: start -> position in spans */
		uint32_t n, cap;
	} maps;
	bool nomem;
};

void looks_release(struct looks *l);

/* A look at count pages of a process. A node below 0 means that the page is not present. A range
 * that leaves the address space is ignored. */
void looks_add(struct looks *l, uint32_t process, uint64_t start, uint64_t step,
	       const int32_t *nodes, uint32_t count, uint64_t time);

/* Discards what is known about [start, end) and keeps what is known around it. */
void looks_forget(struct looks *l, uint32_t process, uint64_t start, uint64_t end);

/* The look that covers an address, or NULL. Valid until the next change. */
const struct look_span *looks_at(const struct looks *l, uint32_t process, uint64_t address);

/* The node for an address in *s: that of its own page if it was looked at, else that of the nearest
 * page that was. -1 if that page is not present, or if the pages before and after the address are
 * on different nodes. *asked is the address of the page that decided. */
int32_t looks_node(const struct looks *l, const struct look_span *s, uint64_t address,
		   uint64_t page_bytes, uint64_t *asked);

#endif
