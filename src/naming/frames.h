/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes through the source frames of an allocation's call path, inlined ones included, from malloc
 * outwards.
 */
#ifndef MEMDB_NAMING_FRAMES_H
#define MEMDB_NAMING_FRAMES_H

#include "naming/naming.h"

enum frame_kind {
	FRAME_OWN, /* a function of the program itself */
	/* a function that only passes the allocation on (is_allocator_frame()), such as operator
	 * new */
	FRAME_ALLOCATOR,
	FRAME_WRAPPER, /* a function of naming.wrappers */
	/* a function that does not show what its blocks are for: it is in a runtime library, or its
	 * name is unknown */
	FRAME_SILENT,
};

struct frame {
	enum frame_kind kind;
	uint32_t path, location;
	/* number of inner frames of the same location, which are inlined into this one */
	uint32_t inlined;
	/* file, line and function; if no line is known, only `function`, with the name of the
	 * symbol */
	struct sym_line line;
};

struct frames {
	const struct naming *n;
	uint32_t next_path; /* call_paths.id of the next location outwards */
	struct sym_line lines[SYM_MAX_INLINE];
	/* index of the current frame among the (inlined) frames of the location, and their
	 * number */
	unsigned at, nlines;
	uint32_t location, current_path;
	bool ended;
};

void frames_start(struct frames *f, const struct naming *n, uint32_t call_path);

/* Gets the next frame outwards. Returns false after main, before the start of a thread, and at
 * unknown code. */
bool frames_next(struct frames *f, struct frame *out);

#endif
