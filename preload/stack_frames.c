/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of a stack that stack_recent.c has captured, if the log does not show their call sites
 * yet, or if a TRACK_STACK has no room for them. */
#include "stack_state.h"

/* Returns the word in the log for a frame that the walk has passed. */
static uint64_t frame_word(struct state *s, const struct recent_passed *p)
{
	/* Another frame of the walk may have taken the place of its rule. */
	const bool has_site = quick_is_of(*quick_place(s, p->pc), p->pc);

	return TRACK_PUT(FRAME_SITE, has_site ? site_of(s, p->pc) : TRACK_SITE_NONE) | p->pc;
}

/* The log shows now to which addresses the call sites of these frames belong. */
static void set_known_sites(struct state *s, const struct stack_change *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		const uint64_t pc = TRACK_GET(FRAME_ADDRESS, c->words[i]);
		uint64_t *rule = quick_place(s, pc);

		if (quick_is_of(*rule, pc))
			*rule &= ~QUICK_FRESH;
	}
}

bool stack_take_frames(struct stack_thread *t, uint32_t max, struct stack_change *out)
{
	struct state *s = stack_state(t);
	struct stack_recent *r = &s->recent;
	const uint32_t n = max < PIECE ? max : PIECE, left = t->n_frames - r->taken;

	if (!t->n_frames)
		return false;
	if (r->taken)
		set_known_sites(s, out);
	if (!left) {
		t->n_frames = 0;
		return false;
	}
	*out = (struct stack_change){ r->kept + r->taken, left < n ? left : n, s->pcs };
	for (uint32_t i = 0; i < out->n; i++)
		s->pcs[i] = frame_word(s, &r->passed[left - 1 - i]);
	r->taken += out->n;
	return true;
}
