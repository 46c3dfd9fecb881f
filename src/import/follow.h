/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies the follower's log to the model: topology, home nodes of pages, affinities. */
#ifndef MEMDB_IMPORT_FOLLOW_H
#define MEMDB_IMPORT_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "tracklog/follow.h"

struct import;

struct follow_input {
	struct fl_log *log; /* NULL means that the recording has no such log */
	struct fl_record next;
	bool has_next;
	/* bytes of the log after the topology, for the progress display */
	uint64_t bytes;
	uint64_t unsound_lines; /* number of records with impossible values */
};

/* Opens the follower's log, if there is one, and applies its first records: the topology, which has
 * no time. A missing or unreadable log is not an error. Returns 0 or an MD_E*. */
int follow_open(struct import *im);
/* Applies the log's next record to the model and reads the one after it. Returns 0 or an MD_E*. */
int follow_step(struct import *im);
/* Closes the log and reports its damaged lines as losses. */
void follow_close(struct import *im);
/* Handles a look: a query that asked on which nodes `count` pages are. The first page is at
 * `start`, each further one `step` bytes after the previous one. Passes the nodes to the model and
 * writes a row of page_homes for each run of neighbouring pages on one node. The query began at
 * `time` and took `took` ns. `source` names who made the query. Returns 0, MD_ENOMEM, or MD_EFORMAT
 * if a node number is impossible; then no page is stored. */
int import_homes(struct import *im, uint32_t process, uint64_t start, uint64_t step,
		 const int32_t *nodes, uint32_t count, uint64_t time, uint64_t took,
		 const char *source);
/* Sets the CPUs that a thread may use from `time` on: `cpus` is a list such as "0-3,8". Passes the
 * affinity to the model and writes a row of thread_affinities; `source` names who reported the
 * affinity. */
void import_affinity(struct import *im, uint32_t thread, const char *cpus, uint64_t time,
		     const char *source);

#endif
