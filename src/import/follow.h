/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies the follower's records to topology, homes and affinities. */
#ifndef MEMDB_IMPORT_FOLLOW_H
#define MEMDB_IMPORT_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tracklog/follow.h"

struct import;

struct follow_input {
	struct fl_log *log; /* NULL: there is none */
	struct fl_record next;
	bool has_next;
	uint64_t bytes;         /* bytes left after the first lines, which describe the topology */
	uint64_t unsound_lines; /* records that contain impossible values */
};

int follow_open(struct import *im);
int follow_step(struct import *im);
void follow_close(struct import *im);
/* A look at pages, valid from `time` on and made during `took`: passes it to the model, and writes
 * rows in which equal neighbours are merged. Returns 0, MD_ENOMEM, or MD_EFORMAT if a node number
 * is impossible; then nothing is stored. */
int import_homes(struct import *im, uint32_t process, uint64_t start, uint64_t step,
		 const int32_t *nodes, uint32_t count, uint64_t time, uint64_t took,
		 const char *source);
/* The CPUs that a thread may use from now on, in list format. Passes them to the model and writes a
 * row. */
void import_affinity(struct import *im, uint32_t thread, const char *cpus, uint64_t time,
		     const char *source);

#endif
