/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether a program has a malloc of its own, whose blocks the tracker does not see. */
#ifndef MEMDB_RECORD_ALLOCATOR_H
#define MEMDB_RECORD_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

enum allocator_kind {
	/* the file contains no malloc and needs no known allocator, or it cannot be read */
	ALLOCATOR_LIBC,
	/* the program needs a library that is a known allocator; its blocks are tracked like those
	 * of libc */
	ALLOCATOR_LIBRARY,
	/* the file defines and exports malloc. The loader finds the program's definition before the
	 * tracker's, so the tracker does not see the program's blocks */
	ALLOCATOR_OWN,
	/* the file defines malloc and does not export it, so the tracker does not see the program's
	 * blocks */
	ALLOCATOR_HIDDEN,
};

/* Finds out from the ELF file at `path` which malloc the program uses. `name` receives the name of
 * the known allocator library that the file needs, whatever the result is; "" means that it needs
 * none. */
enum allocator_kind allocator_of(const char *path, char *name, size_t len);

#endif
