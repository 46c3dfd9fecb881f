/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long each phase of an import takes, for `memdb import -v`. Steps that follow each other are
 * measured whole. Within the first, the merge of all events by time, inserting rows and reading
 * symbols are measured whole too, as they are rare and long; the rest is told from some of the
 * events, as looking at the clock would cost more than it measures.
 */
#ifndef MEMDB_IMPORT_PHASE_H
#define MEMDB_IMPORT_PHASE_H

#include <stdbool.h>
#include <stdint.h>

enum phase {
	PHASE_READ,   /* perf's records in order of time, their fields */
	PHASE_SIDE,   /* perf's side band */
	PHASE_TRACK,  /* the tracker's and the follower's events */
	PHASE_STACKS, /* call chains */
	PHASE_JOIN,   /* what an address meant */
	PHASE_PACK,   /* rows: dictionaries, sums */
	PHASES
};

struct phases {
	bool wanted, on; /* on: the event at hand is measured */
	enum phase at;
	uint64_t since, elsewhere; /* when it began; what had been measured whole by then */
	uint64_t cost;             /* of looking at the clock, ns */
	uint64_t ns[PHASES];
	uint64_t inserts, symbols; /* of the merge */
	struct {
		const char *name;
		uint64_t ns;
	} steps[16];
	unsigned nsteps;
	uint64_t step_since;
	uint64_t peak_bytes; /* of anonymous memory, as far as was looked */
};

struct import;

/* A step begins, another ends; NULL: the last one ends. name must be a constant. */
void phases_step(struct import *im, const char *name);

/* Between two events, where times are wanted: is the next one measured? */
void phases_next(struct import *im);

/* For phase_enter(). */
void phases_switch(struct import *im, enum phase to);

/* The seconds of each step and phase, the memory taken, on stderr. */
void phases_print(const struct import *im);

#endif
