/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the program's own call into a library or the kernel. */
#ifndef MEMDB_IMPORT_SITE_H
#define MEMDB_IMPORT_SITE_H

#include <stdbool.h>
#include <stdint.h>

struct dso;
struct import;
struct sym_line;

/* A call from the program's own code to a standard library, an allocator or the kernel. */
struct site {
	/* caller: location of the call; 0 means unknown. called: id of the symbol that was called.
	 * If the sample was taken in the program's own code, both are 0 */
	uint32_t caller, called;
};

struct sites {
	struct site_memo {
		struct site site[2];
		bool known[2];
	} * at; /* indexed by call_paths.id - 1. site[1] and known[1] are for samples whose stack
		 * was unwound, site[0] and known[0] for all others */
	uint32_t n, cap;
};

/* Returns the innermost of the calls on a path by which the program's own code calls a library, an
 * allocator or the kernel. `unwound` means that the path was found by unwind rules; if it comes
 * from frame pointers, the caller stays unknown. `caller` and `called` are both 0 if the innermost
 * frame (in a path from frame pointers: the innermost user frame) is the program's own, or if the
 * path is complete, unwound, and no frame is the program's own. */
struct site site_of_path(struct import *im, uint32_t path, bool unwound);

/* Like site_of_path(), for a sample of user code that has only a location and no call path.
 * `caller` is always 0. */
struct site site_of_location(struct import *im, uint32_t location);

/* lines[0..n) are the frames at one location of d, the innermost inlined function first. Returns
 * the index of the innermost frame that is the program's own; 0 if there is none. */
unsigned site_own_frame(const struct dso *d, const struct sym_line *lines, unsigned n);

#endif
