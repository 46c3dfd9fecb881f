/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * On which nodes the pages of a process lie, asked from outside with move_pages(2), as lines of
 * follow.log.
 */
#ifndef MEMDB_RECORD_HOMES_H
#define MEMDB_RECORD_HOMES_H

#include <stdint.h>
#include <stdio.h>

struct homes_options {
	unsigned pages_per_mapping; /* asked of one mapping in one round */
	unsigned mappings;          /* asked of one process in one round, the largest first */
	uint64_t smallest_bytes;    /* smaller mappings are left out */
	uint64_t page_bytes;        /* the system's page size */
	const char *track_dir;      /* files mapped from here are left out; NULL none */
};

#define HOMES_DEFAULT            \
	((struct homes_options){ \
		.pages_per_mapping = 512, .mappings = 64, .smallest_bytes = 1 << 20 })

/*
 * Writes one round of `homes` lines about the writable mappings of pid. Rounds (counted from 0) ask
 * different pages of a mapping that is larger than what one round may ask. Returns how many pages
 * were asked, or 0 where the process has ended or must not be looked at.
 */
uint64_t homes_write(const struct homes_options *o, uint32_t pid, unsigned round, FILE *out);

/* Writes `numa_maps` and `hugepage` lines of pid. The kernel walks all page tables of the process
 * for it, so it is not for every round. */
void homes_write_policies(const struct homes_options *o, uint32_t pid, FILE *out);

/* Writes a `collapse` line of pid if it has huge pages, some of which the kernel may have made of
 * small ones since that time. The kernel walks its page tables for it. */
void homes_write_collapse(uint32_t pid, uint64_t since, FILE *out);

/* The two parts of homes_write(), for tests: the distance of two asked pages in a mapping of so
 * many bytes, and the run-length line of nodes. */
uint64_t homes_step(const struct homes_options *o, uint64_t bytes);
void homes_write_nodes(const int *nodes, unsigned n, FILE *out);

#endif
