/* SPDX-License-Identifier: GPL-2.0-or-later */
/* COUNT_OF yields the number of elements of an array. */
#ifndef MEMDB_BASE_COUNT_H
#define MEMDB_BASE_COUNT_H

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Asserts that the array has `last` + 1 elements: one for each value of an enum that counts from 0
 * to `last`. */
#define ASSERT_NAMES(array, last) \
	_Static_assert(COUNT_OF(array) == (last) + 1, "a name for each value")

#endif
