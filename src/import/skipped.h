/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds callers that the walk of a stack misses. */
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

/*
 * Finds the callers of the function at `location`, at which the walk of a stack has ended too
 * early, as far as the code of its file has only one for each. Stores their locations in callers[],
 * innermost first, and returns their number. *whole: the outermost of them, or `location` itself,
 * is in main().
 */
enum { MOST_OUTER = 64 };
uint32_t skipped_outer(struct import *im, uint32_t process, uint32_t location, uint32_t *callers,
		       bool *whole);

/* Returns a location in the only function that can call the one at `location`, as in
 * skipped_outer(): the last byte of the instruction that calls it, jumps to it, or passes the
 * address of a parallel region to the runtime; the start of the function if it has several such
 * instructions. 0 means that it is unknown. */
uint32_t skipped_way(struct import *im, uint32_t location);

/* Is main() called before the return address `back`? Needs no symbols of libc. */
bool skipped_is_main(struct import *im, uint32_t process, uint64_t back);

#endif
