/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function gets a pointer in a register. At the call, the code of the caller shows from which
 * register or word of its frame this value comes (waits/source.h), and the debug information says
 * which variable is there. This needs no address, so it also works for arrays of variable length,
 * whose places nothing but the frame of their function shows.
 *
 * What must stay true: in the object to which this variable points is the address of the access. So
 * each step is followed on all ways that the code may have taken.
 */
#include "import/argument.h"

#include "import/callers.h"
#include "import/passed_local.h"
#include "import/pipeline.h"
#include "naming/accessed.h"
#include "symbol/landing.h"
#include "waits/source.h"

enum {
	MOST_CALLERS = 8, /* callers in one another */
	MOST_CALLS = 64,  /* calls that one search examines */
	RETURN_ADDRESS = 8,
};

void arguments_release(struct arguments *a)
{
	free(a->known.at);
	index_release(&a->index);
}

/* The code of a function, and the file with the debug information about it. */
struct code_of {
	struct sym_file *file;
	struct code_bytes b;
	uint64_t start; /* vaddr of the code */
	struct import *im;
	uint32_t location; /* one in the function */
};

/* Gets the function at the location. Returns false if its code is unknown, or if it may go on after
 * an exception, because the way of that is not in the code. */
static bool get_function(struct import *im, uint32_t location, struct code_of *fn)
{
	const struct location *l = &AT_ID(im->model.code.locations, location);

	fn->im = im;
	fn->location = location;
	fn->file = l->dso ? code_file(&im->model.code, l->dso) : NULL;
	if (!fn->file || !im->model.code.decoder || im->o->no_lines ||
	    !code_bytes(&im->model.code, location, &fn->b) || !fn->b.from_start ||
	    !sym_vaddr_at(fn->file, l->offset - fn->b.at, &fn->start))
		return false;
	return !sym_lands(fn->file, fn->start);
}

/* Does a function begin with the code, and not a part that the compiler moved out of a function? */
static bool is_entry(const struct code_of *fn)
{
	const struct sym_cfa cfa = sym_cfa_at(fn->file, fn->start);

	return cfa.by == SYM_CFA_SP && cfa.bytes == RETURN_ADDRESS;
}

int8_t argument_register(struct import *im, uint32_t location, const struct source_place *of)
{
	struct code_of fn;
	struct source found;

	if (!get_function(im, location, &fn) || !is_entry(&fn))
		return -1;
	if (source_find(im->model.code.decoder, fn.b.code, fn.b.len, of, NULL, NULL, &found))
		im->nomem = true;
	return found.kind == SOURCE_ARGUMENT ? found.reg : -1;
}

/* Returns the variable at an address in the frame of the function. */
static const struct sym_local *variable_at(const struct code_of *fn, const struct source_place *p)
{
	struct code *c = &fn->im->model.code;
	const struct location l = AT_ID(c->locations, fn->location);
	const uint32_t insn = code_location(c, l.dso, l.offset - fn->b.at + p->insn);

	return insn ? passed_local(fn->im, fn->location, insn, p->reg, p->slot) : NULL;
}

/* Returns the variable in a place of the function `arg`. */
static const void *variable_in(const struct source_place *p, void *arg)
{
	const struct code_of *fn = arg;
	const struct pointer_hop h = {
		.insn = p->insn, .reg = p->reg, .in_slot = p->in_slot, .slot = p->slot
	};

	return p->is_address ? variable_at(fn, p) : hop_variable(fn->file, fn->start, &h);
}

static struct argument_source find_source(struct import *im, uint32_t location, int8_t reg)
{
	struct argument_source s = { .location = location, .reg = reg, .argument = -1 };
	struct decoder *d = im->model.code.decoder;
	struct source_place of = { .reg = reg };
	struct source found;
	struct code_of fn;

