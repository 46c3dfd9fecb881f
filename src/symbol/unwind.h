/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the registers and a copy of the stack at one moment to the calls that were open then, by the
 * unwind rules of the files (.eh_frame, .debug_frame). Registers, stack and files are untrusted: no
 * input makes it run for long or read outside of what it was given. Knows no process and no
 * recording: takes and gives plain numbers, and asks its caller what is mapped.
 */
#ifndef MEMDB_SYMBOL_UNWIND_H
#define MEMDB_SYMBOL_UNWIND_H

#include "symbol/symbol.h"

enum unwind_machine { UNWIND_X86_64, UNWIND_AARCH64 };

/* What is mapped at an address. */
struct unwind_module {
	struct sym_file *file; /* NULL: no file, or the file is unavailable */
	uint64_t bias;         /* address = address in the file + bias */
	bool code;             /* mapped executable */
	bool anonymous;        /* not from a file: JIT code, for example */
};

/* Why a walk ended. */
enum unwind_end {
	UNWIND_OUTERMOST, /* at the outermost frame */
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
	uint64_t known;                  /* which of them, by bit */
	const uint8_t *stack;            /* bytes from the stack pointer upward; little-endian */
	size_t stack_bytes;
	/* True and *out filled where something is mapped at address. */
	bool (*module_at)(void *arg, uint64_t address, struct unwind_module *out);
	void *arg;
	uint64_t *cfas; /* NULL, or room for the CFA of each frame; 0 where it is not known */
};

/*
 * Writes the frames to ips, innermost first, and their number (≤ max) to *n. The first is the pc.
 * Each further one is one byte past the executing instruction or more: a return address, or for a
 * frame that a signal interrupted its pc + 1. Takes about 0.1 µs per frame, and a few µs at a new
 * address.
 */
enum unwind_end unwind_stack(const struct unwind *u, uint64_t *ips, uint32_t max, uint32_t *n);

#endif
