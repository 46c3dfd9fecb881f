/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how long operands are expected to take, and how a wait is shared among them. */
#include "waits/reach.h"
#include "waits/series.h"
#include "waits/share.h"

#include "check_main.h"

#include <math.h>

enum { KIB = 1 << 10, MIB = 1 << 20 };

static const struct wait_caches *caches = &wait_caches_default;

static double wait_alone(struct reach_access a)
{
	double reach[CACHE_LEVELS];

	reach_find(&a, 1, caches, reach);
	return reach_wait(&a, reach, caches);
}

/* A larger footprint needs a slower cache level, so it costs more. Access in order costs less
 * than random access. */
START_TEST(waits_grow_with_the_footprint)
{
	static const double sizes[] = { 16 * KIB, 256 * KIB, 8 * MIB, 256 * MIB };
	double last = 0;

	for (int i = 0; i < 4; i++) {
		struct reach_access a = { .footprint = sizes[i], .bytes = 8 };
		struct reach_access stream = { .footprint = sizes[i],
					       .bytes = 8,
					       .in_order = true };
		double wait = wait_alone(a);

		ck_assert_double_gt(wait, last);
		ck_assert_double_le(wait_alone(stream), wait);
		ck_assert((wait < 1.2) == (i == 0));
		ck_assert(reach_is_stream(&stream, caches) == (i > 1) &&
			  !reach_is_stream(&a, caches));
		last = wait;
	}
}
END_TEST

/* The caches are shared: an operand that would fit alone does not fit together with others. A
 * small operand stays cached, because it is used again soon. */
START_TEST(accesses_share_the_caches)
{
	struct reach_access a[] = { { .footprint = 64.0 * MIB },
				    { .footprint = 32.0 * MIB },
				    { .footprint = 256.0 * MIB, .in_order = true, .bytes = 8 },
				    { .footprint = 16 * KIB } };
	double reach[CACHE_LEVELS], wait[4];

	reach_find(a, 4, caches, reach);
	for (int i = 0; i < 4; i++)
		wait[i] = reach_wait(&a[i], reach, caches);
	ck_assert_double_gt(wait[0], wait[1]);
	ck_assert_double_gt(wait[1], 2 * wait_alone(a[1]));
	ck_assert_double_eq(wait[2], wait_alone(a[2]));
	ck_assert_double_lt(wait[3], 14);
	for (int i = 0; i + 1 < CACHE_LEVELS; i++)
		ck_assert_double_lt(reach[i], reach[i + 1]);
}
END_TEST

START_TEST(one_address_is_one_line)
{
	struct series s = { 0 };

	ck_assert(series_order(&s) == 0);
	ck_assert(series_add(&s, 64, 1000) && series_footprint(&s) == 64);
	series_release(&s);
}
END_TEST

static void check_shares(const struct wait_choice *c, unsigned n, const double *share)
{
	for (unsigned i = 0; i < n; i++)
		ck_assert_double_eq_tol(c[i].share, share[i], 1e-3);
}

START_TEST(shares_go_by_what_each_takes)
{
	struct wait_choice c[] = { { .object = 1, .how = WAIT_OWN, .wait = 30 },
				   { .object = 2, .how = WAIT_FLOW, .wait = 10 },
				   { .object = 3, .how = WAIT_CARRIED, .wait = 400 },
				   { .object = 4, .how = WAIT_WINDOW, .wait = 400 } };

	ck_assert(wait_share(c, 4));
	check_shares(c, 4, (double[]){ 0.75, 0.25, 0, 0 });
	ck_assert(c[0].possible && c[1].possible && !c[2].possible && !c[3].possible);
	ck_assert(wait_share(c + 2, 2));
	check_shares(c + 2, 2, (double[]){ 1, 0 });
	ck_assert(wait_share(c + 3, 1));
	check_shares(c + 3, 1, (double[]){ 1 });
}
END_TEST

START_TEST(a_load_that_has_retired_before_has_no_share)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .known = true, .wait = 100 },
		{ .object = 2, .how = WAIT_FLOW, .known = true, .wait = 100, .distance = 7 },
		{ .object = 3, .how = WAIT_FLOW, .known = true, .wait = 100, .distance = 8 },
	};

	wait_share(c, 3);
	check_shares(c, 3, (double[]){ 0.5, 0.5, 0 });
	ck_assert(c[2].possible);
	c[2].loop = 20; /* recurrent: the next iteration waits for it */
	wait_share(c, 3);
	ck_assert_double_gt(c[2].share, 0.5);
	c[2].loop = 0;
	c[0].wait = 0.5; /* the operand hits: the wait is for what gives it a value */
	wait_share(c, 3);
	check_shares(c, 3, (double[]){ 0, 0.5, 0.5 });
}
END_TEST

