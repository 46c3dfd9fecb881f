/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of memory operand an x86-64 instruction has, by its first bytes. */
#ifndef MEMDB_ACCESS_OPERAND_H
#define MEMDB_ACCESS_OPERAND_H

#include <stddef.h>
#include <stdint.h>

enum operand {
	OPERAND_WHOLE,  /* of at most 8 bytes, or none */
	OPERAND_PARTS,  /* may have more, which the emulator accesses in parts */
	OPERAND_CALL,   /* stores its return address */
	OPERAND_RETURN, /* loads it */
};

enum operand operand_of(const uint8_t *bytes, size_t n);

#endif
