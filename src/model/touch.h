/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stores touches. A touch is the access that made the kernel place a page. Touches are added in the
 * order of time and stored by process and page; the latest one counts. Earlier ones are kept if a
 * later query may need them, because a forked child may still have the older page.
 *
 * A touched page takes 17 bytes if its neighbours were touched too, and 290 bytes alone.
 */
#ifndef MEMDB_MODEL_TOUCH_H
#define MEMDB_MODEL_TOUCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"

#define TOUCH_RUN 16 /* number of adjacent pages whose touches are stored together */
/* Number of levels. An entry of level 0 represents one base page, an entry of level 1 represents
 * 2^9 base pages, and one of level 2 represents 2^18. */
#define TOUCH_LEVELS 3
#define TOUCH_ORDERS 9
#define TOUCH_RECENT 64 /* number of entries in the cache of runs of pages; a power of two */

/* Did the program choose the node of the page? */
enum touch_chosen {
	TOUCH_CHOICE_UNKNOWN,
	TOUCH_BY_CHANCE, /* no: the thread may run on several nodes, and this was one of them */
	TOUCH_CHOSEN,    /* yes: a policy names the node, or the thread may run only on that node */
};

struct touch {
	uint64_t time;       /* 0 means that there is no touch */
	uint32_t older;      /* the previous touch of the page: position + 1 in touches.past; 0
			      * means not kept */
	int16_t node;        /* -1 means unknown */
	uint16_t order : 5;  /* the page has 2^order base pages */
	uint16_t sized : 1;  /* whether `order` is known */
	uint16_t chosen : 2; /* enum touch_chosen */
	/* low bits of the thread's id, to find out whether two touches were made by the same
	 * thread */
	uint16_t thread : 8;
};

_Static_assert(sizeof(struct touch) == 16, "one for each page that the program has");

/* The touches of all pages of all processes. A struct of zeros contains none. */
struct touches {
	struct {
		struct touch_run {
			uint64_t key; /* see run_key() */
			uint32_t process;
			struct touch at[TOUCH_RUN];
		} * at;
		uint32_t n, cap;
	} runs;
	struct index index; /* finds runs of pages by process and key */
	struct {
		uint64_t key;
		uint32_t process, run; /* run: position + 1 in runs; 0 means an empty entry */
		/* the runs of pages that were used last, indexed by recent_place(): programs touch
		 * adjacent pages one after another */
	} recent[TOUCH_RECENT];
	struct {
		struct touch *at;
		uint32_t n, cap;
	} past;
	unsigned levels; /* only levels (see TOUCH_LEVELS) below this one contain touches */
	bool nomem;
};

void touches_release(struct touches *t);

/* Adds a touch of a page of arbitrary size. `page` is the page's address divided by the base page
 * size. With `keep`, the previous touch is kept for queries about the past. */
void touches_put(struct touches *t, uint32_t process, uint64_t page, const struct touch *touch,
		 bool keep);

/* Returns the last touch of a page; NULL if there is none. The pointer is valid until a touch is
 * added. */
const struct touch *touches_get(const struct touches *t, uint32_t process, uint64_t page);

/* Returns the node on which more than half of the `pages` base pages from `first` on are known to
 * be. Pages last touched before `since` count as unknown. Returns -1 if there is no such node.
 * `first` must be a multiple of TOUCH_RUN. */
int32_t touches_majority(const struct touches *t, uint32_t process, uint64_t first, uint32_t pages,
			 uint64_t since);

/* Goes back from `touch` through the kept touches of a page. Returns the latest touch at or before
 * `time`; NULL if there is none. */
const struct touch *touches_before(const struct touches *t, const struct touch *touch,
				   uint64_t time);

#endif
