/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of plans (waits/waits.h): a decoder, plans of machine code, and plans as text. */
#ifndef MEMDB_TESTS_WAITS_FIXTURE_H
#define MEMDB_TESTS_WAITS_FIXTURE_H

#include "waits/waits.h"

#include <inttypes.h>
#include <stdio.h>

#include "decoder_fixture.h"

static struct waits *waits;

static void open_waits(void)
{
	struct md_err err = { 0 };

	open_decoder();
	ck_assert_msg(waits_open(decoder, DEC_X86_64, &waits, &err) == 0, "%s", err.msg);
}

static void close_waits(void)
{
	waits_close(waits);
	close_decoder();
}

static size_t term_text(char *s, size_t size, const struct wait_term *t, unsigned scale)
{
	static const char *const names[] = { "ax", "bx", "cx",  "dx",  "si",  "di",  "bp",  "sp",
					     "ip", "",   "",    "",    "",    "",    "",    "",
					     "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };
	size_t n = 0;

	if (t->reg < 0)
		return 0;
	n += snprintf(s, size, t->add ? "(%s%+d)%s" : "%s", names[t->reg], t->add,
		      t->wraps32 ? "u" : "");
	if (scale > 1)
		n += snprintf(s + n, size - n, "*%u", scale);
	return n;
}

static size_t address_text(char *s, size_t size, const struct wait_address *a)
{
	size_t n = term_text(s, size, &a->base, 1);

	if (a->index.reg >= 0) {
		n += snprintf(s + n, size - n, "+");
		n += term_text(s + n, size - n, &a->index, a->scale);
	}
	if (a->ip_relative)
		n += snprintf(s + n, size - n, "ip");
	if (a->disp)
		n += snprintf(s + n, size - n, "%+" PRId64, a->disp);
	return n;
}

/* Returns the tests of the plan, as text, and behind each test the offsets of the candidates that
 * did not run if it is true: "ax=0: 6 2". A "u" before the second value stands for an unsigned
 * comparison, an "l" before it for one of the lower halves. */
static inline const char *tests_of(const struct wait_plan *p)
{
	static const char *const conditions[] = { "",    "",   "<u",  ">=u",  "=", "!=",
						  "<=u", ">u", "<0 ", ">=0 ", "",  "",
						  "<",   ">=", "<=",  ">" };
	static char s[512];
	size_t n = 0;

	s[0] = 0;
	for (unsigned i = 0; i < p->ntests; i++) {
		const struct wait_test *t = &p->tests[i];

		n += snprintf(s + n, sizeof(s) - n, i ? "; " : "");
		n += term_text(s + n, sizeof(s) - n, &t->value, 1);
		n += snprintf(s + n, sizeof(s) - n, "%s%s", conditions[t->condition],
			      t->half ? "l" : "");
		n += address_text(s + n, sizeof(s) - n, &t->against);
		if (t->against.base.reg < 0 && !t->against.ip_relative && !t->against.disp)
			n += snprintf(s + n, sizeof(s) - n, "0");
		n += snprintf(s + n, sizeof(s) - n, ":");
		for (unsigned c = 0; c < p->n; c++)
			if (p->candidates[c].tests >> i & 1)
				n += snprintf(s + n, sizeof(s) - n, " %u", p->candidates[c].insn);
	}
	return s;
}

#define TESTS(code, at) tests_of(plan_at(code, sizeof(code) - 1, at))

/* Returns a plan as text, for example "own di+cx*8, flow si+ax*8": for each operand that the
 * instruction may wait for, why it may wait, and the formula of the address. If several code paths
 * lead to the instruction, "|" separates their operands. */
static inline const char *text_of(const struct wait_plan *p)
{
	static const char *const how[] = { "own",    "flow",   "carried", "window",
					   "stored", "beside", "entry" };
	static const char *const by[] = { "gone", "", "copy ", "next ", "base " };
	static char s[1024];
	size_t n = 0;

	s[0] = 0;
	for (unsigned i = 0; i < p->n; i++) {
		const struct wait_candidate *c = &p->candidates[i];

		n += snprintf(s + n, sizeof(s) - n, "%s%s%s %s",
			      !i                                   ? ""
			      : c->way == p->candidates[i - 1].way ? ", "
								   : " | ",
			      how[c->how], !c->load ? "(store)" : "", by[c->by]);
		if (c->by != WAIT_BY_NOTHING)
			n += address_text(s + n, sizeof(s) - n, &c->address);
		if (c->apart || c->indexed)
			n += snprintf(s + n, sizeof(s) - n, " (its own: %+d%s)", c->apart,
				      c->indexed ? " + index" : "");
		if (c->loop)
			n += snprintf(s + n, sizeof(s) - n, " loop %u", c->loop);
	}
	return s;
}

static const struct wait_plan *plan_at(const char *bytes, size_t len, size_t at)
{
	static uint64_t key;
	const struct wait_plan *plan;
	static uint8_t *code;

	free(code);
	code = copy_exact(bytes, len);
	ck_assert_int_eq(waits_plan(waits, ++key, code, len, at, &plan), 0);
	return plan;
}

#define AT(code, at) text_of(plan_at(code, sizeof(code) - 1, at))

#endif
