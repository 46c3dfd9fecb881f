/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names an object after the code that allocates it. */
#ifndef MEMDB_NAMING_CODE_NAME_H
#define MEMDB_NAMING_CODE_NAME_H

#include "naming/source_frames.h"

/* Returns a name for an object that the source assigns to no variable: a function with its file and
 * line, such as "main (app.c:5)"; for a parallel region, the function around it. Without a line, it
 * is the function with an offset in bytes; without a function, the file with an offset. NULL means
 * out of memory. */
const char *code_name(const struct naming *n, const struct frame *f);

/* Sets in *o that the code of frame f allocates the object: its place, and the function `callee`
 * that it calls (NULL: unknown) as the wrapper. */
void code_place(const struct naming *n, const struct frame *f, const char *callee,
		struct object_origin *o);

/* Has code without names in another file than frame f's, at `location`, allocated the block, and
 * has frame f no source line? Then that file shows more than f: an interpreter calls all its
 * extensions from one place. */
bool is_in_plugin(const struct naming *n, uint32_t location, const struct frame *f);

/* Is frame f outside of the libraries of C++, to which the code at `location` inside it belongs, as
 * in a stripped program that called operator new? Functions of libc that allocate, such as
 * regcomp(), show more than their caller. */
bool leaves_runtime(const struct naming *n, uint32_t location, const struct frame *f);

/* Formats a text like snprintf(), and cuts it to 1023 bytes. The text belongs to the arena; NULL
 * means out of memory. */
const char *arena_format(struct arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
