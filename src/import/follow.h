/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The follower's records: to topology, homes, affinities. */
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
	uint64_t bytes;         /* left after its first lines, which tell the topology */
	uint64_t unsound_lines; /* records that name what cannot be */
};

int follow_open(struct import *im);
int follow_step(struct import *im);
void follow_close(struct import *im);
/* A look at pages, from time on for `took`: to the model, and as rows with equal neighbours in one.
 * MD_EFORMAT where no machine has such a node, and nothing is taken; MD_ENOMEM. */
int import_homes(struct import *im, uint32_t process, uint64_t start, uint64_t step,
		 const int32_t *nodes, uint32_t count, uint64_t time, uint64_t took,
		 const char *source);
/* The CPUs a thread may use from now on, in list format: to the model, and as a row. */
void import_affinity(struct import *im, uint32_t thread, const char *cpus, uint64_t time,
		     const char *source);

#endif
