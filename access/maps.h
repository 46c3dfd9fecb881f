/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the program's mappings from /proc/self/maps. In the emulator, /proc/self/maps also lists
 * the mappings of the emulator itself. */
#ifndef MEMDB_ACCESS_MAPS_H
#define MEMDB_ACCESS_MAPS_H

#include "stream.h"

/* Stores the mappings of the emulator itself, so that they are not reported as mappings of the
 * program. Must be called before the program is loaded. */
void maps_begin(void);

#define MAPS_ALL UINT64_MAX

/*
 * Writes the mappings of files that overlap [start, start + bytes). With MAPS_ALL as bytes, writes
 * all mappings of files, except those of the emulator itself. A mapping that is not writable is
 * written as executable: the emulator maps the program's code without the right to execute it, so
 * the real rights do not show what is code. `time` is when the mappings began, ns; 0 means now.
 */
void maps_write(struct stream *s, uint64_t start, uint64_t bytes, uint64_t time);

/* Writes what is mapped of files in [start, start + bytes), none of it as executable: the program
 * has asked for a mapping without that right, as one that reads the symbols of its libraries does.
 */
void maps_write_data(struct stream *s, uint64_t start, uint64_t bytes);

/* Finds the addresses [*low, *high) at which a file is mapped. If the file is not mapped, *low and
 * *high stay unchanged. */
void maps_find(const char *path, uint64_t *low, uint64_t *high);

/*
 * Writes the mapping that contains an address, under the name "[stack]", which the kernel uses for
 * the main thread's stack. In an emulator, the program's stack is an ordinary mapping.
 */
void maps_write_stack(struct stream *s, uint64_t address);

/*
 * Writes the mapping that contains an address, whatever it maps. This is for programs whose
 * mappings nobody else reports: static ones, which have no tracker. maps_is_known() returns whether
 * the address is in a mapping that was written in this way, on a stack that was written, or in a
 * range that maps_know() has stored.
 */
void maps_write_unknown(struct stream *s, uint64_t address);
bool maps_is_known(uint64_t address);
void maps_know(uint64_t start, uint64_t end);

/* A thread of the program. `sp`, `top` and `pointer` are 0 if they are unknown. */
struct maps_thread {
	uint32_t tid;
	uint64_t sp;      /* an address on its stack */
	uint64_t top;     /* the end of its stack */
	uint64_t pointer; /* its thread pointer, near which its thread-local variables are */
	uint64_t time;    /* when it began, ns; 0 stands for the current time */
};

/* Writes the stack and the thread pointer of a thread (ACCESS_STACK_NAME). Either of them may be
 * unknown. */
void maps_write_thread(struct stream *s, const struct maps_thread *t);

#endif
