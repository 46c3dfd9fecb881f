/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts perf's times to CLOCK_MONOTONIC. */
#ifndef MEMDB_IMPORT_CLOCK_H
#define MEMDB_IMPORT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct pd_features;

/* The conversion from perf's clock to CLOCK_MONOTONIC. */
struct clock_map {
	struct {
		struct clock_point {
			uint64_t from, to; /* ns, read at the same moment */
		} * at;
		uint32_t n, cap;
	} points;          /* in order; empty: times stay as they are */
	double outer_rate; /* rate before the first point and after the last one */
	uint32_t last;     /* position of the point before the latest converted time */
	uint32_t steps;    /* jumps of perf's clock forward */
	bool set_back;     /* perf's clock jumped backward */
	const char *name;  /* the clock of the times in the database */
	char how[160];     /* a sentence on how times were converted; "" means they were not */
};

/* Returns the name of the clock that perf recorded. */
const char *clock_name(const struct pd_features *f);
/* Sets up the conversion from perf's times to those of the tracker's logs, which are open. If no
 * conversion is possible, closes the logs and writes the reason to the table losses. Returns 0 or
 * MD_ENOMEM. */
int clock_open(struct import *im);
void clock_release(struct clock_map *c);
/* Converts a time of perf to CLOCK_MONOTONIC. 0 (no time) stays 0. */
uint64_t clock_time(struct import *im, uint64_t time);

#endif
