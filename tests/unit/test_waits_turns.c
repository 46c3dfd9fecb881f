/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how often a loop runs, from the iterations that remain in samples, and how long an
 * iteration takes, from its counter in successive samples. */
#include "waits/turns.h"

#include "check_main.h"
#include "random.h"

enum { PERIOD = 1000000, LATE = 3 * PERIOD };

static const struct turns_count first = {
	.thread = 1, .counter = 100, .adds = 2, .time = 1, .period = PERIOD
};

static double time_of(const struct turns *t)
{
	return turns_time(t, 1, first.adds, 1);
}

/* Reports n samples, each `after` ns later, with the counter `more` higher. */
static void report(struct turns *t, struct turns_count *c, unsigned n, uint64_t more,
		   uint64_t after)
{
	for (unsigned i = 0; i < n; i++) {
		c->time += after;
		c->counter += more;
		turns_counted(t, 1, c);
	}
}

/* 20,000 iterations in each ms are 50 ns for each. Samples of another thread and pauses, after
 * which the time says nothing, do not disturb. */
START_TEST(a_counter_goes_on)
{
	struct turns t = { 0 };
	struct turns_count c = first, other = first;

	ck_assert_uint_eq(turns_loop(&t, 1, 64), 1);
	report(&t, &c, 5, 40000, PERIOD);
	ck_assert_double_eq(time_of(&t), 0); /* too few */
	other.thread = 2;
	for (int i = 0; i < 100; i++) {
		report(&t, &c, 1, 40000, PERIOD);
		report(&t, &other, 1, 40000, PERIOD);
		report(&t, &c, 1, 17, LATE);
	}
	ck_assert_double_eq_tol(time_of(&t), 50, 0.01);
	turns_release(&t);
}
END_TEST

/* The counter goes down. */
START_TEST(a_counter_may_go_down)
{
	struct turns t = { 0 };
	struct turns_count c = first;

	turns_loop(&t, 1, 64);
	c.adds = -2;
	c.counter = 1 << 30;
	report(&t, &c, 100, -(uint64_t)40000, PERIOD);
	ck_assert_double_eq_tol(turns_time(&t, 1, c.adds, 1), 50, 0.01);
	turns_release(&t);
}
END_TEST

/* Each run of the loop has 1,000 iterations and is over long before the next sample, whose counter
 * is by chance higher or lower. */
START_TEST(a_counter_of_short_runs_says_nothing)
{
	struct turns t = { 0 };
	struct turns_count c = first;

	turns_loop(&t, 1, 64);
	for (uint32_t i = 0; i < 1000; i++) {
		c.time += PERIOD;
		c.counter = i * 1237 % 1000 * 2;
		turns_counted(&t, 1, &c);
	}
	ck_assert_double_eq(time_of(&t), 0);
	/* the same if it is always higher */
	turns_release(&t);
	t = (struct turns){ 0 };
	turns_loop(&t, 1, 64);
	c.counter = 0;
	report(&t, &c, 500, 2, PERIOD);
	ck_assert_double_eq(time_of(&t), 0);
	turns_release(&t);
}
END_TEST

/* Two loops take turns for each row of a matrix. The pointer of the first has always gone on, but
 * in each sample another row ends elsewhere. */
START_TEST(a_counter_may_go_on_in_another_run)
{
	struct turns t = { 0 };
	struct turns_count c = first;

	turns_loop(&t, 1, 64);
	for (uint64_t i = 0; i < 1000; i++) {
		c.run = i;
		report(&t, &c, 1, 40000, PERIOD);
	}
	ck_assert_double_eq(time_of(&t), 0);
	turns_release(&t);
}
END_TEST

/* A run of the loop takes 1.6 times as long as the time between two samples, so two of three
 * samples are in another run than the one before, in which the counter is lower. If other runs are
 * shorter, it may be higher, too. */
START_TEST(equal_runs_may_be_short)
{
	struct turns t = { 0 };
	struct turns_count c = first;

	turns_loop(&t, 1, 64);
	for (uint64_t i = 1; i <= 1000; i++) {
		c.time += PERIOD;
		c.counter = i * 20000 % 32000 * 2;
		turns_counted(&t, 1, &c);
		turns_saw(&t, 1, 32000 - (double)c.counter / 2);
	}
	ck_assert_double_eq_tol(turns_equal(&t, 1), 32000, 3000);
	ck_assert_double_eq(turns_time(&t, 1, c.adds, 1), 0);
	ck_assert_double_eq_tol(turns_time(&t, 1, c.adds, 40), 50, 0.01);
	for (int i = 0; i < 1000; i++)
		turns_saw(&t, 1, 1 + i % 100);
	ck_assert_double_eq(turns_equal(&t, 1), 0);
	ck_assert_double_eq(turns_time(&t, 1, c.adds, 40), 0);
	turns_release(&t);
}
END_TEST

/* The counter is a pointer into the rows of a matrix, each of which the loop passes through in a
 * hundredth of the time between two samples: all runs are equally long, and those of a column have
 * the same fixed registers. The pointer of the next sample is higher in half of the cases. */
START_TEST(unrelated_equal_runs_say_nothing)
{
	struct turns t = { 0 };
	struct turns_count c = first;
	uint64_t state = 1;

	turns_loop(&t, 1, 64);
	for (uint64_t i = 0; i < 1000; i++) {
		const uint64_t at = (random_next(&state) >> 33) % 400;

		c.time += PERIOD;
		c.run = i / 10;
		c.counter = (c.run * 40000 + at) * 2;
		turns_counted(&t, 1, &c);
		turns_saw(&t, 1, 400 - (double)at);
	}
	ck_assert_double_gt(turns_equal(&t, 1), 0);
	ck_assert_double_eq(time_of(&t), 0);
	turns_release(&t);
}
END_TEST

