/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds a stack: computes the open calls from the registers and a copy of the stack at one
 * moment, by the unwind rules of the files (.eh_frame, .debug_frame). Registers, stack and files
 * are untrusted: the work is limited, and no input makes it read outside its bounds. The unwinder
 * knows neither processes nor recordings, and asks its caller what is mapped.
 */
#ifndef MEMDB_SYMBOL_UNWIND_H
#define MEMDB_SYMBOL_UNWIND_H

#include "symbol/symbol.h"

enum unwind_machine { UNWIND_X86_64, UNWIND_AARCH64 };

/* The mapping at an address. */
struct unwind_module {
	struct sym_file *file; /* NULL means no file, or the file is unavailable */
	uint64_t bias;         /* address = vaddr in the file + bias */
	bool code;             /* the mapping is executable */
	bool anonymous;        /* not from a file: JIT code, for example */
};

/* Why a walk ended. */
enum unwind_end {
	UNWIND_OUTERMOST, /* the outermost frame was reached */
	UNWIND_STACK,     /* the copy of the stack is too short */
	UNWIND_NO_RULES,  /* the code has no unwind rules, or its file is unavailable */
	UNWIND_NO_CODE,   /* there is no code at the return address */
	UNWIND_UNSOUND,   /* the rules need unknown values or lead nowhere */
	UNWIND_FULL,      /* more frames than requested */
	UNWIND_ENDS,
};

enum { UNWIND_REGISTERS = 33 };

struct unwind {
	enum unwind_machine machine;
	uint64_t regs[UNWIND_REGISTERS]; /* by DWARF number; 16 of x86-64 is the pc, 31 of AArch64
					    sp and 32 the pc */
	uint64_t known;                  /* registers that are known, by bit */
	const uint8_t *stack;            /* bytes from the stack pointer upward; little-endian */
	size_t stack_bytes;
	/* Fills *out and returns true if something is mapped at address. */
	bool (*module_at)(void *arg, uint64_t address, struct unwind_module *out);
	void *arg;
	uint64_t *cfas; /* NULL, or an array for the CFA of each frame; 0 means unknown */
};

/*
 * Writes the frames to ips, innermost first, and their number (≤ max) to *n. The first is the pc.
 * Each other one is at least one byte past the executing instruction: a return address, or the pc +
 * 1 of a frame that a signal interrupted. Returns why the walk ended. Takes about 0.1 µs per frame,
 * and a few µs at a new address.
 */
enum unwind_end unwind_stack(const struct unwind *u, uint64_t *ips, uint32_t max, uint32_t *n);

#endif
