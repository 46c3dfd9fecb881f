/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the local variables and parameters of a function that are in memory at a fixed distance
 * from the frame, and the pointers that are in registers. An array whose length is known only at
 * run time has its address in a register or in a word of the frame. A variable that gcc passes to a
 * parallel region has its address in a block to which the region has a pointer. Any other variable
 * whose location has other operations than additions of constants (an indirect or computed address)
 * is left out.
 */
#include <dwarf.h>
#include <string.h>

#include "symbol/dwarf_type.h"

enum {
	MAX_LOCALS = 1 << 14, /* maximum number of records for one function */
	/* maximum number of ranges of code in which one variable has a location, or which its block
	 * covers */
	MAX_PLACES = 64,
	MAX_SIZE = 1 << 30,     /* maximum size of a variable in bytes */
	MAX_OFFSET = INT32_MAX, /* maximum distance from the frame in bytes */
	/* DWARF's numbers of x86-64, for which alone the blocks of parallel regions are used */
	X86_BP = 6,
	X86_SP = 7,
};

struct local_walk {
	struct debuginfo *d;
	struct unit *u;
	int (*fn)(const struct sym_local *v, void *arg);
	void *arg;
	/* for the location of variables: DW_OP_fbreg N means the address `base` (a register or
	 * SYM_LOCAL_CFA) + base_offset + N */
	uint8_t base;
	int64_t base_offset;
	bool has_base;
	unsigned left; /* number of records that may still be passed to fn */
};

/* The position of a walk through the entries of a function: the innermost enclosing function,
 * inlined or not, and the innermost enclosing block or inlined function. */
struct local_scope {
	Dwarf_Die *function;
	/* NULL means that the variable is outside all blocks, and so is valid in the whole
	 * function */
	Dwarf_Die *block;
};

/* Reads an operation that means a register, a register + offset, or the CFA. Sets *base to the
 * register or to SYM_LOCAL_CFA, and *offset to the offset, or to 0 if the operation has none.
 * Returns false for other operations. */
static bool register_place(const Dwarf_Op *op, uint8_t *base, int64_t *offset)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		*base = op->atom - DW_OP_breg0;
		*offset = (int64_t)op->number;
	} else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		*base = op->atom - DW_OP_reg0;
		*offset = 0;
	} else if (op->atom == DW_OP_call_frame_cfa) {
		*base = SYM_LOCAL_CFA;
		*offset = 0;
	} else {
		return false;
	}
	return true;
}

/* Reads operations that add a constant to the place before them: "DW_OP_plus_uconst N", or a
 * constant and DW_OP_plus. Returns their number, and adds the constant to *offset; 0 means that the
 * operations are others. */
