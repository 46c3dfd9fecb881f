/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Goes through the source frames of an allocation's call path, from malloc outwards. Includes those
 * of inlined functions, and of functions that left no frame because their last statement was a
 * call.
 */
#ifndef MEMDB_NAMING_SOURCE_FRAMES_H
#define MEMDB_NAMING_SOURCE_FRAMES_H

#include "naming/naming.h"
#include "naming/tail_call.h"

enum frame_kind {
	FRAME_OWN, /* a function of the program itself */
	/* a function that only passes an allocation on, such as operator new
	 * (is_allocator_frame()), or a function of a library in the program's own code: of a
	 * template in a header of the system, or of a Rust library (runtime_is_header()) */
	FRAME_ALLOCATOR,
	FRAME_WRAPPER, /* a function in naming.wrappers, the user's list */
	/* a function that does not show what its blocks are for: it does not belong to the program
	 * itself (is_service_frame()), or its name is unknown */
	FRAME_SILENT,
};

struct frame {
	enum frame_kind kind;
	uint32_t path, location;
	/* file offset of the frame's code: that of the location or, in a function that left no
	 * frame on the stack, of the jump to the function inside (tail_call.h). Then the location
	 * is one in the same file: that of the call outside, or of the function inside */
	uint64_t offset;
	/* number of frames inside this one at the same offset: functions that were inlined into it
	 */
	uint32_t inlined;
	/* file, line and function. Without debug information, only the function is set, to the name
	 * of its symbol */
	struct sym_line line;
};

struct frames {
	const struct naming *n;
	uint32_t next_path; /* call_paths.id of the next location outwards */
	uint32_t location, current_path;
	uint32_t at, end; /* the next frames of `location`: their range in n->known_frames */
	bool ended;
};

void frames_start(struct frames *f, const struct naming *n, uint32_t call_path);

/* Gets the next frame outwards. Returns false when there are no more: after main, before the start
 * of a thread, and at unknown code. */
bool frames_next(struct frames *f, struct frame *out);

/* Does the name of the frame's function, such as "grid_alloc" or "arena_mmap", say that it
 * allocates for its caller? */
bool frame_allocates(const struct frame *f);

/* Does the frame's function have a name that libc uses only internally, such as __GI_realpath for
 * realpath? */
bool frame_is_internal(const struct frame *f);

/* Does the frame's function request memory from a resource of C++ (std::pmr)? */
bool frame_asks_resource(const struct frame *f);

/* Does the file of this frame's code have a static variable with the name name[0..len)? */
bool frame_has_static(const struct naming *n, const struct frame *f, const char *name, size_t len);

/* Is `member`, before which the source writes scopes, as in "Base::rows[i]", a member of the object
 * whose method the frame's function is, and not a static variable? NULL yields false. */
bool frame_is_member(const struct naming *n, const struct frame *f, const char *member);

/* Returns what short_function() writes for this function, cut to 255 bytes. Valid as long as *k.
 * NULL means out of memory. */
const char *known_short_name(struct known_frames *k, const char *function);

#endif
