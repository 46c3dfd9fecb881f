/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/accessed.h"

#include <string.h>

#include "base/count.h"
#include "decode/perf_regs.h"
#include "naming/poll.h"
#include "naming/type.h"

/* maximum number of instructions that vote; they are those with the most samples */
enum { MOST_VOTERS = 12 };

/* Returns the type to which the pointer at offset disp in a struct of type t points; NULL means
 * unknown. */
static const struct sym_type *through_member(struct sym_file *file, uint64_t vaddr,
					     const struct sym_type *t, int64_t disp)
{
	char text[SYM_MAX_TYPE_TEXT];
	const struct sym_member *m;
	size_t len;

	if (disp < 0)
		return NULL;
	for (m = t->members; m < t->members + t->nmembers; m++)
		if (m->offset == (uint64_t)disp % t->size)
			break;
	if (m == t->members + t->nmembers || m->size != 8 || !m->type)
		return NULL;
	len = strlen(m->type);
	if (!len || len >= sizeof(text) || m->type[len - 1] != '*')
		return NULL;
	while (len && (m->type[len - 1] == '*' || m->type[len - 1] == ' '))
		if (m->type[--len] == '*')
			break;
	memcpy(text, m->type, len);
	text[len] = '\0';
	return sym_type(file, &(struct sym_type_query){
				      .by = SYM_BY_TYPE, .vaddr = vaddr, .text = text });
}

/* Does a word of the frame contain the pointer *v, or the address of the array *v, at the
 * instruction vaddr? The address of the word is register `base` (DWARF's number) + offset, which
 * equals the CFA + at_cfa. */
static bool is_slot(const struct sym_local *v, uint8_t base, int64_t offset, int64_t at_cfa,
		    uint64_t vaddr)
{
	return vaddr >= v->lo && vaddr < v->hi && (v->points ? v->in_slot : v->size == 8) &&
	       (v->base == SYM_LOCAL_CFA ? v->offset == at_cfa
					 : v->base == base && v->offset == offset);
}

const struct sym_local *slot_variable(struct sym_file *file, uint64_t start,
				      const struct pointer_hop *h)
{
	const struct sym_local *(*const lists[])(struct sym_file *, uint64_t,
						 size_t *) = { sym_locals, sym_pointers };
	const uint64_t vaddr = start + h->insn;
	const struct sym_local *found = NULL;
	struct sym_frame frame;
	int64_t at_cfa = h->slot - 16; /* the frame pointer is two words below the CFA */

	if (h->reg == REG_X86_SP) {
		if (!sym_frame(file, vaddr, &frame) || !frame.bytes)
			return NULL;
		at_cfa = h->slot - (int64_t)frame.bytes;
	}
	for (size_t k = 0; k < COUNT_OF(lists); k++) {
		const struct sym_local *v, *first = NULL;
		size_t n;

		v = lists[k](file, start, &n);
		for (size_t i = 0; i < n; i++) {
			if (!first || first->variable != v[i].variable)
				first = &v[i];
			if (!is_slot(&v[i], (uint8_t)reg_x86_to_dwarf(h->reg), h->slot, at_cfa,
				     vaddr))
				continue;
			if (found && found->variable != v[i].variable)
				return NULL;
			found = first;
		}
	}
	return found;
}

static bool is_in_register(const struct sym_local *v, int reg, uint64_t vaddr)
{
	return !v->in_slot && v->base == reg && vaddr >= v->lo && vaddr < v->hi;
}

/* Returns the first record of the variable in a register (DWARF's number), as hop_variable(). */
static const struct sym_local *register_variable(struct sym_file *file, uint64_t start, int reg,
						 uint64_t vaddr)
{
	const struct sym_local *found = NULL, *first = NULL, *p;
	bool differ = false;
	size_t n;

	p = sym_pointers(file, start, &n);
	for (size_t i = 0; i < n; i++) {
		if (!i || p[i - 1].variable != p[i].variable)
			first = &p[i];
		if (!is_in_register(&p[i], reg, vaddr) || (found && found->array && !p[i].array))
			continue;
		differ =
			found && found->array == p[i].array && (differ || found->size != p[i].size);
		found = first;
	}
	return differ ? NULL : found;
}

const struct sym_local *hop_variable(struct sym_file *file, uint64_t start,
				     const struct pointer_hop *h)
{
	return h->in_slot
		       ? slot_variable(file, start, h)
		       : register_variable(file, start, reg_x86_to_dwarf(h->reg), start + h->insn);
}

/* Returns the type to which the pointer at hop h points; NULL if it is unknown. */
static const struct sym_type *hop_type(struct sym_file *file, uint64_t start,
				       const struct pointer_hop *h)
{
	const int reg = reg_x86_to_dwarf(h->reg);
	struct sym_type_query q = { .by = SYM_BY_REGISTER,
				    .vaddr = start + h->insn,
				    .reg = (uint8_t)reg };
	const struct sym_local *v;

	if (h->in_slot) {
		v = slot_variable(file, start, h);
		if (!v)
			return NULL;
		q = (struct sym_type_query){ .by = SYM_BY_TARGET, .entry = v->entry };
	}
	return reg < 0 ? NULL : sym_type(file, &q);
}

