/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers decoded x86-64 instructions by their bytes. Capstone needs about a microsecond for one,
 * and an import decodes the code around a sampled instruction several times; code also has many
 * equal instructions. Results are those of x86_decode().
 */
#ifndef MEMDB_DECODE_REMEMBERED_H
#define MEMDB_DECODE_REMEMBERED_H

#include "decode/x86.h"

struct remembered_insn;

/* { 0 } remembers nothing yet. */
struct remembered {
	struct remembered_insn *at; /* owned; NULL before the first instruction, or no memory */
};

void remembered_release(struct remembered *r);

/* As x86_decode(). */
bool remembered_decode(struct remembered *r, struct x86 *x, const uint8_t *code, size_t len,
		       struct insn *out);

#endif
