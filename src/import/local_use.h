/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers which local variable each instruction accesses on a stack. */
#ifndef MEMDB_IMPORT_LOCAL_USE_H
#define MEMDB_IMPORT_LOCAL_USE_H

#include "base/index.h"
#include "import/frame.h"

/* What is known about the addresses on one stack that an instruction accessed, if its function was
 * called on one call path. */
struct local_use {
	uint32_t stack;   /* the object of the thread's stack */
	uint32_t symbol;  /* the instruction's function */
	uint32_t callers; /* call path from the caller outwards; 0 means unknown */
	uint32_t insn;    /* offset of the instruction from the start of the function */
	uint32_t object;  /* the variable that contains all these addresses; 0 means none */
	uint32_t seen;    /* number of addresses */
};

struct local_uses {
	struct {
		struct local_use *at;
		uint32_t n, cap;
	} known;
	struct index index;
};

void local_uses_release(struct local_uses *u);

/* The instruction at offset `insn` of the interrupted function accesses this address, or will
 * access it next, and `object` contains the address. Does nothing unless the object is a thread's
 * stack. */
void local_use_saw(struct import *im, const struct frame_sample *f, uint32_t insn, uint64_t address,
		   uint32_t object);

/* An access of the instruction at offset `insn` is at an unknown address on the thread's stack
 * `stack`. Returns the local variable that contains all known addresses of this instruction on this
 * call path. Returns 0 if there is none, or if only a few addresses are known. */
uint32_t local_use_find(struct import *im, const struct frame_sample *f, uint32_t insn,
			uint32_t stack);

#endif
