/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread's time went to where a sample found it. */
#ifndef MEMDB_IMPORT_WORK_H
#define MEMDB_IMPORT_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "database/rows.h"
#include "decode/decode.h"
#include "import/kernel.h"

struct import;

/* By location: whether it is in a lock; { 0 } is empty. */
struct works {
	uint8_t *at; /* 0 not asked, 1 no, 2 yes */
	uint32_t n, cap;
};

/* In a function in which threads wait for each other, or in the OpenMP runtime. By names. */
bool work_is_lock(struct import *im, uint32_t location);

/* In the kernel. */
enum time_kind work_of_kernel(enum kernel_work work);

/* At a location of a program, 0 unknown, by its code alone: TIME_MEMORY is any access that was
 * waited for. */
enum time_kind work_of_program(struct import *im, uint32_t location);

#endif
