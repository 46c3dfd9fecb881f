/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind rules of this process's code, cached by address for all threads.
 *
 * There are no locks: an entry is published so that a torn one counts as absent. glibc's
 * _dl_find_object (2.35 and later: lock-free, usable in signal handlers) finds the object of a new
 * address. If it is missing, and for the few objects whose program headers lie outside their first
 * page, dl_iterate_phdr is used. dl_iterate_phdr holds the loader's list lock during the call. The
 * same thread may take this lock again, but a thread may wait there for another one that runs a
 * dl_iterate_phdr callback.
 */
#ifndef MEMDB_PRELOAD_CFI_CACHE_H
#define MEMDB_PRELOAD_CFI_CACHE_H

#include "cfi_program.h"

#include <stdbool.h>

struct link_map;

/* Sets the address of _dl_find_object; NULL means there is none. Before this call no address has a
 * rule. */
void cfi_cache_init(void *dl_find_object);

/* Gets the cached rule for a return address (see cfi_find). Returns false if there is none yet.
 * Takes about 2 ns. */
bool cfi_cache_rule(uint64_t ra, struct cfi_rule *rule);

/* glibc's struct dl_find_object on x86-64 and AArch64, declared here because older headers lack
 * it. */
struct found_object {
	unsigned long long flags;
	void *map_start;
	void *map_end;
	struct link_map *map;
	void *eh_frame; /* the PT_GNU_EH_FRAME segment: .eh_frame_hdr */
	unsigned long long reserved[7];
};

/* The readable bytes around an object's .eh_frame_hdr, and its offset in them. */
struct unwind_table {
	struct cfi_image image;
	uint64_t hdr;
};

/* Working space of cfi_cache_learn(). */
struct cfi_learning {
	struct found_object object;
	struct unwind_table table;
	struct cfi_reading reading;
};

/* Computes the rule for an address that is not cached, and caches it. Nothing is cached if no
 * object is at the address, because one may be loaded there later. Takes about 0.5 us. */
struct cfi_rule cfi_cache_learn(uint64_t ra, struct cfi_learning *l);

/* Returns the number of cfi_cache_forget() calls so far. If it did not change between two stack
 * captures, both saw the same code. */
uint32_t cfi_cache_generation(void);

/* Drops all cached rules. Call it when code may have been unmapped. */
void cfi_cache_forget(void);

#endif
