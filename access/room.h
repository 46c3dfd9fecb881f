/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Allocates memory with system calls, not with malloc(), whose blocks the tracker would record as
 * allocations of the program. */
#ifndef MEMDB_ACCESS_ROOM_H
#define MEMDB_ACCESS_ROOM_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Maps `bytes` bytes of zeroed memory. Returns NULL when out of memory. */
static inline void *room_take(size_t bytes)
{
	long p = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0L);

	return p == -1 ? NULL : (void *)p;
}

/* Unmaps memory from room_take(). p may be NULL. */
static inline void room_give(void *p, size_t bytes)
{
	if (p)
		syscall(SYS_munmap, p, bytes);
}

#endif
