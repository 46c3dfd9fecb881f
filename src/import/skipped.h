/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the caller that a walk by frame pointers skips. */
#ifndef MEMDB_IMPORT_SKIPPED_H
#define MEMDB_IMPORT_SKIPPED_H

#include <stdint.h>

struct import;
struct pd_sample;

/* `inner` is the innermost user address of a chain that was walked by frame pointers, `back` the
 * return address that follows it. Returns the location of the frame between them; 0 if no frame is
 * missing there, if it is unknown, or if memory ran out. */
uint32_t skipped_caller(struct import *im, uint32_t process, const struct pd_sample *s,
			uint64_t inner, uint64_t back);

#endif
