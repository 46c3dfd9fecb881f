/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's lists of CPUs and nodes: "0-3,8".
 */
#ifndef MEMDB_BASE_IDLIST_H
#define MEMDB_BASE_IDLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idlist {
	const char *p;       /* the unread rest, borrowed */
	bool bad;            /* it is not a list */
	uint32_t next, last; /* idlist_next()'s range; empty while next > last */
};

static inline struct idlist idlist_make(const char *text)
{
	return (struct idlist){ .p = text, .next = 1 };
}

/* Gets the next range, first <= last: UINT32_MAX stands for all larger numbers. False at the end,
 * or with l->bad at what is not a list. */
bool idlist_range(struct idlist *l, uint32_t *first, uint32_t *last);

/* Gets the next number. False at the end, or with l->bad at what is not a list or no machine has.
 */
bool idlist_next(struct idlist *l, uint32_t *n);

/* Count of the list's numbers. */
uint32_t idlist_count(const char *text);

/* Writes the numbers of the set bits as a list, truncated after a range if it does not fit. */
void idlist_write(const uint64_t *words, size_t nwords, char *out, size_t size);

#endif
