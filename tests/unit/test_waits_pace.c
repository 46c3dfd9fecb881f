/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests whether a loop waits for memory or for its arithmetic, and how long its streams take. */
#include "waits/pace.h"

#include "check_main.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

static const struct wait_caches *caches = &wait_caches_default;

/* Judges a loop with one access. Its arithmetic takes at least `least` cycles, and probably twice
 * as many. */
static struct pace judge(float least, struct pace_access a)
{
	struct wait_loop l = { .n = 4, .accesses = 1, .least = least, .likely = 2 * least };
	double reach[CACHE_LEVELS];

	reach_find(&a.access, 1, caches, reach);
	return pace_judge(&l, &a, 1, 0, caches, reach);
}

START_TEST(arithmetic_hides_memory_that_takes_no_longer)
{
	struct pace_access a = { .step = 8, .access = { .footprint = 256 * KIB, .bytes = 8 } };

	/* the array is read in order; the samples show this only if the array is large */
	ck_assert_int_eq(judge(2, a).verdict, PACE_ARITHMETIC);
	a.access.in_order = true;
	ck_assert_int_eq(judge(2, a).verdict, PACE_ARITHMETIC);
	a.access.footprint = 64 * MIB;
	ck_assert_int_eq(judge(2, a).verdict, PACE_UNCLEAR);
	ck_assert_int_eq(judge(10, a).verdict, PACE_ARITHMETIC);
	a.step = 64;
	ck_assert_int_eq(judge(2, a).verdict, PACE_MEMORY);
	/* rows in random order, which may be long or short */
	a.access.in_order = false;
	a.step = 8;
	ck_assert_int_eq(judge(1, a).verdict, PACE_MEMORY);
	ck_assert_int_eq(judge(10, a).verdict, PACE_UNCLEAR);
	/* a step of 0, and samples in a few lines that stay in the first level */
	a.step = 0;
	a.access.footprint = 4 * KIB;
	ck_assert_int_eq(judge(0.25, a).verdict, PACE_ARITHMETIC);
	a.access.footprint = 1024.0 * MIB;
	ck_assert_int_eq(judge(10, a).verdict, PACE_MEMORY);
	a.step = WAIT_NO_STEP;
	ck_assert_int_eq(judge(10, a).verdict, PACE_MEMORY);
	a.access.footprint = 256 * KIB;
	ck_assert_int_eq(judge(10, a).verdict, PACE_ARITHMETIC);
	a.recurrent = true;
	ck_assert_int_eq(judge(6, a).verdict, PACE_UNCLEAR);
	/* no address is known, but only the object: such accesses may be in order */
	a.access.footprint = 1024.0 * MIB;
	ck_assert_int_eq(judge(6, a).verdict, PACE_MEMORY);
	a.access.unseen = true;
	ck_assert_int_eq(judge(6, a).verdict, PACE_UNCLEAR);
	/* no loop; then a loop whose only access is unknown */
	ck_assert_int_eq(pace_judge(&(struct wait_loop){ 0 }, &a, 0, 0, caches, NULL).verdict,
			 PACE_MEMORY);
	ck_assert_int_eq(pace_judge(&(struct wait_loop){ .n = 4, .accesses = 1, .least = 9 }, &a, 0,
				    0, caches, NULL)
				 .verdict,
			 PACE_MEMORY);
}
END_TEST

/* The inner loop of a product of matrices: c[i][j] += a[i][k] * b[k][j]. A row of c is used again
 * before all of b is. If samples show that c moves slowly, its lines come from a nearer level. */
START_TEST(each_stream_has_the_level_that_its_own_reuse_allows)
{
	const struct wait_loop l = { .n = 8, .accesses = 3, .least = 1.25F, .likely = 1.75F };
	const struct reach_access r = { .footprint = 4 * MIB, .in_order = true, .bytes = 16 };
	struct pace_access a[] = {
		{ .insn = 1, .object = 1, .step = 16, .access = r },
		{ .insn = 2, .object = 2, .step = 16, .access = r },
		{ .insn = 3, .object = 2, .step = 16, .access = r, .stores = true },
	};
	double reach[CACHE_LEVELS] = { 0 };

	pace_parts(a, 3);
	ck_assert_int_eq(pace_judge(&l, a, 3, 0, caches, reach).verdict, PACE_MEMORY);
	a[1].access.footprint = a[2].access.footprint = 128 * KIB;
	ck_assert_int_eq(pace_judge(&l, a, 3, 0, caches, reach).verdict, PACE_UNCLEAR);
}
END_TEST

/* Five arrays in one block, as the densities of a lattice: each is a stream of its own. Accesses to
 * neighbours in one array are one stream. */
