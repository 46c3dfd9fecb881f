/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spares.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "rawcall.h"
#include "seal.h"
#include "shared_log.h"
#include "start.h"
#include "tracker.h"

enum {
	RANGE = 64, /* slots that are claimed at once */
	FEW = 8,    /* if no more slots than this are left, each child gets only one */
	PART = 4,   /* slots of a child, of which three are for its own children */
	/* number of forks without a range. Most programs fork only a few children, and a range
	 * costs more than a few children gain */
	FREE_FORKS = 2,
};

/* The range. A forked child inherits it. */
static struct {
	uint64_t at;     /* address of the mapping; 0 means that there is none */
	uint64_t offset; /* its offset in the file */
	bool renewing;   /* a thread changes the range; the mapping may already be another one */
	bool impossible; /* no range could be mapped, or the program limits its address space */
} range START_STATE;

/* The slots that are promised to the child that this thread forks next, in the form of
 * wiped.spares. */
static __thread uint64_t promised __attribute__((tls_model("initial-exec")));

/* Takes a part of the unused slots for a child. Returns it in the form of wiped.spares; 0 if no
 * slot is left. */
static uint64_t take_part(struct wiped *w)
{
	uint64_t old = __atomic_load_n(&w->spares, __ATOMIC_ACQUIRE), first, end, part;

	do {
		first = old >> 32;
		end = (uint32_t)old;
		if (first >= end)
			return 0;
		part = end - first > FEW ? PART : 1;
	} while (!__atomic_compare_exchange_n(&w->spares, &old, (first + part) << 32 | end, false,
					      __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
	return first << 32 | (first + part);
}

static bool is_space_limited(void)
{
	uint64_t limit[2] = { RLIM_INFINITY, RLIM_INFINITY };

	rawcall4(SYS_prlimit64, 0, RLIMIT_AS, 0, (long)limit);
	return limit[0] != RLIM_INFINITY;
}

/* Begins to change the range. Returns false if another thread changes it right now. */
static bool begin_change(void)
{
	bool renewing = false;

	return __atomic_compare_exchange_n(&range.renewing, &renewing, true, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static void end_change(void)
{
	__atomic_store_n(&range.renewing, false, __ATOMIC_SEQ_CST);
}

static bool is_impossible(void)
{
	return __atomic_load_n(&range.impossible, __ATOMIC_SEQ_CST);
}

/* Claims and maps a new range, in place of the old one. */
static void renew_range(struct wiped *w)
{
	uint64_t saved;

	/* seal_notice() comes before other system calls, which a filter may forbid */
	if (is_impossible() || seal_notice() || is_space_limited() || !signals_block(&saved))
		return;
	if (begin_change()) {
		if (!is_impossible())
			range.offset = shared_map_range(&range.at, RANGE * TRACK_SLOT);
		__atomic_store_n(&w->spares, range.offset ? RANGE : 0, __ATOMIC_RELEASE);
		end_change();
		/* another thread may have called spares_release(), which did nothing then */
		if (!range.offset || is_impossible())
			spares_release();
	}
	signals_restore(&saved);
}

void spares_promise(void)
{
	struct wiped *w;

	/* A forked child that has logged nothing has no slot of its own, and no part of the range.
	 */
	if (image_is_off() || !shared_slot() || thread_wiped()->mark != 1)
		return;
	w = thread_wiped();
	promised = range.at ? take_part(w) : 0;
	if (promised || rawcall_sealed || seal_of_child || w->forks++ < FREE_FORKS)
		return;
	renew_range(w);
	promised = take_part(w);
}

uint64_t spares_take(uint64_t at)
{
	uint64_t first = promised >> 32, end = (uint32_t)promised;
	long p;

	promised = 0;
	if (range.renewing) {
		range.renewing = false;
		return 0;
	}
	if (first >= end || !range.at)
		return 0;
	p = rawcall6(SYS_mremap, (long)(range.at + first * TRACK_SLOT), 0, TRACK_SLOT,
		     MREMAP_MAYMOVE | MREMAP_FIXED, (long)at, 0);
	if (rawcall_failed(p))
		return 0;
	thread_wiped()->spares = (first + 1) << 32 | end;
	return range.offset + first * TRACK_SLOT;
}

void spares_release(void)
{
	uint64_t at;

	__atomic_store_n(&range.impossible, true, __ATOMIC_SEQ_CST);
	if (!begin_change())
		return;
	at = range.at;
	range.offset = 0;
	/* from here on the children of other threads do not use their promises */
	__atomic_store_n(&range.at, 0, __ATOMIC_SEQ_CST);
	if (at)
		rawcall4(SYS_munmap, (long)at, RANGE * TRACK_SLOT, 0, 0);
	end_change();
}
