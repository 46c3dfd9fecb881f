/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes the kernel's lists of CPUs and nodes, such as "0-3,8". */
#ifndef MEMDB_BASE_IDLIST_H
#define MEMDB_BASE_IDLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idlist {
	const char *p; /* the part of the text that was not read yet, borrowed */
	bool bad;      /* a call has found that the text is not a list */
	/* the numbers of the current range that idlist_next() has not returned yet, both included;
	 * if next > last, there are none */
	uint32_t next, last;
};

static inline struct idlist idlist_make(const char *text)
{
	return (struct idlist){ .p = text, .next = 1 };
}

/* Gets the next range, first <= last. A number greater than UINT32_MAX is read as UINT32_MAX.
 * Returns false at the end or, with l->bad set, if the text is not a list. */
bool idlist_range(struct idlist *l, uint32_t *first, uint32_t *last);

/* Gets the next number. Returns false at the end or, with l->bad set, if the text is not a list or
 * the next range contains a number that no real CPU or node has. */
bool idlist_next(struct idlist *l, uint32_t *n);

/* Returns how many numbers the list has before its end or its first error. */
uint32_t idlist_count(const char *text);

/* Writes to `out` the numbers of the bits that are set in words[], as a list. If they do not all
 * fit into `size` bytes, the list ends after the last range that fits. */
void idlist_write(const uint64_t *words, size_t nwords, char *out, size_t size);

#endif
