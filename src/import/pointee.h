/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what a function accesses on a stack through one of its pointers. Without a copy of the
 * stack, the frames of the callers are unknown, so the variable that such a pointer leads to has no
 * name there. But the debug information describes the pointer, and the registers of the sample
 * contain its value: so the type of the target is known, and where it begins.
 */
#ifndef MEMDB_IMPORT_POINTEE_H
#define MEMDB_IMPORT_POINTEE_H

#include "base/index.h"
#include "import/address.h"
#include "import/frame.h"

/* An instruction that accesses a stack, and the pointer by which it does so. */
struct pointee {
	uint32_t location;
	int32_t insn;
	bool from_start;
	/* the first record of the pointer in sym_pointers(); NULL means that the pointer is
	 * unknown */
	const struct sym_local *pointer;
	const struct sym_type *type; /* what it points to; NULL means unknown */
	/* the accessed address is the pointer + offset + a multiple of step (waits/pointer.h) */
	int64_t offset;
	uint64_t step;
};

/* The pointers found so far, by instruction: each is searched for only once. Ones that were not
 * found are kept too. */
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
	const struct sym_local *pointer; /* the pointer; its address identifies the variable */
	/* address of the accessed element; its number is unknown, because the pointer itself may
	 * point to any element of an array */
	uint64_t element;
	uint32_t dso; /* the file that describes the pointer */
};

/*
 * Finds the target of the pointer by which the instruction `by` of the sample accessed the address.
 * Returns false if none is certain. The first call for an instruction decodes its function and asks
 * the process that reads debug information; each later one takes about 0.2 us.
 */
bool pointee_find(struct import *im, const struct frame_sample *f, const struct accessor *by,
		  uint64_t address, struct pointed *out);

#endif
