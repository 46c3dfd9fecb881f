/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The open frames of each thread, sorted by address, the outermost first. A frame is open until the
 * stack pointer has been above it. Samples show only moments, so a frame in the list may have been
 * left and its place used by another call: who asks has to decide by `seen` whether it is surely
 * the same one.
 */
#include "model/frames.h"

#include <stdlib.h>
#include <string.h>

enum {
	MOST = 1024,  /* frames kept per thread: deeper recursion is not followed */
	PUSHED = 256, /* bytes of pushed arguments that a frame may have had below its present stack
			 pointer */
};

/* Leaves *f empty. */
void frames_release(struct frames *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		free(f->at[i].at);
	free(f->at);
	memset(f, 0, sizeof(*f));
}

/* NULL when out of memory. */
struct thread_frames *frames_of(struct frames *f, uint32_t thread)
{
	return VEC_REACH(f, thread + 1) ? &f->at[thread] : NULL;
}

/* Call for each sample of the thread: it ends frames below the stack pointer. exec() ends all. */
void frames_begin(struct thread_frames *t, uint32_t image, uint64_t sp)
{
	t->now++;
	if (t->image != image)
		t->n = 0;
	t->image = image;
	while (t->n && t->at[t->n - 1].cfa <= sp)
		t->n--;
}

/* A frame is known by its place and function; the instruction moves. */
static bool is_same(const struct frame *a, const struct frame *b)
{
	return a->cfa == b->cfa && a->symbol == b->symbol;
}

/* Removes remembered frames that cannot coexist with the frame shown. An outer frame that overlaps
 * only by arguments it had pushed for another call is shortened instead. */
static void make_room(struct thread_frames *t, const struct frame *shown)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		struct frame *f = &t->at[i];

		if (!is_same(f, shown) && f->sp < shown->cfa && f->cfa > shown->sp) {
			if (f->cfa <= shown->cfa || shown->cfa - f->sp > PUSHED)
				continue;
			f->sp = shown->cfa;
		}
		t->at[kept++] = *f;
	}
	t->n = kept;
}

/* False when out of memory. A full list keeps what it has. */
bool frames_show(struct thread_frames *t, const struct frame *shown)
{
	uint32_t at;

	make_room(t, shown);
	for (at = t->n; at && t->at[at - 1].cfa <= shown->cfa; at--)
		if (is_same(&t->at[at - 1], shown)) {
			struct frame *f = &t->at[at - 1];

			f->sp = shown->sp < f->sp ? shown->sp : f->sp;
			f->now_sp = shown->sp;
			f->location = shown->location;
			f->seen = t->now;
			return true;
		}
	if (t->n == MOST)
		return true;
	if (!VEC_ROOM(t))
		return false;
	memmove(t->at + at + 1, t->at + at, (t->n - at) * sizeof(t->at[0]));
	t->at[at] = *shown;
	t->at[at].now_sp = shown->sp;
	t->at[at].seen = t->now;
	t->n++;
	return true;
}

/* `below` bytes under the innermost frame belong to it as well: the red zone. */
struct frame *frames_at(struct thread_frames *t, uint64_t address, uint64_t below)
{
	for (uint32_t i = t->n; i > 0; i--) {
		struct frame *f = &t->at[i - 1];

		if (address < f->cfa)
			return address >= f->sp - (i == t->n ? below : 0) ? f : NULL;
	}
	return NULL;
}
