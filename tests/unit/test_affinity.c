/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the model stores which threads may run only on the CPUs of one node, and that a new
 * thread inherits this restriction from the thread that created it. */
#include "model/affinity.h"

#include "check_main.h"

START_TEST(a_list_is_within_a_node_or_spans_nodes)
{
	struct topology t;

	topology_init(&t);
	ck_assert_int_eq(affinity_of_list(&t, "0"), AFFINITY_UNKNOWN);
	ck_assert_int_eq(topology_node(&t, 0, "0-1", 1, 1), 0);
	ck_assert_int_eq(topology_node(&t, 1, "2-3", 1, 1), 0);
	ck_assert_int_eq(affinity_of_list(&t, "0-1"), AFFINITY_PINNED);
	ck_assert_int_eq(affinity_of_list(&t, "3"), AFFINITY_PINNED);
	ck_assert_int_eq(affinity_of_list(&t, "1-2"), AFFINITY_SPANS);
	ck_assert_int_eq(affinity_of_list(&t, ""), AFFINITY_UNKNOWN);
	topology_release(&t);
}
END_TEST

START_TEST(threads_inherit_and_change)
{
	struct affinities a = { 0 };

	ck_assert_int_eq(affinities_get(&a, 1), AFFINITY_UNKNOWN);
	affinities_start(&a, AFFINITY_SPANS);
	ck_assert_int_eq(affinities_get(&a, 1), AFFINITY_SPANS);
	affinities_set(&a, 3, AFFINITY_PINNED);
	ck_assert_int_eq(affinities_get(&a, 2), AFFINITY_SPANS);
	affinities_fork(&a, 3, 5);
	ck_assert_int_eq(affinities_get(&a, 5), AFFINITY_PINNED);
	affinities_set(&a, 3, AFFINITY_SPANS);
	ck_assert_int_eq(affinities_get(&a, 5), AFFINITY_PINNED);
	affinities_set(&a, 5, AFFINITY_UNKNOWN);
	ck_assert_int_eq(affinities_get(&a, 5), AFFINITY_UNKNOWN);
	affinities_fork(&a, 2, 5); /* thread 5 has ended, and a new thread gets the number 5 */
	ck_assert_int_eq(affinities_get(&a, 5), AFFINITY_SPANS);
	/* thread 0 means an unknown thread, so nothing is stored */
	affinities_set(&a, 0, AFFINITY_PINNED);
	ck_assert_int_eq(affinities_get(&a, 0), AFFINITY_SPANS);
	affinities_release(&a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("affinity");
	TCase *t = tcase_create("affinity");

	tcase_add_test(t, a_list_is_within_a_node_or_spans_nodes);
	tcase_add_test(t, threads_inherit_and_change);
	suite_add_tcase(s, t);
	return run_suite(s);
}
