/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how long operands are expected to take, how a wait is shared among them, and how a
 * recording's waits are added up. */
#include "waits/account.h"
#include "waits/pace.h"
#include "waits/series.h"
#include "waits/share.h"

#include "check_main.h"
#include "random.h"

#include <math.h>

enum { KIB = 1 << 10, MIB = 1 << 20 };

static const struct wait_caches *caches = &wait_caches_default;
static const struct account_sample sample = { .thread = 1 };

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

START_TEST(others_overlap_with_a_recurrent_load)
{
	struct wait_choice c[] = {
		{ .object = 1, .how = WAIT_OWN, .wait = 160, .insn = 4 },
		{ .object = 2, .how = WAIT_CARRIED, .loop = 5, .wait = 400, .loop_end = 9 },
	};

	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 10.0 / 410, 400.0 / 410 });
	/* the loop has so many instructions that the CPU executes only two iterations at once */
	c[1].loop = 224;
	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 80.0 / 480, 400.0 / 480 });
	c[0].insn = 10; /* the instruction that uses the operand is after the loop */
	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 160.0 / 560, 400.0 / 560 });
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
	c[1].stream = true; /* both operands are written sequentially */
	ck_assert_int_eq(wait_share(c, 2), WAIT_STREAMS);
	check_shares(c, 2, (double[]){ 1, 0 });
	c[1].stream = false;
	/* the operand's line was already loaded by an instruction outside the window */
	c[1].loaded = true;
	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 1, 0 });
	c[1].loaded = false;
	c[1].object = 1; /* the stored object is also the one that the first operand loads */
	ck_assert(wait_share(c, 2));
	check_shares(c, 2, (double[]){ 1, 0 });
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
	/* the last operand costs more than the streams, so the wait is not for bandwidth */
	c[4].wait = 50;
	ck_assert_int_eq(wait_share(c, 5), WAIT_MISSES);
	check_shares(c, 5, (double[]){ 10.0 / 65, 5.0 / 65, 0, 0, 50.0 / 65 });
}
END_TEST

START_TEST(ways_are_equally_likely)
{
	struct wait_choice c[] = { { .object = 1, .how = WAIT_OWN, .way = 0, .wait = 30 },
				   { .object = 2, .how = WAIT_OWN, .way = 1, .wait = 10 },
				   { .object = 3, .how = WAIT_FLOW, .way = 1, .wait = 10 } };

	ck_assert(wait_share(c, 3));
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

/* An instruction with three operands that it may have waited for. It depends on the first two;
 * the third is only near it. */
static const struct wait_candidate three[] = {
	{ .insn = 8, .how = WAIT_OWN, .bytes = 8 },
	{ .insn = 3, .how = WAIT_FLOW, .bytes = 8 },
	{ .insn = 0, .how = WAIT_WINDOW, .bytes = 8 },
};
static const struct wait_plan plan = { .ways = 1, .n = 3, .candidates = three };

static struct account *open_account(void)
{
	struct account *a;

	ck_assert_int_eq(account_open(caches, &a, NULL), 0);
	return a;
}

/* How many of n samples each operand got; n[3] counts samples that no operand got. */
struct dealt {
	unsigned n[4];
	struct account_deal last;
};

static struct dealt deal(struct account *a, uint32_t wait, unsigned n)
{
	struct dealt d = { 0 };

	for (unsigned i = 0; i < n; i++) {
		account_deal(a, wait, 1000, &d.last);
		d.n[d.last.candidate < 0 ? 3 : d.last.candidate]++;
	}
	return d;
}

static uint64_t next_random(void)
{
	static uint64_t state = 1;

	random_next(&state);
	return state >> 33;
}

START_TEST(samples_are_dealt_by_what_was_seen)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096), wait, same, other;
	struct dealt d;

	ck_assert(account_wishes(a, place, 0) & WISH_OBJECT);
	ck_assert_int_eq(account_wishes(a, place, 2), WISH_SERIES);
	for (int i = 0; i < 2000; i++) {
		account_saw(a, place, 0, &sample, next_random() % (16 * KIB), 7);
		account_saw(a, place, 1, &sample, next_random() % (256 * MIB), i % 100 ? 8 : 9);
	}
	wait = account_wait(a, place, 1, (uint32_t[]){ 7, 9, 5 });
	same = account_wait(a, place, 1, (uint32_t[]){ 7, 9, 6 });
	other = account_wait(a, place, 1, (uint32_t[]){ 7, 0, 0 });
	ck_assert(wait && wait == same && other && other != wait);
	d = deal(a, wait, 1000);
	ck_assert_uint_ge(d.n[1], 990);
	ck_assert_uint_eq(d.n[0] + d.n[1], 1000);
	ck_assert_int_eq(d.last.level, WAIT_MISSES);
	/* No object is given for this operand. Of its samples, 99 of 100 belonged to object 8, so
	 * this one is assumed. */
	ck_assert_uint_eq(deal(a, other, 1).last.object, 8);
	account_close(a);
}
END_TEST

