/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests what the sampled addresses of an operand show: its footprint, and whether it is accessed
 * in order. */
#include "waits/reach.h"
#include "waits/series.h"

#include "check_main.h"
#include "random.h"

#include <math.h>

enum { KIB = 1 << 10, MIB = 1 << 20, PERIOD = 100000 /* ns */ };

static uint64_t state = 1;

static uint64_t next_random(void)
{
	random_next(&state);
	return state >> 33;
}

/* Adds n random addresses to the series, from a range that has this many bytes. */
static void draw(struct series *s, int n, uint64_t bytes)
{
	for (int i = 0; i < n; i++)
		ck_assert(series_add(s, (UINT64_C(1) << 32) + next_random() % (bytes / 8) * 8,
				     PERIOD));
}

START_TEST(a_footprint_is_estimated_from_what_comes_again)
{
	static const struct {
		int n;
		uint64_t bytes;
		double tolerance;
	} cases[] = {
		{ 200, 4 * KIB, 0.1 },   { 2000, 32 * KIB, 0.1 },    { 3000, 112 * KIB, 0.12 },
		{ 3000, 1 * MIB, 0.35 }, { 20000, 256 * KIB, 0.12 }, { 50000, 4 * MIB, 0.2 },
	};
	struct series s = { 0 };
	double footprint;

	draw(&s, cases[_i].n, cases[_i].bytes);
	footprint = series_footprint(&s);
	ck_assert_msg(footprint > (double)cases[_i].bytes * (1 - cases[_i].tolerance) &&
			      footprint < (double)cases[_i].bytes * (1 + cases[_i].tolerance),
		      "%g KiB, not %g", footprint / KIB, (double)cases[_i].bytes / KIB);
	ck_assert_uint_le(s.size, 2 * SERIES_LINES);
	series_release(&s);
}
END_TEST

START_TEST(where_nothing_comes_again_the_extent_counts)
{
	struct series s = { 0 };

	draw(&s, 300, 64 * MIB);
	ck_assert_double_gt(series_footprint(&s), 60.0 * MIB);
	ck_assert_double_le(series_footprint(&s), 64.0 * MIB);
	series_release(&s);
}
END_TEST

/* If only one line occurs twice, this may be chance: with one such line among 40 samples, the
 * estimate would be about 50 KiB, although the range is 64 MiB. */
START_TEST(a_chance_is_no_estimate)
{
	struct series s = { 0 };

	draw(&s, 37, 64 * MIB);
	ck_assert(series_add(&s, 0, PERIOD) && series_add(&s, 64 * MIB - 64, PERIOD) &&
		  series_add(&s, 0, PERIOD));
	ck_assert_double_gt(series_footprint(&s), 60.0 * MIB);
	series_release(&s);
}
END_TEST

/* A timer that fires twice at one instruction samples the same address twice. The second sample
 * shows nothing about the footprint. */
START_TEST(an_address_that_is_repeated_counts_once)
{
	struct series s = { 0 };

	for (int i = 0; i < 5000; i++) {
		uint64_t address = next_random() % (uint64_t)(64 * MIB) & ~UINT64_C(63);

		ck_assert(series_add(&s, address, PERIOD));
		if (i % 20 == 0)
			ck_assert(series_add(&s, address, PERIOD));
	}
	ck_assert_double_gt(series_footprint(&s), 32.0 * MIB);
	series_release(&s);
}
END_TEST

START_TEST(order_is_seen_in_either_direction)
{
	struct series up = { 0 }, down = { 0 }, few = { 0 };

	for (uint64_t i = 0; i < 1000; i++) {
		ck_assert(series_add(&up, (i + 1) * 4096, PERIOD));
		ck_assert(series_add(&down, (2000 - i) * 4096, PERIOD));
	}
	for (uint64_t i = 0; i < 10; i++)
		ck_assert(series_add(&few, i * 4096, PERIOD));
	ck_assert_double_gt(series_order(&up), 0.9);
	ck_assert_double_gt(series_order(&down), 0.9);
	ck_assert(series_order(&few) == 0);
	ck_assert(series_streams(&up) == 1 && series_streams(&down) == 1 && !series_streams(&few));
	series_release(&up);
	series_release(&down);
	series_release(&few);
}
END_TEST

/* A block of 8 MiB is freed, and the next one is at the other end of the address space. Random
 * places in it are not in order, although each step is a small part of the distance. */
START_TEST(a_block_that_is_far_from_the_last_shows_no_order)
{
	struct series s = { .room = 8 * MIB };

	draw(&s, 40, 8 * MIB);
	for (int i = 0; i < 40; i++)
		ck_assert(series_add(&s, (UINT64_C(1) << 46) + next_random() % (8 * MIB), PERIOD));
	ck_assert_int_eq(series_streams(&s), 0);
	series_release(&s);
}
END_TEST

