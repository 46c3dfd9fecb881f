/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/process.h"

#include "check_main.h"

static struct code code;
static struct space space;
static uint32_t file;

static void setup(void)
{
	struct sym_options so = { 0 };

	ck_assert_int_eq(code_init(&code, &so, NULL), 0);
	space_init(&space, &code);
	file = code_dso(&code, "/no/such/file", NULL);
}

static void teardown(void)
{
	space_release(&space);
	code_release(&code);
}

static void map(uint32_t pid, uint64_t start, uint64_t end, uint64_t pgoff, uint64_t time)
{
	struct mapping m = {
		.dso = file, .start = start, .end = end, .pgoff = pgoff, .executable = true
	};

	space_map(&space, pid, &m, time);
}

START_TEST(a_mapping_over_another_leaves_head_and_tail)
{
	uint32_t p;

	map(1, 0x1000, 0x9000, 0, 10);
	map(1, 0x3000, 0x5000, 0x70000, 20);
	p = space_process_of(&space, 1, false, 20);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x2fff)->pgoff, 0);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x3000)->pgoff, 0x70000);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x5000)->pgoff, 0x4000);
	ck_assert_ptr_null(space_mapping_at(&space, p, 0x9000));
	space_unmap(&space, p, 0x0, 0x8000, 30);
	ck_assert_ptr_null(space_mapping_at(&space, p, 0x7fff));
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x8000)->pgoff, 0x7000);
}
END_TEST

START_TEST(locations_are_told_once_whatever_the_address)
{
	uint32_t a, b;

	map(1, 0x10000, 0x20000, 0x1000, 10);
	map(2, 0x50000, 0x60000, 0x1000, 10);
	a = space_location(&space, space_process_of(&space, 1, false, 0), false, 0x10010);
	b = space_location(&space, space_process_of(&space, 2, false, 0), false, 0x50010);
	ck_assert_uint_eq(a, b);
	ck_assert_uint_eq(code.locations.at[a - 1].offset, 0x1010);
	a = space_location(&space, space_process_of(&space, 1, false, 0), false, 0x999999);
	ck_assert_uint_eq(code.locations.at[a - 1].dso, 0);
}
END_TEST

START_TEST(a_child_has_its_parents_mappings_of_that_time)
{
	uint32_t child, thread;

	map(1, 0x1000, 0x2000, 0, 10);
	space_fork(&space, 2, 1, 2, 1, 20, &child);
	ck_assert_uint_ne(child, 0);
	map(1, 0x5000, 0x6000, 0, 30);
	ck_assert_ptr_nonnull(space_mapping_at(&space, child, 0x1000));
	ck_assert_ptr_null(space_mapping_at(&space, child, 0x5000));
	space_fork(&space, 2, 2, 3, 2, 40, &thread);
	ck_assert_uint_eq(thread, 0);
	ck_assert_uint_eq(space.threads.at[space_thread_of(&space, 2, 3, 50) - 1].start, 40);
}
END_TEST

START_TEST(a_new_thread_has_its_creators_name)
{
	uint32_t child;

	space_comm(&space, 1, 1, "leader", false, 10);
	space_fork(&space, 1, 1, 2, 1, 20, &child);
	space_comm(&space, 1, 2, "helper", false, 30);
	space_fork(&space, 1, 1, 3, 2, 40, &child);
	space_fork(&space, 5, 1, 5, 1, 50, &child);
	ck_assert_str_eq(space.threads.at[space_thread_of(&space, 1, 3, 60) - 1].comm, "helper");
	ck_assert_str_eq(space.threads.at[space_thread_of(&space, 5, 5, 60) - 1].comm, "leader");
}
END_TEST

START_TEST(exec_ends_all_mappings)
{
	map(1, 0x1000, 0x2000, 0, 10);
	space_comm(&space, 1, 1, "new", true, 20);
	ck_assert_ptr_null(space_mapping_at(&space, space_process_of(&space, 1, false, 0), 0x1000));
	ck_assert_uint_eq(space.mappings.at[0].end_time, 20);
	ck_assert_str_eq(space.comms.at[0].comm, "new");
}
END_TEST

START_TEST(a_pid_used_again_is_another_process)
{
	uint32_t first, child, thread;

	first = space_process_of(&space, 7, true, 1);
	thread = space_thread_of(&space, 7, 7, 1);
	space_exit(&space, 7, 7, 10);
	ck_assert_uint_eq(space_process(&space, first)->end, 10);
	space_fork(&space, 7, 1, 7, 1, 20, &child);
	ck_assert_uint_ne(child, first);
	ck_assert_uint_eq(space_process_of(&space, 7, false, 30), child);
	ck_assert_uint_ne(space_thread_of(&space, 7, 7, 30), thread);
}
END_TEST

START_TEST(a_range_that_wraps_is_no_mapping)
{
	map(1, 0x2000, 0x1000, 0, 10);
	map(1, UINT64_MAX - 0xfff, UINT64_MAX, 0, 10);
	ck_assert_uint_eq(space.mappings.n, 1);
	space_unmap(&space, 1, 0, UINT64_MAX, 20);
	ck_assert_ptr_null(space_mapping_at(&space, 1, UINT64_MAX - 10));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("process");
	TCase *t = tcase_create("process");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_mapping_over_another_leaves_head_and_tail);
	tcase_add_test(t, locations_are_told_once_whatever_the_address);
	tcase_add_test(t, a_child_has_its_parents_mappings_of_that_time);
	tcase_add_test(t, a_new_thread_has_its_creators_name);
	tcase_add_test(t, exec_ends_all_mappings);
	tcase_add_test(t, a_pid_used_again_is_another_process);
	tcase_add_test(t, a_range_that_wraps_is_no_mapping);
	suite_add_tcase(s, t);
	return run_suite(s);
}