/* Sets in *v the type to which the pointer of an access points. The trace (waits/pointer.h) lists
 * the registers from which that pointer was computed; the first register that contains a variable
 * with a known type decides. `start` is the address of the function. */
static void trace_type(struct sym_file *file, uint64_t start, const struct pointer_trace *trace,
		       struct voter *v)
{
	for (unsigned i = 0; i < trace->n; i++) {
		const struct pointer_hop *h = &trace->hops[i];
		const struct sym_type *t = hop_type(file, start, h);

		if (!t)
			continue;
		for (unsigned depth = h->depth; t && depth; depth--)
			t = through_member(file, start + h->insn, t, h->loads[depth - 1]);
		if (t && t->kind != SYM_SCALAR &&
		    (h->add + trace->disp < 0 || (uint64_t)(h->add + trace->disp) >= t->size))
			return; /* what is before or after a struct may be of another type */
		v->type = t;
		v->disp = trace->disp;
		v->placed = t && !h->add && h->step % t->size == 0;
		return;
	}
}

bool access_trace(struct code *code, const struct access_at *at, struct pointer_trace *out,
		  uint64_t *start)
{
	const struct location *l = &AT_ID(code->locations, at->location);
	struct sym_file *file = l->dso ? code_file(code, l->dso) : NULL;
	struct code_bytes b;
	int64_t insn;

	if (!file || !code->decoder || !code_bytes(code, at->location, &b) || !b.from_start ||
	    !sym_vaddr_at(file, l->offset, start))
		return false;
	*start -= b.at;
	insn = (at->from_start ? 0 : (int64_t)b.at) + at->insn;
	return insn >= 0 && (uint64_t)insn < b.len &&
	       pointer_trace(code->decoder, b.code, b.len, (size_t)insn, out) == 0;
}

unsigned access_lines(const struct naming *n, const struct vote *v,
		      struct sym_line out[SYM_MAX_INLINE])
{
	const struct location *l = &AT_ID(n->code->locations, v->location);
	int64_t insn = v->insn;
	struct code_bytes b;

	if (!l->dso || n->no_lines)
		return 0;
	if (v->from_start) {
		if (!code_bytes(n->code, v->location, &b) || !b.from_start)
			return 0;
		insn -= (int64_t)b.at;
	}
	return sym_lines_at(code_file(n->code, l->dso), l->offset + insn, out, SYM_MAX_INLINE);
}

static struct voter voter_of(const struct naming *n, const struct vote *v)
{
	const struct access_at at = { v->location, v->from_start, v->insn };
	const uint32_t dso = AT_ID(n->code->locations, v->location).dso;
	struct sym_file *file = dso ? code_file(n->code, dso) : NULL;
	struct voter voter = { .vote = v };
	struct pointer_trace trace;
	uint64_t start;

	voter.is_foreign = dso && is_runtime(&AT_ID(n->code->dsos, dso));
	/* a trace takes time, and without debug information it leads to no type */
	if (!voter.is_foreign && file && sym_file_has_lines(file) &&
	    access_trace(n->code, &at, &trace, &start))
		trace_type(file, start, &trace, &voter);
	return voter;
}

/* Stores in out[] the votes for an object, at most MOST_VOTERS: those with the most samples.
 * Returns the number of stored votes. */
static unsigned find_voters(const struct votes *votes, uint32_t object, const struct vote **out)
{
	unsigned n = 0;

	for (uint32_t id = votes_of(votes, object); id; id = AT_ID(votes->votes, id).next) {
		const struct vote *v = &AT_ID(votes->votes, id);
		unsigned i;

		for (i = n < MOST_VOTERS ? n++ : MOST_VOTERS; i && out[i - 1]->samples < v->samples;
		     i--)
			if (i < MOST_VOTERS)
				out[i] = out[i - 1];
		if (i < MOST_VOTERS)
			out[i] = v;
	}
	return n;
}

void type_by_accesses(const struct naming *n, uint32_t object, struct object_origin *o)
{
	const struct object *x = &AT_ID(n->objects->objects, object);
	const bool is_stated = o->type && !type_is_byte(o->type);
	const struct vote *votes[MOST_VOTERS];
	struct voter voters[MOST_VOTERS];
	uint64_t samples = 0;
	unsigned nvoters;

	if (!n->votes || n->no_lines || o->mixed)
		return;
	nvoters = find_voters(n->votes, object, votes);
	for (unsigned i = 0; i < nvoters; i++)
		samples += votes[i]->samples;
	if (is_stated && samples < POLL_LEAST)
		return; /* traces take time */
	for (unsigned i = 0; i < nvoters; i++)
		voters[i] = voter_of(n, votes[i]);
	if (!is_stated) {
		poll_elect(voters, nvoters, x, o->type, o);
		return;
	}
	if (o->has_slack && !poll_places(voters, nvoters, o)) {
		o->has_head = true;
		if (!poll_elect(voters, nvoters, x, true, o))
			o->type = NULL;
		return;
	}
	o->type_repeats |= !o->has_rest && poll_repeats(voters, nvoters, o);
	if (o->has_head && !o->type_repeats) /* the type may be only that of the head */
		poll_elect(voters, nvoters, x, true, o);
	if (poll_refutes(voters, nvoters, o) && !poll_elect(voters, nvoters, x, true, o))
		o->type = NULL;
}