	if (!get_function(im, location, &fn))
		return s;
	of.insn = of.used = (uint32_t)fn.b.at;
	if (source_find(d, fn.b.code, fn.b.len, &of, NULL, NULL, &found))
		im->nomem = true;
	if (found.kind == SOURCE_ARGUMENT && is_entry(&fn))
		s.argument = found.reg;
	if (source_find(d, fn.b.code, fn.b.len, &of, variable_in, &fn, &found))
		im->nomem = true;
	if (found.kind != SOURCE_VARIABLE)
		return s;
	s.variable.v = found.variable;
	s.variable.dso = AT_ID(im->model.code.locations, location).dso;
	s.variable.is_address = found.is_address;
	if (found.is_address)
		return s;
	s.variable.type =
		sym_type(fn.file, &(struct sym_type_query){ .by = SYM_BY_TARGET,
							    .entry = s.variable.v->entry });
	return s;
}

/* Returns the source of register reg at the location of a call. The first call for a pair decodes
 * the function. */
static struct argument_source source_at(struct import *im, uint32_t location, int8_t reg)
{
	struct arguments *a = &im->model.arguments;
	const uint32_t hash = index_hash(location, (uint32_t)reg);
	struct argument_source s;
	uint32_t place = hash, id;

	while ((id = index_next(&a->index, hash, &place))) {
		s = AT_ID(a->known, id);
		if (s.location == location && s.reg == reg)
			return s;
	}
	s = find_source(im, location, reg);
	if (VEC_ROOM(&a->known) && index_add(&a->index, hash, a->known.n + 1))
		a->known.at[a->known.n++] = s;
	else
		im->nomem = true;
	return s;
}

/* A search for the variable of a caller. */
struct search {
	struct import *im;
	int left; /* calls that may still be examined */
};

static struct argument_variable passed_to(struct search *s, uint32_t location, int8_t reg,
					  struct callers_way w, int depth);

/* Returns the variable that a call passes in register reg. *w is the way from the call's function
 * outwards. */
static struct argument_variable passed_by(struct search *s, uint32_t call, int8_t reg,
					  struct callers_way w, int depth)
{
	const struct argument_source from = source_at(s->im, call, reg);
	struct argument_variable found = { 0 };

	if (from.argument >= 0 && depth < MOST_CALLERS)
		found = passed_to(s, call, from.argument, w, depth + 1);
	return found.v ? found : from.variable;
}

/* Returns the variable that all calls of the function at the location pass. */
static struct argument_variable passed_by_all(struct search *s, uint32_t location, int8_t reg,
					      int depth)
{
	struct code *c = &s->im->model.code;
	const struct location l = AT_ID(c->locations, location);
	struct argument_variable found = { 0 };
	const struct sym_use *uses;
	struct code_bytes b;
	size_t n;

	if (!l.dso || !code_bytes(c, location, &b) || !b.from_start)
		return found;
	uses = sym_uses(code_file(c, l.dso), l.offset - b.at, b.len, &n);
	for (size_t i = 0; i < n; i++) {
		const uint32_t at = code_location(c, l.dso, uses[i].offset);
		struct argument_variable one = { 0 };

		if (at && uses[i].kind != SYM_USE_ADDRESS && s->left-- > 0)
			one = passed_by(s, at, reg, (struct callers_way){ 0 }, depth);
		if (!one.v || (i && (one.v != found.v || one.is_address != found.is_address)))
			return (struct argument_variable){ 0 };
		found = one;
	}
	return found;
}

/* Returns the variable that the caller of the function at the location passes in register reg. */
static struct argument_variable passed_to(struct search *s, uint32_t location, int8_t reg,
					  struct callers_way w, int depth)
{
	uint32_t call;

	if (frame_is_main(s->im, AT_ID(s->im->model.code.locations, location).symbol))
		return (struct argument_variable){ 0 };
	call = callers_chained(s->im, location, &w);
	return call ? passed_by(s, call, reg, w, depth) : passed_by_all(s, location, reg, depth);
}

struct argument_variable argument_passed(struct import *im, const struct frame_sample *f,
					 int8_t reg)
{
	struct search s = { im, MOST_CALLS };

	return passed_to(&s, f->location, reg, callers_way(im, f), 0);
}
