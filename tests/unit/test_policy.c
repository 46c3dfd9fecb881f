/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests on which node the kernel places a page. The NUMA policies of the mapping and of the
 * thread decide. */
#include "model/policy.h"

#include <numaif.h>

#include "base/count.h"
#include "check_main.h"

enum { PROCESS = 2, THREAD = 3, CHILD = 5, PAGE = 4096 };

static struct policy make(int mode, uint64_t nodes)
{
	return policy_make(mode, &nodes, 1);
}

static int32_t place(const struct policies *p, uint32_t process, uint32_t thread, uint64_t address,
		     int32_t cpu_node)
{
	return policies_place(p, process, thread,
			      &(struct policy_page){ .address = address,
						     .cpu_node = cpu_node,
						     .numbered = true,
						     .number = address / PAGE })
		.node;
}

START_TEST(without_a_policy_it_is_the_cpus_node)
{
	struct policies p;

	policies_init(&p, PAGE);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x5000, 1), 1);
	ck_assert_int_eq(place(&p, 0, 0, 0x5000, -1), -1);
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
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x3fff, 0), 3);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x4000, 0), 2);
	ck_assert_int_eq(place(&p, PROCESS, THREAD + 1, 0x3fff, 0), 0);
	ck_assert_int_eq(place(&p, PROCESS + 1, THREAD, 0x4000, 0), 3);
	/* MPOL_LOCAL: the node of the CPU decides, not the thread's policy */
	policies_bind(&p, PROCESS, 0x4000, 0x5000, &local);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x4000, 0), 0);
	/* MPOL_DEFAULT: the thread's policy decides again */
	policies_bind(&p, PROCESS, 0x4000, 0x5000, &usual);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x4000, 0), 3);
	policies_unmap(&p, PROCESS, 0, UINT64_MAX);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x5000, 0), 3);
	policies_thread(&p, THREAD, &usual);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x5000, 0), 0);
	policies_release(&p);
}
END_TEST

START_TEST(interleaving_goes_by_page_number)
{
	struct policy odd = make(MPOL_INTERLEAVE | 1 << 15, 1 << 1 | 1 << 3 | 1 << 5);
	struct policies p;

	policies_init(&p, PAGE);
	p.interleave = INTERLEAVE_FULL;
	policies_thread(&p, THREAD, &odd);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0, 0), 1);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, PAGE, 0), 3);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 3 * PAGE - 1, 0), 5);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 3 * PAGE, 0), 1);
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
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0, 1), 1);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0, 2), -1);
	policies_thread(&p, THREAD, &relative);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0, 1), -1);
	policies_thread(&p, THREAD, &many);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0, 1), -1);
	policies_thread(&p, THREAD, &empty);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0, 1), -1);
	policies_thread(&p, THREAD, &wide);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0, 1), -1);
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
	ck_assert_int_eq(place(&p, 9, CHILD, 0x1000, 0), 3);
	ck_assert_int_eq(place(&p, 9, CHILD, 0x4000, 0), 2);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x4000, 0), 0);
	policies_new_thread(&p, THREAD, CHILD);
	ck_assert_int_eq(place(&p, 9, CHILD, 0x1000, 0), 0);
	policies_release(&p);
}
END_TEST

START_TEST(a_policy_can_be_taken_along)
{
	struct policy bind = make(MPOL_BIND, 1 << 2);
	struct policies p;
	uint32_t policy;

	policies_init(&p, PAGE);
	ck_assert_uint_eq(policies_at(&p, PROCESS, 0x4000), 0);
	policies_take(&p, PROCESS, 0x8000, 0x9000, 0); /* policy 0 means that there is none */
	policies_bind(&p, PROCESS, 0x4000, 0x6000, &bind);
	policy = policies_at(&p, PROCESS, 0x5fff);
	ck_assert_uint_ne(policy, 0);
	ck_assert_uint_eq(policies_at(&p, PROCESS, 0x6000), 0);
	policies_unmap(&p, PROCESS, 0x4000, 0x6000);
	policies_take(&p, PROCESS, 0x8000, 0xc000, policy);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x4000, 0), 0);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0xbfff, 0), 2);
	policies_release(&p);
}
END_TEST

