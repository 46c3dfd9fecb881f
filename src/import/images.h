/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out which of the executed programs were tracked. */
#ifndef MEMDB_IMPORT_IMAGES_H
#define MEMDB_IMPORT_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct pd_side;

/* For the table losses: programs that the tracker or the sampler did not record, or not completely.
 */
struct untracked_programs {
	struct untracked *at;
	uint32_t n, cap;
};

/* Handles a mapping of a file, which may be the tracker's library or one of its logs. */
void images_map(struct import *im, uint32_t process, const char *path, uint64_t start,
		uint64_t offset, bool executable);
/* Handles a mapping with which a thread shows its tid. A thread in a PID namespace maps a page only
 * for this: perf records the mapping with the tid in perf's numbering, and the tracker's log
 * contains the address of the page. Stores the page. Returns false if the mapping *s has another
 * purpose. */
bool images_shown(struct import *im, uint32_t process, const struct pd_side *s);
/* Handles the end of a process by a signal, which the sampler exact reports for the children of the
 * program. */
void images_killed(struct import *im, uint32_t process, int sig);
/* Returns the tid, in perf's numbering, of the thread that last mapped the page at `address` for
 * images_shown(), and forgets the page; 0 means none. */
uint32_t images_tid(struct import *im, uint32_t process, uint64_t address);
/* Adds the log with this id (its position + 1 in im->in.tracks) to the index. Returns false when
 * out of memory. */
bool images_log(struct import *im, uint32_t id);
/* Handles a fork: the child is tracked if its parent was. */
void images_fork(struct import *im, uint32_t parent, uint32_t child);
/* Handles the end of a program in a process: exec replaces it, or (`exits`) the process exits. */
void images_end(struct import *im, uint32_t process, bool exits);
/* Decides for each program run whether it was tracked. Must be called when all logs and records
 * have been read. */
void images_finish(struct import *im);
/* Writes a row of losses for each program and each reason why it was not, or not completely,
 * recorded. Also reports second C libraries. */
void images_write_losses(struct import *im);

#endif
