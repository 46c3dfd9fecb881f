/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind rules of this process's own code, remembered per address for all threads.
 *
 * No locks: entries are published so that a torn one is seen as absent. Finding the object of a new
 * address uses glibc's _dl_find_object (2.35 and later: lock-free, usable in signal handlers).
 * Where that is missing, and for the few objects whose program headers lie outside their first
 * page, it is dl_iterate_phdr, which holds the loader's list lock for the time of the call:
 * recursive for the same thread, but a thread could wait there for one that runs a dl_iterate_phdr
 * callback.
 */
#ifndef MEMDB_PRELOAD_CFI_CACHE_H
#define MEMDB_PRELOAD_CFI_CACHE_H

#include "cfi_program.h"

#include <stdbool.h>

struct link_map;

/* Takes the address of _dl_find_object; NULL where there is none. Until then no address has a rule.
 */
void cfi_cache_init(void *dl_find_object);

/* The remembered rule for a return address (see cfi_find); false where there is none yet. About 2
 * ns.
 */
bool cfi_cache_rule(uint64_t ra, struct cfi_rule *rule);

/* glibc's struct dl_find_object on x86-64 and AArch64, written down because older headers do not
 * have it. */
struct found_object {
	unsigned long long flags;
	void *map_start;
	void *map_end;
	struct link_map *map;
	void *eh_frame; /* the PT_GNU_EH_FRAME segment, which is .eh_frame_hdr */
	unsigned long long reserved[7];
};

/* The readable bytes around an object's .eh_frame_hdr, and where in them it starts. */
struct unwind_table {
	struct cfi_image image;
	uint64_t hdr;
};

/* Room to work in. */
struct cfi_learning {
	struct found_object object;
	struct unwind_table table;
	struct cfi_reading reading;
};

/* The rule for an address that none is remembered for; it is from now on, but where no object is:
 * one may be loaded there later. About 0.5 us. */
struct cfi_rule cfi_cache_learn(uint64_t ra, struct cfi_learning *l);

/* Counts the calls of cfi_cache_forget(); any two captures with the same count saw the same code.
 */
uint32_t cfi_cache_generation(void);

/* Code may have been unmapped: no rule remembered so far is used again. */
void cfi_cache_forget(void);

#endif