/* Judges a loop with one access, whose chain of instructions takes `least` cycles and mostly twice
 * as many. */
static struct pace judge(float least, struct pace_access a)
{
	struct wait_loop l = { .n = 4, .accesses = 1, .least = least, .likely = 2 * least };
	double reach[CACHE_LEVELS];

	reach_find(&a.access, 1, caches, reach);
	return pace_judge(&l, &a, 1, caches, reach);
}

START_TEST(arithmetic_hides_memory_that_takes_no_longer)
{
	struct pace_access a = { .step = 8, .access = { .footprint = 256 * KIB, .bytes = 8 } };

	/* a stream, which the samples show only if the array is large */
	ck_assert_int_eq(judge(2, a).verdict, PACE_ARITHMETIC);
	a.access.in_order = true;
	ck_assert_int_eq(judge(2, a).verdict, PACE_ARITHMETIC);
	a.access.footprint = 64 * MIB;
	ck_assert_int_eq(judge(2, a).verdict, PACE_UNCLEAR);
	ck_assert_int_eq(judge(10, a).verdict, PACE_ARITHMETIC);
	a.step = 64;
	ck_assert_int_eq(judge(2, a).verdict, PACE_MEMORY);
	a.step = 0;
	a.access.footprint = 1024.0 * MIB;
	a.access.in_order = false;
	ck_assert_int_eq(judge(10, a).verdict, PACE_MEMORY);
	a.step = WAIT_NO_STEP;
	ck_assert_int_eq(judge(10, a).verdict, PACE_MEMORY);
	a.access.footprint = 256 * KIB;
	ck_assert_int_eq(judge(10, a).verdict, PACE_ARITHMETIC);
	a.recurrent = true;
	ck_assert_int_eq(judge(6, a).verdict, PACE_UNCLEAR);
	/* no address is known, only an object: such an access may be in order */
	a.access.footprint = 1024.0 * MIB;
	ck_assert_int_eq(judge(6, a).verdict, PACE_MEMORY);
	a.access.unseen = true;
	ck_assert_int_eq(judge(6, a).verdict, PACE_UNCLEAR);
	/* no loop, and a loop whose only access is not known */
	ck_assert_int_eq(pace_judge(&(struct wait_loop){ 0 }, &a, 0, caches, NULL).verdict,
			 PACE_MEMORY);
	ck_assert_int_eq(pace_judge(&(struct wait_loop){ .n = 4, .accesses = 1, .least = 9 }, &a, 0,
				    caches, NULL)
				 .verdict,
			 PACE_MEMORY);
}
END_TEST

/* A walk along the columns of a matrix: the steps are too large to be prefetched, but the line of
 * one column has elements of the next ones too. */
START_TEST(columns_share_their_lines)
{
	struct pace_access a = { .step = 6 * KIB, .access = { .footprint = 4 * MIB, .bytes = 8 } };

	ck_assert_int_eq(judge(2, a).verdict, PACE_UNCLEAR);
	ck_assert_int_eq(judge(1, a).verdict, PACE_MEMORY);
	a.step = WAIT_SOME_STEP;
	ck_assert_int_eq(judge(2, a).verdict, PACE_UNCLEAR);
	/* in a column too long for the caches, each access misses, as does one that fills a line */
	a.step = 6 * KIB;
	a.access.footprint = 1024.0 * MIB * 1024;
	ck_assert_int_eq(judge(2, a).verdict, PACE_MEMORY);
	a.access.footprint = 4 * MIB;
	a.access.bytes = 64;
	ck_assert_int_eq(judge(2, a).verdict, PACE_MEMORY);
	/* two steps are no column */
	a.step = 2 * MIB;
	a.access.bytes = 8;
	ck_assert_int_eq(judge(2, a).verdict, PACE_MEMORY);
}
END_TEST

