/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes QEMU call the sampler (access/sampler.h) for the instructions and accesses of each block of
 * code that the program executes. */
#ifndef MEMDB_ACCESS_WATCH_H
#define MEMDB_ACCESS_WATCH_H

#include "plugin.h"

/* Makes QEMU call the sampler for the instructions and accesses of this block. Must be called while
 * QEMU translates the block. */
void watch_block(struct qemu_plugin_tb *tb);

/* Registers the functions that QEMU calls for a block of the tracker's code. Neither the accesses
 * of this code nor those of functions that it calls through the procedure linkage table are
 * counted, because they are not the program's work. But the tracker calls functions that the
 * program has called, such as the real malloc(), through pointers. Their accesses are counted. */
void watch_tracker(struct qemu_plugin_tb *tb);

#endif
