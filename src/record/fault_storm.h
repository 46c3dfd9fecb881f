/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds out when processes start so fast that the recording of page faults must pause.
 *
 * A process that only starts and ends causes a hundred page faults, and their recording takes
 * longer than all else that memdb does for the process. Nobody asks who touched the pages of such a
 * process first. So page faults are recorded for up to STORM_RATE new processes a second, with
 * STORM_RATE more in advance. What exceeds that is a storm.
 *
 * This is a leaky bucket: each start adds 1 to its level, and the level falls by STORM_RATE a
 * second. A storm begins when the level is STORM_RATE, at which it stays during the storm; it is
 * over when the level is STORM_CALM, that is after 50 ms without a start.
 */
#ifndef MEMDB_RECORD_FAULT_STORM_H
#define MEMDB_RECORD_FAULT_STORM_H

#include <stdbool.h>
#include <stdint.h>

enum { STORM_RATE = 100, STORM_CALM = 5 };

struct fault_storm {
	bool on;
	double level, limit;
	uint64_t now_ns;   /* the latest time that was passed in */
	uint64_t begin_ns; /* the beginning of the current storm */
	uint64_t total_ns; /* duration of the storms that are over */
	/* number of processes that started in storms, including those that began the storms */
	uint64_t processes;
};

/* Prepares *s for a machine with this number of CPUs. There is no storm at first. */
void fault_storm_init(struct fault_storm *s, unsigned cpus);

/* Counts a process that started at the given time, ns. Times need not be in order: a time before
 * the latest one counts as the latest one. */
void fault_storm_add(struct fault_storm *s, uint64_t ns);

/* Call it when all processes that started before the given time, ns, have been counted: ends the
 * storm if it is over by then. */
void fault_storm_pass(struct fault_storm *s, uint64_t ns);

/* Ends the storm, if there is one, at the given time, ns. Afterwards, total_ns is complete. */
void fault_storm_end(struct fault_storm *s, uint64_t ns);

#endif
