/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "decode/work.h"

enum {
	/* maximum number of instructions from `at` to the end of the loop; loops that wait for
	 * another thread are not longer */
	LONGEST_LOOP = 32,
	LONGEST_LOOP_BYTES = 256, /* maximum size in bytes; a longer loop is not examined */
};

static bool is_jump(unsigned flow)
{
	return flow == FLOW_JUMP || flow == FLOW_BRANCH;
}

/* Finds the loop around the instruction at `at`. The loop ends with the first jump, from `at` on,
 * that leads to `at` or to an earlier instruction. Sets *head to the target of this jump, and *end
 * to the jump. Returns false if a call, a return or unknown code comes first, or if the loop is too
 * long. */
static bool find_loop(struct decoder *d, const struct outline *f, const uint8_t *code, size_t len,
		      size_t at, size_t *head, size_t *end)
{
	size_t p = at;

	for (int n = 0; n < LONGEST_LOOP && p < f->known && p < len; n++) {
		struct insn_step s;
		int64_t to;

		decoder_step(d, code + p, len - p, &s);
		to = (int64_t)p + s.target;
		if (!s.known || s.flow == FLOW_CALL || s.flow == FLOW_AWAY)
			return false;
		if (is_jump(s.flow) && s.target <= 0 && to >= 0 && (size_t)to <= at) {
			*head = (size_t)to;
			*end = p;
			return p - *head <= LONGEST_LOOP_BYTES && outline_starts(f, *head);
		}
		p += s.size;
	}
	return false;
}

/* What one iteration of a loop does. add_insn() adds the instructions of the loop one by one. */
struct turn {
	/* masks of registers. read_first: registers that an iteration reads before it writes them,
	 * so that they may carry a value from one iteration to the next */
	uint64_t read_first, written;
	bool pauses, loads;
	bool changes;  /* the loop may change memory, calls a function or the kernel, contains an
			* instruction with unknown effects, or may skip a part of itself */
	bool computes; /* no instruction of the loop accesses memory, calls, pauses or is a fence */
};

static void add_insn(struct turn *t, const struct insn *i, bool last)
{
	t->pauses |= i->sync == SYNC_PAUSE;
	t->loads |= i->mem.load && i->sync == SYNC_NONE;
	t->changes |= i->sync == SYNC_ATOMIC || i->sync == SYNC_SYSTEM ||
		      (i->mem.store && i->sync == SYNC_NONE) ||
		      (!i->plain && i->flow == FLOW_ON && i->sync == SYNC_NONE) ||
		      (i->flow != FLOW_ON && !is_jump(i->flow)) || (last && i->flow == FLOW_ON);
	t->computes &= i->access == ACCESS_NONE && i->sync == SYNC_NONE &&
		       (i->flow == FLOW_ON || is_jump(i->flow));
	t->read_first |= i->reads & ~t->written;
	t->written |= i->writes;
}

/* Is the instruction at p, which is not the last one of the loop, a jump to an instruction of the
 * loop? If so, an iteration may skip a part of the loop. */
static bool jumps_inside(struct decoder *d, const uint8_t *code, size_t len, size_t p, size_t head,
			 size_t end)
{
	struct insn_step s;
	int64_t to;

	if (p == end)
		return false;
	decoder_step(d, code + p, len - p, &s);
	to = (int64_t)p + s.target;
	return is_jump(s.flow) && to >= (int64_t)head && to <= (int64_t)end;
}

/* Returns WORK_SPIN or WORK_COMPUTE if this is what the loop around `at` does (find_loop()).
 * Returns WORK_UNKNOWN if the loop does something else, or if there is no short loop. */
static enum dec_work work_of_loop(struct decoder *d, const struct outline *f, const uint8_t *code,
				  size_t len, size_t at)
{
	struct turn t = { .computes = true };
	size_t head, end;
	struct insn i;

	if (!find_loop(d, f, code, len, at, &head, &end))
		return WORK_UNKNOWN;
	for (size_t p = head; p <= end; p += i.size) {
		if (!decoder_insn(d, code + p, len - p, &i))
			return WORK_UNKNOWN;
		add_insn(&t, &i, p == end);
		t.changes |= jumps_inside(d, code, len, p, head, end);
	}
	if (t.pauses || (t.loads && !t.changes && !(t.read_first & t.written)))
		return WORK_SPIN;
	return t.computes ? WORK_COMPUTE : WORK_UNKNOWN;
}

enum dec_work work_at(struct decoder *d, const struct outline *f, const uint8_t *code, size_t len,
		      size_t at, size_t before, bool waited)
{
	enum dec_work loop = work_of_loop(d, f, code, len, at);
	struct insn i;

	if (loop == WORK_SPIN)
		return WORK_SPIN;
	if (before == at || outline_is_target(f, at) || f->indirect ||
	    !decoder_insn(d, code + before, len - before, &i) || before + i.size != at ||
	    i.flow == FLOW_CALL)
		/* it is uncertain which instruction ran before ip: its start is unknown, its bytes
		 * cannot be decoded or do not end at ip, a jump may lead to ip, or a called
		 * function ran in between. `waited` means that an access is certain nevertheless;
		 * otherwise the loop around ip decides */
		return waited ? WORK_ACCESS : loop;
	if (i.sync == SYNC_FENCE)
		return WORK_FENCE;
	if (i.sync == SYNC_ATOMIC)
		return WORK_ATOMIC;
	if (i.sync == SYNC_SYSTEM)
		return WORK_SYSTEM;
	return waited ? WORK_ACCESS : i.access == ACCESS_NONE ? WORK_COMPUTE : WORK_UNKNOWN;
}
