/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports to a sampler that counts accesses which memory has another owner (access/owners.h). The
 * sampler adds up the accesses of an instruction to the same memory, and must not add those to a
 * block to those to the block that had its memory before.
 *
 * A sampler in an emulator cannot be called. It watches the tracker's code instead: it recognises
 * an instruction by its prefixes (TRACK_OWNERS_MARK) and reads what it loads.
 */
#ifndef MEMDB_PRELOAD_OWNERS_H
#define MEMDB_PRELOAD_OWNERS_H

#include <stdint.h>

#include "likely.h"
#include "track_format.h"

/* Called with an address and a number of bytes; NULL if no sampler counts accesses. The sampler
 * soft sets it. 0 bytes stand for the block that begins at the address, UINT64_MAX for all memory.
 */
extern void (*track_owners)(uint64_t address, uint64_t bytes) __asm__(TRACK_OWNERS)
	__attribute__((visibility("default")));

/* Sets track_owners if the options say that a sampler in an emulator counts accesses. */
void owners_init(const char *options);

/* From now on, [address, address + bytes) has another owner. Must be called after the time of that
 * event was read, so that what the sampler sees afterwards is later. */
static inline __attribute__((always_inline)) void owners_report(uint64_t address, uint64_t bytes)
{
	if (unlikely(track_owners != 0))
		track_owners(address, bytes);
}

#endif
