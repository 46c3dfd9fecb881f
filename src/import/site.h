/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the program's own call into a library or the kernel. */
#ifndef MEMDB_IMPORT_SITE_H
#define MEMDB_IMPORT_SITE_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct sym_line;

/* A call from the program's own code to a standard library, an allocator or the kernel. */
struct site {
	/* location of the caller, and symbol that it called. Both are 0 if unknown, or if the
	 * program's own code was interrupted */
	uint32_t caller, called;
};

struct sites {
	struct site_memo {
		struct site site;
		bool known;
	} * at; /* indexed by call path */
	uint32_t n, cap;
};

/* Returns the innermost such call on an unwound path. Both members are 0 if the innermost frame
 * is the program's own. */
struct site site_of_path(struct import *im, uint32_t path);
/* Returns the innermost inlined frame that is the program's own: its index in lines[0..n), the
 * frames of one location. 0 if there is none. */
unsigned site_own_frame(const struct sym_line *lines, unsigned n);

#endif
