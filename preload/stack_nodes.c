/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the nodes in the tree of frames for the segments of a stack. A segment remembers its node
 * for one caller, so a stack of remembered segments takes a few lookups. */
#include "stack_state.h"

#include <string.h>

/* Adds a frame with this pc to the tree, unless it is in the tree. On entry *node is the node of
 * the caller; on return it is the node of the frame. Returns false if the node is missing and the
 * tree has `most` nodes or more, or is out of memory. */
static bool add_frame(struct state *s, uint32_t *node, uint64_t pc, uint32_t most)
{
	*node = s->tree.n < most ? tree_intern(&s->tree, *node, pc)
				 : tree_find(&s->tree, *node, pc);
	return *node != 0;
}

/* Returns the entry for this pair: segment g, and the outer node, which is the node of the frame
 * that called the outermost frame of g. The entry may hold a different pair. */
static struct known_node *known_place(struct state *s, const struct segment *g, uint32_t outer)
{
	uint64_t h = (g->serial << 32 ^ outer) * 0x9e3779b97f4a7c15u;

	return s->slots < FEW_SLOTS ? &s->few.known[h >> (64 - FEW_KNOWN_BITS)]
				    : &s->known[h >> (64 - KNOWN_BITS)];
}

static void remember_node(struct known_node *k, uint64_t serial, uint32_t outer, uint32_t node)
{
	/* A signal handler must not find the old node under the new key, so the key is cleared
	 * first. */
	k->serial = 0;
	stack_order();
	k->outer = outer;
	k->node = node;
	stack_order();
	k->serial = serial;
}

/* Adds the frames of segment g to the tree, outermost first, unless they are in it. On entry *node
 * is the node of the frame that called the segment; on return it is the node of the segment's
 * innermost frame. Returns false if a node is missing and the tree has `most` nodes or more, or is
 * out of memory. */
static bool add_frames(struct state *s, const struct segment *g, uint32_t *node, uint32_t most)
{
	for (unsigned i = g->n_checks; i-- > 0;) {
		if (g->ra_mask >> i & 1 && !add_frame(s, node, check_word(g->check[i]), most))
			return false;
	}
	if (!add_frame(s, node, g->pc, most))
		return false;
	s->head.next_id = tree_next_id(&s->tree);
	return true;
}

/* Like add_frames(), but stores the result in the segment and in s->known. Results for a segment of
 * one frame (ra_mask 0) are not stored in s->known: there may be many, and searching the tree for a
 * single node is just as fast. */
static bool resolve_segment(struct state *s, struct segment *g, uint32_t *node, uint32_t most)
{
	uint32_t outer = *node;
	struct known_node *known = known_place(s, g, outer);

	if (g->node && g->outer == outer) {
		*node = g->node;
		return true;
	}
	if (g->ra_mask && known->serial == g->serial && known->outer == outer) {
		*node = known->node;
	} else {
		if (!add_frames(s, g, node, most))
			return false;
		if (g->ra_mask)
			remember_node(known, g->serial, outer, *node);
	}
	/* A signal handler must not find the old node under the new outer node, so the node is
	 * cleared first. */
	g->node = 0;
	stack_order();
	g->outer = outer;
	stack_order();
	g->node = *node;
	return true;
}

/* Returns the id of the stack that consists of the n innermost segments in s->chain; `node` is the
 * node of the frame that called them. Returns 0 if nodes are missing and cannot be added (see
 * add_frame()). */
static uint32_t resolve_nodes(struct state *s, uint32_t n, uint32_t node, uint32_t most)
{
	while (n-- > 0) {
		if (!resolve_segment(s, &s->segments[s->chain[n]], &node, most))
			return 0;
	}
	return node;
}

/* Returns how many of the n segments in s->chain a shortened stack keeps. It keeps the innermost
 * ones, until they contain at least SHORT_FRAMES frames. */
static uint32_t short_segments(const struct state *s, uint32_t n)
{
	uint32_t frames = 0, i = 0;

	while (i < n && frames < SHORT_FRAMES)
		frames += 1 + (uint32_t)__builtin_popcount(s->segments[s->chain[i++]].ra_mask);
	return i;
}

uint32_t stack_resolve(struct state *s, uint32_t n)
{
	bool complete = s->segments[s->chain[n - 1]].end == END_ROOT;
	uint32_t id = resolve_nodes(s, n, complete ? STACK_ROOT : STACK_TRUNCATED, FULL_NODES);

	if (!id && s->tree.n >= FULL_NODES)
		id = resolve_nodes(s, short_segments(s, n), STACK_SHORTENED, MOST_NODES);
	return id;
}

void stack_forget(struct state *s)
{
	memset(s->few.ways, 0, sizeof(s->few.ways));
	if (s->slots >= FEW_SLOTS)
		memset(s->ways, 0, sizeof(s->ways));
	for (uint32_t i = 1; i <= s->slots; i++)
		/* Without its pc, the segment is never found: neither by its hash nor through the
		 * member `next` of another segment. */
		s->segments[i].pc = 0;
	s->slots = 0;
	recent_forget(s);
	tree_restart(&s->tree);
}

/* Gets the next frames that stack_take_new() has not returned yet. They are at most `max` frames,
 * each called by the previous one. Returns false if there are no more. */
static bool next_frames(struct state *s, uint32_t max, struct stack_frames *out)
{
	const struct stack_tree *tree = &s->tree;
	uint32_t taken = s->head.taken_id;
	uint32_t i = taken < tree->first_new ? 0 : taken - tree->first_new;
	uint32_t n = 0;

	/* If longjmp has left tree_forget_new() halfway, the list still begins with forgotten
	 * nodes. Returning one of them would make the caller's loop endless. */
	while (i < tree->n_new && tree->fresh[i].id != tree->first_new + i)
		i++;
	if (i >= tree->n_new)
		return false;
	out->first = tree->fresh[i].id;
	out->caller = tree->fresh[i].caller;
	do {
		s->pcs[n] = tree->fresh[i + n].pc;
		n++;
	} while (n < max && n < PIECE && i + n < tree->n_new &&
		 tree->fresh[i + n].caller == out->first + n - 1);
	out->n = n;
	out->pcs = s->pcs;
	s->handed = out->first + n;
	s->handed_at = stack_moves(s);
	return true;
}

bool stack_take_new(struct stack_thread *t, uint32_t max, struct stack_frames *out)
{
	struct state *s = stack_state(t);
	struct guard me;
	bool more = false;

	if (!guard_open(s, &me))
		return false;
	if (guard_take(s, out)) {
		more = next_frames(s, max, out);
		if (!more) {
			t->taken_id = t->next_id;
			guard_taken(s, out);
		}
	}
	guard_close(s, &me);
	return more;
}
