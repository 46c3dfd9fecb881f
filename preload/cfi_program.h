/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the programs of CIEs and FDEs. The result is the row of the unwind table for an address. The
 * format is described in DWARF 5, section 6.4, and in the Linux Standard Base core specification,
 * chapter 10.6. */
#ifndef MEMDB_PRELOAD_CFI_PROGRAM_H
#define MEMDB_PRELOAD_CFI_PROGRAM_H

#include "base/cursor.h"
#include "cfi.h"

#include <stdbool.h>

/* How the caller's value of a register, or an address, is computed from the registers of the
 * current frame. */
enum form {
	FORM_KEPT,  /* the register still has the caller's value */
	FORM_LOST,  /* the value is unknown */
	FORM_CFA,   /* the value is saved in memory, at CFA + off */
	FORM_CONST, /* the value is the constant off */
	/* the value is reg + off; in row.saved, this is the address at which the value is saved */
	FORM_REG,
	FORM_DEREF, /* the value is the word in memory at reg + off */
};

struct value {
	int64_t off;
	uint8_t form; /* a value of enum form */
	uint8_t reg;  /* DWARF number of the register */
};

/* A smaller copy of struct value, because struct cfi_run keeps several rows. */
struct place {
	int32_t off;
	uint8_t form;
	uint8_t reg;
};

enum tracked { T_FP, T_AUX, T_RA, TRACKED };

/* One row of the unwind table: how the CFA is computed, and where the tracked registers are saved,
 * for a range of code. */
struct row {
	struct place cfa;
	struct place saved[TRACKED];
};

/* The state of a run of the unwind programs. Before the program of the CIE, the caller sets the
 * members from `machine` to `row`, including `row`. After it, the caller copies `row` to
 * `initial`. */
struct cfi_run {
	const struct cfi_machine *machine;
	const struct cfi_image *image;
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding; /* the form (DW_EH_PE_*) of addresses in the program */
	uint64_t loc;     /* address of the current row */
	uint64_t pc;      /* the address whose row is wanted */
	struct row row;
	struct row initial; /* row after the program of the CIE */
	struct row remembered[4];
	unsigned depth;
	bool failed;
};

/* The facts in a CIE that its FDEs need. */
struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint8_t fde_encoding;
	bool sized;  /* FDEs have augmentation data, preceded by its length ('z') */
	bool signal; /* signal handlers return to the code of these FDEs ('S') */
	struct cursor program;
};

/* Working space of cfi_find(). The caller provides it, because the stack of the traced program
 * may be small. */
struct cfi_reading {
	struct cie cie;
	struct cursor c;
	struct cfi_run run;
};

/* Runs one unwind program up to the row for run->pc. Must be called first for the program of the
 * CIE, then for the program of the FDE. Damage and unsupported operations set run->failed. */
void cfi_run_program(struct cfi_run *run, struct cursor *program);

/* Evaluates a DWARF expression, whose length and operations are at the cursor. A result of
 * FORM_LOST means that no rule can express the value. */
struct value cfi_expression(const struct cfi_run *run, struct cursor *c);

/* Converts a row to a rule. `signal` means that a signal interrupted the caller. */
struct cfi_rule cfi_rule_of(const struct cfi_machine *machine, const struct row *row, bool signal);

#endif
