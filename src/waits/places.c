/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/places.h"

#include <stdlib.h>

bool places_add(struct places *p, uint32_t k, int reg)
{
	const uint32_t hash = index_hash(k, (uint32_t)reg);
	uint32_t at = hash, id;

	while ((id = index_next(&p->index, hash, &at)))
		if (AT_ID(*p, id).k == k && AT_ID(*p, id).reg == reg)
			return true;
	if (!VEC_ROOM(p) || !index_add(&p->index, hash, p->n + 1))
		return false;
	p->at[p->n++] = (struct place){ k, reg };
	return true;
}

void places_release(struct places *p)
{
	free(p->at);
	index_release(&p->index);
}
