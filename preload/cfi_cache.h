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

#include "cfi.h"

/* Takes the address of _dl_find_object; NULL where there is none. Until then no address has a rule.
 */
void cfi_cache_init(void *dl_find_object);

/* The rule for a return address (see cfi_find). About 2 ns when remembered, about 0.5 us when not.
 */
struct cfi_rule cfi_cache_rule(uint64_t ra);

/* Counts the calls of cfi_cache_forget(); any two captures with the same count saw the same code.
 */
uint32_t cfi_cache_generation(void);

/* Code may have been unmapped: no rule remembered so far is used again. */
void cfi_cache_forget(void);

#endif
