/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the homes (nodes) of pages that processes share or inherit, and of pages whose home is
 * uncertain. A look is a query of the nodes of pages. */
#include "homes_fixture.h"

/* malloc shrinks and grows the heap with brk(), and the tracker does not see these calls. So a
 * page that faults again after the heap grew is a new page. */
START_TEST(a_page_of_the_heap_that_faults_again_after_it_grew_is_a_new_one)
{
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	ck_assert(touch(&h, 1, 0x5000, 0, 1, 1000));
	f = fault(1, 0x5000, 0, 2, 9000000);
	/* `renewed` is the latest time at which malloc may have returned the page to the kernel.
	 * This time is before the first fault, so the page is not new. */
	f.renewed = 900;
	ck_assert(!homes_touch(&h, &f));
	f.time = 10000000;
	f.renewed = 9500000;
	ck_assert(homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	f.time = f.renewed = 10000100;
	/* Thread 2 has not yet seen that the page is present, so this fault does not make a new
	 * page. */
	f.thread = 2;
	ck_assert(!homes_touch(&h, &f));
	homes_fork(&h, 1, 2, 20000000);
	/* After a fork, a write of the parent to the page faults even if malloc has not returned
	 * the page. So this fault does not make a new page. */
	f.time = f.renewed = 30000000;
	ck_assert(!homes_touch(&h, &f));
	homes_release(&h);
}
END_TEST

/* malloc writes to a block before the tracker reports the block's birth. So this first touch is
 * earlier than the birth, but it belongs to the new block. */
START_TEST(a_touch_for_a_block_that_is_born_later_is_the_blocks)
{
	struct homes h;

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 20), -1);
	homes_born(&h, 1, 0x5000, 20);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 20), 1);
	ck_assert_uint_eq(homes_find(&h, 1, 0x5000, 20).touched, 20);
	homes_born(&h, 1, 0x6000, 20); /* no thread has touched this page */
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), -1);
	homes_release(&h);
}
END_TEST

/* A page faults a second time, for no known reason. It may be a new page, or it was moved: by the
 * kernel's NUMA balancing, or by a call that this thread has not seen yet. */
START_TEST(a_fault_without_a_reason_makes_the_home_uncertain)
{
	struct homes_fault f;
	struct homes h;
	int32_t seen[1] = { 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	/* a fault from the page's own node: the page is still there */
	touch(&h, 1, 0x5000, 0, 1, 20);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1);
	/* a fault from another node: the page may have moved there */
	touch(&h, 1, 0x5000, 0, 2, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	f = fault(1, 0x5000, 0, 2, 40);
	f.exact = true;
	homes_touch(&h, &f);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	homes_move(&h, 1, 0x5000, 0x6000, 50);
	homes_look(&h, 1, 0x5000, 4096, seen, 1, 60);
	/* a fault from node 2, but homes_look() reported the page on node 3 */
	touch(&h, 1, 0x5000, 0, 2, 70);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	f = fault(1, 0x5000, 0, 0, 80);
	f.major = true; /* the kernel read the page back from disk, so it is a new page */
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 0);
	homes_release(&h);
}
END_TEST

START_TEST(a_page_that_the_kernel_could_take_back_is_a_new_one_when_it_faults)
{
	struct homes h;

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	homes_free(&h, 1, 0x5000, 0x7000, 20);
	/* after madvise(MADV_FREE), the page stays until the kernel needs the memory */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1);
	ck_assert(touch(&h, 1, 0x5000, 0, 2, 30));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert(!touch(&h, 1, 0x5000, 0, 2, 40));
	homes_release(&h);
}
END_TEST

/* The kernel itself may fault on a page. If it only reads, it maps the zero page, which has no
 * home. So if it is unknown whether the kernel only read, the fault does not show the page's
 * home. */
