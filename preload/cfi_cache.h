/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind rules of this process's code, cached by address for all threads.
 *
 * There are no locks: an entry is published such that a torn one is seen as absent. The object of a
 * new address is found with glibc's _dl_find_object (2.35 and later: lock-free, usable in signal
 * handlers). If that is missing, and for the few objects whose program headers lie outside their
 * first page, dl_iterate_phdr is used. It holds the loader's list lock during the call. The lock is
 * recursive for the same thread, but a thread may wait there for another one that runs a
 * dl_iterate_phdr callback.
 */
#ifndef MEMDB_PRELOAD_CFI_CACHE_H
#define MEMDB_PRELOAD_CFI_CACHE_H

#include "cfi_program.h"

#include <stdbool.h>

struct link_map;

/* Sets the address of _dl_find_object; NULL: there is none. Before this call no address has a
 * rule. */
void cfi_cache_init(void *dl_find_object);

/* The cached rule for a return address (see cfi_find); false if there is none yet. About 2 ns. */
bool cfi_cache_rule(uint64_t ra, struct cfi_rule *rule);

/* glibc's struct dl_find_object on x86-64 and AArch64, declared here because older headers lack
 * it. */
struct found_object {
	unsigned long long flags;
	void *map_start;
	void *map_end;
	struct link_map *map;
	void *eh_frame; /* the PT_GNU_EH_FRAME segment, that is .eh_frame_hdr */
	unsigned long long reserved[7];
};

/* The readable bytes around an object's .eh_frame_hdr, and its offset in them. */
struct unwind_table {
	struct cfi_image image;
	uint64_t hdr;
};

/* Working space. */
struct cfi_learning {
	struct found_object object;
	struct unwind_table table;
	struct cfi_reading reading;
};

/* Computes the rule for an address that is not cached, and caches it. Nothing is cached if no
 * object is at the address, because one may be loaded there later. About 0.5 us. */
struct cfi_rule cfi_cache_learn(uint64_t ra, struct cfi_learning *l);

/* The number of cfi_cache_forget() calls so far. Two captures with the same number saw the same
 * code. */
uint32_t cfi_cache_generation(void);

/* Code may have been unmapped: invalidates all cached rules. */
void cfi_cache_forget(void);

#endif
