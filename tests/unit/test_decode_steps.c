/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests the decoder against the CPU. A child is single-stepped through its own code, libc and the
 * dynamic linker. Before each step, the decoder predicts which bytes the instruction will access.
 * Debug registers watch the first and last of these bytes and their two neighbours, so that the CPU
 * confirms or refutes the prediction. After the step, the decoder must find the same address from
 * the new registers, or report that it cannot. No register that the decoder called unchanged may
 * have changed.
 */
#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__)

#include <inttypes.h>
#include <signal.h>

#include "check_main.h"
#include "decode_trace.h"
#include "decode_workload.h"

enum {
	MOST_STEPS = 60000,
	MOST_MISSED = 3, /* maximum of unreported accesses, of at least 1,000 */
};

struct run {
	struct trace trace;
	/* An access that the decoder predicted for a later instruction; later_ip is 0 if there
	 * is none. */
	uint64_t later_ip, later_address;
	int later_steps;
	long steps, watched, retired, later;
};

/* After the instruction has run, queries the decoder for the address of the instruction's operand.
 * The decoder must compute the same address from the new registers, or report that it cannot be
 * computed from them. `size` is the length of the instruction. */
static void check_retired(struct run *r, size_t size)
{
	const struct dec_recipe *n = &r->trace.before.next;
	struct place behind = r->trace.now;
	struct dec_recipe b;

	decoder_recipe(r->trace.decoder, 0, r->trace.before.code, size + 1, size, true, &b);
	behind.next = b;
	if (b.source != ADDR_RETIRED)
		return;
	ck_assert_msg(trace_touches(&r->trace.before), "%s was no access",
		      trace_bytes(&r->trace.before));
	ck_assert_msg(trace_address(&behind) == trace_address(&r->trace.before),
		      "%s at %#" PRIx64 ": %#" PRIx64 " before, %#" PRIx64 " behind",
		      trace_bytes(&r->trace.before), r->trace.before.ip,
		      trace_address(&r->trace.before), trace_address(&behind));
	ck_assert(b.load == n->load && b.store == n->store && b.lock == n->lock);
	ck_assert_int_eq(b.bytes, n->bytes);
	r->retired++;
}

/* If the decoder predicted an access of this instruction some steps ago, checks that the address
 * was right. */
static void check_later(struct run *r)
{
	const struct place *p = &r->trace.now;

	if (r->later_ip == p->ip) {
		ck_assert(trace_touches(p));
		ck_assert_msg(r->later_address == trace_address(p), "%s at %#" PRIx64,
			      trace_bytes(p), p->ip);
		r->later_ip = 0;
		r->later++;
	}
	/* One string instruction with rep takes many steps, so only a step to a different address
	 * counts. */
	if (r->later_ip && p->ip != r->trace.before.ip)
		ck_assert_int_lt(++r->later_steps, 65);
	if (r->later_ip || p->next.source != ADDR_NEXT || !p->next.insn_offset)
		return;
	r->later_ip = p->ip + p->next.insn_offset;
	r->later_address = trace_address(p);
	r->later_steps = 0;
}

/* Executes one instruction of the child and checks the decoder. Returns false if the child has
 * ended. */
static bool step(struct run *r)
{
	struct trace *t = &r->trace;
	bool watching = t->watching && trace_touches(&t->now);
	struct insn i;
	int signal_number;

	if (watching)
		ck_assert_msg(trace_watch(t), "%#" PRIx64 " of %s is no address",
			      trace_address(&t->now), trace_bytes(&t->now));
	signal_number = trace_step(t);
	if (signal_number < 0)
		return false;
	ck_assert_int_eq(signal_number, SIGTRAP);
	r->steps++;
	if (watching)
		r->watched += trace_check_touched(t, true);
	if (!x86_decode(&t->x86, t->before.code, t->before.len, &i))
		return true;
	if (i.flow == FLOW_ON || t->now.ip == t->before.ip + i.size)
		trace_check_registers(t, &i, true);
	if (i.flow == FLOW_ON && t->now.ip == t->before.ip + i.size)
		check_retired(r, i.size);
	check_later(r);
	return true;
}

/* Steps through part _i of the workload. The decoder must be right before and after each
 * instruction. */
START_TEST(the_cpu_agrees)
{
	struct run r = { 0 };

	trace_open(&r.trace, workload_parts[_i].run);
	r.trace.may_miss = MOST_MISSED;
	while (r.steps < MOST_STEPS && step(&r))
		;
	printf("%s: %ld steps, %ld accesses watched, %ld retired, %ld further on\n",
	       workload_parts[_i].name, r.steps, r.watched, r.retired, r.later);
	ck_assert_int_ge(r.steps, workload_parts[_i].steps);
	ck_assert_int_ge(r.retired, 1000);
	if (r.trace.watching)
		ck_assert_int_ge(r.watched, 1000);
	trace_close(&r.trace);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("decode_steps");
	TCase *t = tcase_create("decode_steps");

	if (!trace_allowed())
		return TRACE_SKIP;
	tcase_set_timeout(t, 240);
	tcase_add_loop_test(t, the_cpu_agrees, 0, WORKLOAD_PARTS);
	suite_add_tcase(s, t);
	return run_suite(s);
}

#else

int main(void)
{
	printf("skip: steps through x86-64 instructions\n");
	return 77;
}

#endif
