/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the stack pointer through the instructions of a function, in the order of memory, and
 * passes its depth on to the targets of jumps. A jump back may lead to code that was not reached
 * before, such as the body of a loop that is entered at its condition. So this is repeated until
 * nothing changes. Where two ways with different depths meet, and after an instruction that changes
 * the stack pointer by an unknown number of bytes, the depth is unknown.
 */
#include "waits/depth.h"

#include "base/index.h"
#include "decode/perf_regs.h"
#include "waits/body.h"

enum {
	MOST_CODE = 512 << 10, /* bytes of a function */
	MOST_PASSES = 16,
	RETURN_ADDRESS = 8, /* bytes */
	UNREACHED = 0,
	UNKNOWN = -1,
};

/* The state of the walk. A depth is the distance from the stack pointer to the CFA in bytes. */
struct depths {
	struct body b;
	int64_t *at;  /* indexed by instruction: depth, UNREACHED or UNKNOWN */
	int64_t fp;   /* depth of the frame pointer; UNKNOWN before it is set */
	bool changed; /* whether an element of `at` has changed in this pass */
};

/* Returns the depth after an instruction that begins at this depth. */
static int64_t depth_after(struct depths *d, const struct operation *op, int64_t depth)
{
	const struct insn_move m = op->move;

	if (m.to == REG_X86_BP && m.from == REG_X86_SP && !m.add && !m.wraps32)
		d->fp = depth;
	if (!(op->writes.regs >> REG_X86_SP & 1))
		return depth;
	if (m.to != REG_X86_SP || m.wraps32)
		return UNKNOWN;
	if (m.from == REG_X86_SP)
		depth = depth == UNKNOWN ? UNKNOWN : depth - m.add;
	else
		depth = m.from == REG_X86_BP && d->fp != UNKNOWN ? d->fp - m.add : UNKNOWN;
	return depth > 0 ? depth : UNKNOWN;
}

static void pass_on(struct depths *d, int64_t to, int64_t depth)
{
	if (to < 0 || to >= d->b.insns.n || d->at[to] == depth || d->at[to] == UNKNOWN)
		return;
	d->at[to] = d->at[to] == UNREACHED ? depth : UNKNOWN;
	d->changed = true;
}

static void pass_over(struct depths *d)
{
	d->changed = false;
	for (uint32_t k = 0; k < d->b.insns.n; k++) {
		const struct body_insn i = d->b.insns.at[k];
		int64_t depth = d->at[k];

		if (depth == UNREACHED)
			continue;
		if (i.flow == FLOW_ON)
			depth = depth_after(d, body_operation(&d->b, k), depth);
		pass_on(d, i.target, depth);
		if (body_falls_through(&i))
			pass_on(d, k + 1, depth);
	}
}

uint64_t frame_depth(struct decoder *decoder, const uint8_t *code, size_t len, size_t at,
		     bool *nomem)
{
	struct depths d = { .fp = UNKNOWN };
	int64_t depth = UNKNOWN;

	if (len > MOST_CODE)
		return 0;
	if (body_init(&d.b, decoder, code, len))
		d.at = calloc(d.b.insns.n + 1, sizeof(*d.at));
	if (d.at)
		d.at[0] = RETURN_ADDRESS;
	for (int i = 0; d.at && i < MOST_PASSES && (!i || d.changed); i++)
		pass_over(&d);
	for (uint32_t k = 0; d.at && k < d.b.insns.n; k++)
		if (at >= d.b.insns.at[k].at && at - d.b.insns.at[k].at < d.b.insns.at[k].size)
			depth = d.at[k];
	*nomem |= !d.at || d.b.nomem;
	if (d.b.nomem || d.changed)
		depth = UNKNOWN;
	free(d.at);
	body_release(&d.b);
	return depth > 0 ? (uint64_t)depth : 0;
}
