/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's own call that led into a library or the kernel. */
#ifndef MEMDB_IMPORT_SITE_H
#define MEMDB_IMPORT_SITE_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct sym_line;

/* A call by the program's own code of what is not: a standard library, an allocator, the kernel. */
struct site {
	uint32_t caller, called; /* a location; a symbol. 0: not known, or the program's own code */
};

struct sites {
	struct site_memo {
		struct site site;
		bool known;
	} * at; /* by call path */
	uint32_t n, cap;
};

/* The innermost such call on a path that was unwound; none where its innermost frame is the
 * program's own. */
struct site site_of_path(struct import *im, uint32_t path);
/* Of the frames lines[0..n) of one location the innermost that is the program's own; 0: none. */
unsigned site_own_frame(const struct sym_line *lines, unsigned n);

#endif
