/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of address ranges. What is set last counts; around it the earlier value stays.
 */
#ifndef MEMDB_MODEL_RANGES_H
#define MEMDB_MODEL_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "model/rangemap.h"

/* The values that copies of one set of ranges have met. */
struct range_values {
	uint64_t *at;
	uint32_t n, cap;
	uint32_t refs; /* copies */
};

/* { 0 } is empty. */
struct ranges {
	struct rangemap map; /* where the value changes -> position + 1 in values, 0: none is set */
	struct range_values *values; /* NULL as long as nothing was set */
	uint32_t limit;              /* of values: then those that are gone are thrown out */
};

void ranges_release(struct ranges *r);

/* Sets [start, end); value 0 clears it. Nothing happens where end <= start. False: out of memory.
 */
bool ranges_set(struct ranges *r, uint64_t start, uint64_t end, uint64_t value);

/* The value at an address, 0 where none was set. */
uint64_t ranges_get(const struct ranges *r, uint64_t address);

/* to becomes a copy of from. Costs nothing until one of them changes. */
void ranges_copy(struct ranges *to, const struct ranges *from);

#endif
