/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and writes the kernel's lists of CPUs and nodes, such as "0-3,8". */
#ifndef MEMDB_BASE_IDLIST_H
#define MEMDB_BASE_IDLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idlist {
	const char *p;       /* the unread rest, borrowed */
	bool bad;            /* the text is not a list */
	uint32_t next, last; /* range of idlist_next(); empty if next > last */
};

static inline struct idlist idlist_make(const char *text)
{
	return (struct idlist){ .p = text, .next = 1 };
}

/*
 * Gets the next range, first <= last. UINT32_MAX stands for all larger numbers. False at the end,
 * or with l->bad set if the text is not a list.
 */
bool idlist_range(struct idlist *l, uint32_t *first, uint32_t *last);

/*
 * Gets the next number. False at the end, or with l->bad set if the text is not a list or a number
 * is too large for any machine.
 */
bool idlist_next(struct idlist *l, uint32_t *n);

/* Returns how many numbers the list has. */
uint32_t idlist_count(const char *text);

/*
 * Writes the numbers of the set bits as a list. If it does not fit, ends after the last range that
 * does.
 */
void idlist_write(const uint64_t *words, size_t nwords, char *out, size_t size);

#endif
