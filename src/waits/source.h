/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where a pointer comes from: an argument of the function, or a variable that the caller of
 * the search knows. Works only for x86-64, like all of waits/.
 */
#ifndef MEMDB_WAITS_SOURCE_H
#define MEMDB_WAITS_SOURCE_H

#include "decode/decode.h"

/* A value just before an instruction runs. */
struct source_place {
	uint32_t insn; /* offset of a byte of the instruction from the start of the function */
	int8_t reg;    /* PERF_REG_* */
	/* the value is not in the register, but in the word of the stack frame at the register
	 * (the stack or frame pointer) + slot */
	bool in_slot;
	/* the value is this address in the stack frame, register + slot, and not the word there */
	bool is_address;
	int64_t slot;
	/* offset of another instruction: the result must be right for each time that this one runs.
	 * It is `insn` itself, or follows it in memory, with neither jumps nor targets of jumps in
	 * between */
	uint32_t used;
};

/* Returns the variable that is certainly in this place or, with is_address, at this address; NULL
 * means that none is known. */
typedef const void *source_variable_fn(const struct source_place *p, void *arg);

struct source {
	enum { SOURCE_UNKNOWN, SOURCE_ARGUMENT, SOURCE_VARIABLE } kind;
	int8_t reg;           /* of SOURCE_ARGUMENT: PERF_REG_* at the start of the function */
	const void *variable; /* of SOURCE_VARIABLE: what the function `variable` returned */
	bool is_address;      /* of SOURCE_VARIABLE: whether it returned this for an address */
};

/*
 * Finds the source of the pointer in a place. The pointer and its source certainly point into the
 * same object, on whichever way the function has come there: copies are followed, and the addition
 * of a constant. A variable at an address in the frame counts only if nothing is added to this
 * address. Where several ways meet, all of them must have the same source. `variable` is
 * called for each place on these ways, with `arg`; NULL means that only arguments are searched.
 * code[0..len) begins with the function, which must not go on after an exception
 * (symbol/landing.h). Each call decodes the function. Returns 0 or MD_ENOMEM.
 */
int source_find(struct decoder *d, const uint8_t *code, size_t len, const struct source_place *of,
		source_variable_fn *variable, void *arg, struct source *out);

#endif
