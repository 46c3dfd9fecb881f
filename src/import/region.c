/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The function around a parallel region passes to it the addresses of the variables that they
 * share. If a register certainly has such an address in a sample (waits/passed.h), and the debug
 * information says how far the variable is from the function's CFA, the CFA is known. This needs
 * neither a call chain nor an earlier sample, so the answer does not depend on what was sampled
 * before.
 *
 * A compiler may have inlined the source function whose name the region has. Then the variable is
 * in the frame of the function that passes the region to the runtime, which is found in the code. A
 * region may be in another region, which passes the address on; then the search goes on outwards.
 */
#include "import/region.h"

#include <string.h>

#include "base/omp_region.h"
#include "decode/perf_regs.h"
#include "import/callers.h"
#include "import/pipeline.h"
#include "import/skipped.h"
#include "import/userstack.h"
#include "symbol/landing.h"
#include "waits/passed.h"

enum {
	MOST_NESTED = 8, /* regions in one another */
	/* DWARF's numbers of the frame pointer, which is two words below the CFA, and of the stack
	 * pointer */
	DWARF_BP = 6,
	DWARF_SP = 7,
	BELOW_CFA = 16,
	/* bytes of a value that may be in a register instead of a reference */
	LARGEST_VALUE = 16,
};

void regions_release(struct regions *r)
{
	free(r->places.at);
	index_release(&r->index);
	free(r->users.at);
}

bool region_at(struct import *im, uint32_t location)
{
	return *code_region(&im->model.code, location, !im->o->no_lines) != '\0';
}

uint32_t region_user(struct import *im, uint32_t location)
{
	struct regions *r = &im->model.regions;
	const uint32_t region = AT_ID(im->model.code.locations, location).symbol;

	if (!region)
		return 0;
	if (!VEC_REACH(&r->users, region + 1)) {
		im->nomem = true;
		return 0;
	}
	if (!r->users.at[region])
		r->users.at[region] = 1 + skipped_way(im, location);
	return r->users.at[region] - 1;
}

/* Does the name of a region say that it belongs to the function `owner`? If that function was
 * inlined, the region belongs to the frame of another one. */
static bool is_named_after(struct import *im, uint32_t location, uint32_t owner)
{
	const char *name = code_region(&im->model.code, location, !im->o->no_lines);
	const char *wanted = *name ? code_symbol_name(&im->model.code, owner) : "";
	const size_t len = strlen(wanted);

	return len && region_owner_length(name) == len && !memcmp(name, wanted, len);
}

bool region_is_of(struct import *im, uint32_t location, uint32_t owner)
{
	for (int i = 0; i < MOST_NESTED && region_at(im, location); i++) {
		const uint32_t user = region_user(im, location);

		if (!user)
			return is_named_after(im, location, owner);
		if (AT_ID(im->model.code.locations, user).symbol == owner)
			return true;
		location = user;
	}
	return false;
}

/* Is `own` the function's own record of the variable *v of a region? gcc gives both the same
 * declaration. clang gives the region a parameter, a reference to the variable, which may have no
 * declaration. A pointer that the region gets by value has the same name as the function's pointer,
 * but that is small. */
static bool is_same_variable(const struct sym_local *own, const struct sym_local *v)
{
	const char *name = strrchr(v->name, ':'), *other = strrchr(own->name, ':');

	if (!name || !other || strcmp(name, other) != 0 ||
	    (v->passed ? own->size != v->size : own->size <= LARGEST_VALUE))
		return false;
	if (!v->line && v->points)
		return true;
	return own->line == v->line && own->file && v->file && !strcmp(own->file, v->file);
}

/* Returns the function's own record of the variable *v of a region. NULL means that there is none,
 * or several variables. */
static const struct sym_local *own_record(const struct sym_local *own, size_t n,
					  const struct sym_local *v)
{
	const struct sym_local *found = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!is_same_variable(&own[i], v))
			continue;
		if (found && (found->base != own[i].base || found->offset != own[i].offset))
			return NULL;
		found = &own[i];
	}
	return found;
}

/* Sets x->cfa to the distance from the start of the variable *v to the CFA, x->depth and x->bytes.
 * Returns false if the variable's place relative to the CFA is unknown. */
static bool set_frame_of(struct import *im, const struct sym_local *v, struct region_place *x)
{
	const uint64_t depth = callers_depth(im, x->user);
	const int64_t below = v->base == DWARF_BP   ? BELOW_CFA
			      : v->base == DWARF_SP ? (int64_t)depth
						    : 0;

	if (!below && v->base != SYM_LOCAL_CFA)
		return false;
	x->cfa = below - v->offset;
	x->depth = depth;
	x->bytes = depth ? depth : callers_variables(im, x->user);
	return true;
}

/* Is the variable *v of a region in the frame of the function at the location `user`? Sets x->user,
 * and the members that set_frame_of() sets. */
static bool is_in_frame_of(struct import *im, uint32_t user, const struct sym_local *v,
			   struct region_place *x)
{
	const struct location *l = &AT_ID(im->model.code.locations, user);
	struct sym_file *file = code_file(&im->model.code, l->dso);
	const struct sym_local *own, *found;
	uint64_t vaddr, start;
	size_t n;

