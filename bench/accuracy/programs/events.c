/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulates events: takes the next event from a binary heap (16 MiB), changes the state of its cell
 * (64 MiB), and puts the event back with a later time, by the rate of the cell (16 MiB). */
// held out
// object queue -DQUEUE_AT(x)=((x)&63)
// object states -DSTATE_MASK=63
// object rates -DRATE_MASK=63
#include "program.h"

enum { EVENTS = 1 << 20, STATES = 1 << 22, STEPS = 1 << 20 };
#ifndef QUEUE_AT
#define QUEUE_AT(x) (x)
#endif
#ifndef STATE_MASK
#define STATE_MASK (STATES - 1)
#endif
#ifndef RATE_MASK
#define RATE_MASK (STATES - 1)
#endif

struct event {
	uint32_t time, cell, more[2];
};
struct state {
	uint64_t count, sum;
};
static struct event *queue;
static struct state *states;
static uint32_t *rates;

void init(void)
{
	queue = malloc(EVENTS * sizeof(*queue));
	states = malloc(STATES * sizeof(*states));
	rates = malloc(STATES * sizeof(*rates));
	for (uint32_t i = 0; i < EVENTS; i++) /* sorted, so it is a heap */
		queue[i] = (struct event){ i, random_number(), { 0, 0 } };
	for (uint32_t i = 0; i < STATES; i++) {
		states[i] = (struct state){ 0, i };
		rates[i] = random_number();
	}
}

double kernel(void)
{
	uint32_t now = 0, draw = 1;

	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t cell = MIX(queue[QUEUE_AT(0)].cell, step), at = 0;
		struct state *s = &states[(cell ^ cell >> 15) & STATE_MASK];

		s->count++;
		s->sum += cell;
		now += rates[(cell ^ cell >> 9) & RATE_MASK] & 1;
		/* The event sinks to the bottom of the heap. At each level, a random bit may turn
		 * it to the other child, so the path is random even if `queue` is local. */
		draw = draw * 1664525 + 1013904223;
		for (uint32_t turns = draw; 2 * at + 2 < EVENTS; turns = turns >> 1 | turns << 31) {
			uint32_t left = 2 * at + 1, next;

			next = left +
			       ((queue[QUEUE_AT(left)].time > queue[QUEUE_AT(left + 1)].time) ^
				(turns & 1));
			queue[QUEUE_AT(at)] = queue[QUEUE_AT(next)];
			at = next;
		}
		queue[QUEUE_AT(at)].time = now;
	}
	return (double)states[7].sum + queue[QUEUE_AT(3)].time;
}
