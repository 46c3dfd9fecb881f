/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests when the recording of page faults pauses, by times that are made up. */
#include "record/fault_storm.h"

#include "check_main.h"

static const uint64_t ms = 1000000;

/* Starts n processes from time `from` on, one each `step` ns. Returns the time of the last one. */
static uint64_t start(struct fault_storm *s, unsigned n, uint64_t from, uint64_t step)
{
	for (unsigned i = 0; i < n; i++)
		fault_storm_add(s, from + i * step);
	return from + (n - 1) * step;
}

START_TEST(few_processes_are_no_storm)
{
	struct fault_storm s;

	fault_storm_init(&s, 2);
	start(&s, STORM_RATE - 1, 1000 * ms, 0); /* all at once */
	ck_assert(!s.on);
	fault_storm_pass(&s, 2000 * ms);
	start(&s, 10000, 2000 * ms, 1000 * ms / STORM_RATE); /* at the rate that is permitted */
	ck_assert(!s.on);
	fault_storm_end(&s, 200000 * ms);
	ck_assert_uint_eq(s.processes, 0);
	ck_assert_uint_eq(s.total_ns, 0);
}
END_TEST

START_TEST(a_process_for_each_cpu_is_no_storm)
{
	struct fault_storm s;

	fault_storm_init(&s, 256);
	start(&s, 511, 1000 * ms, 0);
	ck_assert(!s.on);
	start(&s, 1, 1000 * ms, 0);
	ck_assert(s.on);
	fault_storm_pass(&s, 1051 * ms);
	ck_assert(!s.on);
}
END_TEST

START_TEST(a_storm_lasts_until_no_process_starts)
{
	struct fault_storm s;
	uint64_t last;

	fault_storm_init(&s, 2);
	last = start(&s, 1000, 1000 * ms, ms);
	ck_assert(s.on);
	ck_assert_uint_gt(s.processes, 880); /* the first hundred are recorded */
	ck_assert_uint_lt(s.processes, 900);
	fault_storm_pass(&s, last + 49 * ms);
	ck_assert(s.on);
	fault_storm_pass(&s, last + 51 * ms);
	ck_assert(!s.on);
	ck_assert_uint_ge(s.total_ns, (s.processes + 50) * ms);
	ck_assert_uint_le(s.total_ns, (s.processes + 51) * ms);
}
END_TEST

START_TEST(the_end_of_the_recording_ends_a_storm)
{
	struct fault_storm s;

	fault_storm_init(&s, 2);
	start(&s, STORM_RATE, 1000 * ms, 0);
	ck_assert(s.on);
	ck_assert_uint_eq(s.processes, 1); /* the one with which it began */
	fault_storm_end(&s, 1010 * ms);
	ck_assert(!s.on);
	ck_assert_uint_eq(s.total_ns, 10 * ms);
	fault_storm_end(&s, 1020 * ms); /* a second call does nothing */
	ck_assert_uint_eq(s.total_ns, 10 * ms);
}
END_TEST

START_TEST(times_may_be_out_of_order)
{
	struct fault_storm s;

	fault_storm_init(&s, 2);
	start(&s, 50, 1100 * ms, ms);
	start(&s, 50, 1000 * ms, ms); /* of another CPU, whose buffer is read later */
	ck_assert(!s.on);
	ck_assert_uint_eq(s.now_ns, 1149 * ms);
	start(&s, 50, 1100 * ms, ms);
	ck_assert(s.on);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("fault_storm");
	TCase *t = tcase_create("fault_storm");

	tcase_add_test(t, few_processes_are_no_storm);
	tcase_add_test(t, a_process_for_each_cpu_is_no_storm);
	tcase_add_test(t, a_storm_lasts_until_no_process_starts);
	tcase_add_test(t, the_end_of_the_recording_ends_a_storm);
	tcase_add_test(t, times_may_be_out_of_order);
	suite_add_tcase(s, t);
	return run_suite(s);
}
