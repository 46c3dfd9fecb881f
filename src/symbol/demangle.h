/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names as the programmer wrote them. */
#ifndef MEMDB_SYMBOL_DEMANGLE_H
#define MEMDB_SYMBOL_DEMANGLE_H

#include "base/arena.h"

/*
 * C++ and Rust names demangled, with parameters; gfortran's module names as module::name; a version
 * suffix (@GLIBC_2.4, @@…) cut off; @plt kept after what stands before it. Returns name itself
 * where there is nothing to do (or where the program was built without a demangler), else a copy
 * owned by a. Never NULL: out of memory gives name. A demangled name is cut at 64 KiB, so that no
 * mangled name costs more.
 */
const char *demangle_name(struct arena *a, const char *name);

#endif
