/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the map of address ranges by comparing it with plain arrays. */
#include "base/count.h"
#include "model/rangemap.h"

#include "check_main.h"
#include "random.h"

enum { KEYS = 4096 };

/* The expected content of the map. */
static bool there[KEYS];
static uint32_t want[KEYS];

static uint32_t next_random(uint64_t *s)
{
	random_next(s);
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
	ck_assert_uint_eq(rangemap_count(m), n);
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
	struct rangemap m = { .hinted = _i % 2 };
	uint64_t seed = (uint64_t)_i + 1;

	memset(there, 0, sizeof(there));
	for (int i = 0; i < 60000; i++) {
		/* The map grows and shrinks in turn, so that leaves and inner nodes are made and
		 * removed. */
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

START_TEST(a_free_range_is_told_from_a_taken_one)
{
	struct rangemap m = { 0 };
	uint64_t seed = (uint64_t)_i + 1;
	unsigned put = 0, unsure = 0;

	memset(there, 0, sizeof(there));
	for (int i = 0; i < 60000; i++) {
		uint32_t k = next_random(&seed) % KEYS, v = next_random(&seed), taken = 0, last;
		bool grow = next_random(&seed) % 100 < (i / 15000 % 2 ? 30u : 80u);
		int ret;

		last = k + next_random(&seed) % 8;
		for (uint32_t n = k; n <= last && n < KEYS; n++)
			taken += there[n];
		if (!grow) {
			ck_assert_int_eq(rangemap_del(&m, k, NULL), there[k]);
			there[k] = false;
			continue;
		}
		ret = rangemap_put_free(&m, k, last, v);
		ck_assert_int_ge(ret, 0);
		if (taken)
			ck_assert_int_eq(ret, 1);
		unsure += ret && !taken;
		if (ret)
			continue;
		there[k] = true;
		want[k] = v;
		put++;
	}
	compare(&m);
	ck_assert_uint_gt(put, 5000);
	ck_assert_uint_lt(unsure, put / 4);
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
	ck_assert_uint_eq(rangemap_count(&m), 0);
	ck_assert(!rangemap_le(&m, UINT64_MAX, NULL, NULL));
	ck_assert(!rangemap_del(&m, 1, NULL));
	rangemap_release(&m);
}
END_TEST

/* All MAPS maps have keys below SMALL. Several maps may contain the same value: holds[value] is its
 * number of references. */
enum { MAPS = 6, SMALL = 1500 };
static uint32_t holds[1 << 20];

static void hold(void *arg, uint32_t value)
{
	holds[value]++;
}

static void drop(void *arg, uint32_t value)
{
	ck_assert_uint_gt(holds[value], 0);
	holds[value]--;
}

static const struct rangemap_holds counted = { hold, drop, NULL };

/* The expected content of the maps: model[map][key] is the value of a key; 0 means that there is
 * none. putter[value] is the map to which the value was added first. `told` is the number of values
 * that were reported as removed from the map to which they were added first. */
static uint32_t model[MAPS][SMALL], putter[1 << 20], told;

static void on_gone(void *arg, uint64_t key, uint32_t value)
{
	uint32_t map = *(uint32_t *)arg;

	ck_assert_uint_eq(model[map][key], value);
	if (putter[value] == map)
		told++;
}

static void cut_both(struct rangemap *m, uint32_t map, uint32_t first, uint32_t last)
{
	uint32_t own = 0;

	told = 0;
	for (uint32_t k = first; k <= last; k++)
		own += model[map][k] && putter[model[map][k]] == map;
	ck_assert_int_ge(rangemap_cut(m, first, last, on_gone, &map), 0);
	/* all removed values that were added to this map first are reported */
	ck_assert_uint_eq(told, own);
	memset(&model[map][first], 0, (last - first + 1) * sizeof(model[0][0]));
}

static void same_as_model(const struct rangemap *m, uint32_t map)
{
	size_t n = 0;

	for (uint32_t k = 0; k < SMALL; k++) {
		uint32_t v = 0;

		ck_assert_int_eq(rangemap_get(m, k, &v), model[map][k] != 0);
		if (!model[map][k])
			continue;
		ck_assert_uint_eq(v, model[map][k]);
		ck_assert(holds[v]);
		n++;
	}
	ck_assert_uint_eq(rangemap_count(m), n);
}

/* Makes map `to` a copy of map `from`, as a fork does. The copy shares the values of `from`, and
 * gets an owner number that no map had before. */
static void refork(struct rangemap *m, uint32_t from, uint32_t to)
{
	static uint32_t owner = MAPS;

	if (from == to)
		return;
	rangemap_release(&m[to]);
	m[to] = (struct rangemap){ .owner = ++owner, .hinted = true };
	rangemap_share(&m[to], &m[from]);
	memcpy(model[to], model[from], sizeof(model[to]));
	for (size_t i = 0; i < COUNT_OF(putter); i++)
		if (putter[i] == to)
			putter[i] = UINT32_MAX;
}

START_TEST(maps_that_share_do_not_disturb_each_other)
{
	struct rangemap m[MAPS] = { 0 };
	uint64_t seed = (uint64_t)_i + 7;
	uint32_t next = 0;

	memset(model, 0, sizeof(model));
	memset(holds, 0, sizeof(holds));
	for (uint32_t i = 0; i < MAPS; i++)
		m[i] = (struct rangemap){ .owner = i + 1, .hinted = true };
	for (int i = 0; i < 30000; i++) {
		uint32_t map = next_random(&seed) % MAPS, what = next_random(&seed) % 1000;
		uint32_t k = next_random(&seed) % SMALL, v = 0;

		if (what < 2) {
			refork(m, map, next_random(&seed) % MAPS);
		} else if (what < 10) {
			uint32_t last = k + next_random(&seed) % (SMALL - k);

			cut_both(&m[map], map, k, last);
		} else if (what < 650) {
			m[map].holds = &counted;
			holds[++next] = 1;
			putter[next] = map;
			ck_assert_int_eq(rangemap_put(&m[map], k, next), 0);
			model[map][k] = next;
		} else if (rangemap_del(&m[map], k, &v)) {
			ck_assert_uint_eq(v, model[map][k]);
			model[map][k] = 0;
			drop(NULL, v);
		} else {
			ck_assert_uint_eq(model[map][k], 0);
		}
		if (i % 5000 == 4999)
			for (uint32_t k2 = 0; k2 < MAPS; k2++)
				same_as_model(&m[k2], k2);
	}
	for (uint32_t i = 0; i < MAPS; i++) {
		cut_both(&m[i], i, 0, SMALL - 1);
		rangemap_release(&m[i]);
	}
	for (uint32_t i = 0; i <= next; i++)
		ck_assert_uint_eq(holds[i], 0); /* a value that no map contains is released */
}
END_TEST

/* Adds keys in such an order that each insertion splits a full leaf in the middle. */
START_TEST(no_order_of_keys_makes_it_high)
{
	const uint64_t base = UINT64_C(1) << 40;
	struct rangemap m = { 0 };

	for (uint32_t k = 0; k < 30; k++)
		ck_assert_int_eq(rangemap_put(&m, k, k), 0);
	for (uint32_t i = 0; i < 100000; i++)
		for (uint32_t k = 0; k < 3; k++)
			ck_assert_int_eq(rangemap_put(&m, base - i * UINT64_C(10) + k, k), 0);
	ck_assert_uint_eq(rangemap_count(&m), 300030);
	ck_assert_uint_le(m.height, 4);
	rangemap_release(&m);
}
END_TEST

START_TEST(a_copy_costs_nothing_and_much_goes_at_once)
{
	static struct rangemap m[20000];
	enum { COPIES = 20000, COUNT = 20000 };

	m[0].owner = 1;
	for (uint32_t k = 0; k < COUNT; k++)
		ck_assert_int_eq(rangemap_put(&m[0], k, k), 0);
	for (uint32_t i = 1; i < COPIES; i++) {
		m[i].owner = i + 1;
		rangemap_share(&m[i], &m[0]);
		ck_assert_int_eq(rangemap_cut(&m[i], 1, COUNT - 2, NULL, NULL), 0);
		ck_assert_uint_eq(rangemap_count(&m[i]), 2);
	}
	ck_assert_uint_eq(rangemap_count(&m[0]), COUNT);
	for (uint32_t i = 0; i < COPIES; i++)
		rangemap_release(&m[i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rangemap");
	TCase *t = tcase_create("rangemap");

	tcase_set_timeout(t, 240);
	tcase_add_loop_test(t, agrees_with_an_array, 0, 8);
	tcase_add_loop_test(t, a_free_range_is_told_from_a_taken_one, 0, 8);
	tcase_add_loop_test(t, ascending_and_descending_keys, 0, 2);
	tcase_add_loop_test(t, maps_that_share_do_not_disturb_each_other, 0, 3);
	tcase_add_test(t, no_order_of_keys_makes_it_high);
	tcase_add_test(t, a_copy_costs_nothing_and_much_goes_at_once);
	suite_add_tcase(s, t);
	return run_suite(s);
}
