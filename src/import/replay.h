/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles the events of all inputs in the order of time. */
#ifndef MEMDB_IMPORT_REPLAY_H
#define MEMDB_IMPORT_REPLAY_H

struct import;

/* Handles every event of the opened inputs, the earliest first, and writes the rows that it
 * completes. Returns 0, or the code of the first error with its sentence in im->err: MD_EINTR if
 * *im->o->stop is set, MD_ENOMEM, MD_EIO, or what a step returned. */
int replay_events(struct import *im);

#endif
