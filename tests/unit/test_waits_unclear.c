/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which samples are a cost if it is not clear whether they are a wait. */
#include "account_fixture.h"

/* The instruction is in no loop, and its two operands in the second-level cache have equal waits:
 * of each, half of the samples are a cost. So are half of many waits with one sample each. */
START_TEST(half_of_the_unclear_samples_of_each_operand_cost)
{
	const struct wait_candidate two[] = {
		{ .insn = 4, .how = WAIT_OWN, .bytes = 8, .load = true },
		{ .insn = 0, .how = WAIT_FLOW, .bytes = 8, .load = true },
	};
	const struct wait_plan p = { .ways = 1, .n = 2, .candidates = two };
	struct account *a = open_account();
	uint32_t place = account_place(a, &p, 1, 4096), wait;
	struct account_sample s = { .thread = 1, .period = 100000 };
	struct account_deal d;
	unsigned n[2] = { 0 }, costless[2] = { 0 }, rare = 0;

	for (int i = 0; i < 4000; i++, s.time += s.period)
		account_saw(a, place, i % 2, &s, next_random() % (400 * KIB), 1 + i % 2);
	wait = account_wait(a, place, 1, (uint32_t[]){ 1, 2 });
	for (int i = 0; i < 1000; i++) {
		account_deal(a, wait, 1000, &d);
		ck_assert_int_eq(d.level, WAIT_UNCLEAR);
		n[d.candidate]++;
		costless[d.candidate] += d.costless;
	}
	for (int i = 0; i < 2; i++) {
		ck_assert_uint_ge(n[i], 450);
		ck_assert_uint_ge(costless[i], n[i] / 2 - 1);
		ck_assert_uint_le(costless[i], n[i] / 2 + 1);
	}
	for (uint32_t i = 0; i < 1000; i++) {
		account_deal(a, account_wait(a, place, 1, (uint32_t[]){ 1, 3 + i }), 1000, &d);
		rare += d.costless;
	}
	ck_assert_uint_ge(rare, 450);
	ck_assert_uint_le(rare, 550);
	account_close(a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_unclear");
	TCase *t = tcase_create("waits_unclear");

	tcase_add_test(t, half_of_the_unclear_samples_of_each_operand_cost);
	suite_add_tcase(s, t);
	return run_suite(s);
}