static size_t add_constant(const Dwarf_Op *op, size_t n, int64_t *offset)
{
	const bool one = n && op->atom == DW_OP_plus_uconst;
	const bool two = n > 1 && op[1].atom == DW_OP_plus;
	int64_t constant;

	if (!one && !two)
		return 0;
	if (!one && op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		constant = op->atom - DW_OP_lit0;
	else if (one || (op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts))
		constant = (int64_t)op->number;
	else
		return 0;
	if (__builtin_add_overflow(*offset, constant, offset))
		return 0;
	return one ? 1 : 2;
}

/* Reads the function's frame base: a register or the CFA, and perhaps constants that are added to
 * it. LLVM refers to the stack pointer after the prologue as the CFA minus a constant. */
static void read_frame_base(struct local_walk *w, Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	size_t n, at = 1, step;
	Dwarf_Op *op;

	w->has_base = dwarf_attr_integrate(function, DW_AT_frame_base, &attr) &&
		      dwarf_getlocation(&attr, &op, &n) == 0 && n &&
		      register_place(&op[0], &w->base, &w->base_offset);
	while (w->has_base && at < n) {
		step = add_constant(&op[at], n - at, &w->base_offset);
		w->has_base = step;
		at += step;
	}
}

/* Reads a location expression that describes a place in memory: a register or the CFA plus an
 * offset, which go to v->base and v->offset. The offset may have several parts: gcc puts the
 * variables that nested functions use into a struct in the frame. Returns false for other
 * expressions: the variable is in a register, or its address is absolute or takes more operations.
 * Returns false, too, if the function's frame base is needed and unknown, or if the offset exceeds
 * MAX_OFFSET. */
static bool read_place(const struct local_walk *w, const Dwarf_Op *op, size_t n,
		       struct sym_local *v)
{
	size_t at = 1, step;

	if (!n)
		return false;
	if (op->atom == DW_OP_fbreg && w->has_base) {
		v->base = w->base;
		if (__builtin_add_overflow(w->base_offset, (int64_t)op->number, &v->offset))
			return false;
	} else if (op->atom < DW_OP_breg0 || op->atom > DW_OP_breg31 ||
		   !register_place(op, &v->base, &v->offset)) {
		return false;
	}
	for (; at < n; at += step) {
		step = add_constant(&op[at], n - at, &v->offset);
		if (!step)
			return false;
	}
	return v->offset >= -(int64_t)MAX_OFFSET && v->offset <= MAX_OFFSET;
}

/* Reads a location expression which means that the value is in a register, and stores the register
 * in v->base. Returns false for other expressions. */
static bool read_register(const Dwarf_Op *op, size_t n, struct sym_local *v)
{
	v->points = n == 1 && op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31;
	return v->points && register_place(op, &v->base, &v->offset);
}

/* Reads the location of an array of variable length: its address is in a register, "DW_OP_breg 0",
 * or in a word of the frame, "DW_OP_fbreg N; DW_OP_deref" or "DW_OP_breg N; DW_OP_deref". Returns
 * false for other expressions. */
static bool read_array(const struct local_walk *w, const Dwarf_Op *op, size_t n,
		       struct sym_local *v)
{
	v->points = v->array = true;
	v->in_slot = n == 2 && op[1].atom == DW_OP_deref;
	if (v->in_slot)
		return read_place(w, op, 1, v);
	return n == 1 && op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31 &&
	       register_place(op, &v->base, &v->offset) && !v->offset;
}

/* Reads the location of a variable that the function around a parallel region passes to it: "…;
 * DW_OP_plus_uconst N; DW_OP_deref", where the first part yields the address of the block of
 * passed addresses. This part is "DW_OP_breg M", after which the addition of 0 is left out, or
 * "DW_OP_fbreg M; DW_OP_deref". Returns false for other expressions. A word relative to the stack
 * or frame pointer is one of the region's own frame, not of the block. */
static bool read_passed(const Dwarf_Op *op, size_t n, struct sym_local *v)
{
	const bool in_register = n && op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31;
	const bool in_slot = n > 2 && op->atom == DW_OP_fbreg && op[1].atom == DW_OP_deref;
	const Dwarf_Op *next = op + 1 + in_slot, *end = op + n;

	if ((!in_register && !in_slot) ||
	    (in_register && (op->number > MAX_OFFSET || op->atom == DW_OP_breg0 + X86_BP ||
			     op->atom == DW_OP_breg0 + X86_SP)))
		return false;
	v->offset = in_register ? (int64_t)op->number : 0;
	if (next < end && next->atom == DW_OP_plus_uconst && next->number <= MAX_OFFSET)
		v->offset += (int64_t)next++->number;
	v->passed = next + 1 == end && next->atom == DW_OP_deref && v->offset <= MAX_OFFSET;
	return v->passed;
}

/* What is known about a variable's type. It decides which locations are accepted. */
struct local_kind {
	uint64_t size;   /* bytes of the variable; 0 means that its size is known only at run
			  * time */
	uint64_t target; /* bytes of what it points to, or of an array's element; 0 means unknown */
	bool is_array;
};

/* Returns what is known about the type of the variable `die`, which has `size` bytes (0 means that
 * its size is known only at run time). */
static struct local_kind kind_of(struct debuginfo *d, Dwarf_Die *die, uint64_t size)
{
	struct local_kind k = { .size = size };
	struct type t;

	if (!type_of(die, &t))
		return k;
	k.is_array = !size && type_is_array(d, &t);
	if ((k.is_array || type_is_pointer(d, &t)) && type_target(d, &t) && type_element(d, &t))
		k.target = type_size(&t);
	return k;
}

static int pass_local(struct local_walk *w, const struct sym_local *v)
{
	return w->left && w->left-- ? w->fn(v, w->arg) : 0;
}

/* Reports a variable that is at the same location in its entire block: passes it to w->fn once for
 * each range of the block's code. */
static int report_block(struct local_walk *w, struct sym_local *v, Dwarf_Die *block)
{
	Dwarf_Addr base, lo, hi;
	ptrdiff_t at = 0;
	int ret = 0;

	v->lo = 0;
	v->hi = UINT64_MAX;
	if (!block)
		return pass_local(w, v);
	for (int i = 0; !ret && i < MAX_PLACES; i++) {
		at = dwarf_ranges(block, at, &base, &lo, &hi);
		if (at <= 0)
			break;
		v->lo = lo;
		v->hi = hi;
		ret = pass_local(w, v);
	}
	return ret;
}

static bool describe_local(struct local_walk *w, Dwarf_Die *die, Dwarf_Die *function,
			   struct sym_local *v)
{
	*v = (struct sym_local){ .variable = (uint32_t)dwarf_dieoffset(die),
				 .size = unit_size_of(die),
				 .entry = unit_entry(w->d, w->u, die) };
	if (v->size > MAX_SIZE)
		return false;
	v->name = unit_name_in(w->d, die, function);
	unit_declaration(w->d, w->u, die, &v->file, &v->line);
	return v->name != NULL;
}

/* Sets the members of *v that say where the variable is. Returns false if it is neither in memory,
 * nor a pointer in a register, nor an array of variable length, nor passed to a region. */
static bool locate_local(const struct local_walk *w, const Dwarf_Op *op, size_t n,
			 const struct local_kind *k, struct sym_local *v)
{
	v->points = v->array = v->in_slot = v->passed = false;
	v->size = k->size;
	if (k->size && (read_place(w, op, n, v) || read_passed(op, n, v)))
		return true;
	v->size = k->target;
	if (!k->target)
		return false;
	return k->is_array ? read_array(w, op, n, v) : k->size && read_register(op, n, v);
}

static int report_local(struct local_walk *w, Dwarf_Die *die, const struct local_scope *at)
{
	struct sym_local v;
	Dwarf_Attribute attr;
	Dwarf_Addr base, lo, hi;
	Dwarf_Op *op;
	ptrdiff_t next = 0;
	struct local_kind k;
	size_t n;
	int ret = 0;

	if (!dwarf_attr(die, DW_AT_location, &attr) || !describe_local(w, die, at->function, &v))
		return 0;
	k = kind_of(w->d, die, v.size);
	if (dwarf_getlocation(&attr, &op, &n) == 0)
		return locate_local(w, op, n, &k, &v) ? report_block(w, &v, at->block) : 0;
	for (int i = 0; !ret && i < MAX_PLACES; i++) {
		next = dwarf_getlocations(&attr, next, &base, &lo, &hi, &op, &n);
		if (next <= 0)
			break;
		if (lo >= hi || !locate_local(w, op, n, &k, &v))
			continue;
		v.lo = lo;
		v.hi = hi;
		ret = pass_local(w, &v);
	}
	return ret;
}

static int walk_scope(struct local_walk *w, Dwarf_Die *parent, const struct local_scope *at,
		      int depth)
{
	Dwarf_Die die;
	int ret = 0;

	if (depth == UNIT_MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return 0;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			ret = report_local(w, &die, at);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			ret = walk_scope(w, &die, &(struct local_scope){ at->function, &die },
					 depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
			ret = walk_scope(w, &die, &(struct local_scope){ &die, &die }, depth + 1);
			break;
		}
	} while (!ret && w->left && unit_next_sibling(w->d, &die));
	return ret;
}

int debuginfo_locals(struct debuginfo *d, uint64_t vaddr,
		     int (*fn)(const struct sym_local *v, void *arg), void *arg)
{
	struct unit *u = unit_at(d, vaddr);
	uint32_t scope = u ? unit_scope_at(d, u, vaddr) : 0;
	struct local_walk w = { .d = d, .u = u, .fn = fn, .arg = arg, .left = MAX_LOCALS };
	Dwarf_Die function;

	while (scope && unit_scope(u, scope)->parent)
		scope = unit_scope(u, scope)->parent;
	if (!scope || !unit_die(u, unit_scope(u, scope)->die, &function))
		return 0;
	read_frame_base(&w, &function);
	return walk_scope(&w, &function, &(struct local_scope){ &function, NULL }, 0);
}
