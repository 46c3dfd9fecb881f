/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures how long each phase of an import takes, for `memdb import -v`. Steps that follow one
 * another are measured entirely. Inside the first step, the merge of all events, inserts and symbol
 * look-ups are rare and long, so they are measured entirely too. The rest is estimated from a
 * sample of the events, because reading the clock for every event would take longer than the work.
 */
#ifndef MEMDB_IMPORT_PHASE_H
#define MEMDB_IMPORT_PHASE_H

#include <stdbool.h>
#include <stdint.h>

enum phase {
	PHASE_READ,   /* perf's records sorted by time, their fields */
	PHASE_SIDE,   /* perf's side-band records */
	PHASE_TRACK,  /* events of the tracker and the follower */
	PHASE_STACKS, /* call chains */
	PHASE_JOIN,   /* address -> object, home */
	PHASE_PACK,   /* rows: dictionaries, sums */
	PHASES
};

struct phases {
	bool wanted, on; /* on: the current event is measured */
	enum phase at;
	/* start of the current phase; inserts and symbol look-ups until then, ns */
	uint64_t since, elsewhere;
	uint64_t cost; /* ns for one reading of the clock */
	uint64_t ns[PHASES];
	uint64_t inserts, symbols; /* ns during the merge */
	struct {
		const char *name;
		uint64_t ns;
	} steps[16];
	unsigned nsteps;
	uint64_t step_since;
	uint64_t peak_bytes; /* peak anonymous memory, sampled */
};

struct import;

/* Ends the current step and begins the next; NULL means only ends it. name must be a constant. */
void phases_step(struct import *im, const char *name);

/* Call between two events: decides whether the next one is measured. */
void phases_next(struct import *im);

/* Ends the current phase of a measured event and begins another. Use phase_enter(). */
void phases_switch(struct import *im, enum phase to);

/* Prints the seconds of each step and phase and the peak memory on stderr. */
void phases_print(const struct import *im);

#endif
