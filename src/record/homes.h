/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out from outside, with move_pages(2), on which nodes the pages of a process are, and writes
 * lines of follow.log. */
#ifndef MEMDB_RECORD_HOMES_H
#define MEMDB_RECORD_HOMES_H

#include <stdint.h>
#include <stdio.h>

struct homes_options {
	unsigned pages_per_mapping; /* maximum number of pages of a mapping that one round queries,
				     * in addition to its first page */
	/* maximum number of mappings of a process that a round covers; the largest ones are
	 * chosen */
	unsigned mappings;
	uint64_t smallest_bytes; /* smaller mappings are skipped */
	uint64_t page_bytes;     /* the system's page size */
	/* mappings of files in this folder are skipped; NULL means none */
	const char *track_dir;
};

#define HOMES_DEFAULT            \
	((struct homes_options){ \
		.pages_per_mapping = 512, .mappings = 64, .smallest_bytes = 1 << 20 })

/*
 * Writes one round of `homes` lines about the writable mappings of pid. If a mapping has more pages
 * than a round may query, each round queries different ones. `round` is 0 for the first round.
 * Returns the number of queried pages; 0 if the process has ended or this user may not look at it.
 */
uint64_t homes_write(const struct homes_options *o, uint32_t pid, unsigned round, FILE *out);

/* Writes `numa_maps` and `hugepage` lines of pid. Slow for large processes, because the kernel
 * walks all their page tables. So it is not called in every round. */
void homes_write_policies(const struct homes_options *o, uint32_t pid, FILE *out);

/* Writes a `collapse` line if pid has huge pages: the kernel may have made them from small pages
 * since the time `since`. Slow for large processes, because the kernel walks their page tables. */
void homes_write_collapse(uint32_t pid, uint64_t since, FILE *out);

/*
 * Parts of homes_write() that tests call. homes_step() returns the distance in bytes between two
 * pages that a round queries in a mapping of this size. homes_write_nodes() writes nodes as
 * run-length text.
 */
uint64_t homes_step(const struct homes_options *o, uint64_t bytes);
void homes_write_nodes(const int *nodes, unsigned n, FILE *out);

#endif
