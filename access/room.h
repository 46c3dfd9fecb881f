/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocates memory outside the program's heap. */
#ifndef MEMDB_ACCESS_ROOM_H
#define MEMDB_ACCESS_ROOM_H

#include <stddef.h>
#include <sys/mman.h>

/* Maps zeroed memory. NULL when out of memory. */
static inline void *room_take(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Releases memory. p may be NULL. */
static inline void room_give(void *p, size_t bytes)
{
	if (p)
		munmap(p, bytes);
}

#endif
