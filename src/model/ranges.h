/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stores a 64-bit value for each range of addresses. Setting a range replaces the values inside the
 * range and does not change the values outside. */
#ifndef MEMDB_MODEL_RANGES_H
#define MEMDB_MODEL_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/rangemap.h"

/* The table of values. A map refers to them by number, and copies of a `struct ranges` share the
 * table. */
struct range_values {
	uint64_t *at;
	uint32_t n, cap;
	uint32_t refs; /* number of `struct ranges` that share the table */
};

/* The values of ranges of addresses. In a struct of zeros, no address has a value. */
struct ranges {
	/* maps each address where the value changes to position + 1 in values; 0 means no value */
	struct rangemap map;
	struct range_values *values; /* NULL until a value is set */
	/* number of elements in `values` at which it is checked whether most are unused */
	uint32_t limit;
};

void ranges_release(struct ranges *r);

/* Sets the value of the addresses [start, end); 0 clears it. Does nothing if end <= start. Returns
 * false when out of memory. */
bool ranges_set(struct ranges *r, uint64_t start, uint64_t end, uint64_t value);

/* Returns the value at an address; 0 if there is none. */
uint64_t ranges_get(const struct ranges *r, uint64_t address);

/* Makes `to` a copy of `from`. Nothing is copied until one of them changes. */
void ranges_copy(struct ranges *to, const struct ranges *from);

#endif