/* How fast a stream advances is known from the samples. */
START_TEST(a_stream_shows_how_long_an_iteration_takes)
{
	struct pace_access a = {
		.step = 24,
		.access = { .footprint = 64 * MIB, .bytes = 8, .in_order = true, .rate = 24 }
	};
	struct pace p = judge(4, a);

	/* 1 ns or 4 cycles, and its arithmetic takes 4 */
	ck_assert_int_eq(p.verdict, PACE_UNCLEAR);
	ck_assert_double_eq_tol(p.other, 1, 0.01);
	a.access.rate = 2.4;
	p = judge(4, a);
	ck_assert_int_eq(p.verdict, PACE_MEMORY);
	ck_assert_double_eq_tol(p.other, 4.0 / 40, 0.01);
	/* Its step is not known. If the thread waited for each of its lines, it would wait for a
	 * fifth of the time (first), or always (second). */
	a.step = WAIT_NO_STEP;
	a.access.rate = 0.1;
	ck_assert_int_eq(judge(4, a).verdict, PACE_ARITHMETIC);
	a.access.rate = 1;
	ck_assert_int_eq(judge(4, a).verdict, PACE_UNCLEAR);
	a.access.rate = 30;
	ck_assert_int_eq(judge(4, a).verdict, PACE_MEMORY);
}
END_TEST

START_TEST(what_did_not_run_gets_nothing)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096);
	uint32_t one = account_wait(a, place, 1, (uint32_t[]){ 1, ACCOUNT_SKIPPED, 0 });
	uint32_t none =
		account_wait(a, place, 1, (uint32_t[]){ ACCOUNT_SKIPPED, ACCOUNT_SKIPPED, 0 });

	ck_assert(one && none && one != none);
	ck_assert_uint_eq(deal(a, one, 100).n[0], 100);
	ck_assert_uint_eq(deal(a, none, 100).n[0] + deal(a, none, 100).n[1], 0);
	account_close(a);
}
END_TEST

/* An operand that hits the first level waits if its line moves. What an atomic operation takes
 * anyway is no wait. */
START_TEST(a_line_that_moves_is_waited_for)
{
	const struct wait_candidate own = { .how = WAIT_OWN, .bytes = 8, .lock = _i };
	const struct wait_plan one = { .ways = 1, .n = 1, .candidates = &own };
	struct account *a = open_account();
	uint32_t place = account_place(a, &one, 1, 4096), still, moved;
	struct account_deal d;
	unsigned waits = 0;

	for (int i = 0; i < 100; i++)
		account_saw(a, place, 0, &sample, 64, 1);
	still = account_wait(a, place, 1, (uint32_t[]){ 1 });
	moved = account_wait(a, place, 1, (uint32_t[]){ 1 | ACCOUNT_MOVED });
	ck_assert_uint_ne(still, moved);
	account_deal(a, still, 1000, &d);
	ck_assert(d.level == WAIT_HITS && !d.moved);
	for (int i = 0; i < 600; i++) {
		account_deal(a, moved, 1000, &d);
		ck_assert_int_eq(d.candidate, 0);
		ck_assert_int_eq(d.moved, d.level == WAIT_MISSES);
		waits += d.moved;
	}
	/* for an atomic operation (_i is 1), 100 of the 120 cycles are a wait: 500 of the 600
	 * samples */
	ck_assert_uint_ge(waits, _i ? 499 : 600);
	ck_assert_uint_le(waits, _i ? 501 : 600);
	account_close(a);
}
END_TEST

/* An atomic operation takes its time even if its operand hits (first) or is not known (second).
 * Only an operand that misses (third) is waited for, and a part of that time is still its own. */
