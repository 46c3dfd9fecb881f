/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waits/body.h"

#include "base/index.h"
#include "decode/perf_regs.h"

/* Limits of the search for loops. Beyond the first two, closes_loop() assumes that every backward
 * jump closes a loop. */
enum {
	LARGEST_SEARCH = 1 << 14, /* instructions of a function */
	MOST_SEARCHES = 128,      /* searches in one function */
	/* jumps to one instruction; if there are more, body_before() returns 0 */
	MOST_JUMPS = 16,
	MOST_INSIDE = 64,     /* jumps that may_enter() examines */
	LONGEST_PADDING = 16, /* instructions that only align the next one */
};

/* Registers that have the same values after a call as before it, according to the ABI. */
#define KEPT                                                                                 \
	(UINT64_C(1) << REG_X86_SP | UINT64_C(1) << REG_X86_BX | UINT64_C(1) << REG_X86_BP | \
	 UINT64_C(0xf) << REG_X86_R12)

/* Is this instruction mov %rsp,%rbp, in one of its two encodings? */
static bool sets_frame(const uint8_t *p, size_t size)
{
	return size == 3 && (!memcmp(p, "\x48\x89\xe5", 3) || !memcmp(p, "\x48\x8b\xec", 3));
}

static bool add_insn(struct body *b, size_t at, const struct insn_step *s, int64_t *target)
{
	struct body_insn *i;

	if (!VEC_ROOM(&b->insns))
		return false;
	i = &b->insns.at[b->insns.n++];
	*i = (struct body_insn){ .at = (uint32_t)at, .size = s->size, .flow = s->flow };
	i->target = BODY_NOWHERE;
	*target = (int64_t)((uint64_t)at + (uint64_t)s->target);
	if (s->flow == FLOW_INDIRECT)
		b->indirect = true;
	if (sets_frame(b->code + at, s->size))
		b->frame_pointer = true;
	return true;
}

