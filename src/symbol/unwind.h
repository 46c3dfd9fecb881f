/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds a stack: computes the calls that are open at one moment. The input is the registers and a
 * copy of the stack; the unwind rules come from the files (.eh_frame, .debug_frame). Registers,
 * stack and files are untrusted: the work is limited, and no input makes the unwinder read outside
 * its bounds. A callback of the caller reports what is mapped at an address.
 */
#ifndef MEMDB_SYMBOL_UNWIND_H
#define MEMDB_SYMBOL_UNWIND_H

#include "symbol/symbol.h"

enum unwind_machine { UNWIND_X86_64, UNWIND_AARCH64 };

/* What is mapped at a code address, as the caller's function unwind.module_at() reports it. */
struct unwind_module {
	struct sym_file *file; /* NULL means that there is no file, or that it is not available */
	uint64_t bias;         /* address in memory = vaddr in the file + bias */
	bool code;             /* the mapping is executable */
	bool anonymous;        /* no file backs the mapping, as for JIT code */
};

/* Why a walk ended. */
enum unwind_end {
	UNWIND_OUTERMOST, /* it reached the outermost frame */
	UNWIND_STACK,     /* the copy of the stack is too short */
	UNWIND_NO_RULES,  /* the code has no unwind rules, or its file is not available */
	UNWIND_NO_CODE,   /* no code is mapped at the return address */
	UNWIND_UNSOUND,   /* the rules need unknown values, or lead to an impossible frame */
	UNWIND_FULL,      /* there are more than `max` frames */
	UNWIND_ENDS,
};

enum { UNWIND_REGISTERS = 33 };

struct unwind {
	enum unwind_machine machine;
	/* values of the registers, indexed by DWARF's numbers. x86-64: 16 is the pc. AArch64: 31 is
	 * sp, 32 the pc */
	uint64_t regs[UNWIND_REGISTERS];
	uint64_t known; /* registers that are known, as a bit mask */
	/* bytes from the stack pointer upwards; words are little-endian */
	const uint8_t *stack;
	size_t stack_bytes;
	/* Fills in *out and returns true if something is mapped at the address. */
	bool (*module_at)(void *arg, uint64_t address, struct unwind_module *out);
	void *arg;
	uint64_t *cfas; /* NULL, or an array that gets the CFA of each frame; 0 means unknown */
};

/*
 * Writes the addresses of the frames to ips, innermost first, and their number (≤ max) to *n. The
 * first address is the pc. Each further address is a return address or, in a frame that a signal
 * interrupted, the pc of that frame + 1. Returns why the walk ended. Takes about 0.1 µs for each
 * frame, and about 1 µs more at a new address.
 */
enum unwind_end unwind_stack(const struct unwind *u, uint64_t *ips, uint32_t max, uint32_t *n);

#endif
