/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores looks: queries of the kernel's page tables. A look shows on which nodes pages were at one
 * moment; to save time, it may list only every n-th page. Looks are added in the order of time, and
 * for each address the latest one counts. */
#ifndef MEMDB_MODEL_LOOK_H
#define MEMDB_MODEL_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/rangemap.h"

/* A look, or a part of one: the nodes of the pages at start, start + step, …, below end. */
struct look_span {
	uint64_t start, end, step, time;
	uint32_t nodes; /* position of the first page's node in looks.nodes */
};

/* A look that is being added: nodes[i] is the node of the page at start + i * step. Below 0, the
 * page was not present. */
struct look_asked {
	uint64_t start, step, time;
	const int32_t *nodes;
	uint32_t count;
};

/* All looks at the pages of all processes. A struct of zeros contains none. */
struct looks {
	struct {
		struct look_span *at;
		uint32_t n, cap;
	} spans;
	struct {
		int16_t *at; /* -1 means the page was not present */
		uint32_t n, cap;
	} nodes;
	uint32_t unused_nodes; /* number of elements of `nodes` that no longer belong to a span */
	struct {
		/* indexed by process - 1; maps the start of a span to its position in spans */
		struct rangemap *at;
		uint32_t n, cap;
	} maps;
	bool nomem;
};

void looks_release(struct looks *l);

/* Adds a look that found the page at start + i * step of a process on nodes[i], for i below
 * `count`. A node below 0 means that the page was not present. A range that leaves the address
 * space is ignored. */
void looks_add(struct looks *l, uint32_t process, uint64_t start, uint64_t step,
	       const int32_t *nodes, uint32_t count, uint64_t time);

/* Forgets the nodes of the pages in [start, end), but not those of other pages of the same looks.
 */
void looks_forget(struct looks *l, uint32_t process, uint64_t start, uint64_t end);

/* Returns the look that covers an address, or NULL. The pointer is valid until a look is added or
 * forgotten. */
const struct look_span *looks_at(const struct looks *l, uint32_t process, uint64_t address);

/* Returns the first span that ends after `address`, or NULL. The pointer is valid as with
 * looks_at(). */
const struct look_span *looks_from(const struct looks *l, uint32_t process, uint64_t address);

/* Returns the node of the page at an address that the look *s (a query of the nodes of pages)
 * covers; -1 means unknown. page_bytes is the size of that page. If the look lists a part of the
 * page, returns the node of this part. Otherwise the look has skipped the page; then returns the
 * node of the listed page before it or, if that page is not present, of the listed page after it.
 * Returns -1 if the pages may be interleaved: if the listed pages before and after are on different
 * nodes, or if fewer than 8 listed pages in a row are on that node and the look also lists another
 * node. Returns -1, too, if only one of several listed pages is present. If the look lists only one
 * page, that page represents its entire step. Sets *asked to the address of the listed page that
 * was used. */
int32_t looks_node(const struct looks *l, const struct look_span *s, uint64_t address,
		   uint64_t page_bytes, uint64_t *asked);

#endif
