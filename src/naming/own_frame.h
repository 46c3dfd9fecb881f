/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of the program's own code in the search for an object's name (walk.h): which
 * expression holds the block in the function of such a frame. */
#ifndef MEMDB_NAMING_OWN_FRAME_H
#define MEMDB_NAMING_OWN_FRAME_H

#include "naming/fortran_walk.h"
#include "naming/holder.h"
#include "naming/source_frames.h"

/* The state of the search for one object's name, which goes outwards along the frames of its call
 * path. */
struct walk {
	const struct naming *n;
	const struct object *x;
	struct object_origin *o;
	/* the expression to which the function of the previous frame assigns the block */
	struct holder holder;
	bool held; /* whether `holder` is set */
	/* how the function of the current frame, which called the previous one, can access the
	 * block in `holder` */
	struct holder_way way;
	/* another place where the function of the previous frame stores the block; valid if
	 * `is_kept`. It is used if the caller cannot access the block in `holder`, or ignores what
	 * the function returns */
	struct holder kept;
	struct holder_way kept_way;
	bool is_kept;
	const char *function; /* the function that assigned the block to `holder` */
	struct fortran_walk fortran;
	const char *inner;  /* the innermost function of the C++ library, except
			     * operator new, or of Rust's String; NULL means none */
	const char *callee; /* the function of the previous frame, of any kind, or NULL */
	/* the source of the function of the previous frame is not readable, so it is unknown
	 * whether its caller gets the block */
	bool guessed;
	bool silent;       /* whether the search skipped frames of kind FRAME_SILENT */
	const char *owner; /* a library that allocated the block for its own use, or NULL */
	bool contained;    /* a container or wrapper in the program's own code allocated it */
	bool subscripted;  /* a container allocated the block for one of its elements */
	/* the function of the previous frame is a method of a container that the program defines
	 * (is_container_template()) and stored the block in a member. So a caller that shows which
	 * container it is allocates the block, as with a container of the C++ library */
	bool in_container;
	const char *code; /* the last name that walk_take_code() gave the object, or NULL */
	/* the part of a container in the block, such as " (nodes)"; "" if it has only one */
	const char *part;
	/* the block belongs to an element of the container in `holder`; with 2, to an element of
	 * an element, and so on */
	unsigned elements;
	bool constructs; /* see constructs_element() */
};

/* Sets the place of the object: the frame's file, line and function. */
void walk_take_place(struct walk *w, const struct frame *f);

/* Names the object after the frame's function and line. */
void walk_take_code(struct walk *w, const struct frame *f);

/* If `any` is true, the block belongs to an element of w->holder. */
void walk_add_elements(struct walk *w, bool any);

/* Gets the statement of the frame. Returns false if its source is not readable. */
bool walk_statement(const struct walk *w, const struct frame *f, struct statement *st);

/* Handles a frame of the program's own code. Returns true if the search goes on in its caller. */
bool walk_own_frame(struct walk *w, const struct frame *f);

#endif
