/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwind rules of this process's code, cached by address for all threads.
 *
 * There are no locks. If two threads write an entry at the same time, a mix of both may result;
 * readers detect this and treat the entry as missing. To find the object at a new address, glibc's
 * _dl_find_object is used (2.35 and later; it needs no lock and may be called in signal handlers).
 * dl_iterate_phdr is used instead if glibc does not have that function, and for the few objects
 * whose program headers are outside their first page. dl_iterate_phdr holds the lock of the
 * loader's list. The calling thread may hold that lock already. But if another thread is running a
 * callback of dl_iterate_phdr, the caller waits for it.
 */
#ifndef MEMDB_PRELOAD_CFI_CACHE_H
#define MEMDB_PRELOAD_CFI_CACHE_H

#include "cfi_program.h"

#include <stdatomic.h>
#include <stdbool.h>

struct link_map;

/* Sets the address of _dl_find_object; NULL means that there is no such function. Before this call
 * no address has a rule. */
void cfi_cache_init(void *dl_find_object);

/* Gets the cached rule of a return address (see cfi_find()). Returns false if it is not cached.
 * Takes about 2 ns. */
bool cfi_cache_rule(uint64_t ra, struct cfi_rule *rule);

/* struct dl_find_object of glibc on x86-64 and AArch64. Older headers lack it. */
struct found_object {
	unsigned long long flags;
	void *map_start;
	void *map_end;
	struct link_map *map;
	void *eh_frame; /* address of the segment PT_GNU_EH_FRAME, which is .eh_frame_hdr */
	unsigned long long reserved[7];
};

/* The readable bytes around an object's .eh_frame_hdr, and the offset of .eh_frame_hdr in them. */
struct unwind_table {
	struct cfi_image image;
	uint64_t hdr;
};

/* An object and its unwind table. */
struct cfi_object {
	bool is_known;
	struct found_object object;
	struct unwind_table table;
};

/* The program and libc are never unmapped. Others may be, also by calls that no hook sees: libc
 * unloads its objects for iconv() in this way. */
enum { CFI_PROGRAM, CFI_LIBC, CFI_OTHER, CFI_OBJECTS };

/* Working space of cfi_cache_learn(). Zero bytes are a valid state. */
struct cfi_learning {
	struct cfi_object objects[CFI_OBJECTS]; /* only those before CFI_OTHER may be known */
	struct cfi_reading reading;
};

/* Computes the rule of an address that is not cached, and caches it. If no object with an unwind
 * table is at the address, nothing is cached, because an object may be loaded there later. The rule
 * of the code through which signal handlers return (AArch64) is not cached, either. Takes about 0.5
 * us. */
struct cfi_rule cfi_cache_learn(uint64_t ra, struct cfi_learning *l);

extern atomic_uint cfi_cache_forgotten __attribute__((visibility("hidden")));

/* Returns the number of calls of cfi_cache_forget(). If two captures of a stack see the same
 * number, no code was unmapped between them. */
static inline uint32_t cfi_cache_generation(void)
{
	return atomic_load_explicit(&cfi_cache_forgotten, memory_order_acquire);
}

/* Drops all cached rules. Must be called when code may have been unmapped. */
void cfi_cache_forget(void);

#endif
