/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frequency of the CPU's time stamp counter, which the tracker stamps its records with: a log
 * of a program that ran for a few ms is too short to tell it.
 */
#ifndef MEMDB_RECORD_COUNTER_H
#define MEMDB_RECORD_COUNTER_H

#include <stdint.h>

/* The counter and CLOCK_MONOTONIC at the same moment, within about 50 ns. */
struct counter_reading {
	uint64_t ticks, ns;
};

struct counter_reading counter_read(void);

/* In kHz from two readings; 0 where they are less than 5 ms apart or make no sense. */
uint64_t counter_khz(const struct counter_reading *from, const struct counter_reading *to);

#endif
