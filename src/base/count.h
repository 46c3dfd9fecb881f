/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Number of elements of an array. */
#ifndef MEMDB_BASE_COUNT_H
#define MEMDB_BASE_COUNT_H

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
