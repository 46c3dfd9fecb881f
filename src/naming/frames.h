/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the source frames of an allocation's call path, from malloc outward, including inlined
 * ones.
 */
#ifndef MEMDB_NAMING_FRAMES_H
#define MEMDB_NAMING_FRAMES_H

#include "naming/naming.h"

enum frame_kind {
	FRAME_OWN,       /* function of the program itself */
	FRAME_ALLOCATOR, /* only passes the allocation on: is_allocator_frame() */
	FRAME_SILENT,    /* does not show the purpose of its blocks: in a runtime library, or
			  * nameless */
};

struct frame {
	enum frame_kind kind;
	uint32_t path, location;
	uint32_t inlined;     /* number of the location's frames that are further inside */
	struct sym_line line; /* file and line; function, or the symbol's name if no line is
			       * known */
};

struct frames {
	const struct naming *n;
	uint32_t next_path; /* call path outside the current location */
	struct sym_line lines[SYM_MAX_INLINE];
	unsigned at, nlines; /* of the current location */
	uint32_t location, current_path;
	bool ended;
};

void frames_start(struct frames *f, const struct naming *n, uint32_t call_path);

/* Gets the next frame. Returns false after main, before a thread's start, and at unknown code. */
bool frames_next(struct frames *f, struct frame *out);

#endif
