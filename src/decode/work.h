/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside decode/: what a thread did at an ip. */
#ifndef MEMDB_DECODE_WORK_H
#define MEMDB_DECODE_WORK_H

#include "decode/insn.h"
#include "decode/outline.h"

/*
 * The work at code[at] of the function code[0..len), which f outlines. `before` is the start of the
 * instruction before it (or `at`: uncertain), and `waited` says that it surely accessed memory.
 *
 * A spin loop has at most 32 instructions around `at`. Either it contains a pause, or it stores
 * nothing, calls nothing and carries nothing from one iteration to the next in registers: then
 * every iteration does the same until another thread changes what it reads. The second case is
 * decided for plain instructions only, so only on x86-64.
 */
enum dec_work work_at(struct decoder *d, const struct outline *f, const uint8_t *code, size_t len,
		      size_t at, size_t before, bool waited);

#endif
