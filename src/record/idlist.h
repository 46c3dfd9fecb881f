/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's lists of numbers: "0-3,8".
 */
#ifndef MEMDB_RECORD_IDLIST_H
#define MEMDB_RECORD_IDLIST_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

struct idlist {
	const char *p;       /* the unread rest, borrowed */
	unsigned next, last; /* the current range; empty while next > last */
};

static inline struct idlist idlist_make(const char *text)
{
	return (struct idlist){ .p = text, .next = 1 };
}

/* Gets the next number. False at the end, or at a syntax error. */
bool idlist_next(struct idlist *l, unsigned *n);

/* Count of the list's numbers. */
unsigned idlist_count(const char *text);

/* Writes the CPUs of a set of `size` bytes as a list, truncated if it does not fit. */
void idlist_from_cpus(const cpu_set_t *set, size_t size, char *out, size_t len);

#endif
