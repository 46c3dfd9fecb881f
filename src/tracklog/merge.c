/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merges the events of all streams into the order of time. A heap finds the stream whose next event
 * is the earliest. */
#include "tracklog/internal.h"

#include <string.h>

/* Returns the heap's entry of a stream. If a death and a birth have equal ticks, the death comes
 * first. The time of a death is read before the real free(), and the time of a birth after the real
 * malloc(). So the next block at the same address may be born at the tick at which the old one
 * died. */
static struct heap_head head_of(const struct tl_log *l, uint32_t stream)
{
	const struct tl_event *e = &l->streams[stream].head.e;

	return (struct heap_head){ e->time, e->kind != TL_DEATH, stream };
}

static int start_streams(struct tl_log *l, struct md_err *err)
{
	l->started = true;
	for (uint32_t i = 0; i < l->nstreams; i++) {
		int ret = tl_stream_next(l, &l->streams[i], err);

		if (ret < 0)
			return ret;
		if (ret)
			l->heap.at[l->heap.n++] = head_of(l, i);
	}
	heap_build(&l->heap);
	return 0;
}

/* Goes on from the event that tl_next() returned last, which is at the root of the heap: decodes
 * the next event of its stream, and updates the heap. Returns 0 or MD_ENOMEM. */
static int next_event(struct tl_log *l, struct md_err *err)
{
	uint32_t stream;
	int ret;

	if (!l->heap.n)
		return 0;
	stream = l->heap.at[0].source;
	ret = tl_stream_next(l, &l->streams[stream], err);
	if (ret > 0)
		heap_replace(&l->heap, head_of(l, stream));
	else if (!ret)
		heap_remove(&l->heap);
	return ret < 0 ? ret : 0;
}

/* For shmat, stores address and size. For shmdt, which has no argument for the size, sets e->size
 * to the size of the last shmat at the same address. Returns 0 or MD_ENOMEM. */
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
		/* the number of segments is limited, because a damaged log may contain any number
		 * of shmat events */
		if (l->nshared >= 65536)
			return 0;
		if (!tl_grow((void **)&l->shared, &l->cap_shared, l->nshared, sizeof(*l->shared)))
			return md_nomem(err);
		l->nshared++;
	}
	l->shared[i] = (struct shared_block){ e->address, e->size };
	return 0;
}

/* Copies the variable part of an event (a mask, a name, nodes) to l->words, and sets the members of
 * *e that point to it. */
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
		e->name = (const char *)words; /* a NUL follows the name */
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
	int ret = l->started ? next_event(l, err) : start_streams(l, err);

	if (ret || !l->heap.n)
		return ret;
	p = &l->streams[l->heap.at[0].source].head;
	*e = p->e;
	e->time = tl_clock_ns(l, p->e.time);
	if (e->kind > TL_UNMAP)
		fill_extra(l, p, e);
	if (e->function == TL_FN_SHMAT || e->function == TL_FN_SHMDT)
		ret = shared_size(l, e, err);
	return ret ? ret : 1;
}
