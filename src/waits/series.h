/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Estimates how long one operand makes its thread wait, from the addresses at which samples saw it.
 * Accesses in order are prefetched, and several share a cache line. For scattered accesses, the
 * size of the memory that they touch tells which caches it fits into. That size is estimated by
 * capture-recapture, as biologists count animals in a lake: how many distinct lines do n draws hit?
 * Lines are stored by hash; when there are many, only those of a known fraction of all hashes are
 * kept, so memory is bounded.
 */
#ifndef MEMDB_WAITS_SERIES_H
#define MEMDB_WAITS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_LEVELS = 3 };

/* Sizes in bytes and latencies in cycles. What fits into no cache costs `memory`. */
struct wait_caches {
	struct {
		uint64_t bytes;
		double cycles;
	} level[CACHE_LEVELS];
	double memory;
};

/* Used if the recording does not contain the sizes: 48 KiB, 1 MiB, 32 MiB. The latencies are
 * typical of the last ten years; shares depend only on their ratios. */
extern const struct wait_caches wait_caches_default;

struct series {
	uint64_t n;          /* addresses so far */
	uint64_t last;       /* the latest one */
	uint64_t low, high;  /* the lowest and the highest */
	uint32_t up, down;   /* how often an address was higher or lower than the one before */
	uint32_t size, used; /* of the table: slots, a power of two or 0; used slots */
	uint32_t shift;      /* only lines whose hash ends in this many zeros are kept */
	struct series_line {
		uint32_t hash; /* without those zeros, 0: free */
		uint32_t n;
	} * lines;
};

/* Limit on the lines that a series keeps, so it takes at most 4 KiB. */
enum { SERIES_LINES = 256 };

/* Fewer addresses than this say nothing about order and little about the range. */
enum { SERIES_FEW = 10 };

/* { 0 } is empty. Add the addresses of one thread in time order. False when out of memory. */
bool series_add(struct series *s, uint64_t address);
void series_release(struct series *s);

/* Estimated bytes of all lines touched, whether sampled or not. */
double series_footprint(const struct series *s);

/* From 0 (scattered) to 1 (all addresses in order, up or down); 0 if there are too few. */
double series_order(const struct series *s);

/* Is it in order, over more than the second cache level holds? */
bool series_is_stream(const struct series *s, const struct wait_caches *c);

/* Expected wait of an access to `bytes` bytes (0: unknown), in cycles. */
double series_wait(const struct series *s, unsigned bytes, const struct wait_caches *c);

/* The same for accesses scattered over `footprint` bytes. */
double series_wait_anywhere(double footprint, const struct wait_caches *c);

#endif
