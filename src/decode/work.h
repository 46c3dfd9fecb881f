/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds which kind of work (enum dec_work) a thread does at a code address; private to decode/. */
#ifndef MEMDB_DECODE_WORK_H
#define MEMDB_DECODE_WORK_H

#include "decode/insn.h"
#include "decode/outline.h"

/*
 * Returns what a thread at code[at] spends its time on. code[0..len) is the function, f its
 * outline. `before` is the offset at which the instruction before `at` starts; it equals `at` if
 * that is uncertain. `waited` is true if that instruction certainly accessed memory.
 *
 * A spin loop has at most 32 instructions from `at` to its end. It is one of two kinds. A loop of
 * the first kind contains a pause. A loop of the second kind loads, but has no store, no atomic
 * operation and no call. Apart from the jump at its end, it has no jump to one of its own
 * instructions. No register carries a value from one iteration to the next. So every iteration does
 * the same, until another thread changes the memory that the loop reads. The second kind is
 * recognized only in loops of plain instructions (insn.plain), so only on x86-64.
 */
enum dec_work work_at(struct decoder *d, const struct outline *f, const uint8_t *code, size_t len,
		      size_t at, size_t before, bool waited);

#endif
