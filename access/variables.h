/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the pages that belong to one static variable, by the symbol table of the program or
 * library. There, all accesses of an instruction to 16 bytes may be counted together. In other
 * pages of static memory, each variable must have counts of its own (count.h).
 */
#ifndef MEMDB_ACCESS_VARIABLES_H
#define MEMDB_ACCESS_VARIABLES_H

#include "stream.h"

/* Must be called for each mapping of a file, before pages_add_variables() is called for its
 * variables. Calls pages_add_alone() for the pages that belong to one variable. Does nothing if the
 * mapping is not the first one of a program or library, or if that has no symbol table (stripped).
 */
void variables_find(const struct stream_map *m);

#endif
