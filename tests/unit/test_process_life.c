/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how processes, threads and mappings end, and how their ids are used again. */
#include "process_fixture.h"

#include <sys/prctl.h>

#include "random.h"

START_TEST(exec_ends_all_mappings)
{
	map(1, 0x1000, 0x2000, 0, 10);
	space_comm(&space, 1, 1, "new", true, 20);
	ck_assert_ptr_null(space_mapping_at(&space, space_process_of(&space, 1, false, 0), 0x1000));
	ck_assert_uint_eq(space.mappings.at[0].end_time, 20);
	ck_assert_str_eq(name_of(space.comms.at[0].comm), "new");
}
END_TEST

START_TEST(a_pid_used_again_is_another_process)
{
	uint32_t first, child, thread;

	first = space_process_of(&space, 7, true, 1);
	thread = space_thread_of(&space, 7, 7, 1);
	ck_assert_uint_eq(space_exit(&space, 7, 7, 10), first);
	ck_assert_uint_eq(space_process(&space, first)->end, 10);
	/* a record that names thread 7 after its exit still means the thread that has ended */
	ck_assert_uint_eq(space_thread_of(&space, 7, 7, 15), thread);
	child = fork_of(7, 1, 7, 1, 20);
	ck_assert_uint_ne(child, first);
	ck_assert_uint_eq(space_process_of(&space, 7, false, 30), child);
	ck_assert_uint_ne(space_thread_of(&space, 7, 7, 30), thread);
}
END_TEST

START_TEST(a_fork_that_two_samplers_tell_is_one_process)
{
	const uint64_t second = 1000000000;
	uint32_t first = fork_of(5, 1, 5, 1, 10);

	fork_of(5, 1, 5, 1, 20);
	ck_assert_uint_eq(space_process_of(&space, 5, false, 30), first);
	ck_assert_uint_eq(space_exit(&space, 5, 5, 40), first);
	/* without an end, the pid belongs to another process only when it may be used again */
	first = fork_of(6, 1, 6, 1, 50);
	fork_of(6, 1, 6, 1, 50 + second);
	ck_assert_uint_ne(space_process_of(&space, 6, false, 60 + second), first);
}
END_TEST

START_TEST(a_process_outlives_its_first_thread)
{
	uint32_t p = fork_of(5, 1, 5, 1, 10);

	fork_of(5, 5, 6, 5, 20);
	ck_assert_uint_eq(space_exit(&space, 5, 5, 30), 0);
	ck_assert_uint_eq(space_process(&space, p)->end, 0);
	ck_assert_uint_eq(space_exit(&space, 5, 5, 31), 0);
	ck_assert_uint_eq(space_exit(&space, 5, 6, 40), p);
	ck_assert_uint_eq(space_process(&space, p)->end, 40);
}
END_TEST

START_TEST(exec_leaves_one_thread)
{
	uint32_t p = fork_of(5, 1, 5, 1, 10), old;

	fork_of(5, 5, 6, 5, 20);
	old = space_thread_of(&space, 5, 6, 25);
	space_comm(&space, 5, 5, "new", true, 30);
	fork_of(5, 5, 6, 5, 40);
	ck_assert_uint_ne(space_thread_of(&space, 5, 6, 50), old);
	ck_assert_uint_eq(space_exit(&space, 5, 6, 60), 0);
	ck_assert_uint_eq(space_exit(&space, 5, 5, 70), p);
}
END_TEST

START_TEST(a_tid_used_again_is_another_thread)
{
	uint32_t first = space_thread_of(&space, 5, 6, 10);

	fork_of(5, 5, 6, 5, 15); /* this fork record comes late: thread 6 is already known */
	ck_assert_uint_eq(space_thread_of(&space, 5, 6, 20), first);
	space_exit(&space, 5, 6, 30);
	fork_of(5, 5, 6, 5, 40);
	ck_assert_uint_ne(space_thread_of(&space, 5, 6, 50), first);
}
END_TEST

