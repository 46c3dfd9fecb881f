/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the unwind rules that lead from a frame to its caller, in .eh_frame and .debug_frame. Each
 * address is read once and cached. The bytes are untrusted: damaged entries have no rows. Internal
 * to this folder.
 *
 * Why not libdw's dwarf_cfi_addrframe()? libdw 0.188 finds the same rows. For 10,000 addresses,
 * medians of three paired runs, CPU time for each address and memory:
 *
 *                          first look          again                memory
 *                          here      libdw     here      libdw      here      libdw
 *   libc (2 MB)            0.60 us   0.31 us   0.02 us   0.24 us    0.8 MiB   0.2 MiB
 *   libLLVM (112 MB)       1.25 us   2.79 us   0.03 us   0.82 us    2.2 MiB   7.5 MiB
 *
 * A walk asks for each frame of each sample, nearly always for a known address, so a cache is
 * needed with either reader. There are two more reasons. A confined process (child.h) runs libdw,
 * because a damaged file may crash it, but unwinding needs a row for every frame and cannot wait
 * for another process. Here the work for one file is bounded. And libdw does not give the range of
 * the entry that covers an address, as file_cfi_function() does.
 */
#ifndef MEMDB_SYMBOL_CFI_H
#define MEMDB_SYMBOL_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"

enum { CFI_REGISTERS = 33 }; /* DWARF numbers 0 to 32: the general ones of x86-64 and AArch64 */

/* An operation of a DWARF expression. Signs are extended. */
struct cfi_op {
	uint64_t number, number2;
	uint32_t offset; /* byte offset in the expression, the target of branches */
	uint8_t atom;    /* DW_OP_* */
};

/* Where to find a register of the caller: n operations of the row, from `first` on. */
struct cfi_rule {
	uint8_t reg;
	uint8_t n;
	uint16_t first;
};

/*
 * The unwind rules at one code address. A register that has no rule and is not undefined keeps its
 * value.
 */
struct cfi_row {
	uint64_t undefined; /* registers whose value in the caller is lost, by bit */
	uint8_t ra;         /* the register whose rule gives the return address */
	bool signal;        /* the caller was interrupted here: its address is exact */
	uint8_t nrules;     /* rules after that of the CFA (count) */
	uint16_t nops;      /* the operations of all rules */
	struct cfi_rule rules[1 + CFI_REGISTERS]; /* [0]: the CFA */
	const struct cfi_op *ops;
};

struct cfi;

/*
 * Returns the row for vaddr, owned by f. NULL if there is none or memory ran out. The first lookup
 * of an address takes a few µs, each later one 20 ns.
 */
const struct cfi_row *file_cfi_row(struct sym_file *f, uint64_t vaddr);
void cfi_close(struct cfi *c); /* NULL is fine */

/*
 * Gets the range [*start, *end) of the .eh_frame entry that covers vaddr. The entry describes a
 * function, even in a file without symbols. Returns false if there is none.
 */
bool file_cfi_function(struct sym_file *f, uint64_t vaddr, uint64_t *start, uint64_t *end);

/* The input of expressions. */
struct cfi_state {
	const uint64_t *regs; /* by DWARF number */
	uint64_t known;       /* which of them, by bit */
	uint64_t cfa;
	bool (*read)(void *arg, uint64_t address, uint64_t *word);
	void *arg;
	unsigned steps; /* remaining operations: limits hostile loops */
};

/*
 * Evaluates a rule. With is_value, *out is the value of the expression (for a CFA). Otherwise *out
 * is the content of the register or memory that the expression describes, or the value after
 * DW_OP_stack_value. Returns false if a register or a word of memory is missing, or the rule is
 * invalid.
 */
bool cfi_eval(const struct cfi_row *row, const struct cfi_rule *rule, struct cfi_state *s,
	      bool is_value, uint64_t *out);

#endif
