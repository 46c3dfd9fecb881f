/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PERF_REG_* numbers of <asm/perf_regs.h> for both architectures. That header has only the
 * registers of one architecture, but a recording may be imported on another one. */
#ifndef MEMDB_DECODE_PERF_REGS_H
#define MEMDB_DECODE_PERF_REGS_H

#include <stdint.h>

enum perf_reg_x86 {
	REG_X86_AX,
	REG_X86_BX,
	REG_X86_CX,
	REG_X86_DX,
	REG_X86_SI,
	REG_X86_DI,
	REG_X86_BP,
	REG_X86_SP,
	REG_X86_IP,
	REG_X86_FLAGS,
	REG_X86_CS,
	REG_X86_SS,
	REG_X86_DS,
	REG_X86_ES,
	REG_X86_FS,
	REG_X86_GS,
	REG_X86_R8,
	REG_X86_R9,
	REG_X86_R10,
	REG_X86_R11,
	REG_X86_R12,
	REG_X86_R13,
	REG_X86_R14,
	REG_X86_R15,
};

/* DWARF numbers the registers of x86-64 in a different order, from 0 to REG_X86_DWARF - 1. */
enum { REG_X86_DWARF = 17 };

/* Returns perf's number of the register with this DWARF number, which must be valid. */
static inline unsigned reg_x86_of_dwarf(unsigned number)
{
	static const uint8_t regs[REG_X86_DWARF] = {
		REG_X86_AX,  REG_X86_DX,  REG_X86_CX,  REG_X86_BX,  REG_X86_SI,  REG_X86_DI,
		REG_X86_BP,  REG_X86_SP,  REG_X86_R8,  REG_X86_R9,  REG_X86_R10, REG_X86_R11,
		REG_X86_R12, REG_X86_R13, REG_X86_R14, REG_X86_R15, REG_X86_IP,
	};

	return regs[number];
}

/* Returns DWARF's number of a general register; -1 for any other register. */
static inline int reg_x86_to_dwarf(int reg)
{
	for (unsigned i = 0; i < REG_X86_DWARF; i++)
		if ((int)reg_x86_of_dwarf(i) == reg)
			return reg == REG_X86_IP ? -1 : (int)i;
	return -1;
}

/* On AArch64 the registers x0 to x30 have the numbers 0 to 30. */
enum perf_reg_arm64 {
	REG_ARM64_FP = 29,
	REG_ARM64_LR = 30,
	REG_ARM64_SP = 31,
	REG_ARM64_PC = 32,
};

#endif
