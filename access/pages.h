/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers which pages the process has accessed since they were mapped, to find the first access
 * to each page. There is one bit for each page, and all threads share the bits. */
#ifndef MEMDB_ACCESS_PAGES_H
#define MEMDB_ACCESS_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_BITS 12

/* the bits of the pages in 1 GiB of addresses */
struct pages_leaf {
	_Atomic uint64_t words[1 << (30 - PAGE_BITS - 6)];
};

/* one pointer for each GiB of the 47-bit user space; NULL if no page there was accessed */
extern struct pages_leaf *_Atomic pages_root[1 << 17];

/* Has the page of this address been accessed? */
static inline bool pages_known(uint64_t address)
{
	const struct pages_leaf *leaf = pages_root[address >> 30 & ((1 << 17) - 1)];
	const uint32_t bit = address >> PAGE_BITS & ((1 << (30 - PAGE_BITS)) - 1);

	return leaf && leaf->words[bit / 64] >> bit % 64 & 1;
}

/* Marks the page of an address as accessed. Returns true if it was not marked before; if several
 * threads access a new page at the same time, exactly one of them gets true. Returns false when out
 * of memory, and for addresses above the 47-bit user space. */
bool pages_first(uint64_t address);

/* Marks the pages of [start, start + bytes) as not accessed. Must be called when they are newly
 * mapped, or when the kernel has discarded their content. */
void pages_forget(uint64_t start, uint64_t bytes);

/* Moves the marks from the old to the new addresses, after mremap() has moved pages with their
 * content. */
void pages_move(uint64_t from, uint64_t to, uint64_t bytes);

/* Marks the pages of [start, start + bytes) as memory that may have static variables: the data of a
 * program or library. Leaves out those that belong to one variable. pages_have_variables() returns
 * whether that of an address is marked. */
void pages_add_variables(uint64_t start, uint64_t bytes);
bool pages_have_variables(uint64_t address);

/* One variable has [start, start + bytes): the pages that are completely in this range belong to it
 * alone. pages_remove_alone() corrects that for the pages of a range. Both have an effect on later
 * calls of pages_add_variables() only. */
void pages_add_alone(uint64_t start, uint64_t bytes);
void pages_remove_alone(uint64_t start, uint64_t bytes);

#endif
