/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the model of processes: their mappings, code, threads and names. */
#include "process_fixture.h"

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

/* When a mapping grows, the kernel reports the entire mapping again. The pages of the old part are
 * still the same. */
START_TEST(a_mapping_that_grows_keeps_its_pages)
{
	struct mapping m = { .start = 0x3000, .end = 0x5000, .prot = 3, .flags = 34 };
	uint32_t p;

	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 1, &m, 10);
	m.start = 0x1000; /* the mapping grows downward */
	space_map(&space, 1, &m, 20);
	p = space_process_of(&space, 1, false, 20);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x4000)->birth, 10);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x4000)->time, 20);
	m.end = 0x9000; /* the mapping grows upward */
	space_map(&space, 1, &m, 30);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x8000)->birth, 10);
	/* the new mapping has the same range, so the old mapping has not grown: the new mapping
	 * replaces it */
	space_map(&space, 1, &m, 40);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x8000)->birth, 40);
	m.prot = 1; /* the protection differs, so this is a new mapping */
	m.end = 0xa000;
	space_map(&space, 1, &m, 50);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x8000)->birth, 50);
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

START_TEST(code_without_a_file_has_the_names_that_its_process_told)
{
	struct mapping m = { .start = 0x70000, .end = 0x80000, .executable = true };
	struct task_fork child = { .pid = 2, .ppid = 1, .tid = 2, .ptid = 1, .inherits = true };
	char dir[] = "/tmp/memdb-test-process-XXXXXX", path[128];
	uint32_t parent, forked;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	tell_name(dir, 1, "70000 100 made");
	tell_name(dir, 3, "70000 100 elsewhere");
	code.jit.path = dir;
	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 1, &m, 5);
	map(1, 0x10000, 0x20000, 0x1000, 10);
	forked = space_fork(&space, &child, 20);
	parent = space_process_of(&space, 1, false, 0);
	ck_assert_str_eq(name_at(parent, 0x70080), "made");
	ck_assert_str_eq(name_at(parent, 0x70100), "");
	/* code of a file: perf-PID.map does not name it */
	ck_assert_str_eq(name_at(parent, 0x10010), "");
	/* the child has the parent's code and its names */
	ck_assert_str_eq(name_at(forked, 0x70080), "made");
	space_comm(&space, 2, 2, "other", true, 30);
	space_map(&space, 4, &m, 40);
	ck_assert_str_eq(name_at(space_process_of(&space, 4, false, 0), 0x70080), "");
	for (unsigned pid = 1; pid <= 3; pid += 2) {
		snprintf(path, sizeof(path), "%s/perf-%u.map", dir, pid);
		unlink(path);
	}
	rmdir(dir);
}
END_TEST

START_TEST(code_of_the_kernel_is_its_own_or_a_modules)
{
	struct mapping m = { .start = 0xffffffff81000000,
			     .end = 0xffffffff82000000,
			     .pgoff = 0xffffffff81000040,
			     .executable = true };
	uint32_t at;

	m.dso = code_dso(&code, "[kernel.kallsyms]_text", NULL);
	space_map(&space, UINT32_MAX, &m, 0);
	ck_assert_str_eq(code.kernel_at.symbol, "_text");
	ck_assert_uint_eq(code.kernel_at.address, 0xffffffff81000040);
	m = (struct mapping){ .start = 0xffffffffc0000000,
			      .end = 0xffffffffc0010000,
			      .executable = true };
	m.dso = code_dso(&code, "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz", NULL);
	space_map(&space, UINT32_MAX, &m, 0);
	at = space_location(&space, 0, true, 0xffffffff81000100);
	ck_assert_uint_eq(code.locations.at[at - 1].dso, code_kernel(&code));
	at = space_location(&space, 0, true, 0xffffffffc0000100);
	ck_assert_uint_eq(code.locations.at[at - 1].dso, m.dso);
	ck_assert_uint_eq(code.locations.at[at - 1].offset, 0xffffffffc0000100);
	ck_assert_int_eq(code.dsos.at[m.dso - 1].kind, DSO_MODULE);
	ck_assert_str_eq(code.dsos.at[m.dso - 1].short_name, "ext4.ko.xz");
}
END_TEST