START_TEST(a_thread_tells_its_own_end_where_nobody_else_does)
{
	fork_of(10, 1, 10, 1, 1);
	fork_of(10, 10, 11, 10, 2);
	fork_of(10, 10, 12, 10, 2);
	space_ended(&space, 10, 11, 50);
	space_ended(&space, 10, 12, 50);
	space_exit(&space, 10, 12, 60);
	space_ended(&space, 10, 12, 70);
	space_ended(&space, 10, 99, 70); /* process 99 is not in the recording */
	ck_assert_uint_eq(space.threads.at[space_subject(&space, 10, 11) - 1].end, 50);
	ck_assert_uint_eq(space.threads.at[space_subject(&space, 10, 12) - 1].end, 60);
	ck_assert_uint_eq(space.threads.n, 3);
}
END_TEST

START_TEST(a_call_is_about_a_thread_of_the_process_or_another_process)
{
	fork_of(10, 1, 10, 1, 1);
	fork_of(10, 10, 11, 10, 2);
	fork_of(20, 10, 20, 10, 3);
	fork_of(20, 20, 21, 20, 3);
	ck_assert_uint_eq(space_subject(&space, 10, 11), space_thread_of(&space, 10, 11, 5));
	ck_assert_uint_eq(space_subject(&space, 10, 20), space_thread_of(&space, 20, 20, 5));
	ck_assert_uint_eq(space_subject(&space, 10, 21), 0);
	ck_assert_uint_eq(space_subject(&space, 10, 1234), 0);
}
END_TEST

START_TEST(a_process_that_ran_already_has_its_own_mappings_only)
{
	struct task_fork f = { 2, 1, 2, 1, false }, parent = { 1, 9, 1, 9, false };
	uint32_t first;

	first = space_process_of(&space, 1, true, 0);
	map(1, 0x1000, 0x2000, 0, 0);
	ck_assert_uint_eq(space_fork(&space, &f, 0), 0);
	ck_assert_ptr_null(space_mapping_at(&space, space_process_of(&space, 2, false, 0), 0x1000));
	/* Process 1 is known already, so this late record of its own fork begins no new process. */
	ck_assert_uint_eq(space_fork(&space, &parent, 0), 0);
	ck_assert_uint_eq(space_process_of(&space, 1, false, 0), first);
}
END_TEST

START_TEST(the_kernels_process_is_no_pid)
{
	map(UINT32_MAX, 0xffffffff81000000, 0xffffffff82000000, 0, 0);
	ck_assert_uint_ne(space.kernel, 0);
	ck_assert_uint_ne(space_process_of(&space, UINT32_MAX, true, 10), space.kernel);
}
END_TEST

START_TEST(the_heap_grows_in_place)
{
	struct mapping m = { .start = 0x10000, .end = 0x20000, .has_prot = true };
	uint32_t p;

	m.dso = code_dso(&code, "[heap]", NULL);
	space_map(&space, 1, &m, 10);
	m.end = 0x30000;
	space_map(&space, 1, &m, 20);
	p = space_process_of(&space, 1, false, 0);
	ck_assert_uint_eq(space.mappings.n, 1);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x2ffff)->time, 10);
	map(1, 0x28000, 0x29000, 0, 30);
	/* the range contains the mapping of time 30, so this is not the heap that grew: the new
	 * mapping replaces both */
	space_map(&space, 1, &m, 40);
	ck_assert_uint_eq(space_mapping_at(&space, p, 0x28000)->time, 40);
}
END_TEST

START_TEST(an_image_is_gone_when_its_code_is)
{
	struct mapping m = own_image();
	const uint64_t start = m.start, end = m.end;
	uint32_t p;

	m.dso = code_dso(&code, "/proc/self/exe", NULL);
	space_map(&space, 1, &m, 10);
	p = space_process_of(&space, 1, false, 0);
	ck_assert_ptr_nonnull(space_image_at(&space, p, start));
	ck_assert_uint_eq(space_image_at(&space, p, start)->time, 10);
	m = (struct mapping){ .start = end - 4096, .end = end + 4096, .has_prot = true };
	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 1, &m, 20);
	ck_assert_ptr_null(space_image_at(&space, p, start));
}
END_TEST

/* A loader maps the whole file first. If its first segment is code, so is this mapping, until .bss
 * is mapped over its end. */
START_TEST(an_image_stays_when_memory_is_mapped_over_its_bss)
{
	struct mapping m = own_image();
	const uint64_t start = m.start;
	uint64_t hi;
	uint32_t p;

	m.dso = code_dso(&code, "/proc/self/exe", NULL);
	space_map(&space, 1, &m, 10);
	p = space_process_of(&space, 1, false, 0);
	hi = space_image_at(&space, p, start)->hi;
	m.end = (hi + 4095) & ~UINT64_C(4095);
	space_map(&space, 1, &m, 20);
	m = (struct mapping){ .start = m.end - 4096, .end = m.end, .has_prot = true };
	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 1, &m, 30);
	ck_assert_ptr_nonnull(space_image_at(&space, p, start));
	ck_assert_ptr_nonnull(space_image_at(&space, p, hi - 1));
}
END_TEST

