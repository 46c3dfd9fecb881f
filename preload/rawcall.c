/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rawcall.h"

#include <sys/syscall.h>

bool rawcall_sealed;

enum { OWN_MOST = 4096 };

/* The tracker's own mappings, unordered; bytes 0: empty. Threads add entries concurrently. */
static struct rawcall_range own[OWN_MOST];
static uint32_t own_count;
static bool unlock_new;

static uint32_t count_of_own(void)
{
	uint32_t n = __atomic_load_n(&own_count, __ATOMIC_ACQUIRE);

	return n < OWN_MOST ? n : OWN_MOST;
}

/* A place for a range: a new one, or an empty one when all were used; OWN_MOST if there is none. */
static uint32_t take_place(uint64_t bytes)
{
	uint32_t i = OWN_MOST;
	uint64_t empty;

	if (__atomic_load_n(&own_count, __ATOMIC_RELAXED) < OWN_MOST)
		i = __atomic_fetch_add(&own_count, 1, __ATOMIC_RELAXED);
	if (i < OWN_MOST)
		return i;
	for (i = 0; i < OWN_MOST; i++) {
		empty = 0;
		if (__atomic_compare_exchange_n(&own[i].bytes, &empty, bytes, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			break;
	}
	return i;
}

void rawcall_mapped(uint64_t at, uint64_t bytes)
{
	uint32_t i = take_place(bytes);

	if (i < OWN_MOST)
		own[i] = (struct rawcall_range){ at, bytes };
	if (unlock_new)
		rawcall_for_program(SYS_munlock, (long)at, (long)bytes, 0, 0, 0, 0);
}

void rawcall_unmapped(uint64_t at, uint64_t bytes)
{
	uint64_t end = at + bytes;

	for (uint32_t i = 0; i < count_of_own(); i++) {
		uint64_t first = own[i].at, last = first + own[i].bytes;

		if (at >= last || end <= first)
			continue;
		own[i].bytes = at > first ? at - first : 0;
		if (end < last && own[i].bytes)
			rawcall_mapped(end, last - end);
		else if (end < last)
			own[i] = (struct rawcall_range){ end, last - end };
	}
}

uint64_t rawcall_own_until(uint64_t at, uint64_t end, bool *is_own)
{
	*is_own = false;
	for (uint32_t i = 0; i < count_of_own(); i++) {
		uint64_t first = own[i].at, last = first + own[i].bytes;

		if (first <= at && at < last) {
			*is_own = true;
			return last < end ? last : end;
		}
		if (first > at && first < end && own[i].bytes)
			end = first;
	}
	return end;
}

void rawcall_unlock_own(bool later_too)
{
	for (uint32_t i = 0; i < count_of_own(); i++)
		if (own[i].bytes)
			rawcall4(SYS_munlock, (long)own[i].at, (long)own[i].bytes, 0, 0);
	unlock_new = later_too;
}
