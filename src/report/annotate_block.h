/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source lines of a function or file, and how they are printed. */
#ifndef MEMDB_REPORT_ANNOTATE_BLOCK_H
#define MEMDB_REPORT_ANNOTATE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "naming/source.h"
#include "report/sourcepath.h"

struct line {
	uint32_t line;
	/* touches: bytes of the memory pages that this line was the first to access */
	int64_t samples, touches;
	/* percent of the run's total of block.measure; negative means unknown */
	double share;
	/* limits of the share of accesses to another NUMA node, in percent. The node of some
	 * accesses is unknown: remote_low assumes that all of these are local, remote_high that all
	 * are remote. Negative means that there are no accesses to count */
	double remote_low, remote_high;
	const char *accesses, *text, *function;
	/* if not NULL, this entry is about the function of this name that was inlined at the line,
	 * and `share` and `samples` are the function's. If NULL, they are the line's */
	const char *inlined;
};

/* The lines of one function or of one file. */
struct block {
	struct {
		struct line *at;
		uint32_t n, cap;
	} lines; /* sorted by line number */
	struct arena arena;
	const char *function, *file, *program; /* function is NULL in a block for a file */
	/* what the shares are computed from: "cost" or "accesses" */
	const char *measure;
	const char *noun; /* "samples", or "counted" if every access was counted */
	/* inlined_share: the share of all functions that were inlined in these lines; negative
	 * means none */
	double share, inlined_share;
	int64_t samples;
	bool has_remote, has_touches;
};

struct block_printer {
	const struct source_paths *paths; /* where source files are searched */
	struct sources *sources;
	FILE *out;
	uint32_t blocks; /* number of blocks printed so far */
};

/* Prints the lines of the block, and some lines of the source file around them. Reports on stderr
 * if the source file is missing and the database has no text of these lines, or if the file may
 * differ from the file that the program was built from. */
void block_print(const struct block *b, struct block_printer *p);

#endif
