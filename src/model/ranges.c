/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/ranges.h"

#include <stdlib.h>
#include <string.h>

void ranges_release(struct ranges *r)
{
	rangemap_release(&r->map);
	free(r->values.at);
	memset(r, 0, sizeof(*r));
}

static bool put(struct ranges *r, uint64_t start, uint64_t end, uint64_t value)
{
	if (!VEC_ROOM(&r->values) || rangemap_put(&r->map, start, r->values.n))
		return false;
	r->values.at[r->values.n++] = (struct range_value){ .end = end, .value = value };
	return true;
}

/* Nothing is set in [start, end) any more. */
static bool cut(struct ranges *r, uint64_t start, uint64_t end)
{
	struct range_value old;
	uint64_t key;
	uint32_t at;

	if (rangemap_le(&r->map, start, &key, &at) && key < start && r->values.at[at].end > start) {
		old = r->values.at[at];
		r->values.at[at].end = start;
		if (old.end > end)
			return put(r, end, old.end, old.value);
	}
	while (rangemap_ge(&r->map, start, &key, &at) && key < end) {
		old = r->values.at[at];
		rangemap_del(&r->map, key, NULL);
		if (old.end > end)
			return put(r, end, old.end, old.value);
	}
	return true;
}

/* Moves what is set to a fresh array. */
static bool compact(struct ranges *r)
{
	struct ranges fresh = { 0 };

	if (r->values.n < 1024 || r->values.n / 4 < r->map.count)
		return true;
	if (!ranges_copy(&fresh, r))
		return false;
	ranges_release(r);
	*r = fresh;
	return true;
}

bool ranges_set(struct ranges *r, uint64_t start, uint64_t end, uint64_t value)
{
	if (end <= start)
		return true;
	return cut(r, start, end) && compact(r) && (!value || put(r, start, end, value));
}

uint64_t ranges_get(const struct ranges *r, uint64_t address)
{
	uint32_t at;

	if (!rangemap_le(&r->map, address, NULL, &at) || address >= r->values.at[at].end)
		return 0;
	return r->values.at[at].value;
}

bool ranges_copy(struct ranges *to, const struct ranges *from)
{
	uint64_t key = 0;
	uint32_t at;

	ranges_release(to);
	while (rangemap_ge(&from->map, key, &key, &at)) {
		if (!put(to, key, from->values.at[at].end, from->values.at[at].value)) {
			ranges_release(to);
			return false;
		}
		if (key++ == UINT64_MAX)
			break;
	}
	return true;
}
