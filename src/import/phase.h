/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures how long each phase of an import takes, for `memdb import -v`. An import has steps,
 * which run one after the other; the duration of each step is measured. The first step, the merge
 * of the inputs, alternates between phases for each event. Symbol look-ups and waits for the
 * writer's thread are rare and long, so each of them is measured. The rest of the time is divided
 * among the phases, which are measured only for one event in 61: reading the clock for every event
 * would take longer than the event itself. A profiler would not divide the time by these phases,
 * and users who report a slow import often may not run one. */
#ifndef MEMDB_IMPORT_PHASE_H
#define MEMDB_IMPORT_PHASE_H

#include <stdbool.h>
#include <stdint.h>

enum phase {
	PHASE_READ,   /* sorting perf's records by time, decoding their fields */
	PHASE_SIDE,   /* applying perf's side-band records */
	PHASE_TRACK,  /* applying events of the tracker's and the follower's logs */
	PHASE_STACKS, /* resolving call chains */
	PHASE_JOIN,   /* finding objects and home nodes of addresses */
	PHASE_PACK,   /* passing rows to the writer */
	PHASES
};

struct phases {
	bool wanted, on; /* `on`: the current event is measured */
	enum phase at;
	/* since: time at which the current phase began, ns. elsewhere: time that symbol
	 * look-ups and waits for the writer had taken until then, ns */
	uint64_t since, elsewhere;
	uint64_t cost; /* time in ns that one reading of the clock takes */
	uint64_t ns[PHASES];
	uint64_t waits, symbols; /* time that waits for the writer and symbol look-ups took
				  * during the merge, ns */
	struct {
		const char *name;
		uint64_t ns;
	} steps[16];
	unsigned nsteps;
	uint64_t step_since;
	/* largest observed amount of anonymous memory of this process, bytes */
	uint64_t peak_bytes;
};

struct import;

/* Ends the current step and begins the next one, which `name` describes (a constant). If name is
 * NULL, no step begins. */
void phases_step(struct import *im, const char *name);

/* Must be called between two events. Decides whether the next one is measured. */
void phases_next(struct import *im);

/* Ends the phase of the current event, which must be one that is measured, and begins phase `to`.
 * Other files call phase_enter() instead. */
void phases_switch(struct import *im, enum phase to);

/* Prints on stderr the seconds of each step and phase, and the peak of memory. */
void phases_print(const struct import *im);

#endif
