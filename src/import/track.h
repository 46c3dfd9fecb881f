/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies the tracker's events to the model and writes rows. */
#ifndef MEMDB_IMPORT_TRACK_H
#define MEMDB_IMPORT_TRACK_H

#include "model/objects.h"

struct import;
struct track;

/* Applies the next event of t, which must be the log with the oldest event. Returns 0, MD_EFORMAT
 * or MD_ENOMEM. */
int track_step(struct import *im, struct track *t);
/* Callbacks of struct block_sink (model/objects.h) for blocks that ended: find the call path of the
 * end, count the block, and write its row. `arg` is the struct import; `track` is the log whose
 * current event ended the block. */
uint32_t track_call_path(void *arg, const void *track);
void track_count_block(void *arg, const struct ended_block *e);
void track_store_block(void *arg, const struct ended_block *e);

#endif
