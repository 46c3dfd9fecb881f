/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts symbol names to names as the programmer wrote them. */
#ifndef MEMDB_SYMBOL_DEMANGLE_H
#define MEMDB_SYMBOL_DEMANGLE_H

#include "base/arena.h"

/*
 * Demangles C++ and Rust names, with parameters. Converts gfortran's names of module procedures to
 * module::name. Removes a version suffix (@GLIBC_2.4, @@…), but keeps @plt. Returns name itself if
 * it does not change or memory runs out, else a copy owned by a. Never returns NULL. A demangled
 * name is cut at 64 KiB, which bounds the cost of any mangled name. Without libiberty only
 * gfortran's names and suffixes are handled.
 */
const char *demangle_name(struct arena *a, const char *name);

#endif
