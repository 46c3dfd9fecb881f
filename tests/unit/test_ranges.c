/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the map of ranges. If ranges overlap, the newest one wins. */
#include "model/ranges.h"

#include "check_main.h"
#include "random.h"

START_TEST(what_is_set_last_counts)
{
	struct ranges r = { 0 };

	ck_assert(ranges_set(&r, 100, 200, 1));
	/* inside the older range, of which the two ends remain */
	ck_assert(ranges_set(&r, 120, 150, 2));
	ck_assert_uint_eq(ranges_get(&r, 99), 0);
	ck_assert_uint_eq(ranges_get(&r, 119), 1);
	ck_assert_uint_eq(ranges_get(&r, 120), 2);
	ck_assert_uint_eq(ranges_get(&r, 149), 2);
	ck_assert_uint_eq(ranges_get(&r, 150), 1);
	ck_assert_uint_eq(ranges_get(&r, 199), 1);
	ck_assert_uint_eq(ranges_get(&r, 200), 0);
	ck_assert(ranges_set(&r, 110, 160, 0));
	ck_assert_uint_eq(ranges_get(&r, 109), 1);
	ck_assert_uint_eq(ranges_get(&r, 110), 0);
	ck_assert_uint_eq(ranges_get(&r, 159), 0);
	ck_assert_uint_eq(ranges_get(&r, 160), 1);
	ck_assert(ranges_set(&r, 0, UINT64_MAX, 3));
	ck_assert_uint_eq(ranges_get(&r, 130), 3);
	/* one range is stored as two keys: its start and its end */
	ck_assert_uint_eq(rangemap_count(&r.map), 2);
	ck_assert(ranges_set(&r, 7, 7, 4));
	ck_assert_uint_eq(ranges_get(&r, 7), 3);
	ranges_release(&r);
}
END_TEST

/* Compares the map with an array that contains the value of each cell. */
START_TEST(it_is_what_an_array_says)
{
	enum { CELLS = 500 };
	uint64_t cells[CELLS] = { 0 }, state = 1;
	struct ranges r = { 0 }, copy = { 0 };

	for (unsigned i = 0; i < 20000; i++) {
		uint64_t start, end, value;

		random_next(&state);
		start = (state >> 33) % CELLS;
		end = start + (state >> 45) % 60;
		value = (state >> 56) % 5;
		end = end < CELLS ? end : CELLS;
		ck_assert(ranges_set(&r, start, end, value));
		for (uint64_t c = start; c < end; c++)
			cells[c] = value;
	}
	ranges_copy(&copy, &r);
	for (uint64_t c = 0; c < CELLS; c++) {
		ck_assert_uint_eq(ranges_get(&r, c), cells[c]);
		ck_assert_uint_eq(ranges_get(&copy, c), cells[c]);
	}
	ck_assert_uint_lt(r.values->n, 3000); /* removed values use no memory */
	ranges_release(&r);
	ranges_release(&copy);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ranges");
	TCase *t = tcase_create("ranges");

	tcase_add_test(t, what_is_set_last_counts);
	tcase_add_test(t, it_is_what_an_array_says);
	suite_add_tcase(s, t);
	return run_suite(s);
}
