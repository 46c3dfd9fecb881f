/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distinguishes the owners that the same memory has one after the other: heap blocks, mappings, or
 * nobody. Accesses of one instruction to one granule may be counted together only while the granule
 * has the same owner. So each granule has an epoch, a number that changes whenever the owner may
 * have changed. The tracker (preload/owners.h) and the emulator's system calls report the changes.
 *
 * The epochs are sums of counters in tables of fixed size. Granules with the same place in a table
 * change together, which only splits counts that could have been one.
 */
#ifndef MEMDB_ACCESS_OWNERS_H
#define MEMDB_ACCESS_OWNERS_H

#include <stdatomic.h>
#include <stdint.h>

/* log2 of the size of a granule of the heap. malloc aligns blocks to 16 bytes, so each granule
 * belongs to one block only. */
#define GRANULE_BITS 4

/* Number of changes so far. While it stays the same, all epochs stay the same. */
extern _Atomic uint32_t owners_changes;

/* The memory [address, address + bytes) has another owner from now on. UINT64_MAX as bytes means
 * all memory. 0 means that the block that begins at `address`, whose size an earlier call gave,
 * ends. May be called at any time, also in a signal handler. */
void owners_change(uint64_t address, uint64_t bytes);

uint32_t owners_epoch(uint64_t address);

#endif
