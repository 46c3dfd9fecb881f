/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/policy.h"

#include <numaif.h>

#include "check_main.h"

enum { PROCESS = 2, THREAD = 3, CHILD = 5, PAGE = 4096 };

static struct policy make(int mode, uint64_t nodes)
{
	return policy_make(mode, &nodes, 1);
}

START_TEST(without_a_policy_it_is_the_cpus_node)
{
	struct policies p;

	policies_init(&p, PAGE);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0x5000, 1), 1);
	ck_assert_int_eq(policies_home(&p, 0, 0, 0x5000, -1), -1);
	policies_release(&p);
}
END_TEST

START_TEST(a_range_comes_before_its_thread)
{
	struct policy bind = make(MPOL_BIND, 1 << 2), preferred = make(MPOL_PREFERRED, 1 << 3);
	struct policy usual = make(MPOL_DEFAULT, 0), local = make(MPOL_LOCAL, 0);
	struct policies p;

	policies_init(&p, PAGE);
	policies_thread(&p, THREAD, &preferred);
	policies_bind(&p, PROCESS, 0x4000, 0x6000, &bind);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0x3fff, 0), 3);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0x4000, 0), 2);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD + 1, 0x3fff, 0), 0);
	ck_assert_int_eq(policies_home(&p, PROCESS + 1, THREAD, 0x4000, 0), 3);
	policies_bind(&p, PROCESS, 0x4000, 0x5000, &local); /* the CPU's, not the thread's */
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0x4000, 0), 0);
	policies_bind(&p, PROCESS, 0x4000, 0x5000, &usual); /* the thread's again */
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0x4000, 0), 3);
	policies_unmap(&p, PROCESS, 0, UINT64_MAX);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0x5000, 0), 3);
	policies_thread(&p, THREAD, &usual);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0x5000, 0), 0);
	policies_release(&p);
}
END_TEST

START_TEST(interleaving_goes_by_page_number)
{
	struct policy odd = make(MPOL_INTERLEAVE | 1 << 15, 1 << 1 | 1 << 3 | 1 << 5);
	struct policies p;

	policies_init(&p, PAGE);
	policies_thread(&p, THREAD, &odd);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0, 0), 1);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, PAGE, 0), 3);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 3 * PAGE - 1, 0), 5);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 3 * PAGE, 0), 1);
	policies_release(&p);
}
END_TEST

START_TEST(what_cannot_be_told_is_not_guessed)
{
	struct policy two = make(MPOL_BIND, 3), relative = make(MPOL_INTERLEAVE | 1 << 14, 3);
	struct policy many = make(5, 3), empty = make(MPOL_INTERLEAVE, 0);
	struct policy wide = policy_make(MPOL_BIND, (uint64_t[5]){ 0, 0, 0, 0, 1 }, 5);
	struct policies p;

	policies_init(&p, PAGE);
	policies_thread(&p, THREAD, &two);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0, 1), 1);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0, 2), -1);
	policies_thread(&p, THREAD, &relative);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0, 1), -1);
	policies_thread(&p, THREAD, &many);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0, 1), -1);
	policies_thread(&p, THREAD, &empty);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0, 1), -1);
	policies_thread(&p, THREAD, &wide);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0, 1), -1);
	policies_release(&p);
}
END_TEST

START_TEST(children_inherit)
{
	struct policy bind = make(MPOL_BIND, 1 << 2), preferred = make(MPOL_PREFERRED, 1 << 3);
	struct policy usual = make(MPOL_DEFAULT, 0);
	struct policies p;

	policies_init(&p, PAGE);
	policies_thread(&p, THREAD, &preferred);
	policies_bind(&p, PROCESS, 0x4000, 0x6000, &bind);
	policies_new_thread(&p, THREAD, CHILD);
	policies_new_process(&p, PROCESS, 9);
	policies_thread(&p, THREAD, &usual);
	policies_unmap(&p, PROCESS, 0x4000, 0x6000);
	ck_assert_int_eq(policies_home(&p, 9, CHILD, 0x1000, 0), 3);
	ck_assert_int_eq(policies_home(&p, 9, CHILD, 0x4000, 0), 2);
	ck_assert_int_eq(policies_home(&p, PROCESS, THREAD, 0x4000, 0), 0);
	policies_new_thread(&p, THREAD, CHILD);
	ck_assert_int_eq(policies_home(&p, 9, CHILD, 0x1000, 0), 0);
	policies_release(&p);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("policy");
	TCase *t = tcase_create("policy");

	tcase_add_test(t, without_a_policy_it_is_the_cpus_node);
	tcase_add_test(t, a_range_comes_before_its_thread);
	tcase_add_test(t, interleaving_goes_by_page_number);
	tcase_add_test(t, what_cannot_be_told_is_not_guessed);
	tcase_add_test(t, children_inherit);
	suite_add_tcase(s, t);
	return run_suite(s);
}
