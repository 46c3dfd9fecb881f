/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the addresses that one thread accesses by one operand, and estimates the operand's
 * footprint and whether its addresses are in order.
 *
 * The addresses are in order if they go up (or down) from sample to sample. If samples are rare,
 * the program passes through an array several times between two of them. The addresses then jump
 * back, but the steps are still equal modulo the size of the array. So steps are also added as
 * angles on a circle whose circumference is this size: equal steps add up, random steps cancel. If
 * blocks that replace each other are far apart, their addresses spread over much more than one of
 * them has, and all steps within a block would look like none.
 *
 * A loop may also read several arrays of the same size in turn, which follow each other in one
 * object, such as the components of a vector for each element. These are that many streams, and the
 * hardware prefetches all of them. Their steps are equal modulo the size of one array. So the
 * angles are also added on smaller circles, whose circumferences are 1/2, 1/3, ... of that size.
 */
#ifndef MEMDB_WAITS_SERIES_H
#define MEMDB_WAITS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of streams that one operand goes through in turn. */
enum { SERIES_STREAMS = 8 };

/* Number of ranges of rates that are counted: from 2^-8 to 2^8 bytes per ns, half a power of two
 * each. */
enum { SERIES_RATES = 32 };

struct series {
	uint64_t n;         /* number of addresses */
	uint64_t last;      /* last address */
	uint64_t low, high; /* lowest and highest address */
	/* the bytes that the object has at most at a time, which the caller may set; 0 means
	 * unknown */
	uint64_t room;
	uint32_t up, down; /* number of addresses that were higher or lower than the one before */
	/* for steps up (0) and down (1) between two successive samples: sum of the steps in bytes,
	 * sum of the times between the samples in ns, and number of steps */
	struct {
		uint64_t bytes, ns;
		uint32_t n;
	} moved[2];
	/* number of steps up and down with a rate (bytes per ns) in each range */
	uint16_t rates[2][SERIES_RATES];
	/* number of steps that x and y contain: one for each pair of successive samples since
	 * `around` was last set */
	uint32_t steps;
	/* sums of these steps, as angles of circles; the circumference of circle i is `around` /
	 * (i + 1) */
	float x[SERIES_STREAMS], y[SERIES_STREAMS];
	/* range of addresses (high - low, at most `room` bytes) to which the angles refer */
	uint64_t around;
	uint32_t size, used; /* slots of the table `lines` (a power of two, or 0), and how many
			      * are used */
	uint32_t shift;      /* only lines whose hash ends with this many zero bits are stored:
			      * about one of 2^shift lines */
	struct series_line {
		uint32_t hash; /* hash of the line; 0 means a free slot */
		uint32_t n;
	} * lines;
};

/* Maximum number of lines that a series stores. Its table then has 4 KiB. */
enum { SERIES_LINES = 256 };

/* With at most this many addresses, it is unknown whether they are in order, and their range is
 * only a lower bound of the range of all accesses. */
enum { SERIES_FEW = 10 };

/* Adds an address of one thread; addresses must come in the order of time. A new series is { 0 }.
 * `after` is the time in ns since the last address, or 0 if the thread has a sample between the
 * two; the step between them is added to `moved` and to the angles only if `after` is not 0. An
 * address equal to the last one is only counted, because a timer may fire twice at the same
 * instruction. Returns false when out of memory. */
bool series_add(struct series *s, uint64_t address, uint64_t after);
void series_release(struct series *s);

/* Returns the estimated size in bytes of all cache lines that the operand touches, including those
 * that no sample hit. */
double series_footprint(const struct series *s);

/* Returns how much the addresses are in order, from 0 (scattered) to 1 (all in order); 0 if there
 * are too few. Order in several streams does not count. */
double series_order(const struct series *s);

/* Returns through how many streams in turn the operand goes in order, so that the hardware
 * prefetches them; 0 if its addresses are not in order. */
int series_streams(const struct series *s);

/* Are the addresses in order so much that chance is an unlikely reason? Returns false if there are
 * too few addresses. This evidence is weak, but enough for an operand that the code moves by small
 * steps: if the program passes through an array many times between two samples, the operand's
 * addresses look almost scattered. */
bool series_tends(const struct series *s);

/* Do the addresses jump farther from sample to sample than an operand that advances by at most
 * `fastest` bytes per ns, and begins again at the end of its range? Then it is not in order.
 * Returns false if there are too few successive samples. */
bool series_jumps(const struct series *s, double fastest);

/* Returns the size in bytes of the part of memory that the operand accesses between two successive
 * samples; INFINITY if there are too few successive samples, or if this part is not small or moves
 * fast. A part that is used again and again, such as a block or the rows of a matrix, is small and
 * moves slowly, and so does a stream with much other work for each line: loading all the lines
 * takes less than a quarter of the time between the samples. in_order: whether the hardware
 * prefetches the lines, which takes less time than misses. */
double series_window(const struct series *s, bool in_order);

/* Returns how many bytes per ns the operand advances through memory. Most of its steps may have
 * nearly the same rate while others are jumps, as between arrays that the program works on in turn;
 * then the jumps do not count. Returns 0 if the rate is not known: there are too few successive
 * samples, the addresses are not in order, or the operand, which advances by at most `fastest`
 * bytes per ns, may have passed its entire range between two samples. */
double series_rate(const struct series *s, double fastest);

#endif
