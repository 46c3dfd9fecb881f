/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts the allocations in the tracker's logs while the program still writes them. Only for the
 * progress line: the import counts exactly. */
#ifndef MEMDB_RECORD_BIRTHS_H
#define MEMDB_RECORD_BIRTHS_H

#include <stdbool.h>
#include <stdint.h>

struct births;

/* Returns NULL when out of memory. The caller frees it with births_free(). */
struct births *births_new(void);
void births_free(struct births *b); /* b may be NULL */

/*
 * Returns the number of heap blocks that the logs in the folder "track" of the capture dir_fd have
 * recorded. Each call reads only what it has not read before, and the chunks that threads still
 * fill; at most 64 MiB, so that it does not slow the recording. *all is false if that was not
 * enough: there are more. Logs that cannot be read count as empty.
 */
uint64_t births_count(struct births *b, int dir_fd, bool *all);

#endif
