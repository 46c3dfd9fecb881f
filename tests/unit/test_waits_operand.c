/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what the samples of one operand show about it. */
#include "waits/operand.h"

#include "check_main.h"
#include "random.h"

/* Returns the rate of an operand that goes up by 2 bytes per ns, but is in another object for one
 * sample in `other`. */
static double rate_of(unsigned other)
{
	struct account_sample s = { .thread = 1, .period = 1000 };
	struct operand o = { .step = 16, .bytes = 16 };
	double rate;

	for (unsigned i = 0; i < 1000; i++) {
		s.time += s.period;
		ck_assert(operand_saw(&o, &s, i * UINT64_C(2000), i % other ? 1 : 2));
	}
	operand_judge(&o);
	rate = o.access.rate;
	operand_release(&o);
	return rate;
}

/* A loop that goes through the rows of a large array, and for each also through work arrays,
 * advances much faster than the rows do. */
START_TEST(a_rate_is_that_of_one_object)
{
	ck_assert_double_eq_tol(rate_of(100), 2, 0.1);
	ck_assert_double_eq(rate_of(3), 0);
}
END_TEST

/* Returns the footprint of an operand whose object is a table of 16 KiB. Each table replaces one
 * that is elsewhere, so the addresses spread over 256 MiB. */
static double footprint_of(uint64_t extent)
{
	struct account_sample s = { .thread = 1, .period = 1000, .extent = extent };
	struct operand o = { .step = WAIT_NO_STEP, .bytes = 8 };
	uint64_t state = 0;
	double footprint;

	for (uint64_t i = 0; i < 2000; i++) {
		s.time += s.period;
		ck_assert(operand_saw(&o, &s, i / 4 * 7 % 64 << 22 | random_next(&state) >> 50, 1));
	}
	operand_judge(&o);
	footprint = o.access.footprint;
	operand_release(&o);
	return footprint;
}

START_TEST(a_block_may_replace_another_one)
{
	ck_assert_double_gt(footprint_of(0), 512 << 10);
	ck_assert_double_le(footprint_of(16 << 10), 17 << 10);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_operand");
	TCase *t = tcase_create("waits_operand");

	tcase_add_test(t, a_rate_is_that_of_one_object);
	tcase_add_test(t, a_block_may_replace_another_one);
	suite_add_tcase(s, t);
	return run_suite(s);
}
