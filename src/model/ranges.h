/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores values of address ranges. Setting a range replaces the values inside the range and keeps
 * those around it.
 */
#ifndef MEMDB_MODEL_RANGES_H
#define MEMDB_MODEL_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/rangemap.h"

/* The values seen so far; shared by the copies of one set of ranges. */
struct range_values {
	uint64_t *at;
	uint32_t n, cap;
	uint32_t refs; /* number of copies */
};

/* { 0 } is empty. */
struct ranges {
	struct rangemap
		map; /* where the value changes -> position + 1 in values, 0 means no value */
	struct range_values *values; /* NULL until a value is set */
	uint32_t limit;              /* number of values that triggers the removal of unused ones */
};

void ranges_release(struct ranges *r);

/* Sets [start, end) to value; 0 clears it. Does nothing if end <= start. False: out of memory. */
bool ranges_set(struct ranges *r, uint64_t start, uint64_t end, uint64_t value);

/* Returns the value at an address, 0 if there is none. */
uint64_t ranges_get(const struct ranges *r, uint64_t address);

/* Makes `to` a copy of `from`. Costs nothing until one of them changes. */
void ranges_copy(struct ranges *to, const struct ranges *from);

#endif
