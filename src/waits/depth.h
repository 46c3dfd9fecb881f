/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the size of a stack frame in the code of its function. Works only for x86-64, like all of
 * waits/. */
#ifndef MEMDB_WAITS_DEPTH_H
#define MEMDB_WAITS_DEPTH_H

#include "decode/decode.h"

/*
 * Returns how far the stack pointer is below the CFA (its value before the call of the function)
 * when the instruction with byte `at` begins; 0 if that is unknown, as after alloca(). Needed for
 * functions with a frame pointer, whose unwind rules do not say it. code[0..len) is the function,
 * which is decoded. Sets *nomem when out of memory.
 */
uint64_t frame_depth(struct decoder *d, const uint8_t *code, size_t len, size_t at, bool *nomem);

#endif
