/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes the way of one operand through memory from its addresses in samples: in order or
 * scattered, and over how many bytes.
 *
 * An operand is in order if its addresses go up (or down) from sample to sample. If samples are
 * rare, an array is passed several times between two of them. Then the steps are still equal modulo
 * the size of the array. So steps are also summed as angles of a circle of that size: equal steps
 * add up, random ones cancel.
 *
 * The size of the touched memory is estimated by capture-recapture, as biologists count animals in
 * a lake: from the number of distinct lines in n draws. Lines are stored by hash. When there are
 * many, only those with a known fraction of all hashes are kept, which bounds the memory.
 */
#ifndef MEMDB_WAITS_SERIES_H
#define MEMDB_WAITS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct series {
	uint64_t n;          /* addresses so far */
	uint64_t last;       /* latest address */
	uint64_t low, high;  /* lowest and highest address */
	uint32_t up, down;   /* number of addresses that were higher or lower than the one before */
	uint32_t steps;      /* steps between adjacent samples since the range last grew */
	double x, y;         /* sum of these steps as angles of a circle of that range */
	uint64_t around;     /* the range, bytes */
	uint32_t size, used; /* of the table: slots, a power of two or 0; used slots */
	uint32_t shift;      /* only lines whose hash ends in this many zero bits are kept */
	struct series_line {
		uint32_t hash; /* hash of the line; 0 means unused slot */
		uint32_t n;
	} * lines;
};

/* Limit on the lines that a series keeps: its table has at most 4 KiB. */
enum { SERIES_LINES = 256 };

/* This many addresses or fewer say nothing about order and little about the range. */
enum { SERIES_FEW = 10 };

/* Adds an address of one thread, in time order, to a series that starts as { 0 }. follows: the
 * thread has no sample between this one and the last. An address that equals the last one is only
 * counted, because a timer may fire twice at one instruction. Returns false when out of memory. */
bool series_add(struct series *s, uint64_t address, bool follows);
void series_release(struct series *s);

/* Returns the estimated bytes of all touched lines, sampled or not. */
double series_footprint(const struct series *s);

/* Returns the order, from 0 (scattered) to 1 (all addresses in order); 0 if there are too few
 * addresses. */
double series_order(const struct series *s);

/* Is the operand in order, and therefore prefetched? */
bool series_in_order(const struct series *s);

#endif
