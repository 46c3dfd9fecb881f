/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distinguishes the owners that the same memory has one after the other: heap blocks, mappings, or
 * nobody. Accesses of one instruction to one granule may be counted together only while the granule
 * has the same owner. So each granule has an epoch, a number that is different for different
 * owners. The tracker (preload/owners.h) and the emulator's system calls report the changes.
 *
 * An epoch has two parts. The first is the number of the small block that has the granule, 0 for
 * none. So what malloc does with free memory is counted together, however often it becomes a block
 * in between. The second is a sum of counters for large blocks and mappings, which change it when
 * they begin and when they end. These counters are in a table of fixed size. Pages with the same
 * place in the table change together, which only splits counts that could have been one.
 */
#ifndef MEMDB_ACCESS_OWNERS_H
#define MEMDB_ACCESS_OWNERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* log2 of the size of a granule of the heap. malloc aligns blocks to 16 bytes, so a granule belongs
 * to one block only, or the halves of a granule have different owners (owners_of()). */
#define GRANULE_BITS 4

/* Number of changes so far. While it stays the same, all epochs stay the same. */
extern _Atomic uint32_t owners_changes;

/* The memory [address, address + bytes) has another owner from now on. UINT64_MAX as bytes means
 * all memory. 0 means that the block that begins at `address`, whose size an earlier call gave,
 * ends. May be called at any time, also in a signal handler. */
void owners_change(uint64_t address, uint64_t bytes);

struct owner {
	uint64_t epoch;
	bool halves; /* whether the halves of the granule may have different owners */
};

struct owner owners_of(uint64_t address);

#endif
