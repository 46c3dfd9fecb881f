/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores looks at the page tables: the nodes on which pages were found. Looks are given in time
 * order. The latest look at an address range counts.
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
	uint32_t nodes; /* position of the first page's node in looks.nodes */
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
	uint32_t unused_nodes; /* number of elements of nodes to which no span refers any more */
	struct {
		struct rangemap *at; /* by process - 1: start -> position in spans */
		uint32_t n, cap;
	} maps;
	bool nomem;
};

void looks_release(struct looks *l);

/* Adds a look at count pages of a process. A node below 0 means that the page is not present.
 * Ignores a range that leaves the address space. */
void looks_add(struct looks *l, uint32_t process, uint64_t start, uint64_t step,
	       const int32_t *nodes, uint32_t count, uint64_t time);

/* Discards what is known about [start, end) and keeps what is known around it. */
void looks_forget(struct looks *l, uint32_t process, uint64_t start, uint64_t end);

/* Returns the look that covers an address, or NULL. Valid until the next change. */
const struct look_span *looks_at(const struct looks *l, uint32_t process, uint64_t address);

/* Returns the node for an address in *s. If the look includes the address's page, this is the
 * page's node. Else it is the node of the look's page before the address, or of the page after it
 * if the former is not present. -1 if neither is present, or if the two are on different nodes.
 * Sets *asked to the address of the page that decided. */
int32_t looks_node(const struct looks *l, const struct look_span *s, uint64_t address,
		   uint64_t page_bytes, uint64_t *asked);

#endif