/* Steps between random places in a large object are longer than any access advances, so they have
 * no rate, however few samples there are. */
START_TEST(no_rate_is_faster_than_memory)
{
	for (int n = 20; n < 2000; n += 60) {
		struct series s = { 0 };

		draw(&s, n, UINT64_C(64) << 30);
		ck_assert(series_rate(&s, INFINITY) == 0);
		series_release(&s);
	}
}
END_TEST

/* A program goes through arrays of different sizes in turn, forwards through one and backwards
 * through another, and sometimes begins elsewhere. Most steps have one rate. If half of them go
 * back at the same rate, no rate is the usual one. */
START_TEST(most_steps_have_a_rate)
{
	struct series s = { 0 }, both = { 0 };

	for (uint64_t i = 0; i < 2000; i++) {
		uint64_t at =
			i % 40 < 26 ? i % 40 * 256 * KIB + 512 * MIB : next_random() % (1024 * MIB);

		ck_assert(series_add(&s, at, PERIOD));
		at = i % 40 < 20 ? i % 40 : 40 - i % 40;
		ck_assert(series_add(&both, at * 256 * KIB + i % 40 / 20 * 512 * MIB, PERIOD));
	}
	ck_assert_double_eq_tol(series_rate(&s, INFINITY) / (256.0 * KIB / PERIOD), 1, 0.3);
	ck_assert(series_rate(&both, INFINITY) == 0);
	series_release(&s);
	series_release(&both);
}
END_TEST

START_TEST(a_stream_has_a_rate)
{
	struct series s = { 0 }, small = { 0 }, random = { 0 };

	/* 4 KiB per period: `small` passes 4 MiB twice, `s` passes 16 MiB twice */
	for (uint64_t i = 0; i < 2048; i++)
		ck_assert(series_add(&small, i % 1024 * 4 * KIB, PERIOD));
	for (uint64_t i = 0; i < 8192; i++)
		ck_assert(series_add(&s, i % 4096 * 4 * KIB, i % 8 ? PERIOD : 0));
	draw(&random, 1000, 64 * MIB);
	ck_assert_double_eq_tol(series_rate(&s, INFINITY), 4.0 * KIB / PERIOD, 1e-3);
	ck_assert(series_rate(&small, INFINITY) == 0); /* `small` may pass the entire 4 MiB between
							* two samples */
	ck_assert(series_rate(&random, INFINITY) == 0);
	/* ... unless its loop is known to be slower */
	ck_assert_double_eq_tol(series_rate(&small, 2.0 * MIB / PERIOD), 4.0 * KIB / PERIOD, 1e-3);
	series_release(&s);
	series_release(&small);
	series_release(&random);
}
END_TEST

/* The samples are in a window of 6 KiB, which moves up by 512 bytes from sample to sample. */
START_TEST(a_window_moves_slowly)
{
	struct series s = { 0 }, random = { 0 }, fast = { 0 }, slow = { 0 }, jumping = { 0 };

	for (uint64_t i = 0; i < 3000; i++) {
		ck_assert(series_add(&slow, i * 10 * KIB, PERIOD));
		ck_assert(series_add(&s, i * 512 + next_random() % (6 * KIB), PERIOD));
		ck_assert(series_add(&fast, i * 512 + next_random() % (6 * KIB), PERIOD / 10));
	}
	draw(&random, 3000, 4 * MIB);
	ck_assert_double_gt(series_window(&s, false), 4.0 * KIB);
	ck_assert_double_lt(series_window(&s, false), 8.0 * KIB);
	ck_assert(isinf(series_window(&random, true)));
	/* one step of eight leads to another place of 256 MiB */
	for (int i = 0; i < 1000; i++)
		ck_assert(series_add(&jumping,
				     UINT64_C(1) << 32 | (uint64_t)(i / 8 * 11 % 64) << 22 |
					     next_random() % (6 * KIB),
				     PERIOD));
	ck_assert_double_gt(series_window(&jumping, false), 4.0 * KIB);
	ck_assert_double_lt(series_window(&jumping, false), 9.0 * KIB);
	series_release(&jumping);
	/* so many lines may be new between two samples that loading them would take most of the
	 * time */
	ck_assert(isinf(series_window(&fast, true)));
	/* unless the hardware prefetches them */
	ck_assert(isinf(series_window(&slow, false)));
	ck_assert(!isinf(series_window(&slow, true)));
	series_release(&s);
	series_release(&random);
	series_release(&fast);
	series_release(&slow);
}
END_TEST

/* The program passes through 64 MiB several times between two samples. The number of passes varies
 * a little. */
