/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which operands stay near a stream, from their addresses in the same samples. */
#include <math.h>

#include "check_main.h"
#include "random.h"
#include "waits/near.h"

enum { KIB = 1 << 10, STREAM = 1, MATCH = 2, OBJECT = 7 };

static uint64_t state;

static uint64_t next_random(void)
{
	return random_next(&state) >> 20;
}

static bool is_stream(const void *arg, uint32_t id)
{
	return id == STREAM;
}

/* Adds n samples of a stream, and of an operand that is at random up to `distance` bytes before or
 * after it, in object `object`. */
static void add(struct near_stream *stream, struct near_stream *match, unsigned n,
		uint64_t distance, uint32_t object)
{
	for (unsigned i = 0; i < n; i++) {
		const uint64_t at = (UINT64_C(1) << 40) + i * UINT64_C(700000);
		const struct near_address seen[] = {
			{ MATCH, object, at + distance - next_random() % (2 * distance), match },
			{ STREAM, OBJECT, at, stream },
		};

		near_add(seen, 2, is_stream, NULL);
	}
}

START_TEST(an_operand_stays_near_a_stream)
{
	struct near_stream stream = { 0 }, match = { 0 };

	add(&stream, &match, 15, 60 * KIB, OBJECT);
	ck_assert(isinf(near_bytes(&match))); /* too few */
	add(&stream, &match, 1000, 60 * KIB, OBJECT);
	ck_assert_double_eq(near_bytes(&match), 128 * KIB);
	ck_assert_uint_eq(match.stream, STREAM);
	ck_assert_uint_eq(stream.stream, 0);
	/* a few jumps do not matter, many do */
	add(&stream, &match, 30, 1u << 30, OBJECT);
	ck_assert_double_eq(near_bytes(&match), 128 * KIB);
	add(&stream, &match, 300, 1u << 30, OBJECT);
	ck_assert_double_gt(near_bytes(&match), 1u << 29);
	/* the counts do not overflow */
	add(&stream, &match, 100000, 1u << 30, OBJECT);
	ck_assert_double_gt(near_bytes(&match), 1u << 29);
}
END_TEST

START_TEST(a_stream_through_another_object_is_not_near)
{
	struct near_stream stream = { 0 }, match = { 0 };

	add(&stream, &match, 1000, 60 * KIB, OBJECT + 1);
	ck_assert_uint_eq(match.stream, 0);
	ck_assert(isinf(near_bytes(&match)));
}
END_TEST

static bool is_nothing(const void *arg, uint32_t id)
{
	return false;
}

/* What seemed to be a stream turns out to be random. */
START_TEST(a_stream_that_is_none_is_forgotten)
{
	struct near_stream stream = { 0 }, match = { 0 };
	const struct near_address seen[] = { { MATCH, OBJECT, 64, &match },
					     { STREAM, OBJECT, 0, &stream } };

	add(&stream, &match, 1000, 60 * KIB, OBJECT);
	near_add(seen, 2, is_nothing, NULL);
	ck_assert_uint_eq(match.stream, 0);
	ck_assert(isinf(near_bytes(&match)));
}
END_TEST

START_TEST(an_operand_alone_is_near_nothing)
{
	struct near_stream match = { 0 };

	for (unsigned i = 0; i < 100; i++)
		near_add(&(struct near_address){ MATCH, OBJECT, i, &match }, 1, is_stream, NULL);
	ck_assert(isinf(near_bytes(&match)));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_near");
	TCase *t = tcase_create("waits_near");

	tcase_add_test(t, an_operand_stays_near_a_stream);
	tcase_add_test(t, a_stream_through_another_object_is_not_near);
	tcase_add_test(t, a_stream_that_is_none_is_forgotten);
	tcase_add_test(t, an_operand_alone_is_near_nothing);
	suite_add_tcase(s, t);
	return run_suite(s);
}
