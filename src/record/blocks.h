/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes to follow.log which ranges of physical memory belong to which NUMA node. */
#ifndef MEMDB_RECORD_BLOCKS_H
#define MEMDB_RECORD_BLOCKS_H

#include <stdio.h>

/* Writes one line "memory" for each range of adjacent memory blocks on one node. Writes nothing if
 * the kernel reports no memory blocks, because it was built without memory hotplug. Leaves out a
 * block that has memory of two nodes. `root` is as in record/machine.h; `nodes` is a list such as
 * "0-3,8". */
void blocks_write(const char *root, const char *nodes, FILE *out);

#endif
