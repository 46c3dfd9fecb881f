/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hands items from one thread to another, in their order. The items are in the slots of an array of
 * the caller: the ring says which slot each thread may use. A slot belongs to the thread that fills
 * it from ring_vacant() to ring_put(), and to the thread that reads it from ring_next() to
 * ring_done(). What a thread wrote before ring_put() or ring_done(), the other thread sees in the
 * slot that it gets.
 *
 * Each call takes a lock, so an item should be the work of 100 us or more.
 */
#ifndef MEMDB_BASE_RING_H
#define MEMDB_BASE_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { RING_CLOSED = -1 }; /* in the place of a slot: there are no more items */

struct ring {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint32_t slots;
	uint64_t put, done; /* how many items were handed over, and how many of them were read */
	bool closed;
};

/* Initializes a ring of `slots` slots. ring_release() frees it when no other thread uses it. */
void ring_init(struct ring *r, uint32_t slots);
void ring_release(struct ring *r);

/* For the thread that fills: waits until a slot is vacant, and returns its number. */
int ring_vacant(struct ring *r);
void ring_put(struct ring *r);

/* For the thread that fills: waits until all items have been read. */
void ring_wait(struct ring *r);

/* For the thread that reads: waits for the next item, and returns its slot. Returns RING_CLOSED
 * after ring_close(), when no item is left. */
int ring_next(struct ring *r);
void ring_done(struct ring *r);

/* For the thread that fills: no more items follow. It must not call ring_vacant() after this. A
 * thread that reads cannot end the other one: ring_vacant() and ring_wait() wait for ring_done().
 */
void ring_close(struct ring *r);

#endif