START_TEST(the_program_may_be_started_with_a_policy)
{
	struct policy start = policy_parse("bind:2"), usual = make(MPOL_DEFAULT, 0);
	struct policies p;

	policies_init(&p, PAGE);
	policies_start(&p, &start);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x1000, 0), 2);
	policies_thread(&p, THREAD, &usual);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0x1000, 0), 0);
	policies_new_thread(&p, THREAD, CHILD);
	ck_assert_int_eq(place(&p, PROCESS, CHILD, 0x1000, 0), 0);
	ck_assert_int_eq(place(&p, PROCESS, THREAD + 1, 0x1000, 0), 2);
	policies_release(&p);
}
END_TEST

START_TEST(policies_are_read_as_the_kernel_writes_them)
{
	static const struct {
		const char *text;
		int mode;
		uint64_t nodes;
	} cases[] = { { "default", MPOL_DEFAULT, 0 },
		      { "local", MPOL_LOCAL, 0 },
		      { "bind:0-1,3", MPOL_BIND, 11 },
		      { "bind=static:1", MPOL_BIND, 2 },
		      { "interleave:0-3", MPOL_INTERLEAVE, 15 },
		      { "prefer:2", MPOL_PREFERRED, 4 },
		      { "prefer (many):0-1", -1, 3 },
		      { "interleave=relative:0-1", -1, 3 },
		      { "bind:1000", -1, 0 },
		      { "bind:", -1, 0 },
		      { "bind:0-x", -1, 0 },
		      { "bindx", -1, 0 },
		      { "", -1, 0 } };

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct policy p = policy_parse(cases[i].text);

		ck_assert_msg(p.mode == cases[i].mode, "%s: %d", cases[i].text, p.mode);
		if (p.mode >= 0)
			ck_assert_uint_eq(p.nodes[0], cases[i].nodes);
	}
}
END_TEST

START_TEST(a_policy_that_names_the_node_is_told_from_chance)
{
	struct policy bind = make(MPOL_BIND, 1 << 2), two = make(MPOL_BIND, 3);
	struct policy_page at_0 = { .address = 0x4000 },
			   at_1 = { .address = 0x4000, .cpu_node = 1 };
	struct policies p;

	policies_init(&p, PAGE);
	ck_assert(!policies_place(&p, PROCESS, THREAD, &at_0).named);
	policies_thread(&p, THREAD, &bind);
	ck_assert(policies_place(&p, PROCESS, THREAD, &at_0).named);
	/* the policy allows two nodes, so it does not name one: the node of the CPU decides */
	policies_thread(&p, THREAD, &two);
	ck_assert(!policies_place(&p, PROCESS, THREAD, &at_1).named);
	policies_release(&p);
}
END_TEST

START_TEST(pages_whose_number_is_not_known_are_not_interleaved)
{
	struct policy spread = make(MPOL_INTERLEAVE, 15), one = make(MPOL_INTERLEAVE, 1 << 3);
	struct policy_page page = {
		.address = 0x4000, .bytes = PAGE, .cpu_node = 1, .numbered = true, .number = 4
	};
	struct policies p;

	policies_init(&p, PAGE);
	policies_thread(&p, THREAD, &spread);
	ck_assert_int_eq(policies_place(&p, PROCESS, THREAD, &page).node, 0);
	page.bytes = 2 << 20;
	ck_assert_int_eq(policies_place(&p, PROCESS, THREAD, &page).node, -1);
	page.bytes = PAGE;
	page.numbered = false;
	ck_assert_int_eq(policies_place(&p, PROCESS, THREAD, &page).node, -1);
	ck_assert(policies_place(&p, PROCESS, THREAD, &page).named);
	/* the policy allows only one node, so the page number does not matter */
	policies_thread(&p, THREAD, &one);
	ck_assert_int_eq(policies_place(&p, PROCESS, THREAD, &page).node, 3);
	policies_release(&p);
}
END_TEST