START_TEST(an_uncertain_touch_says_nothing_of_the_page)
{
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	f = fault(1, 0x5000, 0, 1, 10);
	f.uncertain = true;
	ck_assert(homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	ck_assert(touch(&h, 1, 0x5000, 0, 2, 20));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	homes_release(&h);
}
END_TEST

/* All processes that map a file share its pages, so for these pages the model treats the processes
 * as one. */
START_TEST(a_shared_page_stays_where_the_first_put_it)
{
	struct homes_fault f;
	struct homes h;
	int32_t seen[2] = { 3, -1 };

	homes_init(&h, 4096);
	h.shared = true;
	ck_assert(touch(&h, 1, 0x5000, 0, 1, 10));
	/* a later fault, by another process that maps the page */
	ck_assert(!touch(&h, 1, 0x5000, 0, 2, 30 + HOMES_RACE_NS));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1);
	ck_assert_uint_eq(homes_find(&h, 1, 0x5000, 0).touched, 10);
	/* the look found this page, so another process must have placed it */
	homes_look(&h, 1, 0x6000, 4096, seen, 2, 40);
	ck_assert(!touch(&h, 1, 0x6000, 0, 2, 50));
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 3);
	ck_assert(touch(&h, 1, 0x7000, 0, 2, 50));
	f = fault(1, 0x9000, 0, 2, 60);
	/* the page was in the page cache already, so this fault did not place it */
	f.present = true;
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x9000, 0), -1);
	f.exact = true;
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x9000, 0), 2);
	homes_drop(&h, 1, 0x5000, 0x6000, 70);
	ck_assert(touch(&h, 1, 0x5000, 0, 0, 80));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 0);
	homes_release(&h);
}
END_TEST

/* mlock(), write(2) to the file, or hardware that reads the memory may place pages without a fault.
 * A look queries only some pages. It shows that such pages exist, but not which of the pages
 * between were placed without a fault. */
START_TEST(a_shared_page_near_one_that_no_fault_has_placed_is_uncertain)
{
	struct homes h;
	int32_t seen[4] = { 3, 1, 1, -1 };

	homes_init(&h, 4096);
	h.shared = true;
	touch(&h, 1, 0x7000, 0, 1, 10);
	touch(&h, 1, 0x9000, 0, 1, 10);
	/* 0x5000 was placed without a fault, 0x7000 and 0x9000 were not, and 0xb000 is missing */
	homes_look(&h, 1, 0x5000, 8192, seen, 4, 20);
	ck_assert(!touch(&h, 1, 0x5000, 0, 2, 30));
	touch(&h, 1, 0x6000, 0, 2, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), -1);
	for (uint64_t page = 0x8000; page <= 0xc000; page += 0x2000) {
		ck_assert(touch(&h, 1, page, 0, 2, 30));
		ck_assert_int_eq(node_of(&h, 1, page, 0), 2);
	}
	homes_release(&h);
}
END_TEST

/* After a fork, parent and child share their pages until one of them writes. The writer gets a
 * new page, and the other process keeps the old one. */
START_TEST(a_child_has_the_pages_of_its_parent)
{
	struct homes h;
	int32_t seen[1] = { 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	touch(&h, 1, 0x6000, 0, 1, 10);
	homes_look(&h, 1, 0x7000, 4096, seen, 1, 10);
	homes_fork(&h, 1, 2, 20);
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 20), 1);
	ck_assert_uint_eq(homes_find(&h, 2, 0x5000, 20).touched, 20);
	/* queries a page that the child mapped at time 21, after the fork, so it inherits
	 * nothing */
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 21), -1);
	ck_assert_int_eq(node_of(&h, 2, 0x7000, 20), 3);
	ck_assert_int_eq(node_of(&h, 2, 0x8000, 0), -1);
	touch(&h, 1, 0x5000, 0, 2, 30); /* the parent writes: it gets a new page */
	/* the parent touches a page that the child does not have */
	touch(&h, 1, 0x8000, 0, 2, 30);
	ck_assert(touch(&h, 2, 0x6000, 20, 0, 30)); /* the child writes: it gets a new page */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 1);
	ck_assert_int_eq(node_of(&h, 2, 0x6000, 0), 0);
	ck_assert_int_eq(node_of(&h, 2, 0x8000, 0), -1);
	homes_fork(&h, 2, 3, 40);
	/* process 3 has this page from process 1, its grandparent */
	ck_assert_int_eq(node_of(&h, 3, 0x5000, 0), 1);
	ck_assert_int_eq(node_of(&h, 3, 0x6000, 0), 0);
	homes_move(&h, 3, 0x5000, 0x6000, 50);
	ck_assert_int_eq(node_of(&h, 3, 0x5000, 0), -1);
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 0), 1);
	homes_fork(&h, 0, 4, 60); /* process 0 is unknown */
	homes_release(&h);
}
END_TEST

