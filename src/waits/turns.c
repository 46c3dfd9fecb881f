/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/turns.h"

#include <math.h>
#include <stdlib.h>

enum { FEW = 8 }; /* with fewer samples, nothing is known */

void turns_release(struct turns *t)
{
	free(t->loops.at);
	index_release(&t->by_offset);
}

uint32_t turns_loop(struct turns *t, uint32_t dso, uint64_t offset)
{
	uint32_t hash = index_hash(offset, dso), place = hash, id;

	while ((id = index_next(&t->by_offset, hash, &place)))
		if (AT_ID(t->loops, id).dso == dso && AT_ID(t->loops, id).offset == offset)
			return id;
	if (!VEC_ROOM(&t->loops) || !index_add(&t->by_offset, hash, t->loops.n + 1))
		return 0;
	t->loops.at[t->loops.n++] = (struct turns_loop){ .dso = dso, .offset = offset };
	return t->loops.n;
}

void turns_saw(struct turns *t, uint32_t loop, double left)
{
	struct turns_loop *l = &AT_ID(t->loops, loop);

	l->n++;
	l->sum += left;
	l->most = fmax(l->most, left);
}

/* In a sample at a random time, 1 to all n iterations remain, (n + 1) / 2 on average. More samples
 * than average are at the start of a run if its first iterations take longer, but never do more
 * iterations remain than there are. */
double turns_usual(const struct turns *t, uint32_t loop)
{
	const struct turns_loop *l = &AT_ID(t->loops, loop);

	return l->n < FEW ? 0 : fmax(1, fmin(2 * l->sum / l->n - 1, l->most));
}