START_TEST(code_that_the_kernel_made_has_its_name_while_it_is_there)
{
	struct kernel_code k = { .start = 0xffffffffc0000000, .size = 64, .name = "bpf_prog_a" };
	const struct location *l;
	uint32_t at;

	space_ksymbol(&space, &k, 10);
	at = space_location(&space, 0, true, 0xffffffffc0000010);
	l = &code.locations.at[at - 1];
	ck_assert_str_eq(code_symbol_name(&code, l->symbol), "bpf_prog_a");
	ck_assert_str_eq(code.dsos.at[l->dso - 1].path, "bpf_prog_a");
	ck_assert_uint_eq(l->offset, 0x10);
	at = space_location(&space, 0, true, 0xffffffffc0000040);
	ck_assert_uint_eq(code.locations.at[at - 1].dso, code_kernel(&code));
	k.gone = true;
	space_ksymbol(&space, &k, 20);
	at = space_location(&space, 0, true, 0xffffffffc0000010);
	ck_assert_uint_eq(code.locations.at[at - 1].dso, code_kernel(&code));
}
END_TEST

/* A kernel function may have the same name as a file. The entry of code.dsos with this name remains
 * the file's. */
START_TEST(code_of_the_kernel_takes_no_files_name)
{
	const struct kernel_code k = { .start = 0xffffffffc0000000,
				       .size = 64,
				       .name = "/no/such/file" };

	space_ksymbol(&space, &k, 10);
	ck_assert_uint_eq(code_dso(&code, "/no/such/file", NULL), file);
	ck_assert_int_eq(code.dsos.at[file - 1].kind, DSO_FILE);
}
END_TEST

START_TEST(a_child_has_its_parents_mappings_of_that_time)
{
	uint32_t child;

	map(1, 0x1000, 0x2000, 0, 10);
	child = fork_of(2, 1, 2, 1, 20);
	ck_assert_uint_ne(child, 0);
	map(1, 0x5000, 0x6000, 0, 30);
	ck_assert_ptr_nonnull(space_mapping_at(&space, child, 0x1000));
	ck_assert_ptr_null(space_mapping_at(&space, child, 0x5000));
	ck_assert_uint_eq(fork_of(2, 2, 3, 2, 40), 0);
	ck_assert_uint_eq(space.threads.at[space_thread_of(&space, 2, 3, 50) - 1].start, 40);
}
END_TEST

START_TEST(parent_and_child_change_what_they_see_apart)
{
	uint32_t parent = space_process_of(&space, 1, true, 1), child, n;

	for (uint64_t i = 1; i <= 200; i++)
		map(1, i * 0x10000, i * 0x10000 + 0x8000, i * 0x10000, 10);
	child = fork_of(2, 1, 2, 1, 20);
	ck_assert_uint_eq(space.mappings.n, 200);
	space_unmap(&space, parent, 0x12000, 0x14000, 30);
	ck_assert_str_eq(seen(parent, 0x11000), "10000-12000");
	ck_assert_str_eq(seen(parent, 0x12000), "-");
	ck_assert_str_eq(seen(parent, 0x14000), "14000-18000");
	ck_assert_uint_eq(space_mapping_at(&space, parent, 0x14000)->pgoff, 0x14000);
	ck_assert_uint_eq(space_mapping_at(&space, parent, 0x14000)->birth, 10);
	ck_assert_str_eq(seen(child, 0x13000), "10000-18000");
	space_unmap(&space, child, 0x22000, 0x1000000, 40);
	ck_assert_str_eq(seen(child, 0x21000), "20000-22000");
	ck_assert_str_eq(seen(child, 0x800000), "-");
	ck_assert_str_eq(seen(parent, 0x21000), "20000-28000");
	ck_assert_str_eq(seen(parent, 0x800000), "800000-808000");
	ck_assert_uint_eq(space_mapping_at(&space, parent, 0x800000)->end_time, 0);
	n = space.mappings.n;
	space_comm(&space, 1, 1, "new", true, 50);
	ck_assert_str_eq(seen(parent, 0x800000), "-");
	ck_assert_str_eq(seen(child, 0x13000), "10000-18000");
	ck_assert_uint_eq(space.mappings.n, n);
}
END_TEST

START_TEST(stacks_of_parent_and_child_are_told_apart)
{
	uint32_t parent = space_process_of(&space, 1, true, 1), child;
	uint32_t thread = space_thread_of(&space, 1, 5, 1), other;

	map(1, 0x10000, 0x18000, 0, 10);
	space_set_stack(&space, parent, 0x10000, thread);
	child = fork_of(2, 1, 2, 5, 20);
	other = space_thread_of(&space, 2, 2, 20);
	ck_assert_uint_eq(space_stack_of(space_mapping_at(&space, child, 0x10000), child), 0);
	space_set_stack(&space, child, 0x10000, other);
	ck_assert_uint_eq(space_stack_of(space_mapping_at(&space, child, 0x10000), child), other);
	ck_assert_uint_eq(space_stack_of(space_mapping_at(&space, parent, 0x10000), parent),
			  thread);
}
END_TEST

