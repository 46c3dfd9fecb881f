/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the variable of a caller that a function got as an argument. */
#ifndef MEMDB_IMPORT_ARGUMENT_H
#define MEMDB_IMPORT_ARGUMENT_H

#include "base/index.h"
#include "import/frame.h"

/* A variable in the sense of sym_pointers() or slot_variable(): a pointer, or an array of variable
 * length. With is_address, one in the sense of sym_locals(), whose own address was passed. */
struct argument_variable {
	const struct sym_local *v; /* NULL means that no variable is known */
	bool is_address;
	const struct sym_type *type; /* type of what it points to; NULL means unknown */
	uint32_t dso;                /* the file that describes it */
};

/* Where the value comes from that a register has at an instruction. */
struct argument_source {
	uint32_t location;
	int8_t reg;      /* PERF_REG_* */
	int8_t argument; /* register of the function's own argument; -1 means none */
	struct argument_variable variable; /* the variable of the function */
};

struct arguments {
	struct {
		struct argument_source *at;
		uint32_t n, cap;
	} known;
	struct index index;
};

void arguments_release(struct arguments *a);

struct source_place;

/* Returns the register (PERF_REG_*) in which the function at the location got the pointer that is
 * in the place, or a pointer into the same object. Returns -1 if that is not certain. */
int8_t argument_register(struct import *im, uint32_t location, const struct source_place *of);

/*
 * Returns the variable that certainly is, or points to, the object to which the argument in
 * register reg of the interrupted function points. If the caller got the pointer as an argument,
 * too, this is the variable of the outermost caller that is known. The call is certain if the call
 * chain has it, or if all calls of the function pass the same variable. Takes about 1 us.
 */
struct argument_variable argument_passed(struct import *im, const struct frame_sample *f,
					 int8_t reg);

#endif
