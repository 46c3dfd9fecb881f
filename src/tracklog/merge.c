/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the streams' events by time: a heap of streams, ordered by the time of their next
 * event. */
#include "tracklog/internal.h"

#include <string.h>

/* At equal ticks a death comes first: it was stamped before the real call, while the birth of
 * the next block at that address was stamped after the call. */
static bool before(const struct tl_log *l, uint32_t a, uint32_t b)
{
	const struct tl_event *x = &l->streams[a].head.e, *y = &l->streams[b].head.e;

	if (x->time != y->time)
		return x->time < y->time;
	return x->kind == TL_DEATH && y->kind != TL_DEATH;
}

static void sift_down(struct tl_log *l, uint32_t i)
{
	uint32_t s = l->heap[i];

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child >= l->nheap)
			break;
		if (child + 1 < l->nheap && before(l, l->heap[child + 1], l->heap[child]))
			child++;
		if (!before(l, l->heap[child], s))
			break;
		l->heap[i] = l->heap[child];
		i = child;
	}
	l->heap[i] = s;
}

static int start(struct tl_log *l, struct md_err *err)
{
	l->started = true;
	for (uint32_t i = 0; i < l->nstreams; i++) {
		int ret = tl_stream_next(l, &l->streams[i], err);

		if (ret < 0)
			return ret;
		if (ret)
			l->heap[l->nheap++] = i;
	}
	for (uint32_t i = l->nheap / 2; i-- > 0;)
		sift_down(l, i);
	return 0;
}

/* Re-inserts the stream whose event was returned last, by the time of its next event. */
static int advance(struct tl_log *l, struct md_err *err)
{
	int ret;

	if (!l->nheap)
		return 0;
	ret = tl_stream_next(l, &l->streams[l->heap[0]], err);
	if (ret < 0)
		return ret;
	if (!ret)
		l->heap[0] = l->heap[--l->nheap];
	if (l->nheap)
		sift_down(l, 0);
	return 0;
}

/* shmdt does not give the size: the last shmat at that address does. */
static int shared_size(struct tl_log *l, struct tl_event *e, struct md_err *err)
{
	uint32_t i = 0;

	while (i < l->nshared && l->shared[i].address != e->address)
		i++;
	if (e->function == TL_FN_SHMDT) {
		if (i < l->nshared) {
			e->size = l->shared[i].size;
			l->shared[i] = l->shared[--l->nshared];
		}
		return 0;
	}
	if (i == l->nshared) {
		if (l->nshared >= 65536) /* the kernel's own limit of attached segments */
			return 0;
		if (!tl_grow((void **)&l->shared, &l->cap_shared, l->nshared, sizeof(*l->shared)))
			return md_fail(err, MD_ENOMEM, "out of memory");
		l->nshared++;
	}
	l->shared[i] = (struct shared_block){ e->address, e->size };
	return 0;
}

/* Fills in the parts of an event that are not plain numbers. */
static void fill_extra(struct tl_log *l, const struct pending *p, struct tl_event *e)
{
	uint64_t *words = l->words;

	memset(words, 0,
	       p->extra_bytes + 8 > sizeof(l->words) ? sizeof(l->words) : p->extra_bytes + 8);
	if (p->extra_bytes)
		memcpy(words, p->extra_at, p->extra_bytes);
	switch (e->kind) {
	case TL_POLICY:
		e->policy.mode = (int32_t)p->mode;
		e->policy.flags = p->flags;
		e->policy.nodes = words;
		e->policy.nwords = p->extra;
		break;
	case TL_AFFINITY:
		e->cpus = words;
		e->ncpuwords = p->extra;
		break;
	case TL_NAME:
	case TL_END:
		e->name = (const char *)words; /* a NUL follows */
		break;
	case TL_HOMES:
		e->homes.page_bytes = p->mode;
		e->homes.nodes = (const int32_t *)words;
		e->homes.count = p->extra;
		break;
	case TL_THREAD:
		e->tls.modules = (const struct track_tls *)words;
		e->tls.count = p->extra * 8 / sizeof(struct track_tls);
		break;
	default:
		break;
	}
}

int tl_next(struct tl_log *l, struct tl_event *e, struct md_err *err)
{
	const struct pending *p;
	int ret = l->started ? advance(l, err) : start(l, err);

	if (ret || !l->nheap)
		return ret;
	p = &l->streams[l->heap[0]].head;
	*e = p->e;
	e->time = tl_clock_ns(l, p->e.time);
	if (e->kind > TL_UNMAP)
		fill_extra(l, p, e);
	if (e->kind == TL_END) {
		l->losses.ended = strcmp(e->name, TRACK_NOT_ENDED) != 0;
		if (!l->losses.ended)
			return tl_next(l, e, err);
	}
	if (e->function == TL_FN_SHMAT || e->function == TL_FN_SHMDT)
		ret = shared_size(l, e, err);
	return ret ? ret : 1;
}
