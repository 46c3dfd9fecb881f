/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names an object after the code that allocates it. */
#ifndef MEMDB_NAMING_CODE_NAME_H
#define MEMDB_NAMING_CODE_NAME_H

#include "naming/frames.h"

/* Returns a name that consists of a function and a line, for an object that the source assigns to
 * no variable. NULL means out of memory. */
const char *code_name(const struct naming *n, const struct frame *f);

/* Returns a text of at most 1023 bytes, which belongs to the arena; NULL means out of memory. */
const char *arena_format(struct arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
