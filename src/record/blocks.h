/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which physical addresses belong to which node: the kernel's memory blocks, as lines of
 * follow.log.
 */
#ifndef MEMDB_RECORD_BLOCKS_H
#define MEMDB_RECORD_BLOCKS_H

#include <stdio.h>

/* Writes `memory` lines. A kernel without memory hotplug shows no blocks, and a block that two
 * nodes share belongs to neither: then less, or nothing, is written. root as in record/machine.h;
 * nodes in list format. */
void blocks_write(const char *root, const char *nodes, FILE *out);

#endif
