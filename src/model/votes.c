/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/votes.h"

#include <stdlib.h>
#include <string.h>

void votes_release(struct votes *v)
{
	free(v->votes.at);
	free(v->objects.at);
	index_release(&v->index);
	memset(v, 0, sizeof(*v));
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static bool is_same_code(const struct vote *a, const struct vote *b)
{
	return a->object == b->object && a->location == b->location && a->insn == b->insn &&
	       a->from_start == b->from_start;
}

static void keep_offset(struct vote *v, uint64_t offset)
{
	if (v->nothers == VOTE_OTHERS || offset == v->offset)
		return;
	for (uint32_t i = 0; i < v->nothers; i++)
		if (v->others[i] == offset)
			return;
	v->others[v->nothers++] = offset;
}

static void count_sample(struct vote *v, uint64_t offset)
{
	v->samples++;
	keep_offset(v, offset);
	v->step = common_divisor(offset > v->offset ? offset - v->offset : v->offset - offset,
				 v->step);
}

bool votes_add(struct votes *v, const struct vote *sample)
{
	uint32_t hash = index_hash((uint64_t)sample->object << 32 | sample->location,
				   (uint32_t)sample->insn);
	uint32_t place = hash, id;
	struct vote *added;

	while ((id = index_next(&v->index, hash, &place)))
		if (is_same_code(&AT_ID(v->votes, id), sample)) {
			count_sample(&AT_ID(v->votes, id), sample->offset);
			return true;
		}
	if (v->votes.n == VOTES_MOST)
		return true;
	if (!VEC_REACH(&v->objects, sample->object) || !VEC_ROOM(&v->votes) ||
	    !index_add(&v->index, hash, v->votes.n + 1))
		return false;
	added = &v->votes.at[v->votes.n++];
	*added = *sample;
	added->samples = 1;
	added->step = 0;
	added->nothers = 0;
	added->next = AT_ID(v->objects, sample->object);
	AT_ID(v->objects, sample->object) = v->votes.n;
	return true;
}

uint32_t votes_of(const struct votes *v, uint32_t object)
{
	return object <= v->objects.n ? AT_ID(v->objects, object) : 0;
}