START_TEST(others_overlap_with_a_recurrent_load)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .wait = 160, .insn = 4 },
		{ .object = 2, .how = WAIT_CARRIED, .loop = 5, .wait = 400, .loop_end = 9 },
	};

	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 10.0 / 410, 400.0 / 410 });
	/* the loop has so many instructions that the CPU holds only two iterations at a time */
	c[1].loop = 224;
	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 80.0 / 480, 400.0 / 480 });
	c[0].insn = 10; /* the instruction that uses the operand is after the loop */
	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 160.0 / 560, 400.0 / 560 });
}
END_TEST

/* Records of different lengths follow each other, so the address of each comes from the one before.
 * But the hardware prefetches them, and so other misses of the loop are not hidden behind them. */
START_TEST(nothing_is_hidden_behind_a_recurrent_stream)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .wait = 160, .insn = 4 },
		{ .object = 2, .how = WAIT_CARRIED, .loop = 5, .wait = 40, .loop_end = 9 },
	};

	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 10.0 / 50, 40.0 / 50 });
	c[1].stream = true;
	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 160.0 / 200, 40.0 / 200 });
}
END_TEST

START_TEST(scattered_stores_hold_up_all)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .stream = true, .wait = 10 },
		{ .object = 2, .how = WAIT_STORED, .only_stores = true, .wait = 390 },
	};

	ck_assert_int_eq(wait_share(c, 2), WAIT_MISSES);
	check_shares(c, 2, (double[]){ 10.0 / 400, 390.0 / 400 });
	/* a jump may skip the store, so the store may run seldom */
	c[1].optional = true;
	ck_assert_int_eq(wait_share(c, 2), WAIT_STREAMS);
	check_shares(c, 2, (double[]){ 1, 0 });
	ck_assert(c[1].possible);
	c[1].optional = false;
	c[1].stream = true; /* both operands are written sequentially */
	ck_assert_int_eq(wait_share(c, 2), WAIT_STREAMS);
	check_shares(c, 2, (double[]){ 1, 0 });
	c[1].stream = false;
	/* the operand's line was already loaded by an instruction outside the window */
	c[1].loaded = true;
	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 1, 0 });
	c[1].loaded = false;
	c[1].object = 1; /* the stored object is also the object that the first operand loads */
	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 1, 0 });
}
END_TEST

/* The load before a loop that gives the first iteration its address gets no share: the sample waits
 * in the loop. But without its miss, the first miss of the loop would start earlier. */
START_TEST(the_entry_of_a_loop_is_possible)
{
	struct wait_choice c[] = { { .object = 1, .how = WAIT_OWN, .wait = 100 },
				   { .object = 2, .how = WAIT_ENTRY, .wait = 100 } };

	ck_assert_int_eq(wait_share(c, 2), WAIT_MISSES);
	check_shares(c, 2, (double[]){ 1, 0 });
	ck_assert(c[1].possible);
	c[1].wait = 10; /* it hits the second cache level */
	wait_share(c, 2);
	ck_assert(!c[1].possible);
	c[1].wait = 100;
	c[1].stream = true;
	wait_share(c, 2);
	ck_assert(!c[1].possible);
}
END_TEST

