/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/near.h"

#include <math.h>

enum {
	FEW = 16, /* with fewer samples, nothing is known */
	FIRST_RANGE = 4096,
};

/* The operand stays in a range if at least this part of the distances is there. The others may be
 * from before the stream began again elsewhere. */
#define USUAL 0.95

static uint64_t distance_of(const struct near_address *a, const struct near_address *b)
{
	return a->address < b->address ? b->address - a->address : a->address - b->address;
}

static void count(struct near_stream *n, uint64_t distance)
{
	uint64_t range = FIRST_RANGE;

	if (n->all == UINT16_MAX)
		return;
	n->all++;
	for (int i = 0; i < NEAR_RANGES; i++, range *= 4)
		n->counts[i] += distance <= range;
}

/* Sets the stream of a[i], if it has none yet: the first one through the same object. */
static void choose(const struct near_address *at, unsigned n, unsigned i, near_in_order *in_order,
		   const void *arg)
{
	for (unsigned k = 0; k < n && !at[i].near->stream; k++)
		if (at[k].object == at[i].object && at[k].id != at[i].id && in_order(arg, at[k].id))
			at[i].near->stream = at[k].id;
}

void near_add(const struct near_address *at, unsigned n, near_in_order *in_order, const void *arg)
{
	for (unsigned i = 0; i < n; i++) {
		if (at[i].near->stream && !in_order(arg, at[i].near->stream))
			*at[i].near = (struct near_stream){ 0 };
		if (!at[i].near->stream && n > 1 && !in_order(arg, at[i].id))
			choose(at, n, i, in_order, arg);
		for (unsigned k = 0; k < n && at[i].near->stream; k++)
			if (at[k].id == at[i].near->stream) {
				count(at[i].near, distance_of(&at[i], &at[k]));
				break;
			}
	}
}

double near_bytes(const struct near_stream *n)
{
	double range = FIRST_RANGE;

	for (int i = 0; i < NEAR_RANGES && n->all >= FEW; i++, range *= 4)
		if (n->counts[i] >= USUAL * n->all)
			return 2 * range;
	return INFINITY;
}