START_TEST(parts_of_an_object_are_streams_of_their_own)
{
	const struct wait_loop l = { .n = 30, .accesses = 5, .least = 10, .likely = 12 };
	const struct reach_access r = { .footprint = 16 * MIB, .in_order = true, .bytes = 8 };
	struct pace_access a[5];
	double reach[CACHE_LEVELS] = { 0 }, apart[5], together[5];

	for (unsigned i = 0; i < 5; i++) {
		a[i] = (struct pace_access){ .insn = i, .object = 1, .step = 8, .access = r };
		a[i].access.low = 8 * i;
		a[i].access.high = 16 * MIB + 8 * i;
	}
	pace_parts(a, 5);
	ck_assert_int_eq(pace_judge(&l, a, 5, 0, caches, reach).verdict, PACE_ARITHMETIC);
	pace_transfers(&l, a, 5, 0, caches, reach, together);
	for (unsigned i = 0; i < 5; i++) {
		a[i].access.low = i * 16 * MIB;
		a[i].access.high = (i + 1) * 16 * MIB - 1;
	}
	pace_parts(a, 5);
	ck_assert_int_ne(pace_judge(&l, a, 5, 0, caches, reach).verdict, PACE_ARITHMETIC);
	pace_transfers(&l, a, 5, 0, caches, reach, apart);
	/* 80 MiB are beyond the last level, so they also come from slower memory */
	for (unsigned i = 0; i < 5; i++)
		ck_assert_double_gt(apart[i], 4.99 * together[i]);
	/* of different threads, nobody knows whether they are the same part */
	for (unsigned i = 0; i < 5; i++)
		a[i].access.thread = i;
	pace_parts(a, 5);
	ck_assert_int_eq(pace_judge(&l, a, 5, 0, caches, reach).verdict, PACE_ARITHMETIC);
}
END_TEST

/* The second range overlaps with the first and with the third, which do not overlap: these two are
 * streams of their own, as without the second. */
START_TEST(each_stream_counts_once)
{
	const struct wait_loop l = { .n = 30, .accesses = 3, .least = 1, .likely = 2 };
	const struct reach_access r = { .footprint = 100 * MIB, .in_order = true, .bytes = 8 };
	struct pace_access a[3];
	double cycles[3], reach[CACHE_LEVELS] = { 0 }, all;

	for (unsigned i = 0; i < 3; i++) {
		a[i] = (struct pace_access){ .insn = i, .object = 1, .step = 8, .access = r };
		a[i].access.low = (1 + i) * 50 * MIB;
		a[i].access.high = a[i].access.low + 100 * MIB;
	}
	pace_parts(a, 3);
	pace_transfers(&l, a, 3, 0, caches, reach, cycles);
	all = cycles[0];
	a[1] = a[2];
	pace_parts(a, 2);
	pace_transfers(&l, a, 2, 0, caches, reach, cycles);
	ck_assert_double_eq_tol(all, cycles[0], 1e-9);
}
END_TEST

START_TEST(a_large_last_level_is_slow)
{
	struct wait_caches c = wait_caches_default;
	struct pace_access a = { .step = WAIT_NO_STEP,
				 .access = { .footprint = 24 * MIB, .bytes = 8 } };
	double usual = judge(2, a).other, slow;

	ck_assert(wait_caches_set(&c, (uint64_t[]){ 48 << 10, 2 << 20, 480 << 20 }));
	ck_assert(c.level[2].cycles > 150 && c.level[2].cycles < 250);
	caches = &c;
	slow = judge(2, a).other;
	caches = &wait_caches_default;
	ck_assert_msg(slow < usual / 2, "%g, not below half of %g", slow, usual);
	/* the last level is not larger than the default */
	ck_assert(wait_caches_set(&c, (uint64_t[]){ 32 << 10, 256 << 10, 8 << 20 }));
	ck_assert(c.level[2].cycles == wait_caches_default.level[2].cycles);
}
END_TEST

/* A walk along the columns of a matrix: the steps are too large to be prefetched, but a cache line
 * of one column also has elements of the next columns. */
