/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the target of a pointer through which a function accesses a stack. Without a copy of the
 * stack, the frames of the callers are unknown, so the name of the target variable is unknown. But
 * the debug information describes the pointer, and the registers of the sample contain its value.
 * So the type and the start of the target are known. */
#ifndef MEMDB_IMPORT_POINTEE_H
#define MEMDB_IMPORT_POINTEE_H

#include "base/index.h"
#include "import/address.h"
#include "import/frame.h"

/* An instruction that accesses a stack, and the pointer that it uses. */
struct pointee {
	uint32_t location;
	int32_t insn;
	bool from_start;
	/* the pointer's first record in sym_pointers() or, if a word of the frame contains it, the
	 * record that slot_variable() returned; NULL means that the pointer is unknown */
	const struct sym_local *pointer;
	const struct sym_type *type; /* type of the pointer's target; NULL means unknown */
	/* register (PERF_REG_*) in which the function got the pointer, or a pointer into the same
	 * object, from its caller; -1 means unknown */
	int8_t argument;
	/* the accessed address is the pointer + offset + a multiple of step (waits/pointer.h) */
	int64_t offset;
	uint64_t step;
};

/* The results of all searches for pointers, one for each instruction, so that no search is
 * repeated. Failed searches are stored, too. */
struct pointees {
	struct {
		struct pointee *at;
		uint32_t n, cap;
	} known;
	struct index index;
};

void pointees_release(struct pointees *p);

/* The target of a pointer. */
struct pointed {
	/* record of the pointer, or of an array of variable length, in the interrupted function or
	 * in a caller; the C address of this record identifies the variable */
	const struct sym_local *pointer;
	/* whether `pointer` is not a pointer, but the variable of a caller that is the target. Then
	 * the element is unknown */
	bool is_target;
	/* address of the accessed element. If the target is an array, it may be any of its
	 * elements */
	uint64_t element;
	uint32_t dso; /* the file that describes the pointer */
};

/*
 * Finds the target of the pointer through which the instruction `by` of the sample accessed the
 * address. Returns false if no target is certain. The first call for an instruction decodes its
 * function and queries the process that reads debug information; each later call takes about 0.2
 * us.
 */
bool pointee_find(struct import *im, const struct frame_sample *f, const struct accessor *by,
		  uint64_t address, struct pointed *out);

/* Finds the pointer by which the instruction `by` accesses a stack at an unknown address. Sets
 * out->pointer, out->is_target and out->dso. Returns false if the pointer or the type of its target
 * is unknown, and always for AArch64. */
bool pointee_known(struct import *im, const struct frame_sample *f, const struct accessor *by,
		   struct pointed *out);

#endif
