/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of block addresses, shared by all threads of the process, with a value of 19 bits for each.
 * It needs no lock: the thread that has just got a block adds the block's address, and the thread
 * that is about to free the block removes it. So two threads never change the entry of one address
 * at the same time. A forked child gets its own copy of the set by fork(). */
#ifndef MEMDB_PRELOAD_ADDRESSES_H
#define MEMDB_PRELOAD_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	ADDRESSES_BUCKET = 8, /* slots in one cache line */
	ADDRESSES_VALUES = 1 << 19,
};

struct addresses {
	/* address >> 3 | value << 45, or 0 if the slot is unused; NULL means that nothing can be
	 * added */
	uint64_t *slots;
	unsigned shift; /* 64 - log2 of the number of buckets */
};

/* Reserves address space for this many slots, a power of two of at least 4,096. If a limit of the
 * process (RLIMIT_AS) forbids this, reserves space for fewer slots. Only pages in use take
 * memory. */
void addresses_init(struct addresses *a, uint64_t slots);

/* Adds an address that is not in the set yet. `value` is below ADDRESSES_VALUES. Returns false if
 * the set has no room for this address, or cannot contain it: it is 0, has more than 48 bits, or is
 * not a multiple of 8. (Not of 16: some allocators have blocks of 8 bytes.) */
bool addresses_add(struct addresses *a, uint64_t address, uint32_t value);

/* Returns the first slot of the bucket to which the address belongs. */
static inline uint64_t *addresses_bucket(const struct addresses *a, uint64_t address)
{
	return a->slots + (address * 0x9e3779b97f4a7c15u >> a->shift) * ADDRESSES_BUCKET;
}

/* Removes the address. Returns whether it was in the set. Takes about 2 ns plus a cache miss. */
static inline bool addresses_remove(struct addresses *a, uint64_t address)
{
	const uint64_t mask = (1ull << 45) - 1;
	uint64_t *at;

	if (!a->slots)
		return false;
	at = addresses_bucket(a, address);
	for (unsigned i = 0; i < ADDRESSES_BUCKET; i++)
		if ((__atomic_load_n(&at[i], __ATOMIC_RELAXED) & mask) == address >> 3) {
			__atomic_store_n(&at[i], 0, __ATOMIC_RELAXED);
			return true;
		}
	return false;
}

/* Iterates over the set. *at is the iterator's position: set it to 0 before the first call. Gets
 * the next address and its value. Returns false at the end. */
bool addresses_next(const struct addresses *a, uint64_t *at, uint64_t *address, uint32_t *value);

#endif