/* Is a fault of process 1 the first touch of a page that malloc may have returned to the kernel? */
static bool is_renewed(struct homes *h, uint64_t time)
{
	struct homes_fault f = fault(1, 0x5000, 0, 2, time);

	f.renewed = time;
	return homes_touch(h, &f);
}

/* A child of vfork() runs in its parent's memory, so a later fault of the parent is no copy. */
START_TEST(a_fork_that_copied_nothing_does_not_count)
{
	struct homes h;

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	homes_fork(&h, 1, 2, 20);
	ck_assert_uint_eq(homes_fork_time(&h, 2), 20);
	homes_borrowed(&h, 2);
	homes_end(&h, 2, true);
	ck_assert_uint_eq(homes_fork_time(&h, 2), 0);
	ck_assert(is_renewed(&h, 30));
	homes_fork(&h, 1, 3, 40);
	homes_separate(&h, 3); /* a child of fork() */
	homes_borrowed(&h, 3);
	homes_end(&h, 3, false);
	ck_assert(!is_renewed(&h, 50));
	homes_fork(&h, 1, 4, 60);
	homes_fork(&h, 1, 5, 70);
	homes_separate(&h, 5);
	homes_borrowed(&h, 4);
	ck_assert(!is_renewed(&h, 80)); /* the other fork counts */
	homes_separate(&h, 9);          /* process 9 is unknown */
	homes_borrowed(&h, 9);
	homes_release(&h);
}
END_TEST

/* After a fork, a write copies a page that both processes share. If no other process has the page
 * any more, the writer keeps it without a copy. */
START_TEST(who_is_left_alone_with_a_page_keeps_it)
{
	struct homes h;

	homes_init(&h, 4096);
	for (uint64_t a = 0x5000; a < 0x9000; a += 4096)
		touch(&h, 1, a, 0, 1, 10);
	homes_fork(&h, 1, 2, 20);
	touch(&h, 1, 0x5000, 0, 0, 30);            /* the parent gets a copy */
	ck_assert(touch(&h, 2, 0x5000, 0, 3, 40)); /* the child is now alone with the old page */
	ck_assert(touch(&h, 2, 0x6000, 0, 3, 40)); /* the child gets a copy */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 0);
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 0), 1);
	ck_assert_int_eq(node_of(&h, 2, 0x6000, 0), 3);
	homes_end(&h, 2, false);
	homes_end(&h, 2, false);
	touch(&h, 1, 0x7000, 0, 2, 50);
	ck_assert_int_eq(node_of(&h, 1, 0x7000, 0), 1);
	homes_fork(&h, 1, 3, 60);
	homes_end(&h, 1, false);
	ck_assert(touch(&h, 3, 0x8000, 0, 2, 70));
	ck_assert_int_eq(node_of(&h, 3, 0x8000, 0), 1);
	touch(&h, 4, 0x5000, 0, 1, 100);
	homes_fork(&h, 1, 4, 90);
	/* process 4 calls exec: a child that it forks later shares its new pages */
	homes_end(&h, 4, true);
	touch(&h, 4, 0x5000, 110, 1, 120);
	homes_fork(&h, 4, 5, 130);
	ck_assert(touch(&h, 5, 0x5000, 0, 2, 140));
	ck_assert_int_eq(node_of(&h, 5, 0x5000, 0), 2);
	homes_end(&h, 9, false); /* process 9 is unknown */
	homes_release(&h);
}
END_TEST

