/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores a value for each range of addresses: times of calls, page sizes, policies. These values
 * have 64 bits, but the values of a rangemap have only 32. So the 64-bit values are in a table, and
 * the map contains their positions in this table. Copies of a map share the table.
 *
 * When most values in the table are unused, the unused ones are removed. So memory grows with the
 * number of ranges and not with the number of calls.
 */
#include "model/ranges.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1024 };

/* Drops a reference to the table of values. The last one frees it. */
static void values_drop(struct range_values *v)
{
	if (!v || --v->refs)
		return;
	free(v->at);
	free(v);
}

void ranges_release(struct ranges *r)
{
	rangemap_release(&r->map);
	values_drop(r->values);
	memset(r, 0, sizeof(*r));
}

/* Adds a value to the table, and sets *out to its number (0 for the value 0). Returns false when
 * out of memory. */
static bool number_value(struct ranges *r, uint64_t value, uint32_t *out)
{
	struct range_values *v = r->values;

	*out = 0;
	if (!value)
		return true;
	if (!v) {
		v = r->values = calloc(1, sizeof(*v));
		if (!v)
			return false;
		v->refs = 1;
	}
	if (!v->n || v->at[v->n - 1] != value) {
		if (!VEC_ROOM(v))
			return false;
		v->at[v->n++] = value;
	}
	*out = v->n;
	return true;
}

/* Returns the value with this number in the table; number 0 stands for the value 0. */
static uint64_t value_of(const struct ranges *r, uint32_t name)
{
	return name ? AT_ID(*r->values, name) : 0;
}

/* Makes a new table that has only the values to which the map refers, and drops the old table.
 * Returns false when out of memory: then all ranges have lost their values. */
static bool compact_values(struct ranges *r)
{
	struct ranges fresh = { .map = r->map };
	uint64_t key = 0;
	uint32_t at;
	bool ok = true;

	while (ok && rangemap_ge(&r->map, key, &key, &at)) {
		ok = number_value(&fresh, value_of(r, at), &at) &&
		     !rangemap_put(&fresh.map, key, at);
		r->map = fresh.map;
		if (key++ == UINT64_MAX)
			break;
	}
	values_drop(r->values);
	r->values = fresh.values;
	if (!ok)
		ranges_release(r);
	return ok;
}

/* Removes unused values if the table has at least LIMIT and r->limit values, and at least four
 * times as many values as the map has keys. A smaller table is not checked, because counting the
 * map's keys takes long. Returns false when out of memory. */
static bool throw_out(struct ranges *r)
{
	size_t n;

	if (!r->values || r->values->n < LIMIT || r->values->n < r->limit)
		return true;
	n = rangemap_count(&r->map);
	r->limit = r->values->n / 2 * 3;
	if (r->values->n / 4 < n)
		return true;
	r->limit = (uint32_t)n * 4;
	return compact_values(r);
}

/* The map has a key at each address where the value changes. So it needs a key at `start`, and one
 * at `end` with the value that applies after the range. */
bool ranges_set(struct ranges *r, uint64_t start, uint64_t end, uint64_t value)
{
	uint64_t before = start ? ranges_get(r, start - 1) : 0;
	uint32_t what, after = 0;

	if (end <= start)
		return true;
	if (!throw_out(r) || !number_value(r, value, &what))
		return false;
	rangemap_le(&r->map, end, NULL, &after);
	if (rangemap_cut(&r->map, start, end, NULL, NULL))
		return false;
	if (before != value && rangemap_put(&r->map, start, what))
		return false;
	return value_of(r, after) == value || !rangemap_put(&r->map, end, after);
}

uint64_t ranges_get(const struct ranges *r, uint64_t address)
{
	uint32_t at;

	return rangemap_le(&r->map, address, NULL, &at) ? value_of(r, at) : 0;
}

void ranges_copy(struct ranges *to, const struct ranges *from)
{
	ranges_release(to);
	rangemap_share(&to->map, &from->map);
	to->values = from->values;
	if (to->values)
		to->values->refs++;
}
