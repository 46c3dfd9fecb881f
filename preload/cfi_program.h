/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs of CIEs and FDEs: which row of the unwind table holds at an address. The format is
 * that of DWARF 5 section 6.4 and the Linux Standard Base core specification, chapter 10.6.
 */
#ifndef MEMDB_PRELOAD_CFI_PROGRAM_H
#define MEMDB_PRELOAD_CFI_PROGRAM_H

#include "base/cursor.h"
#include "cfi.h"

#include <stdbool.h>

/* What a register or address is, as far as known without running the program. */
enum form {
	FORM_KEPT,  /* the register as it is */
	FORM_LOST,  /* not to be told */
	FORM_CFA,   /* saved at the CFA + off */
	FORM_CONST, /* off */
	FORM_REG,   /* reg + off; of a register: saved there */
	FORM_DEREF, /* the word at reg + off */
};

struct value {
	int64_t off;
	uint8_t form; /* enum form */
	uint8_t reg;  /* DWARF number */
};

/* A value as rows keep it. */
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

/* A run of the programs; the first eight members are the caller's. */
struct cfi_run {
	const struct cfi_machine *machine;
	const struct cfi_image *image;
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding; /* of addresses in the program */
	uint64_t loc;     /* address of the current row */
	uint64_t pc;      /* the address asked for */
	struct row row;
	struct row initial; /* after the CIE's program */
	struct row remembered[4];
	unsigned depth;
	bool failed;
};

/* What an FDE shares with others. */
struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint8_t fde_encoding;
	bool sized;  /* the FDE has a length of augmentation data ('z') */
	bool signal; /* 'S' */
	struct cursor program;
};

/* What cfi_find() works with: the caller's, because the stack of somebody's program may be small.
 */
struct cfi_reading {
	struct cie cie;
	struct cursor c;
	struct cfi_run run;
};

/* Runs one program (the CIE's, then the FDE's) up to the row of run->pc. Damage and what is not
 * understood set run->failed. */
void cfi_run_program(struct cfi_run *run, struct cursor *program);

/* The value of a DWARF expression whose length and operations come next in c; FORM_LOST where it is
 * none that a rule can say. */
struct value cfi_expression(const struct cfi_run *run, struct cursor *c);

/* The rule that a row is; with signal, that of a frame which a signal interrupted. */
struct cfi_rule cfi_rule_of(const struct cfi_machine *machine, const struct row *row, bool signal);

#endif
