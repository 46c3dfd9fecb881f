/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classifies the memory operands and the calls of x86-64 instructions by their first bytes. */
#ifndef MEMDB_ACCESS_X86_OPERAND_H
#define MEMDB_ACCESS_X86_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operand {
	OPERAND_WHOLE, /* an operand of at most 8 bytes, or no operand: one access */
	/* the operand may have more than 8 bytes; QEMU then reports it as several accesses, which
	 * watch.c counts as one */
	OPERAND_PARTS,
	OPERAND_CALL,   /* a call, which stores its return address */
	OPERAND_RETURN, /* a return, which loads the return address */
};

enum operand operand_of(const uint8_t *bytes, size_t n);

/* If the instruction is a direct call (e8), returns the address of the function that it calls.
 * Returns 0 for any other instruction. `ip` is the address of the instruction. */
uint64_t operand_call_target(const uint8_t *bytes, size_t n, uint64_t ip);

/* Are these PLT_BYTES bytes of code an entry of a procedure linkage table (PLT), through which a
 * library calls functions of another library? */
enum { PLT_BYTES = 16 };
bool operand_is_plt(const uint8_t *code);

#endif
