/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the stacks of a log. Their frames are nodes of a tree. Each stream numbers its nodes from
 * STACK_FIRST_ID on, and this file maps those numbers to numbers that are unique in the log. A
 * caller's node always has a smaller number than the node itself, so a walk to the callers ends
 * even in a damaged log.
 */
#include "tracklog/internal.h"

#include <stdlib.h>

_Static_assert((int)TL_STACK_WHOLE == (int)STACK_ROOT,
	       "both enumerations must have the same values");
_Static_assert((int)TL_STACK_TRUNCATED == (int)STACK_TRUNCATED,
	       "both enumerations must have the same values");

/* Maps the node `id` of the stream to the node `number` of the log. Ids that the stream has skipped
 * stay unknown. Returns 0, 1 if l->id_budget is used up, or MD_ENOMEM. */
static int map_id(struct tl_log *l, struct stream *s, uint32_t id, uint32_t number)
{
	while (s->nnode_ids <= id) {
		if (!l->id_budget)
			return 1;
		if (!tl_grow((void **)&s->node_ids, &s->cap_node_ids, s->nnode_ids,
			     sizeof(*s->node_ids)))
			return MD_ENOMEM;
		l->id_budget--;
		s->node_ids[s->nnode_ids++] = 0;
	}
	s->node_ids[id] = number;
	return 0;
}

static uint32_t caller_of(const struct stream *s, uint32_t id)
{
	if (id < STACK_FIRST_ID)
		return id;
	return id < s->nnode_ids && s->node_ids[id] ? s->node_ids[id] : STACK_TRUNCATED;
}

int tl_stacks_add(struct tl_log *l, struct stream *s, struct cursor *c, struct md_err *err)
{
	uint64_t ids = cursor_u64(c);
	uint32_t id = (uint32_t)ids, called_by = (uint32_t)(ids >> 32), shortened;
	uint32_t caller = caller_of(s, called_by);
	int ret;

	if (id < STACK_FIRST_ID || l->nnodes > UINT32_MAX / 2)
		return 0;
	if (!l->nnodes)
		l->nnodes = STACK_FIRST_ID;
	shortened = called_by == STACK_SHORTENED ||
		    (caller >= STACK_FIRST_ID && l->nodes[caller].shortened);
	for (; cursor_left(c) >= 8; id++) {
		if (!tl_grow((void **)&l->nodes, &l->cap_nodes, l->nnodes, sizeof(*l->nodes)))
			return md_nomem(err);
		l->nodes[l->nnodes] = (struct node){ cursor_u64(c), caller, shortened };
		ret = map_id(l, s, id, l->nnodes);
		if (ret < 0)
			return md_nomem(err);
		if (ret)
			/* the log is damaged: no valid log needs more entries than l->id_budget
			 */
			return 0;
		caller = l->nnodes++;
	}
	return 0;
}

uint32_t tl_stacks_number(struct tl_log *l, const struct stream *s, uint32_t id)
{
	if (id >= STACK_FIRST_ID && id < s->nnode_ids && s->node_ids[id]) {
		l->losses.short_stacks += l->nodes[s->node_ids[id]].shortened;
		return s->node_ids[id];
	}
	l->losses.lost_stacks++;
	return 0;
}

bool tl_frame(const struct tl_log *l, uint32_t stack, uint64_t *pc, uint32_t *caller)
{
	if (stack < STACK_FIRST_ID || stack >= l->nnodes)
		return false;
	*pc = l->nodes[stack].pc;
	*caller = l->nodes[stack].caller;
	return true;
}
