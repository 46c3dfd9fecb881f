/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the unwind rules that lead from a frame to its caller, in .eh_frame and .debug_frame. The
 * rules of each address are read once and cached. The bytes are untrusted, and damaged entries have
 * no rules. Internal to this folder.
 *
 * Why not libdw's dwarf_cfi_addrframe()? libdw 0.188 finds the same rules. The table shows the CPU
 * time for each address, and the memory, for 10,000 addresses (medians of three paired runs):
 *
 *                          first look          again                memory
 *                          here      libdw     here      libdw      here      libdw
 *   libc (2 MB)            0.60 us   0.31 us   0.02 us   0.24 us    0.8 MiB   0.2 MiB
 *   libLLVM (112 MB)       1.25 us   2.79 us   0.03 us   0.82 us    2.2 MiB   7.5 MiB
 *
 * A walk looks up each frame of each sample, nearly always at a known address. So either reader
 * would need a cache. There are two more reasons. libdw may crash on a damaged file, so memdb runs
 * it in a confined process (child.h); but unwinding needs the rules of every frame and cannot wait
 * for another process. And libdw does not report the range of the entry that covers an address, as
 * file_cfi_function() does.
 */
#ifndef MEMDB_SYMBOL_CFI_H
#define MEMDB_SYMBOL_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"

/* number of registers that are tracked: DWARF numbers 0 to 32, which include all general registers
 * of x86-64 and AArch64 */
enum { CFI_REGISTERS = 33 };

/* An operation of a DWARF expression. Signed operands are extended to 64 bits. */
struct cfi_op {
	uint64_t number, number2;
	uint32_t offset; /* byte offset in the expression; branches jump to such an offset */
	uint8_t atom;    /* a DW_OP_* constant */
};

/* How to compute the value that a register has in the caller: with the operations ops[first] to
 * ops[first + n - 1] of the row (struct cfi_row). */
struct cfi_rule {
	uint8_t reg;
	uint8_t n;
	uint16_t first;
};

/*
 * The unwind rules at one code address. A register without a rule has the same value in the caller,
 * unless it is in `undefined`.
 */
struct cfi_row {
	/* bit mask of registers whose value in the caller cannot be recovered */
	uint64_t undefined;
	uint8_t ra; /* number of the register whose rule yields the return address */
	/* whether this is the code to which a signal handler returns. The signal interrupted the
	 * caller of this code, so the caller's pc is the address of the next instruction to
	 * execute, not a return address */
	bool signal;
	uint8_t nrules;                           /* number of rules after the CFA's rule */
	uint16_t nops;                            /* number of operations (ops) of all rules */
	struct cfi_rule rules[1 + CFI_REGISTERS]; /* [0] is the rule of the CFA */
	const struct cfi_op *ops;
};

struct cfi;

/*
 * Returns the row for vaddr; f owns the row, which is valid until the next call. NULL means that no
 * rules are known, or out of memory. The first lookup of an address takes about 1 µs, each later
 * one 20 ns.
 */
const struct cfi_row *file_cfi_row(struct sym_file *f, uint64_t vaddr);
void cfi_close(struct cfi *c); /* c may be NULL */

/*
 * Gets the range [*start, *end) of the .eh_frame entry that covers vaddr. An entry describes a
 * function or a part of one, even in a file without symbols. Returns false if there is no such
 * entry.
 */
bool file_cfi_function(struct sym_file *f, uint64_t vaddr, uint64_t *start, uint64_t *end);

/* Gets the address of the table of landing pads of the function or part that covers vaddr
 * (cfi_entry.landing). Returns false if there is none. */
bool file_cfi_landing(struct sym_file *f, uint64_t vaddr, uint64_t *table);

/* The current frame, from which the rules compute the registers of its caller. */
struct cfi_state {
	const uint64_t *regs; /* indexed by DWARF's register number */
	uint64_t known;       /* the registers that are known, as a bit mask */
	uint64_t cfa;
	bool (*read)(void *arg, uint64_t address, uint64_t *word);
	void *arg;
	/* number of operations that may still be executed; the limit ends a hostile loop */
	unsigned steps;
};

/*
 * Evaluates a rule. If its expression ends with DW_OP_reg*, *out is the content of that register.
 * Otherwise the expression yields a number. With is_value (for a CFA) or after DW_OP_stack_value,
 * *out is this number; otherwise *out is the word of memory at this address. Returns false if a
 * register or a word of memory is missing, if the rule is invalid, or if s->steps is used up.
 */
bool cfi_eval(const struct cfi_row *row, const struct cfi_rule *rule, struct cfi_state *s,
	      bool is_value, uint64_t *out);

#endif
