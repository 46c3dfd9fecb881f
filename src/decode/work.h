/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside decode/: what a thread did at an ip. */
#ifndef MEMDB_DECODE_WORK_H
#define MEMDB_DECODE_WORK_H

#include "decode/insn.h"
#include "decode/outline.h"

/*
 * The work at `at` bytes of code[0..len), the function that f outlines; `before` is where the
 * instruction before it starts (or `at`: not certain), and waited whether that one accessed memory
 * for certain.
 *
 * A loop that spins is one of at most 32 instructions around `at` that holds a pause; or one
 * that stores nothing, calls nothing and carries nothing from turn to turn in registers: whatever
 * it does in one turn it does in the next, until another thread changes what it reads. The latter
 * is claimed of plain instructions only, so on x86-64.
 */
enum dec_work work_at(struct decoder *d, const struct outline *f, const uint8_t *code, size_t len,
		      size_t at, size_t before, bool waited);

#endif
