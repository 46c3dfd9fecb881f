/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf's times: to CLOCK_MONOTONIC. */
#ifndef MEMDB_IMPORT_CLOCK_H
#define MEMDB_IMPORT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct pd_features;

/* From perf's clock to CLOCK_MONOTONIC. */
struct clock_map {
	struct {
		struct clock_point {
			uint64_t from, to; /* ns at the same moment */
		} * at;
		uint32_t n, cap;
	} points;          /* in order; none: times stay as they are */
	double outer_rate; /* before the first and behind the last */
	uint32_t last;     /* the point before the last time */
	uint32_t steps;    /* jumps of perf's clock forward */
	bool set_back;     /* it jumped backward */
	const char *name;  /* the clock of all times of the database */
	char how[160];     /* a sentence: how it was converted; "" where it was not */
};

/* What perf calls the clock it recorded by. */
const char *clock_name(const struct pd_features *f);
/* Finds out how perf's times become those of the tracker's logs, which are open. Where they cannot,
 * the logs are closed and losses say why. */
int clock_open(struct import *im);
void clock_release(struct clock_map *c);
/* A time of perf's as one of the database; 0, none, stays 0. */
uint64_t clock_time(struct import *im, uint64_t time);

#endif
