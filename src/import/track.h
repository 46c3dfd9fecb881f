/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracker's events: to the model and to rows. */
#ifndef MEMDB_IMPORT_TRACK_H
#define MEMDB_IMPORT_TRACK_H

#include "model/objects.h"

struct import;
struct track;

/* Takes the next event of the oldest log: 0, MD_EFORMAT or MD_ENOMEM. */
int track_step(struct import *im, struct track *t);
/* Where objects_* tells that a block ended: writes its row. arg is the import. */
void track_block_end(void *arg, const struct ended_block *e);

#endif
