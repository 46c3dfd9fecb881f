/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rawcall.h"

#include <sys/syscall.h>

#include "start.h"

bool rawcall_sealed START_STATE;

long rawcall_for_program(long nr, long a, long b, long c, long d, long e, long f)
{
	return rawcall(nr, a, b, c, d, e, f);
}

enum { OWN_MOST = 4096, OWN_FIRST = 16 };

/*
 * The tracker's own mappings, unsorted; an entry with 0 bytes is unused. Threads add entries
 * concurrently.
 */
static struct rawcall_range first_own[OWN_FIRST] START_STATE, later_own[OWN_MOST - OWN_FIRST];
static uint32_t own_count START_STATE;
static bool unlock_new START_STATE;

static struct rawcall_range *own_at(uint32_t i)
{
	return i < OWN_FIRST ? &first_own[i] : &later_own[i - OWN_FIRST];
}

static uint32_t count_of_own(void)
{
	uint32_t n = __atomic_load_n(&own_count, __ATOMIC_ACQUIRE);

	return n < OWN_MOST ? n : OWN_MOST;
}

/* Claims an entry of the list of own mappings: an entry that was never used or, if there is none
 * left, a released one. Storing `bytes` marks a released entry as used. Returns the index of the
 * entry; OWN_MOST if all are in use. */
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
		if (__atomic_compare_exchange_n(&own_at(i)->bytes, &empty, bytes, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			break;
	}
	return i;
}

void rawcall_mapped(uint64_t at, uint64_t bytes, bool replaces)
{
	uint32_t i = replaces ? OWN_MOST : take_place(bytes);

	if (i < OWN_MOST)
		*own_at(i) = (struct rawcall_range){ at, bytes };
	if (unlock_new)
		rawcall(SYS_munlock, (long)at, (long)bytes, 0, 0, 0, 0);
}

void rawcall_unmapped(uint64_t at, uint64_t bytes)
{
	uint64_t end = at + bytes;

	for (uint32_t i = 0; i < count_of_own(); i++) {
		uint64_t first = own_at(i)->at, last = first + own_at(i)->bytes;

		if (at >= last || end <= first)
			continue;
		own_at(i)->bytes = at > first ? at - first : 0;
		if (end < last && own_at(i)->bytes)
			rawcall_mapped(end, last - end, false);
		else if (end < last)
			*own_at(i) = (struct rawcall_range){ end, last - end };
	}
}

uint64_t rawcall_own_until(uint64_t at, uint64_t end, bool *is_own)
{
	*is_own = false;
	for (uint32_t i = 0; i < count_of_own(); i++) {
		uint64_t first = own_at(i)->at, last = first + own_at(i)->bytes;

		if (first <= at && at < last) {
			*is_own = true;
			return last < end ? last : end;
		}
		if (first > at && first < end && own_at(i)->bytes)
			end = first;
	}
	return end;
}

void rawcall_unlock_own(bool later_too)
{
	for (uint32_t i = 0; i < count_of_own(); i++)
		if (own_at(i)->bytes)
			rawcall4(SYS_munlock, (long)own_at(i)->at, (long)own_at(i)->bytes, 0, 0);
	unlock_new = later_too;
}
