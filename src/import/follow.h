/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies the follower's records to the model: topology, homes of pages, affinities. */
#ifndef MEMDB_IMPORT_FOLLOW_H
#define MEMDB_IMPORT_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tracklog/follow.h"

struct import;

struct follow_input {
	struct fl_log *log; /* NULL means there is none */
	struct fl_record next;
	bool has_next;
	uint64_t bytes;         /* size without the first lines (the topology) */
	uint64_t unsound_lines; /* number of records with impossible values */
};

/* Opens the follower's log, if there is one, and applies its records without a time. A missing or
 * unreadable log is not an error. Returns 0 or an MD_E*. */
int follow_open(struct import *im);
/* Applies the next record and reads the one after it. Returns 0 or an MD_E*. */
int follow_step(struct import *im);
/* Closes the log and reports its damaged lines as a loss. */
void follow_close(struct import *im);
/* Passes a look at pages to the model and writes a row for each run of neighbouring pages on the
 * same node. The look is valid from `time` on and took `took` ns. Returns 0, MD_ENOMEM, or
 * MD_EFORMAT if a node number is impossible; then no page is stored. */
int import_homes(struct import *im, uint32_t process, uint64_t start, uint64_t step,
		 const int32_t *nodes, uint32_t count, uint64_t time, uint64_t took,
		 const char *source);
/* Sets the CPUs that a thread may use from `time` on, in list format. Passes them to the model and
 * writes a row. */
void import_affinity(struct import *im, uint32_t thread, const char *cpus, uint64_t time,
		     const char *source);

#endif