START_TEST(columns_share_their_lines)
{
	struct pace_access a = { .step = 6 * KIB, .access = { .footprint = 4 * MIB, .bytes = 8 } };

	ck_assert_int_eq(judge(2, a).verdict, PACE_UNCLEAR);
	/* Only 2 cycles of an iteration are certainly arithmetic. On a machine with slow memory,
	 * each miss takes 20 cycles. */
	ck_assert_double_lt(judge(2, a).other, 0.15);
	ck_assert_int_eq(judge(1, a).verdict, PACE_MEMORY);
	a.step = WAIT_SOME_STEP;
	ck_assert_int_eq(judge(2, a).verdict, PACE_UNCLEAR);
	/* in a column too long for the caches, each access misses; the same is true if each access
	 * fills a line (below) */
	a.step = 6 * KIB;
	a.access.footprint = 1024.0 * MIB * 1024;
	ck_assert_int_eq(judge(2, a).verdict, PACE_MEMORY);
	a.access.footprint = 4 * MIB;
	a.access.bytes = 64;
	ck_assert_int_eq(judge(2, a).verdict, PACE_MEMORY);
	/* steps of half the array: two steps are not a column */
	a.step = 2 * MIB;
	a.access.bytes = 8;
	ck_assert_int_eq(judge(2, a).verdict, PACE_MEMORY);
}
END_TEST

/* The samples show how fast a stream advances. */
START_TEST(a_stream_shows_how_long_an_iteration_takes)
{
	struct pace_access a = {
		.step = 24,
		.access = { .footprint = 64 * MIB, .bytes = 8, .in_order = true, .rate = 24 }
	};
	struct pace p = judge(4, a);

	/* an iteration takes 1 ns, which are 4 cycles, and its arithmetic takes all of them */
	ck_assert_int_eq(p.verdict, PACE_UNCLEAR);
	ck_assert_double_eq_tol(p.other, 1, 0.01);
	a.access.rate = 2.4;
	p = judge(4, a);
	ck_assert_int_eq(p.verdict, PACE_MEMORY);
	ck_assert_double_eq_tol(p.other, 4.0 / 40, 0.01);
	/* The step is not known. If the thread waited for each line of the stream, it would wait
	 * for a fifth of the time (rate 0.1), or always (rate 1). */
	a.step = WAIT_NO_STEP;
	a.access.rate = 0.1;
	ck_assert_int_eq(judge(4, a).verdict, PACE_ARITHMETIC);
	a.access.rate = 1;
	ck_assert_int_eq(judge(4, a).verdict, PACE_UNCLEAR);
	a.access.rate = 30;
	ck_assert_int_eq(judge(4, a).verdict, PACE_MEMORY);
}
END_TEST

/* A stream in the second cache level takes no longer than the arithmetic. But if an iteration takes
 * twice as long as a usual CPU needs for it, something is slower than expected. */
START_TEST(a_slow_iteration_is_not_only_arithmetic)
{
	const struct pace_access a = {
		.step = 8, .access = { .footprint = 300 * KIB, .bytes = 8, .in_order = true }
	};
	const struct wait_loop l = { .n = 8, .accesses = 1, .least = 4, .likely = 4 };
	const double reach[CACHE_LEVELS] = { 0 };
	struct pace p = pace_judge(&l, &a, 1, 10, caches, reach);

	ck_assert_int_eq(p.verdict, PACE_ARITHMETIC);
	p = pace_judge(&l, &a, 1, 12, caches, reach);
	ck_assert_int_eq(p.verdict, PACE_UNCLEAR);
	ck_assert_double_eq_tol(p.other, 4.0 / 12, 0.001);
	ck_assert_double_eq_tol(p.unclear, 1 - 4.0 / 12, 0.001);
}
END_TEST

/* The loop's counter shows it, too, also if all accesses are scattered. How often jumps are
 * mispredicted is not known: a quarter of them, or a half of them on a slower CPU. */
START_TEST(a_counter_shows_how_long_an_iteration_takes)
{
	const struct pace_access a = { .access = { .footprint = 1024 * MIB, .bytes = 8 } };
	struct wait_loop l = { .n = 8, .accesses = 1, .least = 4, .likely = 4 };
	const double reach[CACHE_LEVELS] = { 0 };
	struct pace p = pace_judge(&l, &a, 1, 80, caches, reach);

	ck_assert_int_eq(p.verdict, PACE_MEMORY);
	ck_assert_double_eq_tol(p.other, 0.05, 0.001);
	ck_assert_double_eq_tol(p.unclear, 0, 0.001);
	l.jumps = 1;
	p = pace_judge(&l, &a, 1, 80, caches, reach);
	ck_assert_double_eq_tol(p.jumps, 5.0 / 80, 0.001);
	ck_assert_double_eq_tol(p.unclear, (12.5 - 5) / 80, 0.001);
	l.resolve = 12; /* the CPU needs these cycles until it knows that it was wrong */
	p = pace_judge(&l, &a, 1, 80, caches, reach);
	ck_assert_double_eq_tol(p.jumps, 8.0 / 80, 0.001);
	ck_assert_double_eq_tol(p.unclear, (20 - 8.0) / 80, 0.001);
	p = pace_judge(&l, &a, 1, 8, caches, reach);
	ck_assert_double_eq_tol(p.other + p.jumps, 1, 0.001);
	ck_assert_double_eq_tol(p.unclear, 0, 0.001);
	ck_assert_int_eq(pace_judge(&l, &a, 1, 4, caches, reach).verdict, PACE_UNCLEAR);
}
END_TEST