START_TEST(a_choice_is_known_by_its_touch_or_a_move)
{
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	f = fault(1, 0x5000, 0, 1, 10);
	f.chosen = TOUCH_BY_CHANCE;
	homes_touch(&h, &f);
	ck_assert_int_eq(homes_find(&h, 1, 0x5000, 0).chosen, TOUCH_BY_CHANCE);
	ck_assert_int_eq(homes_find(&h, 1, 0x6000, 0).chosen, TOUCH_CHOICE_UNKNOWN);
	homes_move(&h, 1, 0x5000, 0x7000, 20);
	ck_assert_int_eq(homes_find(&h, 1, 0x5000, 0).chosen, TOUCH_CHOSEN);
	ck_assert_int_eq(homes_find(&h, 1, 0x6000, 30).chosen, TOUCH_CHOICE_UNKNOWN);
	homes_release(&h);
}
END_TEST

START_TEST(touches_take_room_for_their_pages_not_for_their_number)
{
	struct homes h;

	homes_init(&h, 4096);
	for (uint64_t i = 0; i < 100000; i++)
		touch(&h, 1, 0x100000 + i % 64 * 4096, 0, (int)(i % 4), i + 1);
	ck_assert_uint_eq(h.touches.runs.n, 4);
	ck_assert_uint_eq(h.touches.past.n, 0);
	homes_release(&h);
}
END_TEST

START_TEST(a_look_tells_what_it_finds_elsewhere)
{
	int32_t seen[3] = { 1, 2, -1 };
	struct change c = { 0 };
	struct homes h;

	homes_init(&h, 4096);
	h.changed = note_change;
	h.arg = &c;
	touch(&h, 3, 0x5000, 0, 1, 10);
	touch(&h, 3, 0x6000, 0, 1, 12);
	touch(&h, 3, 0x7000, 0, 1, 13);
	homes_look(&h, 3, 0x5000, 4096, seen, 3, 20);
	ck_assert_uint_eq(c.calls, 1);
	ck_assert_uint_eq(c.process, 3);
	ck_assert_uint_eq(c.start, 0x6000);
	ck_assert_uint_eq(c.end, 0x7000);
	ck_assert_uint_eq(c.since, 12);
	homes_move(&h, 3, 0x5000, 0x6000, 25);
	seen[0] = 3;
	homes_look(&h, 3, 0x5000, 4096, seen, 3, 30); /* a call has reported that this page moved */
	ck_assert_uint_eq(c.calls, 1);
	seen[1] = 0;
	homes_look(&h, 3, 0x5000, 4096, seen, 3, 40);
	ck_assert_uint_eq(c.calls, 2);
	ck_assert_uint_eq(c.since, 30);
	homes_release(&h);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("homes_shared");
	TCase *t = tcase_create("homes");

	tcase_add_test(t, a_page_of_the_heap_that_faults_again_after_it_grew_is_a_new_one);
	tcase_add_test(t, a_touch_for_a_block_that_is_born_later_is_the_blocks);
	tcase_add_test(t, a_fault_without_a_reason_makes_the_home_uncertain);
	tcase_add_test(t, a_page_that_the_kernel_could_take_back_is_a_new_one_when_it_faults);
	tcase_add_test(t, an_uncertain_touch_says_nothing_of_the_page);
	tcase_add_test(t, a_shared_page_stays_where_the_first_put_it);
	tcase_add_test(t, a_shared_page_near_one_that_no_fault_has_placed_is_uncertain);
	tcase_add_test(t, a_child_has_the_pages_of_its_parent);
	tcase_add_test(t, a_fork_that_copied_nothing_does_not_count);
	tcase_add_test(t, who_is_left_alone_with_a_page_keeps_it);
	tcase_add_test(t, a_choice_is_known_by_its_touch_or_a_move);
	tcase_add_test(t, touches_take_room_for_their_pages_not_for_their_number);
	tcase_add_test(t, a_look_tells_what_it_finds_elsewhere);
	suite_add_tcase(s, t);
	return run_suite(s);
}
