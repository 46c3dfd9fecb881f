/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the stubs through which a file calls other files, for example malloc@plt. */
#ifndef MEMDB_SYMBOL_PLT_H
#define MEMDB_SYMBOL_PLT_H

#include "base/arena.h"
#include "symbol/symtab.h"

/* Adds the symbol "NAME@plt" for each stub of .plt, .plt.sec and .plt.got that jumps through a slot
 * with a relocation of NAME. x86-64 only. The names are owned by a. Returns 0 or MD_ENOMEM. */
int plt_add(struct symtab *t, const struct image *im, struct arena *a);

#endif
