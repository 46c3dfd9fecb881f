/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the physical addresses of each node, from the kernel's memory blocks, as lines of
 * follow.log.
 */
#ifndef MEMDB_RECORD_BLOCKS_H
#define MEMDB_RECORD_BLOCKS_H

#include <stdio.h>

/* Writes the lines `memory` of follow.log, one for each range of a node. There are none if the
 * kernel shows no memory blocks, because it lacks memory hotplug. A block that two nodes share is
 * left out. `root` is as in record/machine.h, `nodes` is in list format. */
void blocks_write(const char *root, const char *nodes, FILE *out);

#endif
