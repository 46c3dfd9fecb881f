/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judges the type of a heap object's elements by the sampled instructions that accessed the object,
 * its voters. Debug information may know the type to which the pointer of an access points. But
 * also without it, the addresses alone can show that a type is wrong: an instruction accesses the
 * same member of each element, so it never hits members of several sizes, or a member at several
 * distances from its begin; and no member is in a gap between members.
 */
#ifndef MEMDB_NAMING_POLL_H
#define MEMDB_NAMING_POLL_H

#include "model/votes.h"
#include "naming/naming.h"

/* An instruction that accessed the object, with as many votes as it has samples. */
struct voter {
	const struct vote *vote;
	/* the instruction is in a runtime library, such as memcpy(): it accesses all types alike,
	 * so it has no opinion */
	bool is_foreign;
	/* the type to which the instruction's pointer points; NULL means unknown */
	const struct sym_type *type;
	/* offset of the access from that pointer, bytes; valid if `placed`. Otherwise an index or a
	 * loop has moved the pointer, by an unknown distance */
	int64_t disp;
	bool placed;
};

/* With fewer samples, the accesses never change a type that the source states. */
enum { POLL_LEAST = 4 };

/* Do the accesses show that the elements do not have the type o->type? */
bool poll_refutes(const struct voter *voters, unsigned n, const struct object_origin *o);

/* Do the accesses show that elements of the type o->type begin at o->type_start? */
bool poll_places(const struct voter *voters, unsigned n, const struct object_origin *o);

/* Do the accesses show that the object has several elements of the type o->type, from o->type_start
 * on? */
bool poll_repeats(const struct voter *voters, unsigned n, const struct object_origin *o);

/*
 * Sets in *o the type for which at least three quarters of all votes are. An instruction has no
 * vote if it does not know a type, or if the type is a byte. It supports a struct also through a
 * pointer to another struct which has the same member at the same place, as the header of several
 * structs has. If an instruction votes for a struct, votes for numbers do not count.
 *
 * The samples must be at multiples of the type's size and must not refute the type. If o->has_head,
 * the samples themselves show where the first element begins. If `contested` (the source states
 * another type), the votes must be at least a third of all samples, also of those of instructions
 * that do not know a type. Returns false, with *o unchanged, if there is no such type.
 */
bool poll_elect(const struct voter *voters, unsigned n, const struct object *x, bool contested,
		struct object_origin *o);

#endif
