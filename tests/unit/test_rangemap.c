/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/rangemap.h"

#include "check_main.h"

enum { KEYS = 4096 };

/* What the map must say, kept in a plain array. */
static bool there[KEYS];
static uint32_t want[KEYS];

static uint32_t next_random(uint64_t *s)
{
	*s = *s * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*s >> 33);
}

static void compare(const struct rangemap *m)
{
	size_t n = 0;
	int last = -1;

	for (int k = 0; k < KEYS; k++) {
		uint64_t at = 0;
		uint32_t v = 0;

		if (there[k]) {
			last = k;
			n++;
		}
		ck_assert_int_eq(rangemap_get(m, (uint64_t)k, &v), there[k]);
		ck_assert_int_eq(rangemap_le(m, (uint64_t)k, &at, &v), last >= 0);
		if (last >= 0) {
			ck_assert_uint_eq(at, (uint64_t)last);
			ck_assert_uint_eq(v, want[last]);
		}
	}
	ck_assert_uint_eq(m->count, n);
	last = -1;
	for (int k = KEYS - 1; k >= 0; k--) {
		uint64_t at = 0;

		if (there[k])
			last = k;
		ck_assert_int_eq(rangemap_ge(m, (uint64_t)k, &at, NULL), last >= 0);
		if (last >= 0)
			ck_assert_uint_eq(at, (uint64_t)last);
	}
}

START_TEST(agrees_with_an_array)
{
	struct rangemap m = { 0 };
	uint64_t seed = (uint64_t)_i + 1;

	memset(there, 0, sizeof(there));
	for (int i = 0; i < 60000; i++) {
		/* phases of growth and decay, so that leaves and inner nodes come and go */
		bool grow = next_random(&seed) % 100 < (i / 15000 % 2 ? 20u : 80u);
		uint32_t k = next_random(&seed) % KEYS, v = next_random(&seed), old = 0;

		if (grow) {
			ck_assert_int_eq(rangemap_put(&m, k, v), 0);
			there[k] = true;
			want[k] = v;
		} else {
			ck_assert_int_eq(rangemap_del(&m, k, &old), there[k]);
			if (there[k])
				ck_assert_uint_eq(old, want[k]);
			there[k] = false;
		}
		if (i % 5000 == 4999)
			compare(&m);
	}
	rangemap_release(&m);
}
END_TEST

START_TEST(ascending_and_descending_keys)
{
	struct rangemap m = { 0 };

	memset(there, 0, sizeof(there));
	for (uint32_t i = 0; i < KEYS; i++) {
		uint32_t k = _i ? KEYS - 1 - i : i;

		ck_assert_int_eq(rangemap_put(&m, k, k * 7), 0);
		there[k] = true;
		want[k] = k * 7;
	}
	compare(&m);
	for (uint32_t k = 0; k < KEYS; k++)
		ck_assert(rangemap_del(&m, k, NULL));
	ck_assert_uint_eq(m.count, 0);
	ck_assert(!rangemap_le(&m, UINT64_MAX, NULL, NULL));
	ck_assert(!rangemap_del(&m, 1, NULL));
	rangemap_release(&m);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rangemap");
	TCase *t = tcase_create("rangemap");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, agrees_with_an_array, 0, 8);
	tcase_add_loop_test(t, ascending_and_descending_keys, 0, 2);
	suite_add_tcase(s, t);
	return run_suite(s);
}