START_TEST(order_is_seen_where_samples_are_rare)
{
	static const double passes[] = { 0.5, 2.37, 5.5, 17.01 };
	struct series s = { 0 }, gaps = { 0 }, random = { 0 };
	double at = 0;

	for (int i = 0; i < 60; i++) {
		uint64_t address = (uint64_t)((at - floor(at)) * 64 * MIB);

		ck_assert(series_add(&s, address, PERIOD));
		ck_assert(series_add(&gaps, address, 0));
		at += passes[_i] + (double)next_random() / (UINT64_C(1) << 31) * 0.1;
	}
	draw(&random, 60, 64 * MIB);
	ck_assert(series_streams(&s));
	ck_assert(!series_streams(&random));
	/* With 17.01 passes, each sample is a little higher than the previous one, which looks like
	 * order. */
	ck_assert(_i == 3 || !series_streams(&gaps));
	series_release(&s);
	series_release(&gaps);
	series_release(&random);
}
END_TEST

/* Between two samples, the operand advances by up to half of the array, and begins again at its
 * end: a quarter of the steps goes down. */
START_TEST(rare_samples_of_a_stream_tend_up)
{
	const uint64_t base = UINT64_C(1) << 32, bytes = 32 * MIB;
	struct series s = { 0 }, scattered = { 0 };
	uint64_t at = 0;

	for (int i = 0; i < 60; i++) {
		at = (at + next_random() % (bytes / 2)) % bytes;
		ck_assert(series_add(&s, base + at, 0));
		ck_assert(series_tends(&s) || i < 40);
	}
	ck_assert(!series_streams(&s));
	draw(&scattered, 60, bytes);
	ck_assert(!series_tends(&scattered));
	series_release(&s);
	series_release(&scattered);
}
END_TEST

/* At 4 bytes per ns, an operand advances by 400 KB per period. A stream through 16 MiB that begins
 * again at the end needs no longer steps, random addresses in 64 MiB do. Without successive
 * samples, nothing is known. */
START_TEST(addresses_may_jump_farther_than_the_code_advances)
{
	struct series stream = { 0 }, random = { 0 }, near = { 0 }, gaps = { 0 };

	for (uint64_t i = 0; i < 200; i++) {
		ck_assert(series_add(&stream, i * 4 * PERIOD % (16 * MIB), PERIOD));
		ck_assert(series_add(&random, next_random() % (64 * MIB), PERIOD));
		ck_assert(series_add(&near, next_random() % (2 * MIB), PERIOD));
		ck_assert(series_add(&gaps, next_random() % (64 * MIB), 0));
	}
	ck_assert(!series_jumps(&stream, 4));
	ck_assert(series_jumps(&random, 4));
	ck_assert(!series_jumps(&near, 4)); /* may be a stream that is sampled rarely */
	ck_assert(!series_jumps(&gaps, 4));
	series_release(&stream);
	series_release(&random);
	series_release(&near);
	series_release(&gaps);
}
END_TEST

/* The program goes through several arrays in turn, which follow each other in one object: one
 * access to each of them, then to the next elements. Between two samples, it advances by a part of
 * an array that varies a little. */
START_TEST(order_is_seen_in_several_streams)
{
	static const uint64_t arrays[] = { 2, 4, 5, SERIES_STREAMS };
	const uint64_t n = arrays[_i], bytes = 3 * MIB;
	struct series s = { 0 }, random = { 0 };
	double at = 0;

	for (int i = 0; i < 200; i++) {
		ck_assert(series_add(&s,
				     next_random() % n * bytes +
					     (uint64_t)((at - floor(at)) * (double)bytes),
				     PERIOD));
		at += 0.01 + (double)next_random() / (UINT64_C(1) << 31) * 0.01;
	}
	ck_assert_int_eq(series_streams(&s), n);
	draw(&random, 200, n * bytes);
	ck_assert_int_eq(series_streams(&random), 0);
	series_release(&s);
	series_release(&random);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_series");
	TCase *t = tcase_create("waits_series");

	tcase_add_loop_test(t, a_footprint_is_estimated_from_what_comes_again, 0, 6);
	tcase_add_test(t, where_nothing_comes_again_the_extent_counts);
	tcase_add_test(t, a_chance_is_no_estimate);
	tcase_add_test(t, an_address_that_is_repeated_counts_once);
	tcase_add_test(t, order_is_seen_in_either_direction);
	tcase_add_test(t, a_stream_has_a_rate);
	tcase_add_test(t, most_steps_have_a_rate);
	tcase_add_test(t, a_block_that_is_far_from_the_last_shows_no_order);
	tcase_add_test(t, no_rate_is_faster_than_memory);
	tcase_add_test(t, a_window_moves_slowly);
	tcase_add_test(t, rare_samples_of_a_stream_tend_up);
	tcase_add_test(t, addresses_may_jump_farther_than_the_code_advances);
	tcase_add_loop_test(t, order_is_seen_where_samples_are_rare, 0, 4);
	tcase_add_loop_test(t, order_is_seen_in_several_streams, 0, 4);
	suite_add_tcase(s, t);
	return run_suite(s);
}
