/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classifies the memory operand of an x86-64 instruction by its first bytes. */
#ifndef MEMDB_ACCESS_OPERAND_H
#define MEMDB_ACCESS_OPERAND_H

#include <stddef.h>
#include <stdint.h>

enum operand {
	OPERAND_WHOLE,  /* at most 8 bytes, or no operand */
	OPERAND_PARTS,  /* may be larger; the emulator accesses it in parts */
	OPERAND_CALL,   /* stores its return address */
	OPERAND_RETURN, /* loads a return address */
};

enum operand operand_of(const uint8_t *bytes, size_t n);

#endif
