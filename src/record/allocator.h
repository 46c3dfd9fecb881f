/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out whether a program brings its own malloc, whose blocks the tracker does not see. */
#ifndef MEMDB_RECORD_ALLOCATOR_H
#define MEMDB_RECORD_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

enum allocator_kind {
	ALLOCATOR_LIBC,    /* nothing else was found */
	ALLOCATOR_LIBRARY, /* a needed library is a known allocator: tracked like libc's */
	ALLOCATOR_OWN,     /* the file defines and exports malloc. The loader finds it before the
			      tracker's, so its blocks are unseen */
	ALLOCATOR_HIDDEN,  /* the file defines malloc but does not export it: its blocks are unseen
			    */
};

/* Inspects the ELF file. Sets name to the library for ALLOCATOR_LIBRARY, else to "". */
enum allocator_kind allocator_of(const char *path, char *name, size_t len);

#endif
