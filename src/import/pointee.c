/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code shows from which register an instruction computes its address (waits/pointer.h), and the
 * debug information says which pointer variable was in that register, and what its type is. The
 * start of the accessed element is found in three cases: the value of the pointer is still in a
 * register of the sample; the address is the pointer plus a constant; or it is the pointer plus a
 * constant plus a multiple of the type's size, as in a loop over an array.
 *
 * In all other cases no target is reported, because a wrong type is worse than none.
 */
#include "import/pointee.h"

#include "decode/perf_regs.h"
#include "import/pipeline.h"
#include "import/userstack.h"
#include "naming/accessed.h"

/* limit of the number of bytes from the start of the target to the address; hardly any array on a
 * stack is larger */
enum { FARTHEST = 1 << 20 };

/* Returns the records that sym_pointers() has for the function at this location. Sets *n to their
 * number and *vaddr to the location's address in its file. If there are no records, *n is 0. */
static const struct sym_local *pointers_at(struct import *im, uint32_t location, uint64_t *vaddr,
					   size_t *n)
{
	const struct location *l = &AT_ID(im->model.code.locations, location);
	struct sym_file *file = l->dso ? code_file(&im->model.code, l->dso) : NULL;
	uint64_t start;

	*n = 0;
	if (!file || im->o->no_lines || !sym_vaddr_at(file, l->offset, vaddr) ||
	    !sym_function_start(file, *vaddr, &start))
		return NULL;
	return sym_pointers(file, start, n);
}

static bool is_valid_at(const struct sym_local *p, uint64_t vaddr)
{
	return vaddr >= p->lo && vaddr < p->hi;
}

/* Returns the pointer in a register (DWARF's number) at vaddr. NULL means that there is no pointer,
 * or several whose targets have different sizes. */
static const struct sym_local *in_register(const struct sym_local *p, size_t n, int reg,
					   uint64_t vaddr)
{
	const struct sym_local *found = NULL;

	for (size_t i = 0; i < n; i++) {
		if (p[i].in_slot || p[i].base != reg || !is_valid_at(&p[i], vaddr))
			continue;
		if (found && found->size != p[i].size)
			return NULL;
		found = &p[i];
	}
	return found;
}

/* Returns the variable that contains the pointer of a traced access (a hop of depth 0), or NULL.
 * Hops from which loads lead to that pointer are ignored. Also sets x->offset and x->step. */
static const struct sym_local *traced_pointer(struct sym_file *file,
					      const struct pointer_trace *trace, uint64_t start,
					      struct pointee *x)
{
	const struct sym_local *p, *found;
	size_t n;

	p = sym_pointers(file, start, &n);
	for (unsigned i = 0; i < trace->n; i++) {
		const struct pointer_hop *h = &trace->hops[i];

		if (h->depth)
			continue;
		found = h->in_slot ? slot_variable(file, start, h)
				   : in_register(p, n, reg_x86_to_dwarf(h->reg), start + h->insn);
		x->offset = trace->disp + h->add;
		x->step = h->step;
		while (found && found > p && found < p + n && found[-1].variable == found->variable)
			found--;
		if (found)
			return found;
	}
	return NULL;
}

/* Searches for the pointer through which the instruction of x accesses the stack, and sets
 * x->pointer, x->type, x->offset and x->step. Leaves pointer and type NULL if it finds no
 * pointer. */
static void find_pointer(struct import *im, struct pointee *x)
{
	const struct access_at at = { x->location, x->from_start, x->insn };
	const struct sym_local *found;
	struct pointer_trace trace;
	struct sym_file *file;
	uint64_t start;

	if (im->o->no_lines || !access_trace(&im->model.code, &at, &trace, &start))
		return;
	file = code_file(&im->model.code, AT_ID(im->model.code.locations, x->location).dso);
	found = traced_pointer(file, &trace, start, x);
	if (!found)
		return;
	x->pointer = found;
	x->type = sym_type(file,
			   &(struct sym_type_query){ .by = SYM_BY_TARGET, .entry = found->entry });
	/* a pointer to bytes may point to an object of another type */
	if (x->type && x->type->size == 1)
		x->type = NULL;
}

/* Returns the facts about the pointer that the instruction `by` uses, for samples at this location.
 * The first call for an instruction searches for its pointer. Returns NULL when out of memory. */
