/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/ring.h"

void ring_init(struct ring *r, uint32_t slots)
{
	*r = (struct ring){ .slots = slots };
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
}

void ring_release(struct ring *r)
{
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
}

/* At most one of the two threads waits: the ring is not full and empty at the same time. So a
 * signal reaches the right one. */
static void change(struct ring *r, bool put, bool done)
{
	pthread_mutex_lock(&r->lock);
	r->put += put;
	r->done += done;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

int ring_vacant(struct ring *r)
{
	int slot;

	pthread_mutex_lock(&r->lock);
	while (r->put - r->done == r->slots)
		pthread_cond_wait(&r->changed, &r->lock);
	slot = (int)(r->put % r->slots);
	pthread_mutex_unlock(&r->lock);
	return slot;
}

void ring_put(struct ring *r)
{
	change(r, true, false);
}

void ring_wait(struct ring *r)
{
	pthread_mutex_lock(&r->lock);
	while (r->put != r->done)
		pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

int ring_next(struct ring *r)
{
	int slot;

	pthread_mutex_lock(&r->lock);
	while (!r->closed && r->put == r->done)
		pthread_cond_wait(&r->changed, &r->lock);
	slot = r->put == r->done ? RING_CLOSED : (int)(r->done % r->slots);
	pthread_mutex_unlock(&r->lock);
	return slot;
}

void ring_done(struct ring *r)
{
	change(r, false, true);
}

void ring_close(struct ring *r)
{
	pthread_mutex_lock(&r->lock);
	r->closed = true;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->lock);
}
