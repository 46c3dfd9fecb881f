/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges several sequences (sources), each of which is sorted by time, into one. A binary heap
 * contains the next element of each source; the earliest is at the root. */
#ifndef MEMDB_BASE_HEAP_H
#define MEMDB_BASE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

/* An element of the heap: the next element of one source. */
struct heap_head {
	uint64_t time;
	uint32_t rank; /* if times are equal, the lower rank comes first */
	uint32_t source;
};

/* A heap. Its owner fills it in any order, then calls heap_build(). A struct of zeros is an empty
 * heap. */
struct heap {
	struct heap_head *at; /* at[0] is the earliest */
	uint32_t n, cap;
};

static inline bool heap_before(const struct heap_head *a, const struct heap_head *b)
{
	return a->time != b->time ? a->time < b->time : a->rank < b->rank;
}

/* Puts `head` at position i of the heap, or further down, where its time belongs. */
static inline void heap_sink(struct heap *h, uint32_t i, struct heap_head head)
{
	for (uint32_t child; (child = 2 * i + 1) < h->n; i = child) {
		if (child + 1 < h->n && heap_before(&h->at[child + 1], &h->at[child]))
			child++;
		if (!heap_before(&h->at[child], &head))
			break;
		h->at[i] = h->at[child];
	}
	h->at[i] = head;
}

static inline void heap_build(struct heap *h)
{
	for (uint32_t i = h->n / 2; i-- > 0;)
		heap_sink(h, i, h->at[i]);
}

/* Replaces the earliest element with `head`, the next element of the same source. `head` must not
 * be earlier than the old element. */
static inline void heap_replace(struct heap *h, struct heap_head head)
{
	heap_sink(h, 0, head);
}

/* Removes the earliest element. Used when its source has no more elements. */
static inline void heap_remove(struct heap *h)
{
	if (--h->n)
		heap_sink(h, 0, h->at[h->n]);
}

#endif
