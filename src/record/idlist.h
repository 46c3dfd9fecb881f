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
	const char *p;       /* what is left, borrowed */
	unsigned next, last; /* of the current range; none while next > last */
};

static inline struct idlist idlist_make(const char *text)
{
	return (struct idlist){ .p = text, .next = 1 };
}

/* The next number: true and *n set; false at the end or at what is no list. */
bool idlist_next(struct idlist *l, unsigned *n);

/* How many numbers the list has. */
unsigned idlist_count(const char *text);

/* Writes the CPUs of a set of `size` bytes as a list; cut short when it does not fit. */
void idlist_from_cpus(const cpu_set_t *set, size_t size, char *out, size_t len);

#endif
