/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disassembles code into text, in the syntax of the architecture's GNU tools. */
#ifndef MEMDB_DECODE_LISTING_H
#define MEMDB_DECODE_LISTING_H

#include "decode/decode.h"

struct listed {
	size_t at, size;  /* offset from the start of the code, and size of the instruction, in
			   * bytes */
	const char *text; /* disassembled instruction; valid during the call */
};

/* Calls fn for each instruction of code[0..len), whose first byte is at vaddr. Bytes that cannot
 * be decoded become ".byte". Stops at the first non-zero result of fn and returns it. Otherwise
 * returns 0, MD_ENOMEM, or MD_ENOTSUP if Capstone does not know the architecture. */
int listing_each(enum dec_arch arch, const uint8_t *code, size_t len, uint64_t vaddr,
		 int (*fn)(void *arg, const struct listed *i), void *arg, struct md_err *err);

#endif
