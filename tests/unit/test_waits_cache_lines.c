/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which uses of a cache line count as waits for other threads. Each of the two threads has a
 * sample in each millisecond of its time. */
#include "waits/cache_lines.h"

#include "check_main.h"

enum { MS = 1000000, LINE = 64, AT = 1 << 20, ROUNDS = 1000 };

static struct lines *lines;

static void setup(void)
{
	lines = lines_new();
	ck_assert_ptr_nonnull(lines);
}

static void teardown(void)
{
	lines_free(lines);
}

/* Returns a use of the line by this thread, at this time in ms. Thread n runs on CPU n. */
static struct line_use use_of(uint32_t thread, double ms, bool store)
{
	return (struct line_use){ .process = 1,
				  .thread = thread,
				  .cpu = (int32_t)thread,
				  .address = AT,
				  .time = (uint64_t)(ms * MS) + MS,
				  .store = store };
}

static enum line_state use(const struct line_use *u)
{
	ck_assert(lines_ran(lines, u->thread, u->time, MS));
	return lines_use(lines, u);
}

/* Threads 1 and 2 use the same line in turn. waits[0] and waits[1] receive how many uses of thread
 * 1 and of thread 2 count as waits. Thread 2 has samples elsewhere, too: only one of `every` is in
 * the line. */
static void use_both(const struct line_use *first, const struct line_use *second, int every,
		     int waits[2])
{
	waits[0] = waits[1] = 0;
	for (int i = 0; i < ROUNDS; i++) {
		struct line_use a = *first, b = *second;

		a.time += (uint64_t)i * MS;
		b.time += (uint64_t)i * MS;
		waits[0] += use(&a) == LINE_MOVED;
		if (i % every)
			ck_assert(lines_ran(lines, b.thread, b.time, MS));
		else
			waits[1] += use(&b) == LINE_MOVED;
	}
}

START_TEST(both_wait_if_both_write)
{
	struct line_use a = use_of(1, 0, true), b = use_of(2, 0.5, true);
	int waits[2];

	b.address += LINE - 8; /* b uses other bytes of the same line */
	use_both(&a, &b, 1, waits);
	ck_assert_int_ge(waits[0], ROUNDS - 2);
	ck_assert_int_ge(waits[1], ROUNDS - 2);
}
END_TEST

START_TEST(the_next_line_is_another_one)
{
	struct line_use a = use_of(1, 0, true), b = use_of(2, 0.5, true);
	int waits[2];

	b.address += LINE;
	use_both(&a, &b, 1, waits);
	ck_assert_int_eq(waits[0] + waits[1], 0);
	b.address = a.address;
	b.process = 2; /* b uses the same address, but in another process, so another line */
	use_both(&a, &b, 1, waits);
	ck_assert_int_eq(waits[0] + waits[1], 0);
}
END_TEST

/* Each thread that only reads has a copy of the line. If one of the threads writes, both wait. */
START_TEST(readers_do_not_wait_for_each_other)
{
	struct line_use a = use_of(1, 0, false), b = use_of(2, 0.5, false);
	int waits[2];

	use_both(&a, &b, 1, waits);
	ck_assert_int_eq(waits[0] + waits[1], 0);
	teardown();
	setup();
	b.store = true;
	use_both(&a, &b, 1, waits);
	ck_assert_int_ge(waits[0], ROUNDS - 2);
	ck_assert_int_ge(waits[1], ROUNDS - 2);
}
END_TEST

/* A line moves to a thread only after another thread has used the line. So if the other thread uses
 * it rarely, only few uses are waits. */
START_TEST(a_thread_waits_as_often_as_others_come)
{
	const struct line_use a = use_of(1, 0, true), b = use_of(2, 0.5, true);
	int waits[2];

	use_both(&a, &b, 10, waits);
	ck_assert_int_ge(waits[0], ROUNDS / 10 - 2);
	ck_assert_int_le(waits[0], ROUNDS / 10);
	ck_assert_int_ge(waits[1], ROUNDS / 10 - 2);
}
END_TEST

/* A thread that sleeps while another thread uses the line does not wait for the line. So only one
 * use in each turn may count as a wait. */
START_TEST(a_line_that_is_handed_over_moves_once)
{
	enum { TURNS = 40, TURN = 20 };
	int waits = 0;

	for (int i = 0; i < TURNS * TURN; i++) {
		const struct line_use u = use_of(1 + i / TURN % 2, i, true);

		waits += use(&u) == LINE_MOVED;
	}
	ck_assert_int_le(waits, 2 * TURNS);
	ck_assert_int_le(waits * 10, TURNS * TURN);
}
END_TEST

START_TEST(one_cpu_has_one_cache)
{
	struct line_use a = use_of(1, 0, true), b = use_of(2, 0.5, true);
	int waits[2];

	b.cpu = a.cpu;
	use_both(&a, &b, 1, waits);
	ck_assert_int_eq(waits[0] + waits[1], 0);
	a.cpu = b.cpu = -1; /* the CPUs are not recorded, so they may differ */
	use_both(&a, &b, 1, waits);
	ck_assert_int_ge(waits[0], ROUNDS - 2);
}
END_TEST

/* A thread that waits for a flag next to the data delays the thread that writes the data, but does
 * not wait for the data itself: this use of the line is marked `free`. */
START_TEST(a_free_use_delays_others_only)
{
	struct line_use a = use_of(1, 0, true), b = use_of(2, 0.5, false);
	int waits[2];

	b.free = true;
	use_both(&a, &b, 1, waits);
	ck_assert_int_ge(waits[0], ROUNDS - 2);
	ck_assert_int_eq(waits[1], 0);
}
END_TEST

/* One sample may represent several uses of a line, which have the same time. The second use gets
 * the result of the first. */
START_TEST(uses_at_one_time_are_one)
{
	for (int i = 0; i < ROUNDS; i++) {
		const struct line_use a = use_of(1, i, true), b = use_of(2, i + 0.5, true);
		enum line_state first = use(&a);

		ck_assert_int_eq(first, use(&a));
		ck_assert_int_eq(first, use(&a));
		ck_assert(i < 2 || first == LINE_MOVED);
		use(&b);
	}
}
END_TEST

/* With more threads than a line has room for, each of them still waits. */
START_TEST(many_threads)
{
	enum { THREADS = 3 * LINES_USERS };
	int waits = 0;

	for (int i = 0; i < ROUNDS; i++)
		for (uint32_t t = 1; t <= THREADS; t++) {
			const struct line_use u = use_of(t, i + (double)t / (THREADS + 1), true);

			waits += use(&u) == LINE_MOVED;
		}
	ck_assert_int_ge(waits, ROUNDS * THREADS - 2 * THREADS);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_lines");
	TCase *t = tcase_create("uses");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, both_wait_if_both_write);
	tcase_add_test(t, the_next_line_is_another_one);
	tcase_add_test(t, readers_do_not_wait_for_each_other);
	tcase_add_test(t, a_thread_waits_as_often_as_others_come);
	tcase_add_test(t, a_line_that_is_handed_over_moves_once);
	tcase_add_test(t, one_cpu_has_one_cache);
	tcase_add_test(t, a_free_use_delays_others_only);
	tcase_add_test(t, uses_at_one_time_are_one);
	tcase_add_test(t, many_threads);
	suite_add_tcase(s, t);
	return run_suite(s);
}
