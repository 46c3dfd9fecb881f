/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests to which node CPUs and physical addresses belong, and the distances between nodes. */
#include "model/topology.h"

#include "base/err.h"
#include "check_main.h"

START_TEST(lists_give_nodes_to_cpus)
{
	struct topology t;

	topology_init(&t);
	ck_assert_int_eq(topology_node(&t, 0, "0-1,4", 1000, 10), 0);
	ck_assert_int_eq(topology_node(&t, 1, "2,3", 1000, 10), 0);
	ck_assert_int_eq(topology_node_of(&t, 4), 0);
	ck_assert_int_eq(topology_node_of(&t, 3), 1);
	ck_assert_int_eq(topology_node_of(&t, 5), -1);
	ck_assert_int_eq(topology_node_of(&t, -1), -1);
	ck_assert_int_eq(topology_node_of_list(&t, "0,1,4"), 0);
	ck_assert_int_eq(topology_node_of_list(&t, "1-2"), -1);
	ck_assert_int_eq(topology_node_of_list(&t, "7"), -1);
	ck_assert_int_eq(topology_single_node(&t), -1);
	topology_release(&t);
}
END_TEST

START_TEST(physical_addresses_belong_to_nodes)
{
	struct topology t;

	topology_init(&t);
	ck_assert_int_eq(topology_node_of_physical(&t, 0), -1);
	ck_assert_int_eq(topology_memory(&t, 0, 0, 0x8000000), 0);
	ck_assert_int_eq(topology_memory(&t, 3, 0x8000000, 0x10000000), 0);
	ck_assert_int_eq(topology_node_of_physical(&t, 0), 0);
	ck_assert_int_eq(topology_node_of_physical(&t, 0x7ffffff), 0);
	ck_assert_int_eq(topology_node_of_physical(&t, 0x8000000), 3);
	ck_assert_int_eq(topology_node_of_physical(&t, 0x10000000), -1);
	ck_assert_int_eq(topology_memory(&t, -1, 0, 1), MD_EFORMAT);
	ck_assert_int_eq(topology_memory(&t, 1 << 20, 0, 1), MD_EFORMAT);
	topology_release(&t);
}
END_TEST

START_TEST(a_node_without_memory_does_not_count)
{
	struct topology t;

	topology_init(&t);
	ck_assert_int_eq(topology_single_node(&t), -1);
	ck_assert_int_eq(topology_node(&t, 0, "0-3", 0, 0), 0);
	ck_assert_int_eq(topology_node(&t, 2, "", 4096, 0), 0);
	ck_assert_int_eq(topology_single_node(&t), 2);
	ck_assert_int_eq(topology_node(&t, 2, "", 8192, 0), 0);
	ck_assert_uint_eq(t.nodes.n, 2);
	topology_release(&t);
}
END_TEST

START_TEST(memory_comes_from_the_nearest_node_that_has_some)
{
	struct topology t;

	topology_init(&t);
	for (int32_t n = 0; n < 4; n++)
		ck_assert_int_eq(topology_node(&t, n, "", n > 1 ? 4096 : 0, 0), 0);
	ck_assert_int_eq(topology_memory_of(&t, 0), -1);
	ck_assert_int_eq(topology_distance(&t, 0, 0, 10), 0);
	ck_assert_int_eq(topology_distance(&t, 0, 1, 15), 0);
	ck_assert_int_eq(topology_distance(&t, 0, 2, 30), 0);
	ck_assert_int_eq(topology_distance(&t, 0, 3, 20), 0);
	ck_assert_int_eq(topology_distance(&t, 1, 2, 20), 0);
	ck_assert_int_eq(topology_distance(&t, 1, 3, 20), 0);
	ck_assert_int_eq(topology_memory_of(&t, 0), 3);
	/* two nodes with memory are equally near, so the answer is unknown */
	ck_assert_int_eq(topology_memory_of(&t, 1), -1);
	ck_assert_int_eq(topology_memory_of(&t, 2), 2);
	/* node 7 is unknown, so it counts as having memory */
	ck_assert_int_eq(topology_memory_of(&t, 7), 7);
	ck_assert_int_eq(topology_memory_of(&t, -1), -1);
	topology_release(&t);
}
END_TEST

