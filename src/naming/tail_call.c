/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/tail_call.h"

#include <string.h>

#include "base/count.h"
#include "decode/insn.h"

enum {
	MAX_STEPS = 1 << 14, /* instructions that are decoded for one search, about 0.2 ms */
	/* functions that are searched by their names for one search; each may read all symbols of
	 * three files */
	MAX_LOOKUPS = 8,
};

/* A place in a file; `offset` is a file offset. */
struct place {
	struct sym_file *file; /* NULL means unknown */
	uint64_t offset;
};

/* The search for the jumps that lead to a function, or to a part of one that the compiler moved
 * elsewhere. */
struct search {
	struct decoder *decoder;
	uint32_t outer, inner; /* locations in the two files to which the search is limited */
	struct sym_file *outer_file;
	struct place to; /* the start of the code to which the jumps lead, in the file of `inner` */
	uint64_t bytes;  /* of that code */
	const char *name; /* of its symbol; NULL means unknown */
	unsigned steps;   /* number of instructions that were decoded */
	unsigned lookups;
	struct tail_call *at; /* the result: see tail_calls() */
};

/* If the place is in the table by which a file reaches functions, writes the name of the function
 * to which the entry jumps. Returns false for other places. */
static bool stub_name(struct place p, char *out, size_t size)
{
	static const char suffix[] = "@plt";
	const struct sym_symbol *sym = sym_symbol_at(p.file, p.offset);
	const size_t len = sym ? strlen(sym->name) : 0, behind = sizeof(suffix) - 1;

	if (len <= behind || len - behind >= size || strcmp(sym->name + len - behind, suffix) != 0)
		return false;
	memcpy(out, sym->name, len - behind);
	out[len - behind] = '\0';
	return true;
}

/* Returns where execution continues at a place that code calls or jumps to. */
static struct place behind_stub(struct search *s, struct place p)
{
	struct sym_file *files[] = { p.file, s->to.file, s->outer_file };
	const struct sym_symbol *sym = NULL;
	char name[256];
	size_t i;

	if (!stub_name(p, name, sizeof(name)))
		return p;
	if (s->lookups++ >= MAX_LOOKUPS)
		return (struct place){ NULL, 0 };
	for (i = 0; i < COUNT_OF(files) && !sym; i++)
		sym = sym_function_named(files[i], name);
	return (struct place){ sym ? files[i - 1] : NULL, sym ? sym->start : 0 };
}

static bool leads_to_end(const struct search *s, struct place p)
{
	char name[256];

	if (p.file == s->to.file && p.offset - s->to.offset < s->bytes)
		return true;
	return s->name && stub_name(p, name, sizeof(name)) && !strcmp(name, s->name);
}

/* Searches the function that begins at `from` for a jump to that code. With depth > 1, searches for
 * one to a function that jumps there, with up to `depth` jumps in all. Returns the number of jumps
 * that were found. */
static unsigned find_jumps(struct search *s, struct place from, unsigned depth)
{
	struct insn_step step;
	size_t len, pos;
	bool from_start;
	uint64_t key;
	const uint8_t *code =
		from.file ? sym_code_at(from.file, from.offset, &len, &pos, &from_start, &key)
			  : NULL;

	if (!code || !from_start || pos)
		return 0;
	for (size_t i = 0; i < len && s->steps++ < MAX_STEPS; i += step.size) {
		struct place target = { from.file, from.offset + i };
		unsigned n;

		decoder_step(s->decoder, code + i, len - i, &step);
		target.offset += (uint64_t)step.target;
		if ((step.flow != FLOW_JUMP && step.flow != FLOW_BRANCH) ||
		    target.offset - from.offset < len)
			continue;
		n = depth > 1 ? find_jumps(s, behind_stub(s, target), depth - 1) : 0;
		if (n || (depth == 1 && leads_to_end(s, target))) {
			s->at[n] = (struct tail_call){ from.file == s->outer_file ? s->outer
										  : s->inner,
						       from.offset + i + step.size - 1 };
			return n + 1;
		}
	}
	return 0;
}

/* Gets the place that the call calls whose last byte is the location. Returns false if no direct
 * call ends there. */
static bool called_place(struct search *s, const struct code_bytes *caller, uint64_t offset,
			 struct place *out)
{
	static const uint8_t sizes[] = { 5, 4 }; /* of a direct call of x86-64 and of AArch64 */
	struct insn_step step;

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		const size_t before = sizes[i] - 1u;

		if (caller->at < before)
			continue;
		decoder_step(s->decoder, caller->code + caller->at - before, sizes[i], &step);
		*out = (struct place){ s->outer_file, offset - before + (uint64_t)step.target };
		if (step.flow == FLOW_CALL && step.size == sizes[i] && step.target)
			return true;
	}
	return false;
}

unsigned tail_calls(struct code *c, uint32_t outer, uint32_t inner, struct tail_call at[TAIL_CALLS])
{
	const struct location *from = &AT_ID(c->locations, outer),
			      *to = &AT_ID(c->locations, inner);
	struct search s = { .decoder = c->decoder, .outer = outer, .inner = inner, .at = at };
	struct code_bytes caller, callee;
	const struct sym_symbol *sym;
	struct place called;
	unsigned n = 0;

	if (!c->decoder || !from->dso || !to->dso || !code_bytes(c, outer, &caller) ||
	    !code_bytes(c, inner, &callee) || !callee.from_start)
		return 0;
	s.outer_file = code_file(c, from->dso);
	s.to = (struct place){ code_file(c, to->dso), to->offset - callee.at };
	s.bytes = callee.len;
	sym = sym_symbol_at(s.to.file, s.to.offset);
	s.name = sym ? sym->name : NULL;
	if (!called_place(&s, &caller, from->offset, &called) || leads_to_end(&s, called))
		return 0;
	called = behind_stub(&s, called);
	if (called.file == s.to.file && called.offset == s.to.offset)
		return 0; /* the function has several names */
	for (unsigned depth = 1; !n && depth <= TAIL_CALLS; depth++)
		n = find_jumps(&s, called, depth);
	return n;
}
