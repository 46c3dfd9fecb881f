/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pages.h"

#include <stdatomic.h>

#include "room.h"

struct pages_leaf *_Atomic pages_root[1 << 17];
static struct pages_leaf *_Atomic variables_root[1 << 17], *_Atomic alone_root[1 << 17];

/* Returns the leaf (the bits for 1 GiB) that contains the bit of an address. Allocates it if it is
 * missing. NULL means out of memory. */
static struct pages_leaf *leaf_of(struct pages_leaf *_Atomic *root, uint64_t address)
{
	struct pages_leaf *_Atomic *at = &root[address >> 30];
	struct pages_leaf *leaf = *at, *fresh;

	if (leaf)
		return leaf;
	fresh = room_take(sizeof(*fresh));
	if (!fresh || atomic_compare_exchange_strong(at, &leaf, fresh))
		return fresh;
	/* another thread has stored a leaf in *at in the meantime, and `leaf` is now that leaf */
	room_give(fresh, sizeof(*fresh));
	return leaf;
}

/* Sets the bit of an address. Returns true if it was not set before. */
static bool mark(struct pages_leaf *_Atomic *root, uint64_t address)
{
	uint32_t bit = address >> PAGE_BITS & ((1 << (30 - PAGE_BITS)) - 1);
	uint64_t mask = UINT64_C(1) << bit % 64;
	struct pages_leaf *leaf;

	if (address >> 47)
		return false;
	leaf = leaf_of(root, address);
	return leaf && !(atomic_fetch_or(&leaf->words[bit / 64], mask) & mask);
}

/* Removes the bits of the pages of [start, start + bytes). */
static void unmark(struct pages_leaf *_Atomic *root, uint64_t start, uint64_t bytes)
{
	const uint64_t most = UINT64_C(1) << 47;
	uint64_t end = start > most || bytes > most - start ? most : start + bytes;

	for (uint64_t at = start & -(UINT64_C(1) << PAGE_BITS); at < end;) {
		struct pages_leaf *leaf = root[at >> 30];
		uint32_t bit = at >> PAGE_BITS & ((1 << (30 - PAGE_BITS)) - 1);

		if (!leaf) {
			at = ((at >> 30) + 1) << 30;
		} else if (!(bit % 64) && end - at >= 64u << PAGE_BITS) {
			leaf->words[bit / 64] = 0;
			at += 64u << PAGE_BITS;
		} else {
			leaf->words[bit / 64] &= ~(UINT64_C(1) << bit % 64);
			at += 1u << PAGE_BITS;
		}
	}
}

bool pages_first(uint64_t address)
{
	return mark(pages_root, address);
}

static bool is_marked(struct pages_leaf *_Atomic *root, uint64_t address)
{
	const struct pages_leaf *leaf = root[address >> 30 & ((1 << 17) - 1)];
	const uint32_t bit = address >> PAGE_BITS & ((1 << (30 - PAGE_BITS)) - 1);

	return leaf && leaf->words[bit / 64] >> bit % 64 & 1;
}

void pages_add_alone(uint64_t start, uint64_t bytes)
{
	const uint64_t page = 1 << PAGE_BITS, end = (start + bytes) & -page;

	for (uint64_t at = (start + page - 1) & -page; at < end; at += page)
		mark(alone_root, at);
}

void pages_remove_alone(uint64_t start, uint64_t bytes)
{
	unmark(alone_root, start, bytes);
}

void pages_add_variables(uint64_t start, uint64_t bytes)
{
	for (uint64_t at = 0; at < bytes; at += 1u << PAGE_BITS)
		if (!is_marked(alone_root, start + at))
			mark(variables_root, start + at);
}

bool pages_have_variables(uint64_t address)
{
	return is_marked(variables_root, address);
}

void pages_forget(uint64_t start, uint64_t bytes)
{
	unmark(pages_root, start, bytes);
}

void pages_move(uint64_t from, uint64_t to, uint64_t bytes)
{
	for (uint64_t at = 0; at < bytes; at += 1u << PAGE_BITS)
		if (pages_known(from + at))
			pages_first(to + at);
	pages_forget(from, bytes);
}