START_TEST(what_is_no_list_is_refused)
{
	static const char *const bad[] = {
		"x", "3-1", "0-99999999", "1,,y", "-3", "0-65535,0-65535"
	};
	struct topology t;

	topology_init(&t);
	ck_assert_int_eq(topology_node(&t, 0, bad[_i], 1, 1), MD_EFORMAT);
	topology_release(&t);
}
END_TEST

START_TEST(a_distance_told_again_is_one_distance)
{
	struct topology t;

	topology_init(&t);
	ck_assert_int_eq(topology_distance(&t, 0, 1, 20), 0);
	ck_assert_int_eq(topology_distance(&t, 1, 0, 20), 0);
	ck_assert_int_eq(topology_distance(&t, 0, 1, 30), 0);
	ck_assert_uint_eq(t.distances.n, 2);
	ck_assert_uint_eq(t.distances.at[0].distance, 30);
	topology_release(&t);
}
END_TEST

START_TEST(nodes_that_cannot_be_are_refused)
{
	struct topology t;

	topology_init(&t);
	ck_assert_int_eq(topology_node(&t, -1, "0", 1, 1), MD_EFORMAT);
	ck_assert_int_eq(topology_node(&t, 1024, "0", 1, 1), MD_EFORMAT);
	ck_assert_int_eq(topology_distance(&t, 0, 1024, 10), MD_EFORMAT);
	ck_assert_int_eq(topology_distance(&t, -1, 0, 10), MD_EFORMAT);
	ck_assert_uint_eq(t.nodes.n + t.distances.n, 0);
	topology_release(&t);
}
END_TEST

START_TEST(a_node_has_room_unless_pages_went_to_other_nodes)
{
	struct topology t;

	topology_init(&t);
	ck_assert_int_eq(topology_node(&t, 0, "0", 4096, 4096), 0);
	ck_assert_int_eq(topology_room(&t, 0, 5), ROOM_UNOBSERVED);
	ck_assert_int_eq(topology_room(&t, 7, 5), ROOM_UNOBSERVED); /* not even described */
	topology_observed(&t, 7, 0);
	topology_observed(&t, 0, 0);
	ck_assert_int_eq(topology_room(&t, 0, 5), ROOM_CERTAIN);
	topology_observed(&t, 0, 30);
	ck_assert_int_eq(topology_room(&t, 0, 29), ROOM_MISSING);
	ck_assert_int_eq(topology_room(&t, 0, 30), ROOM_CERTAIN);
	topology_observed(&t, 0, 0); /* this report does not remove the earlier one, which lasts
				      * until 30 */
	ck_assert_int_eq(topology_room(&t, 0, 29), ROOM_MISSING);
	topology_observed(&t, 0, UINT64_MAX);
	ck_assert_int_eq(topology_room(&t, 0, 40), ROOM_UNOBSERVED);
	topology_release(&t);
}
END_TEST

START_TEST(a_list_leaves_the_other_nodes_out)
{
	struct topology t;

	topology_init(&t);
	for (int32_t id = 0; id < 6; id++)
		ck_assert_int_eq(topology_node(&t, id, "", 1, 1), 0);
	topology_allow(&t, "0,3-4");
	for (uint32_t i = 0; i < 6; i++)
		ck_assert(t.nodes.at[i].forbidden == (i != 0 && i != 3 && i != 4));
	topology_allow(&t, "x");
	ck_assert(!t.nodes.at[1].forbidden);
	topology_release(&t);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("topology");
	TCase *t = tcase_create("topology");

	tcase_add_test(t, lists_give_nodes_to_cpus);
	tcase_add_test(t, physical_addresses_belong_to_nodes);
	tcase_add_test(t, a_node_without_memory_does_not_count);
	tcase_add_test(t, memory_comes_from_the_nearest_node_that_has_some);
	tcase_add_loop_test(t, what_is_no_list_is_refused, 0, 6);
	tcase_add_test(t, a_distance_told_again_is_one_distance);
	tcase_add_test(t, nodes_that_cannot_be_are_refused);
	tcase_add_test(t, a_node_has_room_unless_pages_went_to_other_nodes);
	tcase_add_test(t, a_list_leaves_the_other_nodes_out);
	suite_add_tcase(s, t);
	return run_suite(s);
}
