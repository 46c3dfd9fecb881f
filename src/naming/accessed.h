/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMDB_NAMING_ACCESSED_H
#define MEMDB_NAMING_ACCESSED_H

#include "naming/naming.h"
#include "waits/pointer.h"

/* The instruction of an access: `insn` bytes from the start of the function if from_start is set,
 * otherwise from the location. */
struct access_at {
	uint32_t location;
	bool from_start;
	int32_t insn;
};

/* Traces the pointer of an access (waits/pointer.h). *start gets the vaddr from which the offsets
 * in the trace count. Returns false if the code or its address is unknown, or when out of
 * memory. */
bool access_trace(struct code *code, const struct access_at *at, struct pointer_trace *out,
		  uint64_t *start);

/*
 * Hop h read a word of the frame (h->in_slot). Returns the first record of the variable in that
 * word: a pointer, or an array of variable length, whose address the word contains. Returns NULL if
 * there is none, or if there are several. `start` is the vaddr from which h->insn counts. In code
 * that is compiled without optimisation, all pointers are in such words.
 */
const struct sym_local *slot_variable(struct sym_file *file, uint64_t start,
				      const struct pointer_hop *h);

/* Returns the first record of the variable that contains the pointer at hop h, in a word of the
 * frame or in a register. Returns NULL if there is none, or if there are several whose targets have
 * different sizes; of pointers and an array of variable length in one register, the array counts.
 */
const struct sym_local *hop_variable(struct sym_file *file, uint64_t start,
				     const struct pointer_hop *h);

/* Gets the source lines of an access to an object, the innermost first. Returns their number, at
 * most SYM_MAX_INLINE; 0 if they are unknown. */
unsigned access_lines(const struct naming *n, const struct vote *v,
		      struct sym_line out[SYM_MAX_INLINE]);

/* Sets in *o the type of a heap object's elements that the sampled accesses show (poll.h), if its
 * allocation shows no type, or only bytes. Removes a type that they refute. */
void type_by_accesses(const struct naming *n, uint32_t object, struct object_origin *o);

#endif
