/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of CIEs and FDEs: they give the row of the unwind table for an address. The format
 * is described in DWARF 5, section 6.4, and the Linux Standard Base core specification, chapter
 * 10.6.
 */
#ifndef MEMDB_PRELOAD_CFI_PROGRAM_H
#define MEMDB_PRELOAD_CFI_PROGRAM_H

#include "base/cursor.h"
#include "cfi.h"

#include <stdbool.h>

/* What is known about a register or address without running the machine code. */
enum form {
	FORM_KEPT,  /* the register, unchanged */
	FORM_LOST,  /* unknown */
	FORM_CFA,   /* saved at the CFA + off */
	FORM_CONST, /* off */
	FORM_REG,   /* reg + off; for a register: saved there */
	FORM_DEREF, /* the word at reg + off */
};

struct value {
	int64_t off;
	uint8_t form; /* enum form */
	uint8_t reg;  /* DWARF number */
};

/* A value in the packed form that rows use. */
struct place {
	int32_t off;
	uint8_t form;
	uint8_t reg;
};

enum tracked { T_FP, T_AUX, T_RA, TRACKED };

/* One row of the table: the CFA, and where the tracked registers are saved. */
struct row {
	struct place cfa;
	struct place saved[TRACKED];
};

/* Execution of the programs; the caller fills in the first eight members. */
struct cfi_run {
	const struct cfi_machine *machine;
	const struct cfi_image *image;
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding; /* encoding of addresses in the program */
	uint64_t loc;     /* address of the current row */
	uint64_t pc;      /* the address asked for */
	struct row row;
	struct row initial; /* the row after the CIE's program */
	struct row remembered[4];
	unsigned depth;
	bool failed;
};

/* The parts of a CIE that its FDEs need. */
struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint8_t fde_encoding;
	bool sized;  /* FDEs have a length of augmentation data ('z') */
	bool signal; /* signal frame ('S') */
	struct cursor program;
};

/* Working space for cfi_find(). The caller provides it because the stack of the traced program may
 * be small. */
struct cfi_reading {
	struct cie cie;
	struct cursor c;
	struct cfi_run run;
};

/* Runs one program (the CIE's, then the FDE's) up to the row for run->pc. Damage and unsupported
 * operations set run->failed. */
void cfi_run_program(struct cfi_run *run, struct cursor *program);

/* The value of a DWARF expression, whose length and operations come next in c. FORM_LOST if no rule
 * can express it. */
struct value cfi_expression(const struct cfi_run *run, struct cursor *c);

/* Converts a row to a rule; with signal, to that of a frame that a signal interrupted. */
struct cfi_rule cfi_rule_of(const struct cfi_machine *machine, const struct row *row, bool signal);

#endif
