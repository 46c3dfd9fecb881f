/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes nodes, distances, CPUs and memory of this machine as lines of follow.log. */
#ifndef MEMDB_RECORD_TOPOLOGY_H
#define MEMDB_RECORD_TOPOLOGY_H

#include <stdio.h>

/* Writes the lines `node`, `distance`, `cpu` and `memory` (record/blocks.h) for the machine below
 * root (see machine.root). If the kernel has no NUMA support, writes node 0 with all CPUs and no
 * line `memory`. */
void topology_write(const char *root, FILE *out);

/* Writes the line `foreign` of follow.log for each node: the number of pages that the kernel has
 * placed on other nodes because the node was full. Writes nothing if the kernel does not count
 * them. */
void topology_write_foreign(const char *root, FILE *out);

#endif
