/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How one operand goes through memory, from the addresses at which samples saw it: in order or
 * scattered, and over how many bytes.
 *
 * An operand is in order if its addresses go up (or down) from sample to sample. If samples are
 * rare, an array is passed several times between two of them. Then the steps are still equal modulo
 * the size of the array. So steps are also summed as angles of a circle of that size: equal steps
 * add up, random ones cancel.
 *
 * The size of the touched memory is estimated by capture-recapture, as biologists count animals in
 * a lake: how many distinct lines do n draws hit? Lines are stored by hash; when there are many,
 * only those of a known fraction of all hashes are kept, so memory is bounded.
 */
#ifndef MEMDB_WAITS_SERIES_H
#define MEMDB_WAITS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct series {
	uint64_t n;          /* addresses so far */
	uint64_t last;       /* the latest one */
	uint64_t low, high;  /* the lowest and the highest */
	uint32_t up, down;   /* how often an address was higher or lower than the one before */
	uint32_t steps;      /* steps between adjacent samples since the range last grew */
	double x, y;         /* sum of these steps as angles of a circle of that range */
	uint64_t around;     /* the range, bytes */
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

/* { 0 } is empty. Add the addresses of one thread in time order. follows: the thread has no sample
 * between this one and the last. An address that equals the last one is ignored, because a timer
 * may fire twice at one instruction. False when out of memory. */
bool series_add(struct series *s, uint64_t address, bool follows);
void series_release(struct series *s);

/* Estimated bytes of all lines touched, whether sampled or not. */
double series_footprint(const struct series *s);

/* From 0 (scattered) to 1 (all addresses in order); 0 if there are too few. */
double series_order(const struct series *s);

/* Is it in order, so that it is prefetched? */
bool series_in_order(const struct series *s);

#endif
