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
#include "waits/source.h"

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

/* Sets x->pointer and x->type if a variable with a known target contains the pointer at hop h. An
 * integer has no target: it may be the index that is added to the pointer. */
static bool is_pointer_at(struct sym_file *file, uint64_t start, const struct pointer_hop *h,
			  struct pointee *x)
{
	const struct sym_local *found = hop_variable(file, start, h);

	if (!found)
		return false;
	x->type = sym_type(file,
			   &(struct sym_type_query){ .by = SYM_BY_TARGET, .entry = found->entry });
	x->pointer = found;
	return x->type;
}

/* Finds the variable that contains the pointer of a traced access: the nearest hop of depth 0 with
 * one. Hops from which loads lead to that pointer are ignored. Sets x->pointer, x->type, x->offset
 * and x->step. Returns NULL if there is no such hop. */
static const struct pointer_hop *find_hop(struct sym_file *file, uint64_t start,
					  const struct pointer_trace *trace, struct pointee *x)
{
	for (unsigned i = 0; i < trace->n; i++) {
		const struct pointer_hop *h = &trace->hops[i];

		if (h->depth || !is_pointer_at(file, start, h, x))
			continue;
		x->offset = trace->disp + h->add;
		x->step = h->step;
		return h;
	}
	x->pointer = NULL;
	x->type = NULL;
	return NULL;
}

static int8_t argument_at(struct import *im, const struct pointee *x, const struct pointer_hop *h,
			  uint32_t used)
{
	const struct source_place of = {
		.insn = h->insn, .reg = h->reg, .in_slot = h->in_slot, .slot = h->slot, .used = used
	};

	return argument_register(im, x->location, &of);
}

/* Sets x->argument. The register from which the instruction computes the address is the pointer if
 * there is no index, or if the index counts several bytes. If that register does not come from an
 * argument, the nearest hop where a variable contains the pointer may do; NULL means that there is
 * no such hop. */
static void find_argument(struct import *im, const struct pointer_trace *trace,
			  const struct pointer_hop *hop, struct pointee *x)
{
	const struct pointer_hop *base = trace->hops;

	if (!trace->n || base->depth)
		return;
	if (base->step != 1)
		x->argument = argument_at(im, x, base, base->insn);
	if (x->argument < 0 && hop)
		x->argument = argument_at(im, x, hop, base->insn);
}

/* Searches for the pointer through which the instruction of x accesses the stack, and sets
 * x->pointer, x->type, x->offset and x->step. Leaves pointer and type NULL if it finds no
 * pointer. */
static void find_pointer(struct import *im, struct pointee *x)
{
	const struct access_at at = { x->location, x->from_start, x->insn };
	struct pointer_trace trace;
	struct sym_file *file;
	uint64_t start;

	if (im->o->no_lines || !access_trace(&im->model.code, &at, &trace, &start))
		return;
	file = code_file(&im->model.code, AT_ID(im->model.code.locations, x->location).dso);
	find_argument(im, &trace, find_hop(file, start, &trace, x), x);
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
	*x = (struct pointee){
		.location = location, .insn = by->insn, .from_start = by->from_start, .argument = -1
	};
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

/* Returns the facts about the pointer of the sample's access; NULL if nothing is known. */
static const struct pointee *pointee_at(struct import *im, const struct frame_sample *f,
					const struct accessor *by)
{
	const struct pointee *x;

	if (!by || !by->known || !f->location || userstack_is_arm(im))
		return NULL;
	x = pointee_of(im, f->location, by);
	return x && (x->type || x->argument >= 0) ? x : NULL;
}

/* Is the start of an element at the address known, if the caller's variable v points to the
 * accessed object? The elements of a scalar type are aligned. Those of a struct are known if they
 * are known for the pointer of *x, and if that has a type of the same size. Also sets *element to
 * this start; before, it is the start for the pointer of *x, if `placed` says that it is known. */
static bool is_element_of(const struct argument_variable *v, const struct pointee *x, bool placed,
			  uint64_t address, uint64_t *element)
{
	if (!v->type || !v->type->size)
		return false;
	if (placed && x->type->size == v->type->size)
		return true;
	*element = address - address % v->type->size;
	return v->type->kind == SYM_SCALAR && (v->type->size & (v->type->size - 1)) == 0;
}

/* If the pointer of *x is an argument that is known to be a variable of a caller, replaces the
 * pointer in *out by this variable. `placed` is as in is_element_of(). Returns false if there is no
 * such variable. */
static bool replace_argument(struct import *im, const struct frame_sample *f,
			     const struct pointee *x, bool placed, uint64_t address,
			     struct pointed *out)
{
	uint64_t element = out->element;
	struct argument_variable v;

	if (x->argument < 0)
		return false;
	v = argument_passed(im, f, x->argument);
	if (v.is_address || !v.v || !is_element_of(&v, x, placed, address, &element))
		return false;
	*out = (struct pointed){ .pointer = v.v, .element = element, .dso = v.dso };
	return true;
}

bool pointee_known(struct import *im, const struct frame_sample *f, const struct accessor *by,
		   struct pointed *out)
{
	const struct pointee *x = pointee_at(im, f, by);
	struct argument_variable v = { 0 };

	if (!x)
		return false;
	if (x->argument >= 0)
		v = argument_passed(im, f, x->argument);
	if (v.is_address) {
		*out = (struct pointed){ .pointer = v.v, .is_target = true, .dso = v.dso };
		return true;
	}
	*out = (struct pointed){ .pointer = x->pointer,
				 .dso = AT_ID(im->model.code.locations, f->location).dso };
	return replace_argument(im, f, x, x->type, 0, out) || x->type;
}

bool pointee_find(struct import *im, const struct frame_sample *f, const struct accessor *by,
		  uint64_t address, struct pointed *out)
{
	const struct pointee *x = pointee_at(im, f, by);
	bool placed = false;
	uint64_t value;

	if (!x)
		return false;
	*out = (struct pointed){ .pointer = x->pointer,
				 .dso = AT_ID(im->model.code.locations, f->location).dso };
	if (x->type)
		placed = (value_of(im, f, x, &value) &&
			  element_from(x, value, address, &out->element)) ||
			 element_by_offset(x, address, &out->element);
	return replace_argument(im, f, x, placed, address, out) || placed;
}

void pointees_release(struct pointees *p)
{
	free(p->known.at);
	index_release(&p->index);
}
