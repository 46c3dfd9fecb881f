/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lets QEMU call the sampler at what a block of code does when it runs. */
#ifndef MEMDB_ACCESS_WATCH_H
#define MEMDB_ACCESS_WATCH_H

#include "plugin.h"

/* Called while the block is translated. */
void watch_block(struct qemu_plugin_tb *tb);

#endif