START_TEST(streams_share_the_bandwidth)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .stream = true, .wait = 10 },
		{ .object = 2, .how = WAIT_FLOW, .stream = true, .wait = 5 },
		{ .object = 2, .how = WAIT_WINDOW, .stream = true, .wait = 5 },
		{ .object = 3, .how = WAIT_WINDOW, .stream = true, .wait = 10 },
		{ .object = 4, .how = WAIT_FLOW, .wait = 0.5 },
	};

	ck_assert_int_eq(wait_share(c, 5), WAIT_STREAMS);
	check_shares(c, 5, (double[]){ 1.0 / 3, 1.0 / 3, 0, 1.0 / 3, 0 });
	/* in proportion to the time that their bytes take, if it is known for all of them */
	c[0].transfer = 8;
	c[1].transfer = c[2].transfer = 1;
	ck_assert_int_eq(wait_share(c, 5), WAIT_STREAMS);
	check_shares(c, 5, (double[]){ 1.0 / 3, 1.0 / 3, 0, 1.0 / 3, 0 });
	c[3].transfer = 1;
	ck_assert_int_eq(wait_share(c, 5), WAIT_STREAMS);
	check_shares(c, 5, (double[]){ 0.8, 0.1, 0, 0.1, 0 });
	/* a stream elsewhere in the loop takes as long wherever the sample is */
	c[3].how = WAIT_BESIDE;
	c[3].beside = true;
	ck_assert_int_eq(wait_share(c, 5), WAIT_STREAMS);
	check_shares(c, 5, (double[]){ 0.8, 0.1, 0, 0.1, 0 });
	/* a store that a jump may skip has no share, and takes none from its object */
	c[2] = (struct wait_choice){ .object = 3,
				     .how = WAIT_STORED,
				     .stream = true,
				     .wait = 10,
				     .transfer = 1,
				     .only_stores = true,
				     .optional = true };
	ck_assert_int_eq(wait_share(c, 5), WAIT_STREAMS);
	check_shares(c, 5, (double[]){ 0.8, 0.1, 0, 0.1, 0 });
	c[2] = c[1];
	c[2].how = WAIT_WINDOW;
	c[3].transfer = 0; /* it is not in the loop */
	ck_assert_int_eq(wait_share(c, 5), WAIT_STREAMS);
	check_shares(c, 5, (double[]){ 8.0 / 9, 1.0 / 9, 0, 0, 0 });
	/* the last operand costs more than the streams, so the wait is not for bandwidth */
	c[4].wait = 50;
	ck_assert_int_eq(wait_share(c, 5), WAIT_MISSES);
	check_shares(c, 5, (double[]){ 10.0 / 65, 5.0 / 65, 0, 0, 50.0 / 65 });
}
END_TEST

/* Loads of the loop from a table in the second level overlap with streams. What takes longer counts
 * most. */
START_TEST(short_waits_are_hidden_behind_streams)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .wait = 14, .known = true, .inside = true },
		{ .object = 2, .how = WAIT_FLOW, .wait = 6, .known = true, .stream = true },
	};

	/* how long the bytes take is not known */
	ck_assert_int_eq(wait_share(c, 2), WAIT_MISSES);
	check_shares(c, 2, (double[]){ 0.7, 0.3 });
	c[0].transfer = 1;
	c[1].transfer = 3;
	ck_assert_int_eq(wait_share(c, 2), WAIT_STREAMS);
	check_shares(c, 2, (double[]){ 0.1, 0.9 });
	ck_assert(c[0].possible);
	c[0].transfer = 9; /* a gather of many elements */
	ck_assert_int_eq(wait_share(c, 2), WAIT_STREAMS);
	check_shares(c, 2, (double[]){ 0.9, 0.1 });
	/* not if each iteration waits for it, or if it is outside the loop */
	c[0].loop = 4;
	ck_assert_int_eq(wait_share(c, 2), WAIT_MISSES);
	c[0].loop = 0;
	c[0].inside = false;
	ck_assert_int_eq(wait_share(c, 2), WAIT_MISSES);
}
END_TEST

/* Two ways to an instruction run equally often, so their samples are as many as their waits are
 * long. */
START_TEST(ways_get_samples_by_how_long_they_wait)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .way = 0, .wait = 30, .known = true },
		{ .object = 2, .how = WAIT_OWN, .way = 1, .wait = 10, .known = true },
		{ .object = 3, .how = WAIT_FLOW, .way = 1, .wait = 10, .known = true },
	};

	ck_assert(wait_share(c, 3));
	check_shares(c, 3, (double[]){ 0.75, 0.125, 0.125 });
	/* of one way nothing is known, so it may run seldom */
	c[1].known = c[2].known = false;
	ck_assert(wait_share(c, 3));
	check_shares(c, 3, (double[]){ 30.0 / 32, 1.0 / 32, 1.0 / 32 });
	/* ways without a wait are equally likely */
	c[0].wait = c[1].wait = c[2].wait = 0.5;
	ck_assert_int_eq(wait_share(c, 3), WAIT_HITS);
	check_shares(c, 3, (double[]){ 0.5, 0.25, 0.25 });
}
END_TEST

START_TEST(what_hits_the_first_level_is_not_memory)
{
	struct wait_choice c[] = { { .object = 1, .how = WAIT_OWN, .wait = 0.5 },
				   { .object = 2, .how = WAIT_FLOW, .wait = 1.1 },
				   { .object = 3, .how = WAIT_WINDOW, .wait = 400 } };

	ck_assert_int_eq(wait_share(c, 3), WAIT_HITS);
	check_shares(c, 3, (double[]){ 0.5 / 1.6, 1.1 / 1.6, 0 });
	ck_assert(!wait_share(c, 0));
}
END_TEST

/* One of the operands misses the first cache level, so the sample did not wait for those that hit
 * it. */