START_TEST(kernels_count_interleaved_pages_differently)
{
	const struct {
		const char *release;
		int32_t of_three;
	} kernels[] = {
		{ "2.6.32-754.el6.x86_64", 2 },
		{ "4.18.0-553.el8_10.x86_64", 2 },
		{ "6.1.0-50-cloud-amd64", 2 },
		{ "6.6.87", 2 },
		{ "6.7.0", 1 },
		{ "6.12.0-55.el10.x86_64", 1 },
		{ "7.0.1", 1 },
		{ "5.14.0-503.el9.x86_64", -1 },
		{ "weird", -1 },
		{ NULL, -1 },
	};
	const uint64_t number = UINT64_C(0x7f0000002);
	struct policy three = make(MPOL_INTERLEAVE, 7), two = make(MPOL_INTERLEAVE, 3);
	struct policy_page page = { .numbered = true, .number = number };
	struct policies p;

	ck_assert_uint_ne(number % 3, (uint32_t)number % 3);
	policies_init(&p, PAGE);
	for (size_t i = 0; i < COUNT_OF(kernels); i++) {
		p.interleave = policy_interleave(kernels[i].release);
		policies_thread(&p, THREAD, &three);
		ck_assert_int_eq(policies_place(&p, PROCESS, THREAD, &page).node,
				 kernels[i].of_three < 0    ? -1
				 : kernels[i].of_three == 1 ? (int32_t)(number % 3)
							    : (int32_t)((uint32_t)number % 3));
		/* modulo 2, all these kernels' page numbers are the same */
		policies_thread(&p, THREAD, &two);
		ck_assert_int_eq(policies_place(&p, PROCESS, THREAD, &page).node, 0);
	}
	policies_release(&p);
}
END_TEST

/* A program may name nodes that do not exist, have no memory, or are outside its cpuset. Such nodes
 * do not count. */
START_TEST(only_nodes_with_memory_count)
{
	struct policy all = make(MPOL_INTERLEAVE, ~UINT64_C(0)), bind = make(MPOL_BIND, 7);
	struct policies p;

	policies_init(&p, PAGE);
	p.interleave = INTERLEAVE_FULL;
	p.allowed[0] = 1 << 1 | 1 << 3;
	policies_thread(&p, THREAD, &all);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 4 * PAGE, 0), 1);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 5 * PAGE, 0), 3);
	policies_thread(&p, THREAD, &bind);
	ck_assert_int_eq(place(&p, PROCESS, THREAD, 0, 0), 1);
	policies_release(&p);
}
END_TEST

START_TEST(a_files_policy_is_that_of_all_processes)
{
	struct policy two = make(MPOL_BIND, 1 << 2), usual = make(MPOL_DEFAULT, 0);
	struct policy_page page = { .file = 7, .address = 0x4000, .cpu_node = 1 };
	struct policies p;

	policies_init(&p, PAGE);
	policies_bind_file(&p, 7, 0x4000, 0x5000, &two);
	policies_bind(&p, PROCESS, 0x4000, 0x5000, &usual);
	ck_assert_int_eq(policies_place(&p, PROCESS, THREAD, &page).node, 2);
	ck_assert_int_eq(policies_place(&p, CHILD, THREAD + 1, &page).node, 2);
	page.file = 6;
	ck_assert_int_eq(policies_place(&p, PROCESS, THREAD, &page).node, 1);
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
	tcase_add_test(t, the_program_may_be_started_with_a_policy);
	tcase_add_test(t, policies_are_read_as_the_kernel_writes_them);
	tcase_add_test(t, a_policy_can_be_taken_along);
	tcase_add_test(t, a_policy_that_names_the_node_is_told_from_chance);
	tcase_add_test(t, pages_whose_number_is_not_known_are_not_interleaved);
	tcase_add_test(t, kernels_count_interleaved_pages_differently);
	tcase_add_test(t, only_nodes_with_memory_count);
	tcase_add_test(t, a_files_policy_is_that_of_all_processes);
	suite_add_tcase(s, t);
	return run_suite(s);
}