START_TEST(an_atomic_operation_takes_time_of_its_own)
{
	static const struct {
		/* the operand's addresses are spread over so many bytes; 0 means that they are not
		 * known */
		uint64_t range;
		/* how many of the 600 samples must count as waits for the operand */
		unsigned least, most;
	} cases[] = { { 64, 0, 0 }, { 0, 0, 0 }, { 256 * MIB, 540, 599 } };
	const struct wait_candidate own = {
		.how = WAIT_OWN, .bytes = 8, .load = true, .store = true, .lock = true
	};
	const struct wait_plan locked = { .ways = 1, .n = 1, .candidates = &own };
	struct account *a = open_account();
	uint32_t place = account_place(a, &locked, 1, 4096), wait;
	struct account_deal d;
	unsigned waits = 0;

	for (int i = 0; cases[_i].range && i < 2000; i++)
		account_saw(a, place, 0, &sample, next_random() % cases[_i].range, 1);
	wait = account_wait(a, place, 1, (uint32_t[]){ 1 });
	for (int i = 0; i < 600; i++) {
		account_deal(a, wait, 1000, &d);
		ck_assert(d.atomic && !d.moved);
		ck_assert_int_eq(d.candidate, 0);
		ck_assert(d.level == WAIT_HITS || d.level == WAIT_MISSES);
		waits += d.level == WAIT_MISSES;
	}
	ck_assert_uint_ge(waits, cases[_i].least);
	ck_assert_uint_le(waits, cases[_i].most);
	account_close(a);
}
END_TEST

/* The address of the second operand is lost, but the code shows that it moves on by 8 bytes in each
 * iteration (first): it is prefetched, and the wait is for the first operand, which is scattered
 * over fewer bytes. Otherwise (second) it may be scattered, over more bytes. */
START_TEST(an_operand_whose_address_is_lost_may_be_in_order)
{
	const struct wait_candidate two[] = {
		{ .insn = 8, .how = WAIT_OWN, .bytes = 8, .load = true, .step = WAIT_NO_STEP },
		{ .insn = 4,
		  .how = WAIT_FLOW,
		  .bytes = 8,
		  .load = true,
		  .step = _i ? WAIT_NO_STEP : 8 },
	};
	const struct wait_plan p = { .ways = 1, .n = 2, .candidates = two };
	struct account *a = open_account();
	uint32_t place = account_place(a, &p, 1, 4096);
	struct dealt d;

	for (int i = 0; i < 2000; i++)
		account_saw(a, place, 0, &sample, next_random() % (16 * MIB), 1);
	account_within(a, place, 1, 256 * MIB);
	d = deal(a, account_wait(a, place, 1, (uint32_t[]){ 1, 2 }), 1000);
	if (_i)
		ck_assert_uint_gt(d.n[1], d.n[0]);
	else
		ck_assert_uint_lt(4 * d.n[1], d.n[0]);
	account_close(a);
}
END_TEST

/* In rare samples, the second operand seems to be scattered over 256 MiB, more than the first one.
 * If the code moves it by 8 bytes in each iteration (first), its tendency upwards is enough to show
 * that it passes this memory in order again and again. */
START_TEST(rare_samples_and_the_code_show_an_order)
{
	const struct wait_candidate two[] = {
		{ .insn = 8, .how = WAIT_OWN, .bytes = 8, .load = true, .step = WAIT_NO_STEP },
		{ .insn = 4,
		  .how = WAIT_FLOW,
		  .bytes = 8,
		  .load = true,
		  .step = _i ? WAIT_NO_STEP : 8 },
	};
	const struct wait_plan p = { .ways = 1, .n = 2, .candidates = two };
	struct account *a = open_account();
	uint32_t place = account_place(a, &p, 1, 4096);
	uint64_t at = 0;
	struct dealt d;

	for (int i = 0; i < 60; i++) {
		at = (at + next_random() % (128 * MIB)) % (256 * MIB);
		account_saw(a, place, 0, &sample,
			    UINT64_C(64) * MIB * 64 + next_random() % (16 * MIB), 1);
		account_saw(a, place, 1, &sample, at, 2);
	}
	d = deal(a, account_wait(a, place, 1, (uint32_t[]){ 1, 2 }), 1000);
	if (_i)
		ck_assert_uint_gt(2 * d.n[1], d.n[0]);
	else
		ck_assert_uint_lt(4 * d.n[1], d.n[0]);
	account_close(a);
}
END_TEST

/* Two operands look alike at first, so each gets half of the samples. When one turns out to be
 * in the cache, later samples go to the other until the sums are right. */