static int by_target(const void *a, const void *b)
{
	const struct body_jump *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

/* Adds a jump from instruction `from` to byte `to` of the function. Ignores a jump out of the
 * function. An unconditional one is taken for a tail call. Returns false when out of memory. */
static bool add_jump(struct body *b, uint32_t from, int64_t to)
{
	if (to < 0 || (uint64_t)to >= b->len) {
		b->partial |= b->insns.at[from].flow == FLOW_BRANCH;
		return true;
	}
	if (!VEC_ROOM(&b->jumps))
		return false;
	b->jumps.at[b->jumps.n++] = (struct body_jump){ .to = (uint32_t)to, .from = from };
	return true;
}

/* Replaces the targets of all jumps, which are byte offsets, with positions of instructions.
 * Removes jumps into the middle of an instruction. Jumps and instructions are in the order of their
 * offsets, so one pass over both is enough. */
static void settle_jumps(struct body *b)
{
	uint32_t n = 0, passed = 0;

	if (b->jumps.n)
		qsort(b->jumps.at, b->jumps.n, sizeof(*b->jumps.at), by_target);
	for (uint32_t i = 0; i < b->jumps.n; i++) {
		const struct body_jump j = b->jumps.at[i];

		while (passed < b->insns.n && b->insns.at[passed].at <= j.to)
			b->insns.at[passed++].jumps = n;
		if (!passed || b->insns.at[passed - 1].at != j.to) {
			b->partial = true;
			continue;
		}
		b->insns.at[j.from].target = (int32_t)passed - 1;
		b->jumps.at[n++] = (struct body_jump){ .to = passed - 1, .from = j.from };
	}
	b->jumps.n = n;
	while (passed < b->insns.n)
		b->insns.at[passed++].jumps = n;
}

/* Returns the position in b->jumps of the first jump to instruction k or to a later one. k may be
 * the number of instructions. */
static uint32_t jumps_from(const struct body *b, uint32_t k)
{
	return k < b->insns.n ? b->insns.at[k].jumps : b->jumps.n;
}

bool body_init(struct body *b, struct decoder *d, const uint8_t *code, size_t len)
{
	struct insn_step s;
	int64_t target;

	*b = (struct body){ .decoder = d, .code = code, .len = len };
	for (size_t at = 0; at < len; at += s.size) {
		decoder_step(d, code + at, len - at, &s);
		b->partial |= !s.known;
		if (!s.known)
			break;
		if (!add_insn(b, at, &s, &target))
			return false;
		if ((s.flow == FLOW_JUMP || s.flow == FLOW_BRANCH) &&
		    !add_jump(b, b->insns.n - 1, target))
			return false;
	}
	settle_jumps(b);
	return true;
}

void body_release(struct body *b)
{
	free(b->insns.at);
	free(b->jumps.at);
	free(b->operations.at);
	free(b->loops.at);
	*b = (struct body){ 0 };
}

size_t body_bytes(const struct body *b)
{
	return b->insns.cap * sizeof(*b->insns.at) + b->jumps.cap * sizeof(*b->jumps.at) +
	       b->operations.cap * sizeof(*b->operations.at) + b->loops.cap * sizeof(*b->loops.at);
}

int64_t body_find(const struct body *b, size_t at)
{
	uint32_t lo = VEC_LOWER_BOUND(&b->insns, at, at);

	return lo < b->insns.n && b->insns.at[lo].at == at ? (int64_t)lo : BODY_NOWHERE;
}

static bool is_frame(const struct body *b, const struct insn_mem *m)
{
	return m->index < 0 && !m->ip_relative && !m->thread_relative &&
	       (m->base == REG_X86_SP || (b->frame_pointer && m->base == REG_X86_BP));
}

/* Returns the register number (BODY_SLOT and up) that represents the word of the stack frame that
 * *m accesses; -1 if there are too many words. */
static int slot_of(struct body *b, const struct insn_mem *m)
{
	for (uint32_t i = 0; i < b->nslots; i++)
		if (b->slots[i].base == m->base && b->slots[i].disp == m->disp)
			return BODY_SLOT + (int)i;
	if (b->nslots == BODY_SLOTS)
		return -1;
	b->slots[b->nslots].base = m->base;
	b->slots[b->nslots].disp = m->disp;
	return BODY_SLOT + (int)b->nslots++;
}

/* Returns a mask of the stack words that are addressed relative to the stack pointer. When the
 * stack pointer changes, the same displacement means a different word. So an instruction that
 * changes it counts as writing all of these words. */
static uint64_t moved_slots(const struct body *b)
{
	uint64_t slots = 0;

	for (uint32_t i = 0; i < b->nslots; i++)
		if (b->slots[i].base == REG_X86_SP)
			slots |= UINT64_C(1) << i;
	return slots;
}

static void use_slot(struct body *b, const struct insn *i, struct operation *o)
{
	int slot = slot_of(b, &i->mem);

	if (slot < 0)
		return;
	if (i->mem.load)
		regset_add(&o->reads, slot);
	if (i->mem.store)
		regset_add(&o->writes, slot);
	if (i->copies < 0)
		return;
	o->move = i->mem.store ? (struct insn_move){ .to = (int8_t)slot, .from = i->copies }
			       : (struct insn_move){ .to = i->copies, .from = (int8_t)slot };
}

/* Does the instruction certainly access memory, and does i->mem describe where? */
static bool accesses_mem(const struct insn *i)
{
	return !i->conditional && (i->access == ACCESS_ADDRESS || i->mem.elements);
}

static struct operation describe_insn(struct body *b, const struct insn *i)
{
	struct operation o = { .reads = { .regs = i->reads },
			       .writes = { .regs = i->writes },
			       .move = i->move,
			       .sum = i->sum,
			       .constant = i->constant,
			       .compare = i->compare,
			       .mem = i->mem,
			       .obscure = (i->access > ACCESS_ADDRESS && !i->mem.elements) ||
					  i->conditional,
			       .is_mov = i->copies >= 0,
			       .growth = i->growth,
			       .most = i->most,
			       .x87 = i->reads >> INSN_X87 & 1,
			       .math = i->math };

	if (i->flow == FLOW_CALL)
		o.writes.regs |= ~KEPT;
	if (i->writes >> REG_X86_SP & 1)
		o.writes.slots |= moved_slots(b);
	else if (i->access == ACCESS_ADDRESS && is_frame(b, &i->mem))
		use_slot(b, i, &o);
	else
		o.access = accesses_mem(i) && i->flow == FLOW_ON;
	return o;
}

const struct operation *body_operation(struct body *b, uint32_t k)
{
	static const struct operation unknown = { .writes = { ~UINT64_C(0), ~UINT64_C(0) },
						  .move = { .to = -1 },
						  .sum = { .to = -1 },
						  .constant = { .to = -1 },
						  .compare = { .reg = -1 },
						  .obscure = true };
	struct body_insn *i = &b->insns.at[k];
	struct insn insn;

	if (i->operation)
		return &AT_ID(b->operations, i->operation);
	if (!VEC_ROOM(&b->operations)) {
		b->nomem = true;
		return &unknown;
	}
	if (decoder_insn(b->decoder, b->code + i->at, b->len - i->at, &insn))
		b->operations.at[b->operations.n++] = describe_insn(b, &insn);
	else
		b->operations.at[b->operations.n++] = unknown;
	i->operation = b->operations.n;
	return &AT_ID(b->operations, i->operation);
}

/* Returns the index in b->jumps of the first jump to instruction k, and sets *count to the number
 * of these jumps. */
static uint32_t jumps_to(const struct body *b, uint32_t k, uint32_t *count)
{
	const uint32_t first = jumps_from(b, k);

	*count = jumps_from(b, k + 1) - first;
	return first;
}

/* Does instruction k only align the next one? Compilers put such instructions, which do nothing,
 * before the heads of loops. A sequence of them follows an instruction that never continues with
 * the next one, and no jump leads into the sequence. So they never run, and the instruction after
 * them is reached only by jumps. */
static bool is_padding(struct body *b, uint32_t k)
{
	for (int i = 0; i < LONGEST_PADDING; i++, k--) {
		const struct operation *o = body_operation(b, k);
		uint32_t count;

		jumps_to(b, k, &count);
		if (count || b->insns.at[k].flow != FLOW_ON || o->access || regset_any(o->writes))
			return false;
		if (!k || !body_falls_through(&b->insns.at[k - 1]))
			return k;
	}
	return false;
}

/* May an indirect jump lead to instruction k? Compilers put the cases of a switch after code that
 * does not continue there. Cases into which the one before runs on are so rare that they are
 * neglected: then the samples of a case would have addresses of the one before, too. */
static bool may_be_case(struct body *b, uint32_t k)
{
	return b->indirect &&
	       (!k || !body_falls_through(&b->insns.at[k - 1]) || is_padding(b, k - 1));
}

/* Stores in out[] the instructions to which an indirect jump may lead, and returns their number. */
static uint32_t add_cases(struct body *b, uint32_t *out)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < b->insns.n; k++)
		if (may_be_case(b, k))
			out[n++] = k;
	return n;
}

