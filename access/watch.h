/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes QEMU call the sampler when a block of code is executed. */
#ifndef MEMDB_ACCESS_WATCH_H
#define MEMDB_ACCESS_WATCH_H

#include "plugin.h"

/* Registers the callbacks of a block. Must be called while QEMU translates the block. */
void watch_block(struct qemu_plugin_tb *tb);

/*
 * Registers the callbacks of a block of the tracker's code. Neither its accesses are counted, nor
 * those of functions that it calls through the procedure linkage table: they are not the program's
 * work. A function that it calls by a pointer, such as the real malloc(), is what the program
 * called, so its accesses are counted.
 */
void watch_tracker(struct qemu_plugin_tb *tb);

#endif
