/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores touches: the accesses that made the kernel place a page, given in time order. They are
 * stored by page and process, the latest first. Earlier touches are kept if a later query may need
 * them, because a forked child may still have the page.
 *
 * A touched page takes 17 bytes if its neighbours were touched too, 290 bytes alone.
 */
#ifndef MEMDB_MODEL_TOUCH_H
#define MEMDB_MODEL_TOUCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"

#define TOUCH_RUN    16 /* adjacent pages that are stored together */
#define TOUCH_LEVELS 3  /* pages of 2^9 or 2^18 base pages and more are stored in such pieces */
#define TOUCH_ORDERS 9
#define TOUCH_RECENT 64 /* size of the cache of runs, a power of two */

/* Did anybody choose the node of the page? */
enum touch_chosen {
	TOUCH_CHOICE_UNKNOWN,
	TOUCH_BY_CHANCE, /* no: it is where a thread without affinity happened to run */
	TOUCH_CHOSEN,    /* yes: by a policy that names the node, or by binding the thread to it */
};

struct touch {
	uint64_t time;       /* 0 means no touch */
	uint32_t older;      /* position + 1 in touches.past, 0 means none */
	int16_t node;        /* -1: unknown */
	uint16_t order : 5;  /* the page has 2^order base pages */
	uint16_t sized : 1;  /* order is known */
	uint16_t chosen : 2; /* enum touch_chosen */
	uint16_t thread : 8; /* low bits of the thread's id */
};

_Static_assert(sizeof(struct touch) == 16, "one for each page that the program has");

/* { 0 } is empty. */
struct touches {
	struct {
		struct touch_run {
			uint64_t key; /* see run_key() */
			uint32_t process;
			struct touch at[TOUCH_RUN];
		} * at;
		uint32_t n, cap;
	} runs;
	struct index index; /* finds runs by key and process */
	struct {
		uint64_t key;
		uint32_t process, run; /* run: position + 1, 0 means none */
	} recent[TOUCH_RECENT]; /* the latest runs, by the low bits of their keys: programs touch
				   adjacent pages */
	struct {
		struct touch *at;
		uint32_t n, cap;
	} past;
	unsigned levels; /* levels in use */
	bool nomem;
};

void touches_release(struct touches *t);

/* Adds a touch of the page, of any size, that contains base page `page` (address / base page size).
 * keep: a query about the past may still need the previous touch. */
void touches_put(struct touches *t, uint32_t process, uint64_t page, const struct touch *touch,
		 bool keep);

/* Returns the last touch of a page, NULL if there is none. Valid until the next change. */
const struct touch *touches_get(const struct touches *t, uint32_t process, uint64_t page);

/* Returns the node of more than half of these base pages, of those with a known node. Only last
 * touches not older than `since` count. Returns -1 if there is no such node. `first` must be a
 * multiple of TOUCH_RUN. */
int32_t touches_majority(const struct touches *t, uint32_t process, uint64_t first, uint32_t pages,
			 uint64_t since);

/* Goes back from `touch` and returns the latest touch at or before `time`, or NULL. */
const struct touch *touches_before(const struct touches *t, const struct touch *touch,
				   uint64_t time);

#endif