/* Can instruction `to` be reached from `from` without passing `avoid`? `from` itself may be
 * `avoid`. */
static bool is_reachable(struct body *b, uint32_t from, uint32_t to, uint32_t avoid)
{
	uint32_t n = b->insns.n, depth = 0;
	uint8_t *seen = calloc(n, 1);
	uint32_t *todo = malloc(3 * (size_t)n * sizeof(*todo));
	bool cases = false; /* whether add_cases() was called */

	if (!seen || !todo) {
		b->nomem = true;
		free(seen);
		free(todo);
		return false;
	}
	seen[avoid] = avoid != from;
	todo[depth++] = from;
	while (depth) {
		uint32_t k = todo[--depth];
		const struct body_insn *i = &b->insns.at[k];

		if (seen[k])
			continue;
		seen[k] = 1;
		if (i->target != BODY_NOWHERE && !seen[i->target])
			todo[depth++] = (uint32_t)i->target;
		if (body_falls_through(i) && k + 1 < n && !seen[k + 1])
			todo[depth++] = k + 1;
		if (i->flow == FLOW_INDIRECT && !cases) {
			depth += add_cases(b, todo + depth);
			cases = true;
		}
	}
	depth = seen[to];
	free(seen);
	free(todo);
	return depth;
}

/* Does the step from instruction `from` to `head` close a loop that is entered only at `head`? It
 * does if `head` leads to `from`, and `from` cannot be reached without passing `head`. The step may
 * be a jump back, or go on to the next instruction. */
