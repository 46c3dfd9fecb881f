/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does with an ordinary stack (STACK_LAST) what tracker and reader of the log do: writes and reads
 * its difference from the thread's last stack. */
#ifndef MEMDB_TEST_STACK_SHOWN_H
#define MEMDB_TEST_STACK_SHOWN_H

#include "call_stack.h"

enum { SHOWN_MOST = 2048 };

/* The last stack of a thread in the log. Bytes of zero are that of a new log. */
struct shown {
	uint64_t sites[TRACK_SITE_NONE];
	uint64_t pcs[SHOWN_MOST]; /* the outermost frame first */
	uint32_t n;
	uint32_t wrong; /* number of changes that contradict the stack before */
};

static inline void shown_keep(struct shown *s, uint64_t kept)
{
	s->wrong += kept > s->n;
	if (kept <= s->n)
		s->n = (uint32_t)kept;
}

static inline void shown_push(struct shown *s, uint64_t pc)
{
	s->wrong += !pc || s->n == SHOWN_MOST;
	if (s->n < SHOWN_MOST)
		s->pcs[s->n++] = pc;
}

static inline void shown_sites(struct shown *s, uint64_t sites, unsigned n)
{
	for (; n && (sites & TRACK_SITE_NONE) != TRACK_SITE_NONE; n--, sites >>= TRACK_SITE_BITS)
		shown_push(s, s->sites[sites & TRACK_SITE_NONE]);
}

/* Called when a capture has returned STACK_LAST, before stack_logged(). Afterwards s->pcs is the
 * stack. */
static inline void shown_change(struct shown *s, struct stack_thread *t)
{
	struct stack_change c;

	while (stack_take_frames(t, 7, &c)) {
		shown_keep(s, c.kept);
		for (uint32_t i = 0; i < c.n; i++) {
			const uint64_t pc = TRACK_GET(FRAME_ADDRESS, c.words[i]);
			const unsigned site = TRACK_GET(FRAME_SITE, c.words[i]);

			if (site < TRACK_SITE_NONE)
				s->sites[site] = pc;
			shown_push(s, pc);
		}
	}
	s->wrong += t->n_words != 1 + TRACK_GET(STACK_MORE, t->words[0]);
	shown_keep(s, TRACK_GET(STACK_KEPT, t->words[0]));
	shown_sites(s, TRACK_GET(STACK_SITES, t->words[0]), TRACK_STACK_FIRST);
	for (uint32_t i = 1; i < t->n_words; i++)
		shown_sites(s, TRACK_GET(MORE_SITES, t->words[i]), TRACK_STACK_EACH);
	t->n_words = 0;
}

#endif
