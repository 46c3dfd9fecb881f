/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source frames of an allocation's call path, inlined ones among them, from malloc outward. */
#ifndef MEMDB_NAMING_FRAMES_H
#define MEMDB_NAMING_FRAMES_H

#include "naming/naming.h"

enum frame_kind {
	FRAME_OWN,       /* of the program itself */
	FRAME_ALLOCATOR, /* only passes the allocation on: is_allocator_frame() */
	FRAME_SILENT, /* does not tell what its blocks are for: in a runtime library, or nameless */
};

struct frame {
	enum frame_kind kind;
	uint32_t path, location;
	uint32_t inlined;     /* frames of the location that are farther in */
	struct sym_line line; /* function, as the symbol says where no line is known; file, line */
};

struct frames {
	const struct naming *n;
	uint32_t next_path; /* of the location outside the current one */
	struct sym_line lines[SYM_MAX_INLINE];
	unsigned at, nlines; /* of the current location */
	uint32_t location, current_path;
	bool ended;
};

void frames_start(struct frames *f, const struct naming *n, uint32_t call_path);

/* Gets the next frame. False after the last: main, a thread's start, or unknown code. */
bool frames_next(struct frames *f, struct frame *out);

#endif
