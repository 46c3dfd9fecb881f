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
			/* one moment on perf's clock (`from`) and on CLOCK_MONOTONIC (`to`), ns */
			uint64_t from, to;
		} * at;
		uint32_t n, cap;
	} points; /* clock readings, in the order of time; if there are none, times are not
		   * converted */
	/* ns of CLOCK_MONOTONIC per ns of perf's clock, before the first and after the last
	 * reading */
	double outer_rate;
	/* index in `points` of the reading before the time that was converted last */
	uint32_t last;
	uint32_t steps;   /* number of times that perf's clock jumped forward */
	bool set_back;    /* whether perf's clock jumped backward */
	const char *name; /* name of the clock to which the times in the database refer */
	/* a sentence on how times were converted; "" means that they were not converted */
	char how[160];
};

/* Returns the name of the clock that perf recorded with. */
const char *clock_name(const struct pd_features *f);
/* Sets up the conversion from perf's times to those of the tracker's logs. Must be called when the
 * logs are open. If no conversion is possible, closes the logs, skips the rest of the follower's
 * log, and writes the reason to the table `losses`. Returns 0 or MD_ENOMEM. */
int clock_open(struct import *im);
void clock_release(struct clock_map *c);
/* Converts a time of perf's clock to CLOCK_MONOTONIC. 0 (no time) stays 0. */
uint64_t clock_time(struct import *im, uint64_t time);

#endif