START_TEST(children_cost_what_they_change)
{
	for (uint64_t i = 1; i <= 20000; i++)
		map(1, i * 0x10000, i * 0x10000 + 0x8000, 0, 10);
	for (uint32_t i = 2; i < 20000; i++) {
		uint32_t child = fork_of(i, 1, i, 1, 20);

		space_unmap(&space, child, 0x20000, UINT64_MAX, 30);
		ck_assert_str_eq(seen(child, 0x18000 - 1), "10000-18000");
		ck_assert_str_eq(seen(child, 0x50000), "-");
	}
	ck_assert_uint_eq(space.mappings.n, 20000);
	ck_assert_str_eq(seen(1, 0x50000), "50000-58000");
}
END_TEST

START_TEST(a_new_thread_has_its_creators_name)
{
	space_comm(&space, 1, 1, "leader", false, 10);
	fork_of(1, 1, 2, 1, 20);
	space_comm(&space, 1, 2, "helper", false, 30);
	fork_of(1, 1, 3, 2, 40);
	fork_of(5, 1, 5, 1, 50);
	ck_assert_str_eq(name_of(space.threads.at[space_thread_of(&space, 1, 3, 60) - 1].comm),
			 "helper");
	ck_assert_str_eq(name_of(space.threads.at[space_thread_of(&space, 5, 5, 60) - 1].comm),
			 "leader");
	ck_assert_uint_eq(space.comms.n, 5); /* each thread has a row in comms from its birth on */
	ck_assert_uint_eq(space.comms.at[1].time, 20);
	ck_assert_str_eq(name_of(space.comms.at[1].comm), "leader");
}
END_TEST

START_TEST(a_thread_that_is_known_before_its_birth_is_told_is_born_then)
{
	space_comm(&space, 1, 2, "early", false, 0);
	fork_of(1, 1, 2, 1, 20);
	fork_of(1, 1, 2, 1, 30); /* the second fork record of a known thread is ignored */
	ck_assert_uint_eq(space.threads.at[space_thread_of(&space, 1, 2, 40) - 1].start, 20);
}
END_TEST

START_TEST(the_idle_thread_has_its_name_though_nobody_tells)
{
	uint32_t thread = space_thread_of(&space, 0, 0, 10);

	ck_assert_str_eq(name_of(space.threads.at[thread - 1].comm), "swapper");
	ck_assert_uint_eq(space.comms.n, 1);
	ck_assert_uint_eq(space.comms.at[0].time, 0);
}
END_TEST

START_TEST(an_address_is_the_kernels_by_its_upper_half_or_its_mapping)
{
	uint32_t kernel = code_kernel(&code), a, b, c;

	map(UINT32_MAX, 0xc0000000, 0xd0000000, 0, 0);
	a = space_location(&space, 0, true, 0xffffffff81000000);
	b = space_location(&space, 0, true, 0xc0001000);
	c = space_location(&space, 0, true, 0x7f1671bcf6c1);
	ck_assert_uint_eq(code.locations.at[a - 1].dso, kernel);
	ck_assert_uint_eq(code.locations.at[b - 1].dso, kernel);
	ck_assert_uint_eq(code.locations.at[c - 1].dso, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("process");
	TCase *t = tcase_create("process");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_mapping_over_another_leaves_head_and_tail);
	tcase_add_test(t, a_mapping_that_grows_keeps_its_pages);
	tcase_add_test(t, locations_are_told_once_whatever_the_address);
	tcase_add_test(t, code_of_the_kernel_is_its_own_or_a_modules);
	tcase_add_test(t, code_without_a_file_has_the_names_that_its_process_told);
	tcase_add_test(t, code_that_the_kernel_made_has_its_name_while_it_is_there);
	tcase_add_test(t, code_of_the_kernel_takes_no_files_name);
	tcase_add_test(t, a_child_has_its_parents_mappings_of_that_time);
	tcase_add_test(t, parent_and_child_change_what_they_see_apart);
	tcase_add_test(t, stacks_of_parent_and_child_are_told_apart);
	tcase_add_test(t, children_cost_what_they_change);
	tcase_add_test(t, a_new_thread_has_its_creators_name);
	tcase_add_test(t, a_thread_that_is_known_before_its_birth_is_told_is_born_then);
	tcase_add_test(t, the_idle_thread_has_its_name_though_nobody_tells);
	tcase_add_test(t, an_address_is_the_kernels_by_its_upper_half_or_its_mapping);
	suite_add_tcase(s, t);
	return run_suite(s);
}
