/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_COROUTINE_H
#define MEMDB_NAMING_COROUTINE_H

#include "naming/source_frames.h"

/* A coroutine of C++ allocates a block for its own frame before it runs. Compilers report this call
 * in the head of the function or at its last brace. If frame f is there, and its function is a
 * coroutine, sets the name in *o to "[frame of FUNCTION]", and the place to the line of the
 * function's name. Otherwise returns false. `callee` is the allocator that f called, or NULL. */
bool coroutine_frame(const struct naming *n, const struct frame *f, const char *callee,
		     struct object_origin *o);

#endif
