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

bool tl_stacks_node(struct tl_log *l, uint32_t caller, uint64_t pc, bool shortened, bool *nomem)
{
	if (l->nnodes > UINT32_MAX / 2)
		return false;
	if (!l->nnodes)
		l->nnodes = STACK_FIRST_ID;
	*nomem = !tl_grow((void **)&l->nodes, &l->cap_nodes, l->nnodes, sizeof(*l->nodes));
	if (*nomem)
		return false;
	l->nodes[l->nnodes++] = (struct node){ pc, caller, shortened };
	return true;
}

int tl_stacks_add(struct tl_log *l, struct stream *s, struct cursor *c, struct md_err *err)
{
	uint64_t ids = cursor_u64(c);
	uint32_t id = (uint32_t)ids, called_by = (uint32_t)(ids >> 32), shortened;
	uint32_t caller = caller_of(s, called_by);
	bool nomem = false;
	int ret;

	if (id < STACK_FIRST_ID)
		return 0;
	shortened = called_by == STACK_SHORTENED ||
		    (caller >= STACK_FIRST_ID && l->nodes[caller].shortened);
	for (; cursor_left(c) >= 8; id++) {
		if (!tl_stacks_node(l, caller, cursor_u64(c), shortened, &nomem))
			return nomem ? md_nomem(err) : 0;
		ret = map_id(l, s, id, l->nnodes - 1);
		if (ret < 0)
			return md_nomem(err);
		if (ret)
			/* the log is damaged: no valid log needs more entries than l->id_budget
			 */
			return 0;
		caller = l->nnodes - 1;
	}
	return 0;
}

uint32_t tl_stacks_number(struct tl_log *l, const struct stream *s, uint32_t id)
{
	const uint32_t last = id == STACK_LAST ? tl_last_number(s) : 0;

	if (last)
		return last;
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