START_TEST(what_hits_has_no_share_of_a_miss)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .wait = 0.5 },
		{ .object = 2, .how = WAIT_FLOW, .wait = 4 },
		{ .object = 3, .how = WAIT_FLOW, .wait = 0.5 },
	};

	ck_assert_int_eq(wait_share(c, 3), WAIT_MISSES);
	check_shares(c, 3, (double[]){ 0, 1, 0 });
	ck_assert(c[0].possible);
	c[1].wait = 0.5;
	ck_assert_int_eq(wait_share(c, 3), WAIT_HITS);
	check_shares(c, 3, (double[]){ 1 / 3.0, 1 / 3.0, 1 / 3.0 });
}
END_TEST

/* In a loop, the misses of several iterations are in flight together. So a wait is shared with the
 * loop's other scattered loads (c[2]), but not with streams (c[1]), with short waits (c[3]), or
 * with another load of an object that counts already (c[4]). */
START_TEST(misses_of_a_loop_overlap)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .wait = 100, .inside = true, .beside = true },
		{ .object = 2, .how = WAIT_WINDOW, .wait = 10, .stream = true, .beside = true },
		{ .object = 3, .how = WAIT_BESIDE, .wait = 300, .beside = true },
		{ .object = 4, .how = WAIT_BESIDE, .wait = 10, .beside = true },
		{ .object = 1, .how = WAIT_BESIDE, .wait = 100, .beside = true },
	};

	ck_assert_int_eq(wait_share(c, 5), WAIT_MISSES);
	check_shares(c, 5, (double[]){ 0.25, 0, 0.75, 0, 0 });
	c[0].wait = 10; /* the sample waited for a hit in the second level, so not for a miss */
	ck_assert(wait_share(c, 5));
	check_shares(c, 5, (double[]){ 1, 0, 0, 0, 0 });
	c[0].miss = 300; /* one of 30 accesses misses, and a sample shows these */
	ck_assert_int_eq(wait_share(c, 5), WAIT_MISSES);
	check_shares(c, 5, (double[]){ 10.0 / 310, 0, 300.0 / 310, 0, 0 });
	c[0].miss = 0;
	c[0].wait = 100;
	c[0].lines = 4; /* an element of four cache lines, which the loop loads */
	ck_assert_int_eq(wait_share(c, 5), WAIT_MISSES);
	check_shares(c, 5, (double[]){ 400.0 / 700, 0, 300.0 / 700, 0, 0 });
	c[0].lines = 1;
	c[2].beside = false; /* a branch inside the loop may skip it */
	ck_assert(wait_share(c, 5));
	check_shares(c, 5, (double[]){ 1, 0, 0, 0, 0 });
}
END_TEST

/* The loop contains a branch. So while a load of the loop misses (c[0]), walks in large steps are
 * in flight together with it (c[1]), but other loads are not (c[2]). While a load outside the loop
 * misses, no walk is. */
START_TEST(walks_overlap_across_branches)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .wait = 100, .inside = true },
		{ .object = 2, .how = WAIT_BESIDE, .wait = 300, .inside = true, .beside = true },
		{ .object = 3, .how = WAIT_BESIDE, .wait = 300, .inside = true },
	};

	ck_assert_int_eq(wait_share(c, 3), WAIT_MISSES);
	check_shares(c, 3, (double[]){ 0.25, 0.75, 0 });
	c[0].inside = false;
	ck_assert(wait_share(c, 3));
	check_shares(c, 3, (double[]){ 1, 0, 0 });
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_share");
	TCase *t = tcase_create("waits_share");

	tcase_add_test(t, accesses_share_the_caches);
	tcase_add_test(t, waits_grow_with_the_footprint);
	tcase_add_test(t, one_address_is_one_line);
	tcase_add_test(t, shares_go_by_what_each_takes);
	tcase_add_test(t, a_load_that_has_retired_before_has_no_share);
	tcase_add_test(t, others_overlap_with_a_recurrent_load);
	tcase_add_test(t, nothing_is_hidden_behind_a_recurrent_stream);
	tcase_add_test(t, what_hits_has_no_share_of_a_miss);
	tcase_add_test(t, misses_of_a_loop_overlap);
	tcase_add_test(t, walks_overlap_across_branches);
	tcase_add_test(t, scattered_stores_hold_up_all);
	tcase_add_test(t, the_entry_of_a_loop_is_possible);
	tcase_add_test(t, streams_share_the_bandwidth);
	tcase_add_test(t, short_waits_are_hidden_behind_streams);
	tcase_add_test(t, ways_get_samples_by_how_long_they_wait);
	tcase_add_test(t, what_hits_the_first_level_is_not_memory);
	suite_add_tcase(s, t);
	return run_suite(s);
}
