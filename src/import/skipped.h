/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the caller that a walk by frame pointers skips. */
#ifndef MEMDB_IMPORT_SKIPPED_H
#define MEMDB_IMPORT_SKIPPED_H

#include <stdbool.h>
#include <stdint.h>

struct import;
struct pd_sample;

/* `ip` is the innermost user address of a chain that was walked by frame pointers, `back` the
 * return address that follows it. Returns true if at least one frame is missing between them. Then
 * *location is the location of the caller that set up the frame; 0 if it is unknown. */
bool skipped_caller(struct import *im, uint32_t process, const struct pd_sample *s, uint64_t ip,
		    uint64_t back, uint32_t *location);

/* Is main() called before the return address `back`? Needs no symbols of libc. */
bool skipped_is_main(struct import *im, uint32_t process, uint64_t back);

#endif
