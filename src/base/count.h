/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Number of elements of an array. Used for arrays of names of enum values, which are declared
 * without a length. */
#ifndef MEMDB_BASE_COUNT_H
#define MEMDB_BASE_COUNT_H

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Asserts that the array has an element for each value of an enum whose last value is `last`. */
#define ASSERT_NAMES(array, last) \
	_Static_assert(COUNT_OF(array) == (last) + 1, "a name for each value")

#endif
