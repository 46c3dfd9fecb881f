/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out what a sampled thread was doing: computing, waiting, system calls, … */
#ifndef MEMDB_IMPORT_WORK_H
#define MEMDB_IMPORT_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "database/rows.h"
#include "decode/decode.h"
#include "import/kernel.h"

struct import;

/* Does the code at this location belong to one of these: a function in which threads wait for each
 * other or wake each other; an OpenMP runtime; a function of an MPI library that waits for
 * messages? Decides by the names of the function and its file. */
bool work_is_lock(struct import *im, uint32_t location);

/* Returns the kind of time of a sample in the kernel. */
enum time_kind work_of_kernel(enum kernel_work work);

/* Returns the kind of time of a sample at a location of the program; location 0 yields
 * TIME_UNKNOWN. Decides only by the names of the function and its file, and by the code around ip:
 * TIME_MEMORY means that the instruction before ip accesses memory, not that it missed a cache.
 * address.c corrects the result according to what the sample waited for. */
enum time_kind work_of_program(struct import *im, uint32_t location);

#endif
