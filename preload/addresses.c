/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "addresses.h"

#include <sys/mman.h>

#include "rawcall.h"

enum { SLOTS_LEAST = 4096 };

static uint64_t slots_of(const struct addresses *a)
{
	return ADDRESSES_BUCKET * (1ull << (64 - a->shift));
}

void addresses_init(struct addresses *a, uint64_t slots)
{
	long p = -1;

	for (; slots >= SLOTS_LEAST; slots /= 2) {
		p = rawcall6(SYS_mmap, 0, (long)(slots * sizeof(*a->slots)), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (!rawcall_failed(p))
			break;
	}
	if (slots < SLOTS_LEAST)
		return;
	a->shift = 64 - (unsigned)__builtin_ctzll(slots / ADDRESSES_BUCKET);
	a->slots = (uint64_t *)p;
}

bool addresses_add(struct addresses *a, uint64_t address, uint32_t value)
{
	uint64_t word = address >> 3 | (uint64_t)value << 45, *at;

	if (!a->slots || !address || address >> 48 || address & 7)
		return false;
	at = addresses_bucket(a, address);
	for (unsigned i = 0; i < ADDRESSES_BUCKET; i++) {
		uint64_t none = 0;

		if (!__atomic_load_n(&at[i], __ATOMIC_RELAXED) &&
		    __atomic_compare_exchange_n(&at[i], &none, word, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
	}
	return false;
}

bool addresses_next(const struct addresses *a, uint64_t *at, uint64_t *address, uint32_t *value)
{
	uint64_t n = a->slots ? slots_of(a) : 0, word = 0;

	while (*at < n && !word)
		word = __atomic_load_n(&a->slots[(*at)++], __ATOMIC_RELAXED);
	*address = (word & ((1ull << 45) - 1)) << 3;
	*value = (uint32_t)(word >> 45);
	return word;
}
