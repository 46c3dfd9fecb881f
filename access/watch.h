/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes QEMU call the sampler when a block of code runs. */
#ifndef MEMDB_ACCESS_WATCH_H
#define MEMDB_ACCESS_WATCH_H

#include "plugin.h"

/* Registers the callbacks of a block. Call it while the block is translated. */
void watch_block(struct qemu_plugin_tb *tb);

/*
 * The same for a block of the tracker. Neither its accesses are counted, nor those of the functions
 * that it calls by the procedure linkage table. Those that it calls by a pointer do the program's
 * work, as the real malloc() does.
 */
void watch_tracker(struct qemu_plugin_tb *tb);

#endif
