/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows on stderr the progress of a long step and its remaining time. The line appears only on a
 * terminal, after half a second, and changes at most ten times a second.
 */
#ifndef MEMDB_BASE_PROGRESS_H
#define MEMDB_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *what; /* the step, such as "importing" */
	bool on, shown;
	double start, next; /* times of CLOCK_MONOTONIC, seconds: start of the step, and when the
			     * line may change next */
};

void progress_start(struct progress *p, const char *what, bool on);
void progress_set(struct progress *p, uint64_t done, uint64_t all);

/* Clears the line. */
void progress_end(struct progress *p);

#endif