/* Each run of the loop takes 3.2 times as long as the time between two samples. An iteration takes
 * 50 ns, but could take 1, so the range of the counter proves nothing. Two of three samples are in
 * the run of the one before, and a fixed register differs in all runs. */
START_TEST(fixed_registers_tell_runs)
{
	struct turns t = { 0 };
	struct turns_count c = first;
	uint64_t state = 1;

	turns_loop(&t, 1, 64);
	for (uint64_t i = 1; i <= 1000; i++) {
		c.time += PERIOD;
		c.run = i * 20000 / 64000;
		c.counter = i * 20000 % 64000 * 2;
		turns_counted(&t, 1, &c);
	}
	ck_assert_double_eq_tol(time_of(&t), 50, 0.01);
	/* if it has the same value in many runs, they are unrelated */
	for (uint64_t i = 1; i <= 1000; i++) {
		c.time += PERIOD;
		c.run = i / 2;
		c.counter = (random_next(&state) >> 33) % 64000 * 2;
		turns_counted(&t, 1, &c);
	}
	ck_assert_double_eq(time_of(&t), 0);
	turns_release(&t);
}
END_TEST

/* An iteration of an outer loop takes four times as long as the time between two samples. */
START_TEST(iterations_may_be_long)
{
	struct turns t = { 0 };
	struct turns_count c = first;

	turns_loop(&t, 1, 64);
	for (uint64_t i = 1; i <= 1000; i++)
		report(&t, &c, 1, i % 4 ? 0 : 2, PERIOD);
	ck_assert_double_eq_tol(turns_time(&t, 1, c.adds, 1e6), 4e6, 4e4);
	turns_release(&t);
}
END_TEST

/* Short runs, from -8,000 up to 0: the counter is far from 0 only if it counts as unsigned. */
START_TEST(a_counter_may_be_negative)
{
	struct turns t = { 0 };
	struct turns_count c = first;

	turns_loop(&t, 1, 64);
	for (uint32_t i = 0; i < 1000; i++) {
		const uint32_t left = 1 + i * 1237 % 4000;

		c.time += PERIOD;
		c.counter = (uint64_t) - (int64_t)(2 * (left - 1));
		turns_counted(&t, 1, &c);
		turns_saw(&t, 1, left);
	}
	ck_assert_double_gt(turns_equal(&t, 1), 0);
	ck_assert_double_eq(time_of(&t), 0);
	turns_release(&t);
}
END_TEST

/* Registers may have any value. */
START_TEST(counters_do_not_overflow)
{
	struct turns t = { 0 };
	struct turns_count c = first;

	turns_loop(&t, 1, 64);
	c.adds = -1;
	for (int i = 0; i < 10; i++)
		report(&t, &c, 1, UINT64_C(1) << 63, PERIOD);
	ck_assert_double_ge(turns_time(&t, 1, c.adds, 1), 0);
	turns_release(&t);
}
END_TEST

START_TEST(a_loop_has_a_part_of_the_samples)
{
	struct turns t = { 0 };
	struct turns_count c = first;

	turns_loop(&t, 1, 64);
	turns_loop(&t, 1, 128);
	ck_assert_double_eq(turns_part(&t, 1, 2), 0);
	for (int i = 0; i < 100; i++) {
		if (i % 4)
			turns_counted(&t, 1, &c);
		turns_counted(&t, 2, &c);
	}
	ck_assert_double_eq(turns_part(&t, 1, 2), 0.75);
	turns_release(&t);
}
END_TEST

START_TEST(half_of_the_iterations_remain)
{
	struct turns t = { 0 };
	const uint32_t loop = turns_loop(&t, 1, 100), other = turns_loop(&t, 1, 200);

	ck_assert_uint_ne(loop, other);
	ck_assert_uint_eq(turns_loop(&t, 1, 100), loop);
	ck_assert_uint_ne(turns_loop(&t, 2, 100), loop);
	for (int i = 0; i < 7; i++)
		turns_saw(&t, loop, i);
	ck_assert(turns_usual(&t, loop) == 0);
	for (int i = 0; i < 320; i++)
		turns_saw(&t, other, 1 + i % 32);
	ck_assert_double_eq_tol(turns_usual(&t, other), 32, 1e-9);
	turns_release(&t);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_turns");
	TCase *t = tcase_create("waits_turns");

	tcase_add_test(t, half_of_the_iterations_remain);
	tcase_add_test(t, a_counter_goes_on);
	tcase_add_test(t, a_counter_may_go_down);
	tcase_add_test(t, a_counter_of_short_runs_says_nothing);
	tcase_add_test(t, a_counter_may_go_on_in_another_run);
	tcase_add_test(t, equal_runs_may_be_short);
	tcase_add_test(t, unrelated_equal_runs_say_nothing);
	tcase_add_test(t, fixed_registers_tell_runs);
	tcase_add_test(t, iterations_may_be_long);
	tcase_add_test(t, a_counter_may_be_negative);
	tcase_add_test(t, counters_do_not_overflow);
	tcase_add_test(t, a_loop_has_a_part_of_the_samples);
	suite_add_tcase(s, t);
	return run_suite(s);
}
