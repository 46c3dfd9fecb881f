/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is mapped into the program, as /proc/self/maps of the emulator shows it. */
#ifndef MEMDB_ACCESS_MAPS_H
#define MEMDB_ACCESS_MAPS_H

#include "stream.h"

/* Notes the emulator's own mappings, which are none of the program's. Call it before the program is
 * loaded. */
void maps_begin(void);

#define MAPS_ALL UINT64_MAX

/* Writes those mappings of files that overlap [start, start + bytes), or all but the emulator's own
 * with bytes MAPS_ALL. The emulator maps the
 * program's code without the right to execute it: all of a file that is not writable counts as
 * code. */
void maps_write(struct stream *s, uint64_t start, uint64_t bytes);

/* Where a file is mapped: [*low, *high); unchanged where it is not. */
void maps_find(const char *path, uint64_t *low, uint64_t *high);

/* Writes the mapping around an address of a stack as the kernel names the main thread's. */
void maps_write_stack(struct stream *s, uint64_t address);

#endif
