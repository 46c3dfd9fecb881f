/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures the frequency of the CPU's time-stamp counter, which the tracker uses to stamp its
 * records. The tracker's log alone is not enough to compute the frequency: the log of a program
 * that ran for a few ms covers too little time.
 */
#ifndef MEMDB_RECORD_COUNTER_H
#define MEMDB_RECORD_COUNTER_H

#include <stdint.h>

/* The counter and CLOCK_MONOTONIC at the same moment, within about 50 ns. */
struct counter_reading {
	uint64_t ticks, ns;
};

struct counter_reading counter_read(void);

/*
 * Returns the frequency in kHz from two readings, or 0 if they are less than 5 ms apart or
 * contradict each other.
 */
uint64_t counter_khz(const struct counter_reading *from, const struct counter_reading *to);

#endif
