/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the programs of CIEs and FDEs, which give the row of the unwind table for an address. DWARF
 * 5, section 6.4, and the Linux Standard Base core specification, chapter 10.6, describe the
 * format.
 */
#ifndef MEMDB_PRELOAD_CFI_PROGRAM_H
#define MEMDB_PRELOAD_CFI_PROGRAM_H

#include "base/cursor.h"
#include "cfi.h"

#include <stdbool.h>

/* How the value of a register or address is known without running the machine code. */
enum form {
	FORM_KEPT,  /* the register, unchanged */
	FORM_LOST,  /* unknown */
	FORM_CFA,   /* saved at the CFA + off */
	FORM_CONST, /* off */
	FORM_REG,   /* reg + off; for a saved register: the address of its copy */
	FORM_DEREF, /* the word at reg + off */
};

struct value {
	int64_t off;
	uint8_t form; /* enum form */
	uint8_t reg;  /* DWARF number */
};

/* A value in the smaller form that rows use. */
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

/* A run of the programs. The caller fills in the first eight members. */
struct cfi_run {
	const struct cfi_machine *machine;
	const struct cfi_image *image;
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding; /* encoding of addresses in the program */
	uint64_t loc;     /* address of the current row */
	uint64_t pc;      /* the requested address */
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
	bool sized;  /* FDEs have augmentation data, preceded by its length ('z') */
	bool signal; /* signal frame ('S') */
	struct cursor program;
};

/* Working space for cfi_find(). The caller provides it because the traced program's stack may be
 * small. */
struct cfi_reading {
	struct cie cie;
	struct cursor c;
	struct cfi_run run;
};

/* Runs one program (the CIE's, then the FDE's) up to the row for run->pc. Sets run->failed for
 * damage and unsupported operations. */
void cfi_run_program(struct cfi_run *run, struct cursor *program);

/* Returns the value of a DWARF expression, whose length and operations come next in c. FORM_LOST if
 * no rule can express it. */
struct value cfi_expression(const struct cfi_run *run, struct cursor *c);

/* Converts a row to a rule. signal: a signal interrupted the caller. */
struct cfi_rule cfi_rule_of(const struct cfi_machine *machine, const struct row *row, bool signal);

#endif
