/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Touches: the accesses that made the kernel place a page, given in time order. Kept by page and
 * process, the last one in front; earlier ones as long as a forked child may still have the page.
 *
 * A page that was touched takes 17 bytes where its neighbours were touched too, 290 alone.
 */
#ifndef MEMDB_MODEL_TOUCH_H
#define MEMDB_MODEL_TOUCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"

#define TOUCH_RUN    16 /* pages side by side that are kept together */
#define TOUCH_LEVELS 3  /* a page of 2^9 or 2^18 and more is kept in pieces of that size */
#define TOUCH_ORDERS 9
#define TOUCH_RECENT 64 /* runs that need no search, a power of two */

/* Was the node of a page anybody's choice? */
enum touch_chosen {
	TOUCH_CHOICE_UNKNOWN,
	TOUCH_BY_CHANCE, /* it was where a thread that may run on several nodes was just then */
	TOUCH_CHOSEN,    /* by a policy that names it, or a thread that is bound to it */
};

struct touch {
	uint64_t time;       /* 0: none */
	uint32_t older;      /* position + 1 in touches.past, 0 none */
	int16_t node;        /* -1 unknown */
	uint16_t order : 5;  /* the page's size is 2^order of the system's pages */
	uint16_t sized : 1;  /* the order is known */
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
	struct index index; /* of runs, by key and process */
	struct {
		uint64_t key;
		uint32_t process, run; /* run: position + 1, 0 none */
	} recent[TOUCH_RECENT];        /* those touched last, by the low bits of their keys:
					  pages are touched side by side */
	struct {
		struct touch *at;
		uint32_t n, cap;
	} past;
	unsigned levels; /* that are in use */
	bool nomem;
};

void touches_release(struct touches *t);

/* A touch of the page (address / the system's page size) that contains `page`, whatever its size.
 * keep: who asks about the past may still mean the touch before it. */
void touches_put(struct touches *t, uint32_t process, uint64_t page, const struct touch *touch,
		 bool keep);

/* The last touch of a page, NULL where there is none. Valid until the next change. */
const struct touch *touches_get(const struct touches *t, uint32_t process, uint64_t page);

/* The node on which more than half of these pages (of the system's size) were touched last, by
 * touches that are not older than `since`; -1: there is none. `first` is a multiple of TOUCH_RUN.
 */
int32_t touches_majority(const struct touches *t, uint32_t process, uint64_t first, uint32_t pages,
			 uint64_t since);

/* Of a touch and those before it the last that is not younger than `time`, or NULL. */
const struct touch *touches_before(const struct touches *t, const struct touch *touch,
				   uint64_t time);

#endif