static const struct pointee *pointee_of(struct import *im, uint32_t location,
					const struct accessor *by)
{
	struct pointees *all = &im->model.pointees;
	const uint32_t hash =
		index_hash((uint64_t)(uint32_t)by->insn << 1 | by->from_start, location);
	uint32_t place = hash, id;
	struct pointee *x;

	while ((id = index_next(&all->index, hash, &place))) {
		x = &AT_ID(all->known, id);
		if (x->location == location && x->insn == by->insn &&
		    x->from_start == by->from_start)
			return x;
	}
	if (!VEC_ROOM(&all->known) || !index_add(&all->index, hash, all->known.n + 1)) {
		im->nomem = true;
		return NULL;
	}
	x = &all->known.at[all->known.n++];
	*x = (struct pointee){ .location = location,
			       .insn = by->insn,
			       .from_start = by->from_start };
	find_pointer(im, x);
	return x;
}

/* Gets the value of the pointer x->pointer at the sample f. Returns false if no register contained
 * the pointer at that time. */
static bool value_of(struct import *im, const struct frame_sample *f, const struct pointee *x,
		     uint64_t *value)
{
	const struct sym_local *p, *end;
	uint64_t vaddr;
	size_t n;

	p = pointers_at(im, f->location, &vaddr, &n);
	end = p + n;
	if (x->pointer < p || x->pointer >= end)
		return false; /* the variable is in memory */
	for (p = x->pointer; p < end && p->variable == x->pointer->variable; p++)
		if (p->points && !p->in_slot && is_valid_at(p, vaddr) && p->base < REG_X86_DWARF)
			return pd_user_reg(im->in.perf, f->s, reg_x86_of_dwarf(p->base), value);
	return false;
}

/* Does the pointer's target, which begins at `start`, contain the address? A pointer may point to
 * an array, all of whose elements may be accessed. But `this` points to a single object. */
static bool contains(const struct pointee *x, uint64_t start, uint64_t address)
{
	const uint64_t offset = address - start;
	const size_t len = strlen(x->pointer->name);

	if (x->type->kind == SYM_SCALAR && offset % x->type->size)
		return false;
	return offset < x->type->size ||
	       (offset < FARTHEST && (len < 4 || strcmp(x->pointer->name + len - 4, "this") != 0));
}

/* Finds the start of the accessed element in a target that begins at `start`. */
static bool element_from(const struct pointee *x, uint64_t start, uint64_t address,
			 uint64_t *element)
{
	if (!contains(x, start, address))
		return false;
	*element = sym_is_flexible(x->type) ? start : address - (address - start) % x->type->size;
	return true;
}

/* Finds the start of the accessed element from the constant offset between pointer and address.
 * Returns false if the steps of the code may lead into the middle of an element. */
static bool element_by_offset(const struct pointee *x, uint64_t address, uint64_t *element)
{
	const int64_t size = (int64_t)x->type->size;
	const int64_t offset = x->offset % size + (x->offset % size < 0 ? size : 0);

	if (!x->step && x->offset >= 0)
		return element_from(x, address - (uint64_t)x->offset, address, element);
	*element = address - (uint64_t)offset;
	if (x->step == 1 && x->type->kind == SYM_SCALAR && address % x->type->size == 0) {
		*element = address; /* an arbitrary element of an array; all elements are aligned */
		return true;
	}
	return x->step % x->type->size == 0 && (x->step || contains(x, *element, address));
}

bool pointee_known(struct import *im, const struct frame_sample *f, const struct accessor *by,
		   struct pointed *out)
{
	const struct pointee *x;

	if (!by || !by->known || !f->location || userstack_is_arm(im))
		return false;
	x = pointee_of(im, f->location, by);
	if (!x || !x->type)
		return false;
	*out = (struct pointed){ .pointer = x->pointer,
				 .dso = AT_ID(im->model.code.locations, f->location).dso };
	return true;
}

bool pointee_find(struct import *im, const struct frame_sample *f, const struct accessor *by,
		  uint64_t address, struct pointed *out)
{
	const struct pointee *x;
	uint64_t value;

	if (!pointee_known(im, f, by, out))
		return false;
	x = pointee_of(im, f->location, by);
	return (value_of(im, f, x, &value) && element_from(x, value, address, &out->element)) ||
	       element_by_offset(x, address, &out->element);
}

void pointees_release(struct pointees *p)
{
	free(p->known.at);
	index_release(&p->index);
}
