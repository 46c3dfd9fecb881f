/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts names of symbols to names as programmers write them. */
#ifndef MEMDB_SYMBOL_DEMANGLE_H
#define MEMDB_SYMBOL_DEMANGLE_H

#include "base/arena.h"

/*
 * Demangles names of C++ and Rust, with their parameters. Converts gfortran's names of procedures
 * and variables of a module to module::name. Removes a version (@GLIBC_2.4, @@…), but keeps @plt.
 * Returns a copy that the arena `a` owns; or `name` itself if nothing changes, or when out of
 * memory. Never returns NULL. A demangled name is cut at 64 KiB, because a mangled name may expand
 * to a name of any length. A mangled name of 32 KiB or more is not demangled. Without libiberty
 * only gfortran's names and versions are handled.
 */
const char *demangle_name(struct arena *a, const char *name);

#endif