	if (!file || !sym_vaddr_at(file, l->offset, &vaddr) ||
	    !sym_function_start(file, vaddr, &start))
		return false;
	own = sym_locals(file, start, &n);
	found = own_record(own, n, v);
	x->user = user;
	if (!found || !set_frame_of(im, found, x))
		x->user = 0;
	return x->user;
}

/* Finds the variable whose address is at this offset of the block that the region gets. */
static const struct sym_local *variable_in(const struct sym_local *v, size_t n, int64_t word)
{
	const struct sym_local *found = NULL;

	for (size_t i = 0; i < n; i++) {
		if (v[i].offset != word)
			continue;
		if (found && found->variable != v[i].variable)
			return NULL;
		found = &v[i];
	}
	return found;
}

/* Finds the function whose variable the register contains at x->location. */
static bool find_owner(struct import *im, const struct sym_local *v, int reg,
		       struct region_place *x)
{
	uint32_t user = x->location;

	for (int i = 0; v && i < MOST_NESTED; i++) {
		user = region_user(im, user);
		if (!user)
			return false;
		if (is_in_frame_of(im, user, v, x)) {
			x->reg = (int8_t)reg;
			return true;
		}
		if (!region_at(im, user))
			return false;
	}
	return false;
}

/* Finds a register that contains an address from the block that gcc passes to the region with the
 * start address `start`. The way of an exception is not in the code, so after one the registers may
 * have other contents. */
static bool find_passed(struct import *im, struct sym_file *file, uint64_t start,
			struct region_place *x)
{
	struct code *c = &im->model.code;
	struct passed_register regs[PASSED_REGISTERS];
	const struct sym_local *v;
	struct code_bytes b;
	unsigned nregs;
	size_t n;

	v = sym_passed(file, start, &n);
	if (!n || sym_lands(file, start) || !c->decoder || !code_bytes(c, x->location, &b) ||
	    !b.from_start)
		return false;
	if (passed_registers(c->decoder, b.code, b.len, b.at, regs, &nregs))
		im->nomem = true;
	for (unsigned i = 0; i < nregs; i++)
		if (find_owner(im, variable_in(v, n, regs[i].word), regs[i].reg, x))
			return true;
	return false;
}

/* Finds a register that contains a reference which clang passes to the region. */
static void find_reference(struct import *im, struct sym_file *file, uint64_t start, uint64_t vaddr,
			   struct region_place *x)
{
	const struct sym_local *v;
	size_t n;

	v = sym_pointers(file, start, &n);
	for (size_t i = 0; i < n; i++)
		if (!v[i].in_slot && !v[i].array && vaddr >= v[i].lo && vaddr < v[i].hi &&
		    v[i].base < REG_X86_DWARF &&
		    find_owner(im, &v[i], (int)reg_x86_of_dwarf(v[i].base), x))
			return;
}

static void find_place(struct import *im, struct region_place *x)
{
	const struct location *l = &AT_ID(im->model.code.locations, x->location);
	struct sym_file *file = code_file(&im->model.code, l->dso);
	uint64_t vaddr, start;

	if (!userstack_is_arm(im) && file && sym_vaddr_at(file, l->offset, &vaddr) &&
	    sym_function_start(file, vaddr, &start) && !find_passed(im, file, start, x))
		find_reference(im, file, start, vaddr, x);
}

/* Returns the facts about a location in a region. Returns NULL when out of memory. */
static const struct region_place *place_of(struct import *im, uint32_t location)
{
	struct regions *r = &im->model.regions;
	const uint32_t hash = index_hash(location, 0);
	struct region_place x = { .location = location };
	uint32_t place = hash, id;

	while ((id = index_next(&r->index, hash, &place)))
		if (AT_ID(r->places, id).location == location)
			return &AT_ID(r->places, id);
	find_place(im, &x);
	if (!VEC_ROOM(&r->places) || !index_add(&r->index, hash, r->places.n + 1)) {
		im->nomem = true;
		return NULL;
	}
	r->places.at[r->places.n++] = x;
	return &AT_ID(r->places, r->places.n);
}

/* Returns the thread whose stack contains the address; 0 means none. */
static uint32_t stack_owner(struct import *im, const struct frame_sample *f, uint64_t address)
{
	const struct place p =
		objects_find(&im->model.objects, f->process, f->thread, address, f->sp);
	const struct object *x = p.object ? &AT_ID(im->model.objects.objects, p.object) : NULL;

	return x && x->kind == OBJECT_STACK ? x->thread : 0;
}

void region_show(struct import *im, const struct frame_sample *f)
{
	const struct region_place *x;
	uint64_t address, cfa;
	uint32_t owner;

	if (!f->location || im->o->no_lines || !region_at(im, f->location))
		return;
	x = place_of(im, f->location);
	if (!x || !x->user || !pd_user_reg(im->in.perf, f->s, (unsigned)x->reg, &address))
		return;
	cfa = address + (uint64_t)x->cfa;
	owner = stack_owner(im, f, address);
	if (owner && cfa % 16 == 0) /* the ABI aligns each CFA */
		frame_add(im, owner,
			  (struct frame){ .sp = cfa - x->bytes,
					  .cfa = cfa,
					  .now_sp = x->depth ? cfa - x->depth : 0,
					  .location = x->user });
}
