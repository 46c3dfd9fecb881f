/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a program bring its own malloc? The tracker then sees only what goes through the dynamic
 * symbol.
 */
#ifndef MEMDB_RECORD_ALLOCATOR_H
#define MEMDB_RECORD_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

enum allocator_kind {
	ALLOCATOR_LIBC,    /* nothing else was found */
	ALLOCATOR_LIBRARY, /* a needed library is a known allocator: tracked like libc's */
	ALLOCATOR_OWN,    /* the file defines malloc and exports it, so the loader finds that before
			     the tracker's: its blocks are unseen */
	ALLOCATOR_HIDDEN, /* the file defines malloc and does not export it: its blocks are unseen
			   */
};

/* Inspects the ELF file. Sets name to the library for ALLOCATOR_LIBRARY, else to "". */
enum allocator_kind allocator_of(const char *path, char *name, size_t len);

#endif
