/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which addresses belong to the stacks of threads and to their thread-local variables. */
#include "model/tls.h"
#include "objects_fixture.h"
#include "own_image.h"

START_TEST(the_stack_of_a_thread_is_where_its_stack_pointer_is)
{
	uint32_t thread = space_thread_of(&space, 100, 101, 1);
	struct mapping m = { .start = 0x700000, .end = 0x800000, .has_prot = true };
	struct place p;

	m.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 100, &m, 1);
	p = find(0x7f0000);
	ck_assert_int_eq(objects.objects.at[p.object - 1].kind, OBJECT_MAPPING);
	p = objects_find(&objects, process, thread, 0x7f0000, 0x7e0000);
	ck_assert_int_eq(objects.objects.at[p.object - 1].kind, OBJECT_STACK);
	ck_assert_uint_eq(objects.objects.at[p.object - 1].thread, thread);
	/* other threads find the same object at this address */
	ck_assert_uint_eq(find(0x7f0000).object, p.object);
	ck_assert_uint_eq(p.birth, 1);
	/* The thread ends. Its memory stays mapped, but is not a stack any more. */
	space_exit(&space, 100, 101, 5);
	p = find(0x7f0000);
	ck_assert_int_eq(objects.objects.at[p.object - 1].kind, OBJECT_MAPPING);
}
END_TEST

/* Maps a thread's stack: the writable part, and the guard page below it. */
static void map_stack(uint64_t start, uint64_t end)
{
	struct mapping guard = { .start = start - 0x1000, .end = start, .has_prot = true };
	struct mapping stack = { .start = start, .end = end, .has_prot = true, .prot = 3 };

	guard.dso = stack.dso = code_dso(&code, "//anon", NULL);
	space_map(&space, 100, &guard, 1);
	space_map(&space, 100, &stack, 1);
}

/* Reports the test program as a loaded module. Its thread-local variables of 256 bytes end at
 * the thread pointer. */
static void tell_modules(uint32_t thread, uint64_t pointer, uint64_t to_stack_end)
{
	struct mapping m = own_image();
	struct track_tls module = { .code = m.start, .block = pointer - 256, .bytes = 256 };

	m.dso = code_dso(&code, "/proc/self/exe", NULL);
	space_map(&space, 100, &m, 1);
	tls_report(&space, &(struct tls_thread_report){ process, thread, pointer, to_stack_end,
							&module, 1 });
}

START_TEST(a_thread_local_variable_is_its_threads)
{
	uint32_t first = space_thread_of(&space, 100, 100, 1);
	uint32_t second = space_thread_of(&space, 100, 101, 1);
	uint32_t third = space_thread_of(&space, 100, 102, 1);
	struct tls_place p;

	map_stack(0x701000, 0x800000);
	map_stack(0x901000, 0xa00000);
	ck_assert(!tls_at(&space, process, 0x7ff6f0, &p));
	tell_modules(first, 0x5000740, 2301);
	ck_assert(tls_at(&space, process, 0x500073f, &p));
	ck_assert_uint_eq(p.thread, first);
	ck_assert_uint_eq(p.start, 0x5000640);
	ck_assert_uint_ne(p.dso, 0);
	ck_assert(tls_at(&space, process, 0x5000740, &p));
	ck_assert_uint_eq(p.dso, 0);
	ck_assert(!tls_at(&space, process, 0x500063f, &p));
	ck_assert_uint_eq(tls_pointer(&space, second, 0), 0);
	/* The pointer of the second thread is computed from the end of its stack. */
	ck_assert_uint_eq(tls_pointer(&space, second, 0x7f0000), 0x7ff700);
	ck_assert(tls_at(&space, process, 0x7ff6f0, &p));
	ck_assert_uint_eq(p.thread, second);
	tls_report(&space, &(struct tls_thread_report){ process, second, 0x7ff000, 0, NULL, 0 });
	/* The pointer of the third thread is computed with the distance that the second thread
	 * reported. */
	ck_assert_uint_eq(tls_pointer(&space, third, 0x9f0000), 0x9ff000);
	space_exit(&space, 100, 102, 5);
	ck_assert(!tls_at(&space, process, 0x9feff0, &p));
}
END_TEST

START_TEST(the_heap_is_no_stack)
{
	uint32_t thread = space_thread_of(&space, 100, 101, 1);
	struct mapping m = { .start = 0x700000, .end = 0x800000, .has_prot = true };
	struct place p;

	m.dso = code_dso(&code, "[heap]", NULL);
	space_map(&space, 100, &m, 1);
	/* This stack pointer is outside the thread's own stack: a coroutine has its own stack. */
	p = objects_find(&objects, process, thread, 0x7f0000, 0x7e0000);
	ck_assert_int_eq(objects.objects.at[p.object - 1].kind, OBJECT_MAPPING);
}
END_TEST

