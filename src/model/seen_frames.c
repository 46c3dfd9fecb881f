/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the frames of each thread in a list, sorted by address, the outermost first. A frame stays
 * in the list until a sample shows the stack pointer above it, or another frame in its place.
 *
 * Each sample shows only one moment. In between, the function of a frame in the list may have
 * returned, and another call may have put its frame at the same place. So a caller must check the
 * member `seen` before it relies on a frame.
 */
#include "model/seen_frames.h"

#include <stdlib.h>
#include <string.h>

enum {
	/* maximum number of frames that are kept for each thread; the inner frames of a deeper
	 * recursion are not kept */
	MOST = 1024,
	/* number of bytes by which frame.sp, the lowest stack pointer seen in a frame, may be too
	 * low: the function may have pushed arguments of a call then, and popped them since */
	PUSHED = 256,
};

void frames_release(struct frames *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		free(f->at[i].at);
	free(f->at);
	memset(f, 0, sizeof(*f));
}

struct thread_frames *frames_of(struct frames *f, uint32_t thread)
{
	return VEC_REACH(f, thread + 1) ? &f->at[thread] : NULL;
}

/* Removes the frames that have ended: those below the stack pointer and, after exec(), all. */
void frames_begin(struct thread_frames *t, uint32_t image, uint64_t sp)
{
	t->now++;
	if (t->image != image)
		t->n = 0;
	t->image = image;
	while (t->n && t->at[t->n - 1].cfa <= sp)
		t->n--;
}

/* Are a and b the same frame? Its function and its CFA (the stack pointer before the call) identify
 * a frame. The current instruction may differ. */
static bool is_same(const struct frame *a, const struct frame *b)
{
	return a->cfa == b->cfa && a->symbol == b->symbol;
}

/* Removes the remembered frames that overlap the frame `shown`, because they must have ended. There
 * is one exception: if only the lowest bytes of an outer frame overlap, the outer frame is
 * shortened. These bytes were arguments that its function pushed for a call that has returned. */
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

/* Ignores new frames when the list is full. Returns false when out of memory. */
bool frames_show(struct thread_frames *t, const struct frame *shown)
{
	uint32_t at;

	t->shows++;
	make_room(t, shown);
	for (at = t->n; at && t->at[at - 1].cfa <= shown->cfa; at--)
		if (is_same(&t->at[at - 1], shown)) {
			struct frame *f = &t->at[at - 1];

			f->sp = shown->sp < f->sp ? shown->sp : f->sp;
			f->now_sp = shown->now_sp;
			f->location = shown->location;
			f->seen = t->now;
			f->shown = t->shows;
			return true;
		}
	if (t->n == MOST)
		return true;
	if (!VEC_ROOM(t))
		return false;
	memmove(t->at + at + 1, t->at + at, (t->n - at) * sizeof(t->at[0]));
	t->at[at] = *shown;
	t->at[at].seen = t->now;
	t->at[at].shown = t->shows;
	t->n++;
	return true;
}

/* The `below` bytes under the innermost frame count as a part of it, because a function may use
 * this red zone without moving the stack pointer. */
struct frame *frames_at(struct thread_frames *t, uint64_t address, uint64_t below)
{
	for (uint32_t i = t->n; i > 0; i--) {
		struct frame *f = &t->at[i - 1];

		if (address < f->cfa)
			return address >= f->sp - (i == t->n ? below : 0) ? f : NULL;
	}
	return NULL;
}