static bool closes_loop(struct body *b, uint32_t from, uint32_t head)
{
	bool back = from >= head, searched = b->insns.n <= LARGEST_SEARCH;
	bool closes = back;

	for (uint32_t i = 0; i < b->loops.n; i++)
		if (b->loops.at[i].from == from && b->loops.at[i].to == head)
			return b->loops.at[i].closes;
	searched = searched && head && b->loops.n < MOST_SEARCHES;
	if (searched)
		closes = !is_reachable(b, 0, from, head) && is_reachable(b, head, from, head);
	if (b->loops.n < MOST_SEARCHES && VEC_ROOM(&b->loops))
		b->loops.at[b->loops.n++] = (struct body_loop){ from, head, closes };
	return closes;
}

/* Can a loop contain the instructions `from` and k, but not the instruction `entry`? Returns false
 * if `entry` does not come before both. Considers only the positions of jumps and of their
 * targets. */
static bool may_enter(const struct body *b, uint32_t entry, uint32_t from, uint32_t k)
{
	const uint32_t first = jumps_from(b, entry + 1);

	for (uint32_t i = first; i < b->jumps.n && b->jumps.at[i].to <= from; i++)
		if (i - first == MOST_INSIDE || b->jumps.at[i].from >= k)
			return i - first < MOST_INSIDE;
	return false;
}

/* Does instruction k run repeatedly after `from`, and only seldom after another instruction?
 * `entry` is the first instruction that jumps to k; k if there is none. */
static bool is_repeated(struct body *b, uint32_t from, uint32_t k, uint32_t entry)
{
	return (from >= k || may_enter(b, entry, from, k)) && closes_loop(b, from, k);
}

int body_all_before(struct body *b, uint32_t k, uint32_t out[BODY_WAYS])
{
	uint32_t count, first = jumps_to(b, k, &count);
	int n = 0;

	if (b->indirect || b->partial || count >= BODY_WAYS)
		return BODY_NOWHERE;
	if (k && body_falls_through(&b->insns.at[k - 1]) && !(count && is_padding(b, k - 1)))
		out[n++] = k - 1;
	for (uint32_t i = 0; i < count; i++)
		out[n++] = b->jumps.at[first + i].from;
	return n;
}

/* Finds the instructions that may have run just before instruction k. If `repeats` is set, finds
 * only those that close a loop whose head is k; if not, finds only the others. Returns their
 * number; if there are more than BODY_WAYS, returns BODY_WAYS + 1. */
static unsigned find_ways(struct body *b, uint32_t k, bool repeats, struct body_way *out)
{
	uint32_t count, first = jumps_to(b, k, &count), entry = count ? b->jumps.at[first].from : k;
	bool falls =
		k && body_falls_through(&b->insns.at[k - 1]) && !(count && is_padding(b, k - 1));
	unsigned n = 0;

	for (uint32_t i = falls ? 0 : 1; i <= count; i++) {
		uint32_t from = i ? b->jumps.at[first + i - 1].from : k - 1;

		if (is_repeated(b, from, k, entry) != repeats)
			continue;
		if (n == BODY_WAYS)
			return n + 1;
		out[n++] = (struct body_way){ .from = from, .around = repeats };
	}
	return n;
}

/* Are the instructions that may have run just before instruction k unknown? */
static bool is_unknown_before(struct body *b, uint32_t k)
{
	uint32_t count;

	jumps_to(b, k, &count);
	return count > MOST_JUMPS || (k && b->insns.at[k - 1].flow == FLOW_CALL);
}

unsigned body_before(struct body *b, uint32_t k, struct body_way out[BODY_WAYS])
{
	unsigned n;

	if (is_unknown_before(b, k))
		return 0;
	n = find_ways(b, k, true, out);
	if (!n && !may_be_case(b, k))
		n = find_ways(b, k, false, out);
	return n <= BODY_WAYS ? n : 0;
}

unsigned body_entries(struct body *b, uint32_t k, struct body_way out[BODY_WAYS])
{
	unsigned n = is_unknown_before(b, k) || may_be_case(b, k) ? 0 : find_ways(b, k, false, out);

	return n <= BODY_WAYS ? n : 0;
}
