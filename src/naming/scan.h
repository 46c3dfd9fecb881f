/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the tokens of a C, C++ or Rust source file, with its preprocessor branches. The macros of
 * the build are unknown, so a scan has the tokens of all branches of #if. A view (scope.h) has only
 * tokens that can be compiled together with one given line. If the line is inside an #if group, the
 * view has the group's branch that contains the line. The view has the first branch of every other
 * group, unless that branch is "#if 0": then it has the second branch. */
#ifndef MEMDB_NAMING_SCAN_H
#define MEMDB_NAMING_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "naming/token.h"

struct scan_token {
	struct token t;
	uint32_t line, column; /* both count from 1; column in bytes */
	uint32_t branch;       /* innermost branch of #if: position + 1 in branches; 0 means none */
};

struct scan {
	bool is_rust; /* the file is in Rust; the caller sets it after scan_read() */
	struct {
		struct scan_token *at;
		uint32_t n, cap;
	} tokens;
	struct {
		struct branch {
			/* the branch that contains this #if group: position + 1; 0 means none */
			uint32_t parent;
			uint32_t group; /* number of its #if group, from 1 */
			/* views from a line outside the group contain this branch; at most one
			 * branch of each group is taken */
			bool taken;
			/* this branch, or an earlier one of the group, has `taken` set, so no later
			 * branch gets it */
			bool decided;
		} * at;
		uint32_t n, cap;
	} branches;
	struct {
		struct scan_name {
			const char *s;
			size_t len;
			uint32_t line; /* counts from 1 */
			/* for a macro without parameters that stands for another name, as in
			 * "#define arrput stbds_arrput": that name; NULL for other macros */
			const char *target;
			/* a macro without parameters that may contain calls */
			bool is_plain;
		} * at;
		uint32_t n, cap;
	} macros,         /* names of the macros that have parameters or a target, or are plain */
		includes; /* names of the files that the file includes */
};

/* Reads a file: text(arg, n) returns its line n (from 1), or NULL after the last line. Tokens point
 * into the lines, which must outlive the scan. Returns false when out of memory or if there are
 * more than SCAN_MAX tokens. */
enum { SCAN_MAX = 1 << 20 };
typedef const char *scan_line_fn(void *arg, uint32_t n);
bool scan_read(struct scan *s, scan_line_fn *text, void *arg);
void scan_release(struct scan *s);

/* Does a view from a line in branch `from` contain the tokens of branch `other`? Both are positions
 * + 1 in branches; 0 means outside all branches. */
bool scan_sees(const struct scan *s, uint32_t from, uint32_t other);

#endif
