/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "owners.h"

#include <stdbool.h>
#include <stddef.h>

#include "pages.h"
#include "room.h"

/* SMALL: blocks of at most this many bytes have a number in each of their granules; larger ones
 * change pages */
enum { PLACES = 1 << 16, SMALL = 1 << 12 };

_Atomic uint32_t owners_changes;

static _Atomic uint32_t of_page[PLACES], of_all;

/* the number of the last small block */
static _Atomic uint32_t blocks;

struct granule {
	_Atomic uint32_t bytes; /* size of the block that begins here */
	/* number of the small block to which the granule belongs, or 0; TAIL and SHARED */
	_Atomic uint32_t block;
};

/* TAIL: the block ends in the first half of the granule. The second half belongs to nobody; glibc
 * has the head of the next block there. SHARED: a block has begun in the second half, because the
 * program's malloc aligns blocks to 8 bytes. From then on, nothing is assumed about the granule's
 * halves: each change gives it a new number. */
#define TAIL   (UINT32_C(1) << 31)
#define SHARED (UINT32_C(1) << 30)
#define NUMBER (SHARED - 1)

/* The granules in 1 GiB of addresses. Only the pages that are used take memory. */
struct leaf {
	struct granule granules[1 << (30 - GRANULE_BITS)];
};

/* one pointer for each GiB of the 47-bit user space */
static struct leaf *_Atomic root[1 << 17];

/* Returns the granule of this address; NULL if it has none so far, and for addresses above the
 * 47-bit user space. */
static struct granule *granule_of(uint64_t address)
{
	struct leaf *leaf =
		address >> 47 ? NULL
			      : atomic_load_explicit(&root[address >> 30], memory_order_relaxed);

	return leaf ? &leaf->granules[address >> GRANULE_BITS & ((1 << (30 - GRANULE_BITS)) - 1)]
		    : NULL;
}

/* The same, but makes the granule if there is none. NULL also means out of memory. */
static struct granule *make_granule(uint64_t address)
{
	struct leaf *none = NULL, *fresh;

	if (!(address >> 47) && !root[address >> 30]) {
		fresh = room_take(sizeof(*fresh));
		if (fresh && !atomic_compare_exchange_strong(&root[address >> 30], &none, fresh))
			room_give(fresh, sizeof(*fresh));
	}
	return granule_of(address);
}

static _Atomic uint32_t *count_of(uint64_t page)
{
	return &of_page[page * UINT64_C(0x9e3779b97f4a7c15) >> 48];
}

static void change_pages(uint64_t address, uint64_t bytes)
{
	const uint64_t last = (address + bytes - 1) >> PAGE_BITS;

	for (uint64_t page = address >> PAGE_BITS; page <= last; page++)
		atomic_fetch_add_explicit(count_of(page), 1, memory_order_relaxed);
}

/* The granule at `at` belongs to the small block [start, end) with this number, from now on or, if
 * `ends`, no longer. */
static void change_granule(uint64_t at, uint64_t start, uint64_t end, uint32_t number, bool ends)
{
	const uint64_t half = at + (1u << GRANULE_BITS) / 2;
	struct granule *g = make_granule(at);

	if (!g)
		of_all++;
	else if (g->block & SHARED || start >= half)
		g->block = number | SHARED;
	else
		g->block = ends ? 0 : number | (end <= half ? TAIL : 0);
}

static void begin_or_end(uint64_t address, uint64_t bytes, bool ends)
{
	const uint64_t end = address + bytes, size = 1 << GRANULE_BITS;
	uint32_t number;

	if (!bytes || bytes >= (uint64_t)PLACES << PAGE_BITS) {
		of_all++;
	} else if (bytes > SMALL) {
		change_pages(address, bytes);
	} else {
		number = ++blocks & NUMBER;
		for (uint64_t at = address & -size; at < end; at += size)
			change_granule(at, address, end, number, ends);
	}
}

/* If the size of a block that ends is unknown, all epochs change. */
void owners_change(uint64_t address, uint64_t bytes)
{
	struct granule *g = bytes == UINT64_MAX ? NULL : make_granule(address);
	const uint32_t before = g ? g->bytes : 0;

	if (g)
		g->bytes = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
	begin_or_end(address, bytes ? bytes : before, !bytes);
	owners_changes++; /* after the rest, so whoever sees it sees the rest, too */
}

struct owner owners_of(uint64_t address)
{
	const struct granule *g = granule_of(address);
	const uint32_t pages =
		atomic_load_explicit(count_of(address >> PAGE_BITS), memory_order_relaxed);
	const uint32_t block = g ? atomic_load_explicit(&g->block, memory_order_relaxed) : 0;
	const bool is_tail = block & TAIL, in_half = address >> (GRANULE_BITS - 1) & 1;
	const uint64_t number = is_tail && in_half ? 0 : block & NUMBER;

	return (struct owner){ number << 32 | (uint32_t)(pages + of_all), block & (TAIL | SHARED) };
}