START_TEST(what_was_dealt_wrongly_is_made_up_for)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096);
	uint32_t wait = account_wait(a, place, 1, (uint32_t[]){ 1, 2, 0 });
	struct dealt first = deal(a, wait, 100), all = { 0 };

	ck_assert_uint_eq(first.n[0], 50);
	ck_assert_uint_eq(first.n[1], 50);
	for (int i = 0; i < 5000; i++) {
		struct dealt d;

		account_saw(a, place, 0, &sample, next_random() % (16 * KIB), 1);
		account_saw(a, place, 1, &sample, next_random() % (256 * MIB), 2);
		d = deal(a, wait, 1);
		all.n[0] += d.n[0];
		all.n[1] += d.n[1];
	}
	ck_assert_uint_le(first.n[0] + all.n[0], 60);
	ck_assert_uint_eq(all.n[0] + all.n[1], 5000);
	account_close(a);
}
END_TEST

/* The code is movslq (i),%rax; mov (%rcx,%rax,8),%rax. The second load overwrites its own index,
 * so only the array is known, not the address in it. This operand must not count as cached just
 * because its addresses are unknown. */
START_TEST(an_operand_known_by_its_object_alone_goes_anywhere_there)
{
	static const struct {
		uint64_t bytes;
		unsigned least, most;
	} cases[] = { { 256 * MIB, 900, 1000 }, { 8 * MIB, 700, 990 }, { 4 * KIB, 0, 120 } };
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096), wait;
	struct dealt d;

	for (uint64_t i = 0; i < 2000; i++) {
		account_within(a, place, 0, cases[_i].bytes);
		account_saw(a, place, 1, &sample, i * 64 * KIB, 2);
	}
	wait = account_wait(a, place, 1, (uint32_t[]){ 1, 2, 0 });
	d = deal(a, wait, 1000);
	ck_assert_msg(d.n[0] >= cases[_i].least && d.n[0] <= cases[_i].most, "%u", d.n[0]);
	ck_assert_uint_eq(d.n[0] + d.n[1], 1000);
	/* an operand whose addresses are known is preferred to one whose addresses are assumed */
	for (int i = 0; i < 100; i++)
		account_saw(a, place, 0, &sample, 64, 1);
	wait = account_wait(a, place, 1, (uint32_t[]){ 1, 3, 0 });
	ck_assert_uint_le(deal(a, wait, 1000).n[0], 120);
	account_close(a);
}
END_TEST

START_TEST(an_operand_whose_objects_vary_is_not_guessed)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096), wait;
	struct account_deal d;

	for (int i = 0; i < 100; i++) /* some samples belong to a second object */
		account_saw(a, place, 0, &sample, next_random() % (256 * MIB),
			    _i ? 1 + (i > 20) : 1 + i % 5 / 4);
	wait = account_wait(a, place, 1, (uint32_t[3]){ 0 });
	do
		account_deal(a, wait, 1, &d);
	while (d.candidate != 0);
	ck_assert_uint_eq(d.object, 0);
	account_close(a);
}
END_TEST

static void add_other(void *arg, uint32_t object, double period)
{
	double *others = arg;

	ck_assert_uint_lt(object, 4);
	others[object] += period;
}

/* The most that a candidate can have cost is its own share plus the samples that other
 * candidates got. */
START_TEST(others_may_have_been_waited_for)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096);
	uint32_t one = account_wait(a, place, 1, (uint32_t[]){ 1, 2, 3 });
	uint32_t both = account_wait(a, place, 1, (uint32_t[]){ 2, 2, 3 });
	struct dealt d = deal(a, one, 100);
	double others[4] = { 0 };

	deal(a, both, 50);
	account_others(a, add_other, others);
	ck_assert(others[1] == 1000.0 * d.n[1]);
	ck_assert(others[2] == 1000.0 * d.n[0]);
	/* The operand that is only near gets nothing, because the instruction depends on the
	 * others. */
	ck_assert(others[3] == 0);
	account_close(a);
}
END_TEST

/* A loop reads a stream of 256 MB by 8 bytes in 2.5 ns, or 10 cycles, and its arithmetic takes 3 of
 * them. */
