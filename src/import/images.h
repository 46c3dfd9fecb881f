/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the programs that ran were tracked. */
#ifndef MEMDB_IMPORT_IMAGES_H
#define MEMDB_IMPORT_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

struct import;

/* Programs without a log. */
struct untracked_programs {
	struct untracked *at;
	uint32_t n, cap;
};

/* A process maps a file, which may be the tracker's library or a log. */
void images_map(struct import *im, uint32_t process, const char *path, uint64_t offset,
		bool executable);
/* Adds log `id` of tracks; false when out of memory. */
bool images_log(struct import *im, uint32_t id);
/* A process begins by fork: it is tracked if its parent was. */
void images_fork(struct import *im, uint32_t parent, uint32_t child);
/* exec replaces the program that the process runs. */
void images_end(struct import *im, uint32_t process);
/* Call when all logs and records are read: sets for processes and comms whether they were
 * tracked. */
void images_finish(struct import *im);
void images_write_losses(struct import *im);

#endif
