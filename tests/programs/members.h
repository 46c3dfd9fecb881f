/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers of programs that print the types of their objects, in addition to the lines of
 * answer.h:
 *
 * typed ARRAY TYPE TYPE_BYTES START
 * the array has elements of this type; the first is START bytes after the array's begin
 *
 * part TYPE MEMBER OFFSET BYTES
 * a member of the type; "-" instead of a name if the type is a scalar
 */
#ifndef MEMDB_TESTS_MEMBERS_H
#define MEMDB_TESTS_MEMBERS_H

#include <stddef.h>
#include "answer.h"

static int64_t budget_ns;
static volatile double sink;

#define SIZE_OF(type, member) sizeof(((type *)0)->member)
#define PART(name, type, member) \
	printf("part %s %s %zu %zu\n", name, #member, offsetof(type, member), SIZE_OF(type, member))
#define SCALAR(name, type) printf("part %s - 0 %zu\n", name, sizeof(type))

static inline void tell_typed(const char *array, const char *type, size_t bytes, size_t start)
{
	printf("typed %s %s %zu %zu\n", array, type, bytes, start);
}

/* Executes a statement, which uses the array, until the budget is spent, and prints the array
 * with its type. */
#define WORK(array, type, bytes, start, p, size, statement)               \
	do {                                                              \
		int64_t from = now_ns();                                  \
		struct budget left = budget_of(budget_ns);                \
                                                                          \
		do {                                                      \
			for (int round = 0; round < 20; round++)          \
				statement;                                \
		} while (budget_lasts(&left));                            \
		tell_typed(array, type, bytes, start);                    \
		tell_array(array, p, size, gettid_now(), from, now_ns()); \
	} while (0)

#endif
