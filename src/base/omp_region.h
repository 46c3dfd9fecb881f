/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of OpenMP's parallel regions. Compilers make each region a function of its own, and derive
 * its name from that of the function that contains it, the region's owner. */
#ifndef MEMDB_BASE_OMP_REGION_H
#define MEMDB_BASE_OMP_REGION_H

#include <stdbool.h>
#include <stddef.h>

/* Is this the name of a parallel region? The name may be mangled, demangled or plain. */
bool region_is(const char *name);

/*
 * Returns how many bytes at the start of `name` are the name of the region's owner: 5 for
 * "solve._omp_fn.0" and "solve [clone ._omp_fn.0]" (gcc), "solve.omp_outlined" (clang) and
 * "solve..omp_par" (flang). Returns 0 if `name` is not the name of a region, or does not contain
 * the owner: older versions of clang write only ".omp_outlined.", in C++ within "(anonymous
 * namespace)::".
 */
size_t region_owner_length(const char *name);

#endif
