/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that items pass from one thread to another in their order, and that the reader ends after
 * the last one. */
#include "base/ring.h"

#include "check_main.h"

enum { SLOTS = 3, ITEMS = 20000 };

static struct ring ring;
static int slots[SLOTS];

static void *read_all(void *arg)
{
	int slot, *last = arg;

	while ((slot = ring_next(&ring)) != RING_CLOSED) {
		ck_assert_int_eq(slots[slot], *last + 1);
		*last = slots[slot];
		ring_done(&ring);
	}
	return NULL;
}

START_TEST(items_arrive_in_their_order)
{
	pthread_t thread;
	int last = 0;

	ring_init(&ring, SLOTS);
	ck_assert_int_eq(pthread_create(&thread, NULL, read_all, &last), 0);
	for (int i = 1; i <= ITEMS; i++) {
		slots[ring_vacant(&ring)] = i;
		ring_put(&ring);
		if (i == ITEMS / 2) {
			ring_wait(&ring);
			ck_assert_int_eq(last, i);
		}
	}
	ring_close(&ring);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(last, ITEMS);
	ring_release(&ring);
}
END_TEST

START_TEST(what_was_put_before_the_end_is_read)
{
	ring_init(&ring, SLOTS);
	for (int i = 0; i < SLOTS; i++) {
		ck_assert_int_eq(ring_vacant(&ring), i);
		ring_put(&ring);
	}
	ring_close(&ring);
	for (int i = 0; i < SLOTS; i++) {
		ck_assert_int_eq(ring_next(&ring), i);
		ring_done(&ring);
	}
	ck_assert_int_eq(ring_next(&ring), RING_CLOSED);
	ring_release(&ring);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("ring");
	TCase *t = tcase_create("ring");

	tcase_add_test(t, items_arrive_in_their_order);
	tcase_add_test(t, what_was_put_before_the_end_is_read);
	suite_add_tcase(s, t);
	return run_suite(s);
}