/* A stream takes as long as its bytes: those of its step, or a cache line if each iteration
 * accesses another row. An access loads at most one line. A stream that stays in a cache takes
 * less. */
START_TEST(streams_take_as_long_as_their_bytes)
{
	const struct wait_loop loop = { .n = 8, .least = 2, .likely = 2 };
	const struct reach_access large = { .footprint = 256 * MIB, .in_order = true, .bytes = 4 };
	struct pace_access a[] = {
		{ .object = 1, .step = 4, .access = large },
		{ .object = 2, .step = 128, .access = large },
		{ .object = 3, .step = WAIT_NO_STEP, .row = true, .access = large },
		{ .object = 4, .step = 16, .access = large },
		{ .object = 4, .step = 16, .stores = true, .access = large },
		{ .object = 5, .step = WAIT_NO_STEP, .access = { .footprint = 256 * MIB } },
	};
	double cycles[6], reach[CACHE_LEVELS] = { 0 };

	pace_parts(a, 6);
	pace_transfers(&loop, a, 6, 0, caches, reach, cycles);
	for (int i = 0; i < 5; i++)
		ck_assert_double_eq_tol(cycles[i] / cycles[0], ((double[]){ 1, 16, 16, 4, 4 })[i],
					1e-9);
	a[0].access.footprint = 4 * MIB;
	pace_transfers(&loop, a, 1, 0, caches, reach, cycles);
	ck_assert_double_lt(cycles[0], cycles[3] / 4);
}
END_TEST

/* Of loads in random order, 12 overlap. Those of a table in the second level take less time than a
 * stream from memory, unless they are many. */
START_TEST(loads_in_random_order_overlap)
{
	const struct wait_loop loop = { .n = 8, .least = 2, .likely = 2 };
	struct pace_access a[] = {
		{ .object = 1, .access = { .footprint = 512 * KIB, .bytes = 8 } },
		{ .object = 2, .access = { .footprint = 512 * KIB, .bytes = 8, .elements = 8 } },
		{ .object = 3, .access = { .footprint = 256 * MIB, .bytes = 8 } },
		{ .object = 4,
		  .step = 8,
		  .access = { .footprint = 256 * MIB, .bytes = 8, .in_order = true } },
	};
	double reach[] = { 0, INFINITY, INFINITY }, cycles[4], late[4];
	struct wait_caches slow = *caches;

	a[0].step = a[1].step = a[2].step = WAIT_NO_STEP;
	pace_transfers(&loop, a, 4, 0, caches, reach, cycles);
	ck_assert_double_eq_tol(cycles[0], 14.0 / 12, 0.4);
	ck_assert_double_eq_tol(cycles[1], 8 * cycles[0], 1e-9);
	ck_assert_double_eq(cycles[2], cycles[0]); /* both hit the second level */
	ck_assert_double_gt(cycles[3], cycles[0]);
	ck_assert_double_lt(cycles[3], cycles[1]);
	/* a third level that answers late has a lower bandwidth */
	a[3].access.footprint = 16 * MIB;
	pace_transfers(&loop, &a[3], 1, 0, caches, reach, cycles);
	slow.level[2].cycles *= 2;
	pace_transfers(&loop, &a[3], 1, 0, &slow, reach, late);
	ck_assert_double_eq_tol(late[0], 2 * cycles[0], 1e-9);
	slow.level[2].cycles *= 100; /* but not below that of memory */
	pace_transfers(&loop, &a[3], 1, 0, &slow, reach, late);
	ck_assert_double_lt(late[0], 4 * cycles[0]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_pace");
	TCase *t = tcase_create("waits_pace");

	tcase_add_test(t, arithmetic_hides_memory_that_takes_no_longer);
	tcase_add_test(t, each_stream_has_the_level_that_its_own_reuse_allows);
	tcase_add_test(t, a_large_last_level_is_slow);
	tcase_add_test(t, each_stream_counts_once);
	tcase_add_test(t, parts_of_an_object_are_streams_of_their_own);
	tcase_add_test(t, columns_share_their_lines);
	tcase_add_test(t, a_stream_shows_how_long_an_iteration_takes);
	tcase_add_test(t, a_counter_shows_how_long_an_iteration_takes);
	tcase_add_test(t, a_slow_iteration_is_not_only_arithmetic);
	tcase_add_test(t, streams_take_as_long_as_their_bytes);
	tcase_add_test(t, loads_in_random_order_overlap);
	suite_add_tcase(s, t);
	return run_suite(s);
}
