/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disassembles code into text, in the syntax of the architecture's GNU tools. */
#ifndef MEMDB_DECODE_LISTING_H
#define MEMDB_DECODE_LISTING_H

#include "decode/decode.h"

struct listed {
	size_t at, size;  /* bytes from the start of the code */
	const char *text; /* valid during the call */
};

/* Calls fn for each instruction of code[0..len), which begins at vaddr. Bytes that do not decode
 * are ".byte". Stops at fn's first non-zero result and returns it; else returns 0, MD_ENOTSUP
 * (Capstone lacks the architecture) or MD_ENOMEM. */
int listing_each(enum dec_arch arch, const uint8_t *code, size_t len, uint64_t vaddr,
		 int (*fn)(void *arg, const struct listed *i), void *arg, struct md_err *err);

#endif
