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

struct range_value {
	uint64_t end, value; /* end: one past the last byte */
};

/* { 0 } is empty. */
struct ranges {
	struct rangemap map; /* start -> position in values */
	struct {
		struct range_value *at;
		uint32_t n, cap;
	} values;
};

void ranges_release(struct ranges *r);

/* Sets [start, end); value 0 clears it. Nothing happens where end <= start. False: out of memory.
 */
bool ranges_set(struct ranges *r, uint64_t start, uint64_t end, uint64_t value);

/* The value at an address, 0 where none was set. */
uint64_t ranges_get(const struct ranges *r, uint64_t address);

/* to becomes a copy of from. False: out of memory. */
bool ranges_copy(struct ranges *to, const struct ranges *from);

#endif
