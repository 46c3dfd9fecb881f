/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/fault_storm.h"

#define NS_PER_SECOND 1e9

void fault_storm_init(struct fault_storm *s, unsigned cpus)
{
	*s = (struct fault_storm){ .limit = 2 * cpus > STORM_RATE ? 2 * cpus : STORM_RATE };
}

/* Lets the level fall until the given time. */
static void leak(struct fault_storm *s, uint64_t ns)
{
	if (ns <= s->now_ns)
		return;
	s->level -= (double)(ns - s->now_ns) * STORM_RATE / NS_PER_SECOND;
	if (s->level < 0)
		s->level = 0;
	s->now_ns = ns;
}

void fault_storm_add(struct fault_storm *s, uint64_t ns)
{
	leak(s, ns);
	s->level++;
	if (s->level >= s->limit) {
		s->level = s->limit;
		if (!s->on)
			s->begin_ns = s->now_ns;
		s->on = true;
	}
	s->processes += s->on;
}

void fault_storm_end(struct fault_storm *s, uint64_t ns)
{
	leak(s, ns);
	if (s->on)
		s->total_ns += s->now_ns - s->begin_ns;
	s->on = false;
}

void fault_storm_pass(struct fault_storm *s, uint64_t ns)
{
	leak(s, ns);
	if (s->level <= s->limit - STORM_CALM)
		fault_storm_end(s, ns);
}
