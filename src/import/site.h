/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's own call into a library or the kernel. */
#ifndef MEMDB_IMPORT_SITE_H
#define MEMDB_IMPORT_SITE_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct sym_line;

/* A call from the program's own code to a standard library, an allocator or the kernel. */
struct site {
	/* location; symbol. 0: unknown, or the sample is in the program's own code */
	uint32_t caller, called;
};

struct sites {
	struct site_memo {
		struct site site;
		bool known;
	} * at; /* by call path */
	uint32_t n, cap;
};

/* The innermost such call on a path that was unwound; none if its innermost frame is the program's
 * own. */
struct site site_of_path(struct import *im, uint32_t path);
/* Among the inlined frames lines[0..n) of one location, the innermost that is the program's own; 0:
 * none. */
unsigned site_own_frame(const struct sym_line *lines, unsigned n);

#endif
