/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tokens of a whole C or C++ source file, with its preprocessor branches. The build's macros
 * are unknown, so a scan holds the tokens of all branches of #if. A view (scope.h) holds the tokens
 * that one place in the file sees. Of a conditional group around the place, it sees the place's own
 * branch. Of any other group, it sees the first branch that is not "#if 0".
 */
#ifndef MEMDB_NAMING_SCAN_H
#define MEMDB_NAMING_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "naming/token.h"

struct scan_token {
	struct token t;
	uint32_t line, column; /* from 1; column in bytes */
	uint32_t branch;       /* innermost branch, position + 1 in branches; 0 means none */
};

struct scan {
	struct {
		struct scan_token *at;
		uint32_t n, cap;
	} tokens;
	struct {
		struct branch {
			uint32_t parent; /* branch that encloses the group, position + 1; 0 means
					    none */
			uint32_t group;  /* counted from 1 */
			bool taken;      /* the branch that is seen from outside the group */
			bool decided;    /* this branch or one before it is taken */
		} * at;
		uint32_t n, cap;
	} branches;
};

/*
 * Reads all lines: text(arg, n) returns line n, from 1, or NULL after the last. Tokens point into
 * the lines, which must outlive the scan. Returns false if out of memory or after SCAN_MAX tokens.
 */
enum { SCAN_MAX = 1 << 20 };
typedef const char *scan_line_fn(void *arg, uint32_t n);
bool scan_read(struct scan *s, scan_line_fn *text, void *arg);
void scan_release(struct scan *s);

/* Does a place in branch `from` (0 means outside all) see the tokens of branch `other`? */
bool scan_sees(const struct scan *s, uint32_t from, uint32_t other);

#endif