START_TEST(the_main_stack_grows_without_a_record)
{
	uint32_t thread = space_thread_of(&space, 100, 100, 1);
	struct mapping m = { .start = 0x7ffd0000, .end = 0x7fff0000, .has_prot = true };
	struct place p;

	m.dso = code_dso(&code, "[stack]", NULL);
	space_map(&space, 100, &m, 1);
	ck_assert_uint_eq(find(0x7ffc0000).object, 0);
	p = objects_find(&objects, process, thread, 0x7ffc0000, 0x7ffbff00);
	ck_assert_uint_ne(p.object, 0);
	ck_assert_int_eq(objects.objects.at[p.object - 1].kind, OBJECT_STACK);
	ck_assert_uint_eq(objects.objects.at[p.object - 1].extent, 0x30000);
	ck_assert_uint_eq(objects_find(&objects, process, thread, 0x7ffb0000, 0x7ffbff00).object,
			  0);
	objects_find(&objects, process, thread, 0x7ffb0000, 0x7ffaff00);
	ck_assert_uint_eq(objects.objects.at[p.object - 1].address, 0x7ffb0000);
	ck_assert_uint_eq(objects.objects.at[p.object - 1].extent, 0x40000);
}
END_TEST

/* A thread's stack pointer is below the main stack, too: in a stack whose mapping is not known. */
START_TEST(the_main_stack_does_not_grow_past_a_mapping)
{
	uint32_t thread = space_thread_of(&space, 100, 101, 1);
	struct mapping m = { .start = 0x7ffd0000, .end = 0x7fff0000, .has_prot = true };
	struct mapping library = { .start = 0x7f500000, .end = 0x7f510000, .has_prot = true };

	m.dso = code_dso(&code, "[stack]", NULL);
	space_map(&space, 100, &m, 1);
	library.dso = code_dso(&code, "/lib/a.so", NULL);
	space_map(&space, 100, &library, 1);
	ck_assert_uint_eq(objects_find(&objects, process, thread, 0x7f400000, 0x7f3fff00).object,
			  0);
	ck_assert_uint_ne(objects_find(&objects, process, thread, 0x7f600000, 0x7f5fff00).object,
			  0);
}
END_TEST

/* A mapping may be unknown because the thread uses it before its record comes. It is far below the
 * main stack. */
START_TEST(the_main_stack_does_not_grow_far_for_another_thread)
{
	uint32_t first = space_thread_of(&space, 100, 100, 1);
	uint32_t other = space_thread_of(&space, 100, 101, 1);
	struct mapping m = { .start = 0x7ffd0000, .end = 0x7fff0000, .has_prot = true };

	m.dso = code_dso(&code, "[stack]", NULL);
	space_map(&space, 100, &m, 1);
	ck_assert_uint_eq(objects_find(&objects, process, other, 0x70000000, 0x6ffff000).object, 0);
	ck_assert_uint_ne(objects_find(&objects, process, first, 0x70000000, 0x6ffff000).object, 0);
}
END_TEST

/* The kernel extends the main stack by pages, so by more than 4 KiB at once if pages are larger. */
START_TEST(the_main_stack_grows_by_large_pages)
{
	uint32_t thread = space_thread_of(&space, 100, 100, 1);
	struct mapping m = { .start = 0x7ffd0000, .end = 0x7fff0000, .has_prot = true };
	struct place p;

	space.page_bytes = 65536;
	m.dso = code_dso(&code, "[stack]", NULL);
	space_map(&space, 100, &m, 1);
	p = objects_find(&objects, process, thread, 0x7ffc1230, 0x7ffc9000);
	ck_assert_uint_ne(p.object, 0);
	ck_assert_uint_eq(objects.objects.at[p.object - 1].address, 0x7ffc0000);
	ck_assert_uint_eq(p.offset, 0x1230);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("objects_stack");
	TCase *t = tcase_create("objects_stack");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_stack_of_a_thread_is_where_its_stack_pointer_is);
	tcase_add_test(t, a_thread_local_variable_is_its_threads);
	tcase_add_test(t, the_heap_is_no_stack);
	tcase_add_test(t, the_main_stack_grows_without_a_record);
	tcase_add_test(t, the_main_stack_does_not_grow_past_a_mapping);
	tcase_add_test(t, the_main_stack_does_not_grow_far_for_another_thread);
	tcase_add_test(t, the_main_stack_grows_by_large_pages);
	suite_add_tcase(s, t);
	return run_suite(s);
}