/* The model caches lookups of images and mappings, so a cached range must not reach into another
 * mapping. Here an anonymous mapping covers the end of an image and continues after it. */
START_TEST(a_mapping_may_lie_in_an_image_in_part)
{
	struct mapping m = own_image();
	uint64_t start, hi;
	uint32_t p;

	m.dso = code_dso(&code, "/proc/self/exe", NULL);
	space_map(&space, 1, &m, 10);
	p = space_process_of(&space, 1, false, 0);
	hi = space_image_at(&space, p, m.start)->hi;
	start = (hi - 1) & ~UINT64_C(4095);
	m = (struct mapping){ .start = start, .end = start + 0x4000, .has_prot = true };
	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 1, &m, 20);
	for (int i = 0; i < 3; i++) {
		ck_assert_ptr_nonnull(space_image_at(&space, p, hi - 1));
		ck_assert_ptr_null(space_image_at(&space, p, hi));
		ck_assert_ptr_null(space_image_at(&space, p, start + 0x3fff));
		ck_assert_ptr_null(space_image_at(&space, p, start + 0x4000));
		ck_assert_uint_eq(space_mapping_at(&space, p, hi - 1)->start, start);
		ck_assert_uint_eq(space_mapping_at(&space, p, start + 0x3fff)->start, start);
		ck_assert_ptr_null(space_mapping_at(&space, p, start + 0x4000));
	}
}
END_TEST

enum { PAGES = 24, STEPS = 20000 };

/* Each lookup in parent and child returns the mapping that is there now, although the model caches
 * earlier answers. */
START_TEST(answers_are_those_of_now)
{
	uint64_t there[2][PAGES] = { 0 }, seed = 1;

	map(1, 0x1000, 0x2000, 1 << 20, 1);
	there[0][1] = 1 << 20;
	for (uint64_t i = 1; i < STEPS; i++) {
		uint64_t r = random_next(&seed);
		uint64_t from = (r >> 33) % PAGES, to = from + 1 + (r >> 40) % (PAGES - from);
		uint32_t who = i > STEPS / 2 && r >> 63;

		if (i == STEPS / 2) {
			fork_of(2, 1, 2, 1, i);
			memcpy(there[1], there[0], sizeof(there[0]));
		} else if (i % 8 == 0) {
			change(who + 1, there[who], from, to, r >> 50 & 3 ? i + 1 : 0, i);
		} else if (i % 1001 == 0) {
			space_comm(&space, who + 1, who + 1, "new", true, i);
			memset(there[who], 0, sizeof(there[who]));
		}
		compare(who + 1, there[who], from);
		compare(who + 1, there[who], to - 1);
	}
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

/* Returns how much anonymous memory this process uses, in bytes. */
static uint64_t anonymous(void)
{
	unsigned long kib = 0;
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];

	ck_assert_ptr_nonnull(f);
	while (!kib && fgets(line, sizeof(line), f))
		sscanf(line, "RssAnon: %lu", &kib);
	fclose(f);
	return kib * UINT64_C(1024);
}

/* Returns the pid of the process that forks child i: the first process (shape 0), the previous
 * child (shape 1), or a child that forks two children (shape 2). */
static uint32_t forks_child(int shape, uint32_t i)
{
	return !shape || !i ? 1 : shape == 1 ? 1 + i : 2 + (i - 1) / 2;
}

/* Each child inherits mappings, a stack and a name from its parent. The number of children is just
 * above 5/8 of a power of two: the hash tables (base/index.h) have just doubled, which is the most
 * expensive case. */
