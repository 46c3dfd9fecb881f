/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds operands that stay near a stream. A compressor looks for matches in the 64 KiB before the
 * place that it reads, and a filter reads the rows around it. In samples, a millisecond apart, the
 * addresses of such an operand spread over the entire input, like random ones. But its lines were
 * loaded shortly before, or will be used again soon. Samples show it, because the registers of one
 * sample yield the addresses of both operands. Used only in waits/.
 */
#ifndef MEMDB_WAITS_NEAR_H
#define MEMDB_WAITS_NEAR_H

#include <stdbool.h>
#include <stdint.h>

/* Number of ranges of distances: up to 4 KiB, and each four times the one before. */
enum { NEAR_RANGES = 10 };

/* What is known about an operand; a new one is { 0 }. */
struct near_stream {
	uint32_t stream; /* id of the operand of the stream; 0 means none yet */
	/* number of samples with the addresses of both whose distance is in each range, or in a
	 * lower one; and of all of them */
	uint16_t counts[NEAR_RANGES], all;
};

/* Is the operand `id` in order, so that others may stay near it? */
typedef bool near_in_order(const void *arg, uint32_t id);

/* The address of operand `id` in the current sample. */
struct near_address {
	uint32_t id, object;
	uint64_t address;
	struct near_stream *near;
};

/* Adds the distances between the n addresses of one sample. */
void near_add(const struct near_address *at, unsigned n, near_in_order *in_order, const void *arg);

/* Returns the size in bytes of the part of memory, around a stream, in which the operand stays;
 * INFINITY if it stays near none, or if too few samples show it. */
double near_bytes(const struct near_stream *n);

#endif
