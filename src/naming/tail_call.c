/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "naming/tail_call.h"

#include <string.h>

#include "decode/insn.h"

enum {
	CALL = 0xe8,        /* opcode of x86-64, with a distance that counts from its end */
	DISTANCE = 4,       /* bytes of the distance */
	MAX_STEPS = 1 << 14 /* instructions that are decoded for one search, about 0.2 ms */
};

/* The search for the jumps that lead to the code at the file offsets [to, to + bytes): a function,
 * or a part of one that the compiler moved elsewhere. */
struct search {
	struct decoder *decoder;
	struct sym_file *file;
	uint64_t to, bytes;
	unsigned steps; /* number of instructions that were decoded */
	uint64_t *at;   /* the result: see tail_calls() */
};

/* Searches the function that begins at offset `from` for a jump to that code. With depth > 1,
 * searches for one to a function that jumps there, with up to `depth` jumps in all. Returns the
 * number of jumps that were found. */
static unsigned find_jumps(struct search *s, uint64_t from, unsigned depth)
{
	struct insn_step step;
	size_t len, pos;
	bool from_start;
	uint64_t key;
	const uint8_t *code = sym_code_at(s->file, from, &len, &pos, &from_start, &key);

	if (!code || !from_start || pos)
		return 0;
	for (size_t i = 0; i < len && s->steps++ < MAX_STEPS; i += step.size) {
		uint64_t target;
		unsigned n;

		decoder_step(s->decoder, code + i, len - i, &step);
		target = from + i + (uint64_t)step.target;
		if ((step.flow != FLOW_JUMP && step.flow != FLOW_BRANCH) || target - from < len)
			continue;
		n = depth > 1 ? find_jumps(s, target, depth - 1) : 0;
		if (n || (depth == 1 && target - s->to < s->bytes)) {
			s->at[n] = from + i + step.size - 1;
			return n + 1;
		}
	}
	return 0;
}

unsigned tail_calls(struct code *c, uint32_t outer, uint32_t inner, uint64_t at[TAIL_CALLS])
{
	struct code_bytes caller, callee;
	struct search s = { .decoder = c->decoder, .at = at };
	unsigned n = 0;
	int32_t distance;
	uint64_t called;

	if (!c->decoder || AT_ID(c->locations, outer).dso != AT_ID(c->locations, inner).dso ||
	    !code_bytes(c, outer, &caller) || !code_bytes(c, inner, &callee) ||
	    !callee.from_start || caller.at < DISTANCE || caller.code[caller.at - DISTANCE] != CALL)
		return 0;
	memcpy(&distance, caller.code + caller.at - DISTANCE + 1, sizeof(distance));
	called = AT_ID(c->locations, outer).offset + 1 + (uint64_t)(int64_t)distance;
	s.file = code_file(c, AT_ID(c->locations, outer).dso);
	s.to = AT_ID(c->locations, inner).offset - callee.at;
	s.bytes = callee.len;
	for (unsigned depth = 1; called != s.to && !n && depth <= TAIL_CALLS; depth++)
		n = find_jumps(&s, called, depth);
	return n;
}