START_TEST(a_child_that_nobody_asks_about_costs_little)
{
	enum { CHILDREN = (5 << 16) + 1000, MOST_BYTES = 200 };
	struct homes homes;
	uint64_t before;

	/* otherwise the kernel may count up to 2 MiB of unused memory at the end of each array */
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	homes_init(&homes, 0);
	space_comm(&space, 1, 1, "parent", false, 1);
	for (unsigned i = 1; i < 100; i++)
		map(1, i * 0x10000, i * 0x10000 + 0x1000, 0, 2);
	map_stack(1, 0x7000000, 0x7100000, 3);
	before = anonymous();
	for (uint32_t i = 0; i < CHILDREN; i++) {
		uint32_t pid = forks_child(_i, i), child = fork_of(2 + i, pid, 2 + i, pid, 10 + i);

		ck_assert_uint_ne(child, 0);
		homes_fork(&homes, space_process(&space, child)->parent, child, 10 + i);
	}
	if (!SANITIZED)
		ck_assert_uint_lt((anonymous() - before) / CHILDREN, MOST_BYTES);
	for (uint32_t i = 0; i < CHILDREN; i += CHILDREN / 7) {
		uint32_t child = space_process_of(&space, 2 + i, false, 0);

		ck_assert_uint_eq(space_mapping_at(&space, child, 0x630fff)->start, 0x630000);
		ck_assert_uint_eq(space_mapping_at(&space, child, 0x7000000)->process, child);
		ck_assert_uint_eq(space_mapping_at(&space, child, 0x7000000)->time, 10 + i);
	}
	homes_release(&homes);
}
END_TEST

/* A child has the mappings that its parent had at the fork, even if the first lookup is much
 * later. */
START_TEST(a_child_looks_long_after_its_fork)
{
	uint32_t child, grandchild, late;

	map(1, 0x10000, 0x20000, 0, 1);
	map(1, 0x30000, 0x40000, 0, 1);
	child = fork_of(2, 1, 2, 1, 10);
	grandchild = fork_of(3, 2, 3, 2, 20);
	space_unmap(&space, space_process_of(&space, 1, false, 0), 0x10000, 0x20000, 30);
	map(1, 0x30000, 0x38000, 0x5000, 30);
	late = fork_of(4, 1, 4, 1, 40);
	space_comm(&space, 1, 1, "new", true, 50);
	ck_assert_uint_eq(space_mapping_at(&space, grandchild, 0x10000)->end, 0x20000);
	ck_assert_uint_eq(space_mapping_at(&space, grandchild, 0x30000)->pgoff, 0);
	ck_assert_ptr_null(space_mapping_at(&space, late, 0x10000));
	ck_assert_uint_eq(space_mapping_at(&space, late, 0x30000)->pgoff, 0x5000);
	map(2, 0x10000, 0x18000, 0x9000, 60);
	ck_assert_uint_eq(space_mapping_at(&space, child, 0x10000)->pgoff, 0x9000);
	ck_assert_uint_eq(space_mapping_at(&space, child, 0x18000)->pgoff, 0x8000);
	ck_assert_uint_eq(space_mapping_at(&space, grandchild, 0x10000)->pgoff, 0);
	ck_assert_ptr_null(
		space_mapping_at(&space, space_process_of(&space, 1, false, 0), 0x30000));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("process_life");
	TCase *t = tcase_create("process");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, exec_ends_all_mappings);
	tcase_add_test(t, a_pid_used_again_is_another_process);
	tcase_add_test(t, a_fork_that_two_samplers_tell_is_one_process);
	tcase_add_test(t, a_process_outlives_its_first_thread);
	tcase_add_test(t, exec_leaves_one_thread);
	tcase_add_test(t, a_tid_used_again_is_another_thread);
	tcase_add_test(t, a_thread_tells_its_own_end_where_nobody_else_does);
	tcase_add_test(t, a_call_is_about_a_thread_of_the_process_or_another_process);
	tcase_add_test(t, a_process_that_ran_already_has_its_own_mappings_only);
	tcase_add_test(t, the_kernels_process_is_no_pid);
	tcase_add_test(t, the_heap_grows_in_place);
	tcase_add_test(t, an_image_is_gone_when_its_code_is);
	tcase_add_test(t, an_image_stays_when_memory_is_mapped_over_its_bss);
	tcase_add_test(t, a_mapping_may_lie_in_an_image_in_part);
	tcase_add_test(t, answers_are_those_of_now);
	tcase_add_test(t, a_range_that_wraps_is_no_mapping);
	tcase_add_loop_test(t, a_child_that_nobody_asks_about_costs_little, 0, 3);
	tcase_add_test(t, a_child_looks_long_after_its_fork);
	suite_add_tcase(s, t);
	return run_suite(s);
}