START_TEST(arithmetic_takes_a_part_of_the_time)
{
	const struct wait_candidate stream = {
		.insn = 4, .how = WAIT_OWN, .bytes = 8, .load = true, .step = 8
	};
	const struct wait_plan loop = {
		.ways = 1,
		.n = 1,
		.candidates = &stream,
		.loop = { .n = 5, .accesses = 1, .end = 16, .least = 3, .likely = 4 }
	};
	struct account *a = open_account();
	uint32_t place = account_place(a, &loop, 1, 4096), wait;
	struct account_sample s = { .thread = 1, .period = 100000 };
	struct account_deal d;
	unsigned waits = 0;
	double others[4] = { 0 };

	for (uint64_t i = 0; i < 800; i++, s.time += s.period)
		account_saw(a, place, 0, &s, i * 320000, 1);
	wait = account_wait(a, place, 1, (uint32_t[]){ 1 });
	for (int i = 0; i < 500; i++) {
		account_deal(a, wait, 1000, &d);
		ck_assert_int_eq(d.candidate, 0);
		waits += d.level == WAIT_MISSES;
	}
	ck_assert_uint_ge(waits, 349);
	ck_assert_uint_le(waits, 351);
	account_others(a, add_other, others);
	ck_assert_double_eq_tol(others[1], 1000.0 * (500 - waits), 1);
	account_close(a);
}
END_TEST

START_TEST(many_threads_and_places_are_bounded)
{
	struct account *a = open_account();
	uint32_t place = account_place(a, &plan, 1, 4096), last = 0;
	unsigned wished = 0;

	for (uint32_t t = 1; t <= 1000; t++)
		account_saw(a, place, 0, &(struct account_sample){ .thread = t }, t * 64, 1);
	for (int i = 0; i < 100000; i++)
		wished += (account_wishes(a, place, 2) & WISH_SERIES) != 0;
	ck_assert_uint_lt(wished, 20000);
	for (uint32_t i = 1; i <= ACCOUNT_WAITS + 10; i++)
		last = account_wait(a, place, 1, (uint32_t[]){ i, 0, 0 });
	ck_assert_uint_eq(last, 0);
	ck_assert_uint_eq(account_wait(a, place, 1, (uint32_t[]){ 1, 0, 0 }), 1);
	ck_assert(!account_nomem(a));
	account_close(a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_account");
	TCase *t = tcase_create("waits_account");

	tcase_add_test(t, accesses_share_the_caches);
	tcase_add_test(t, waits_grow_with_the_footprint);
	tcase_add_test(t, one_address_is_one_line);
	tcase_add_test(t, shares_go_by_what_each_takes);
	tcase_add_test(t, others_overlap_with_a_recurrent_load);
	tcase_add_test(t, scattered_stores_hold_up_all);
	tcase_add_test(t, streams_share_the_bandwidth);
	tcase_add_test(t, ways_are_equally_likely);
	tcase_add_test(t, what_hits_the_first_level_is_not_memory);
	tcase_add_test(t, arithmetic_hides_memory_that_takes_no_longer);
	tcase_add_test(t, columns_share_their_lines);
	tcase_add_test(t, a_stream_shows_how_long_an_iteration_takes);
	tcase_add_test(t, arithmetic_takes_a_part_of_the_time);
	tcase_add_test(t, what_did_not_run_gets_nothing);
	tcase_add_test(t, samples_are_dealt_by_what_was_seen);
	tcase_add_loop_test(t, a_line_that_moves_is_waited_for, 0, 2);
	tcase_add_loop_test(t, an_atomic_operation_takes_time_of_its_own, 0, 3);
	tcase_add_loop_test(t, an_operand_whose_address_is_lost_may_be_in_order, 0, 2);
	tcase_add_loop_test(t, rare_samples_and_the_code_show_an_order, 0, 2);
	tcase_add_test(t, what_was_dealt_wrongly_is_made_up_for);
	tcase_add_loop_test(t, an_operand_known_by_its_object_alone_goes_anywhere_there, 0, 3);
	tcase_add_loop_test(t, an_operand_whose_objects_vary_is_not_guessed, 0, 2);
	tcase_add_test(t, others_may_have_been_waited_for);
	tcase_add_test(t, many_threads_and_places_are_bounded);
	suite_add_tcase(s, t);
	return run_suite(s);
}
