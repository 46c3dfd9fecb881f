/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long one operand is expected to make its thread wait, from the addresses at which samples saw
 * it. In order they are prefetched, and several accesses share a line; scattered, the size of what
 * they touch says which caches it fits into. That size is estimated as animals in a lake are
 * (capture-recapture): of n draws, how many distinct lines were met? Lines are kept by hash, and of
 * many only those of a known share of all hashes, so that the memory is bounded.
 */
#ifndef MEMDB_WAITS_SERIES_H
#define MEMDB_WAITS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_LEVELS = 3 };

/* Sizes in bytes and latencies in cycles; what lies in no cache costs `memory`. */
struct wait_caches {
	struct {
		uint64_t bytes;
		double cycles;
	} level[CACHE_LEVELS];
	double memory;
};

/* Where the recording does not tell the sizes: 48 KiB, 1 MiB, 32 MiB. The latencies are usual ones
 * of the last ten years; shares depend on their ratios. */
extern const struct wait_caches wait_caches_default;

struct series {
	uint64_t n;          /* addresses so far */
	uint64_t last;       /* the last one */
	uint64_t low, high;  /* the least and the highest */
	uint32_t up, down;   /* how often one was higher or lower than the one before */
	uint32_t size, used; /* of the table: slots, a power of two or 0, and taken ones */
	uint32_t shift;      /* only lines whose hash ends in so many zeros are kept */
	struct series_line {
		uint32_t hash; /* without those zeros, 0: free */
		uint32_t n;
	} * lines;
};

/* The most lines that a series keeps, so it takes at most 4 KiB. */
enum { SERIES_LINES = 256 };

/* So few addresses say nothing about their order, and little about how far they go. */
enum { SERIES_FEW = 10 };

/* { 0 } is empty. Addresses in the order of time, of one thread. False when out of memory. */
bool series_add(struct series *s, uint64_t address);
void series_release(struct series *s);

/* Bytes of the lines that are touched, whether sampled or not. */
double series_footprint(const struct series *s);

/* 0: scattered, to 1: all addresses in order, up or down; 0 where they are too few to tell. */
double series_order(const struct series *s);

/* Does it go in order, over more than the second level holds? */
bool series_is_stream(const struct series *s, const struct wait_caches *c);

/* Cycles that an access of so many bytes (0 unknown) is expected to wait. */
double series_wait(const struct series *s, unsigned bytes, const struct wait_caches *c);

/* The same of one that goes anywhere in so many bytes. */
double series_wait_anywhere(double footprint, const struct wait_caches *c);

#endif
