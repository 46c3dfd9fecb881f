/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes the instructions of unwind entries (DWARF 5, 6.4.2) and reads the expressions in them.
 * Used only in cfi*.c.
 */
#ifndef MEMDB_SYMBOL_CFI_PROGRAM_H
#define MEMDB_SYMBOL_CFI_PROGRAM_H

#include "symbol/cfi.h"
#include "symbol/cfi_table.h"

/* Maximum number of operations of one row. Compilers write about a dozen. */
enum { CFI_MAX_OPS = 512 };

/* A row that is being built; row.ops is not set yet. */
struct cfi_draft {
	struct cfi_row row;
	struct cfi_op ops[CFI_MAX_OPS];
};

/*
 * Executes the instructions of e up to vaddr and writes the row to *out. machine is EM_X86_64 or
 * EM_AARCH64; it determines the rules of registers that no instruction names. *work is decremented
 * for each instruction and for each operation of the row. Returns false if an instruction is
 * unknown or invalid, if the row has too many operations, if *work is used up, or when out of
 * memory.
 */
bool cfi_program_row(const struct cfi_table *t, const struct cfi_entry *e, uint16_t machine,
		     uint64_t vaddr, uint64_t *work, struct cfi_draft *out);

/*
 * Adds the operations of the DWARF expression p[0..n) to the rule that is being built, and
 * decrements *work for each. Returns false if an operation is unknown or incomplete, if there is no
 * room, or if *work is used up.
 */
bool cfi_expression(struct cfi_draft *d, struct cfi_rule *rule, const uint8_t *p, size_t n,
		    uint64_t *work);

/* Adds one operation to the rule that is being built. Returns false if there is no room. */
bool cfi_add_op(struct cfi_draft *d, struct cfi_rule *rule, struct cfi_op op);

#endif
