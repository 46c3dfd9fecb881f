/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how a sample shows that a conditional jump went the other way. In
 *
 *	test %edi,%edi; je next; cmpb $0,(%r8,%rcx,1); jne found; next: add $1,%rdx
 *
 * %edi is 0 in a sample at the add only if the je jumped. Then the cmpb did not run, although the
 * registers give an address for it. */
#include <string.h>

#include "base/count.h"
#include "decode/perf_regs.h"
#include "waits/loop.h"
#include "waits/search.h"

enum {
	MOST_BETWEEN = 4, /* instructions between a comparison and its jump, which keep the flags */
	MOST_GUARDED = 16, /* instructions before a candidate among which jumps are looked for */
};

/* Returns the condition of a conditional jump, as the number that its code has; -1 if the jump
 * depends on a register instead, as loop and jrcxz do. */
static int condition_of(const uint8_t *code, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		if (code[i] >= 0x70 && code[i] <= 0x7f)
			return code[i] & 15;
		if (i + 1 < size && code[i] == 0x0f)
			return code[i + 1] >= 0x80 && code[i + 1] <= 0x8f ? code[i + 1] & 15 : -1;
		if (code[i] != 0x2e && code[i] != 0x3e && code[i] != 0xf2) /* not a prefix */
			return -1;
	}
	return -1;
}

/* Can wait_test_is_true() decide the condition? Not overflow and parity. An addition sets carry and
 * overflow in another way than a comparison of its result with 0. */
static bool is_decidable(int condition, bool adds)
{
	const int kind = condition & ~1;

	return kind == CONDITION_EQUAL || kind == CONDITION_NEGATIVE ||
	       (!adds && kind != CONDITION_OVERFLOW && kind != CONDITION_PARITY);
}

/* Finds the instruction that has set the flags for the jump `from`. Changes the values of registers
 * before the jump to those after that instruction; v may be NULL. */
static const struct operation *find_comparison(struct body *b, uint32_t from, struct values *v)
{
	struct body_way way[BODY_WAYS];
	uint32_t k = from;

	for (int i = 0; i <= MOST_BETWEEN && body_before(b, k, way) == 1 && !way[0].around; i++) {
		const struct operation *o = body_operation(b, k = way[0].from);

		if (regset_has(&o->writes, REG_X86_FLAGS))
			return o->compare.reg >= 0 ? o : NULL;
		if (v)
			values_back(v, o);
	}
	return NULL;
}

bool taken_find(struct body *b, uint32_t from, uint32_t to, const struct values *v,
		struct wait_test *out)
{
	const struct body_insn *jump = &b->insns.at[from];
	const bool jumps = jump->target == (int64_t)to;
	const int condition = condition_of(b->code + jump->at, jump->size);
	struct values values = *v;
	const struct operation *o;

	if (jump->flow != FLOW_BRANCH || condition < 0 || (jumps && to == from + 1))
		return false;
	o = find_comparison(b, from, &values);
	if (!o || !is_decidable(condition, regset_has(&o->writes, o->compare.reg)))
		return false;
	memset(out, 0, sizeof(*out)); /* tests are compared as bytes */
	out->half = o->compare.wraps32;
	/* the candidates did not run if the condition does not hold, or if it does */
	out->condition = (uint8_t)(condition ^ (jumps ? 1 : 0));
	out->against.base.reg = out->against.index.reg = -1;
	out->against.disp = o->compare.value;
	return values_term(&values, o->compare.reg, &out->value) &&
	       values_term(&values, o->compare.with, &out->against.base);
}

uint32_t before_test(struct before *b, const struct wait_test *t)
{
	uint32_t i = 0;

	while (i < b->ntests && memcmp(&b->tests[i], t, sizeof(*t)))
		i++;
	if (i == WAIT_TESTS)
		return 0;
	b->tests[i] = *t;
	b->ntests += i == b->ntests;
	return UINT32_C(1) << i;
}

uint32_t taken_guards(struct body *b, uint32_t k, const struct values *v, struct before *out)
{
	struct values values = *v;
	struct body_way way[BODY_WAYS];
	struct wait_test t;
	uint32_t tests = 0;

	for (int i = 0; i < MOST_GUARDED && body_before(b, k, way) == 1 && !way[0].around; i++) {
		if (taken_find(b, way[0].from, k, &values, &t))
			tests |= before_test(out, &t);
		values_back(&values, body_operation(b, k = way[0].from));
	}
	return tests;
}

/* Does the loop leave the values alone that decide the conditional jump? */
static bool is_fixed(struct body *b, const struct loop *l, uint32_t jump)
{
	const struct regset written = loop_writes(b, l);
	const struct operation *o =
		b->insns.at[jump].flow == FLOW_BRANCH ? find_comparison(b, jump, NULL) : NULL;

	return o && !regset_has(&written, o->compare.reg) &&
	       (o->compare.with < 0 || !regset_has(&written, o->compare.with));
}

void taken_fixed(struct body *b, uint32_t k, struct fixed_jumps *out)
{
	struct body_way way[BODY_WAYS];
	struct loop l;

	out->n = 0;
	if (!loop_find(b, k, &l))
		return;
	for (int i = 0; i < MOST_GUARDED && body_before(b, k, way) == 1 && !way[0].around; i++) {
		const uint32_t from = way[0].from;

		if (out->n < COUNT_OF(out->at) && loop_has(&l, from) && is_fixed(b, &l, from)) {
			out->at[out->n].from = from;
			out->at[out->n++].to = k;
		}
		k = from;
	}
}
