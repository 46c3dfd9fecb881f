/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the stubs through which a file calls functions of other files, such as malloc@plt. */
#ifndef MEMDB_SYMBOL_PLT_H
#define MEMDB_SYMBOL_PLT_H

#include "base/arena.h"
#include "symbol/symtab.h"

/* Adds the symbol "NAME@plt" for each stub in .plt, .plt.sec and .plt.got whose slot has a
 * relocation for NAME. x86-64 only. The arena `a` owns the names. Returns 0 or MD_ENOMEM. */
int plt_add(struct symtab *t, const struct image *im, struct arena *a);

#endif
