/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samplers.h"

#include <stddef.h>

extern struct track_sampler *track_samplers __attribute__((visibility("default")));
struct track_sampler *track_samplers;

unsigned samplers_before_exec(void)
{
	unsigned stopped = 0;

	for (struct track_sampler *s = track_samplers; s; s = s->next)
		if (s->before_exec())
			stopped |= s->bit;
	return stopped;
}

void samplers_after_exec(unsigned stopped)
{
	for (struct track_sampler *s = track_samplers; s; s = s->next)
		s->after_exec(stopped & s->bit);
}

/* A sampler that has ended takes itself out. */
void samplers_before_end(void)
{
	for (struct track_sampler *s = track_samplers, *next; s; s = next) {
		next = s->next;
		s->before_end();
	}
}
