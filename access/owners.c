/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "owners.h"

#include <stddef.h>

#include "pages.h"
#include "room.h"

/* SMALL: ranges of at most this many bytes change single granules, larger ones whole pages */
enum { PLACES = 1 << 16, SMALL = 1 << 10 };

_Atomic uint32_t owners_changes;

static _Atomic uint32_t of_granule[PLACES], of_page[PLACES], of_all;

/* For each granule in 1 GiB of addresses: the number of granules of the block that begins there.
 * Only the pages that are used take memory. */
struct sizes {
	_Atomic uint32_t granules[1 << (30 - GRANULE_BITS)];
};

/* one pointer for each GiB of the 47-bit user space */
static struct sizes *_Atomic sizes_root[1 << 17];

static uint32_t place(uint64_t number)
{
	return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

/* Returns where the size of the block that begins at `address` is stored; NULL when out of memory,
 * and for addresses above the 47-bit user space. */
static _Atomic uint32_t *size_of(uint64_t address)
{
	struct sizes *_Atomic *at = &sizes_root[address >> 30 & ((1 << 17) - 1)];
	struct sizes *leaf = *at, *fresh;

	if (address >> 47)
		return NULL;
	if (!leaf) {
		fresh = room_take(sizeof(*fresh));
		if (!fresh)
			return NULL;
		if (atomic_compare_exchange_strong(at, &leaf, fresh))
			leaf = fresh;
		else
			room_give(fresh, sizeof(*fresh));
	}
	return &leaf->granules[address >> GRANULE_BITS & ((1 << (30 - GRANULE_BITS)) - 1)];
}

static void change(_Atomic uint32_t *table, uint64_t first, uint64_t last)
{
	for (uint64_t i = first; i <= last; i++)
		atomic_fetch_add_explicit(&table[place(i)], 1, memory_order_relaxed);
}

/* Of the size, only the number of granules is stored: those that the block touches. */
void owners_change(uint64_t address, uint64_t bytes)
{
	const uint64_t first = address >> GRANULE_BITS;
	_Atomic uint32_t *size = bytes == UINT64_MAX ? NULL : size_of(address);
	uint64_t granules = UINT32_MAX;

	if (size && bytes)
		granules = ((address + bytes - 1) >> GRANULE_BITS) - first + 1;
	else if (size && *size)
		granules = *size;
	if (size && bytes)
		*size = granules < UINT32_MAX ? (uint32_t)granules : UINT32_MAX;
	if (granules <= SMALL >> GRANULE_BITS)
		change(of_granule, first, first + granules - 1);
	else if (granules < (uint64_t)PLACES << (PAGE_BITS - GRANULE_BITS))
		change(of_page, address >> PAGE_BITS,
		       (first + granules - 1) >> (PAGE_BITS - GRANULE_BITS));
	else
		of_all++;
	owners_changes++; /* after the counters, so whoever sees it sees them, too */
}

uint32_t owners_epoch(uint64_t address)
{
	return atomic_load_explicit(&of_granule[place(address >> GRANULE_BITS)],
				    memory_order_relaxed) +
	       atomic_load_explicit(&of_page[place(address >> PAGE_BITS)], memory_order_relaxed) +
	       of_all;
}
