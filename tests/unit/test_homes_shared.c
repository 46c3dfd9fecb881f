/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the homes of pages that are shared, inherited or huge, and of pages whose home is
 * uncertain. */
#include "homes_fixture.h"

/* malloc shrinks and grows the heap, and nothing reports these calls. A page that faults again
 * after the heap grew is a new one. */
START_TEST(a_page_of_the_heap_that_faults_again_after_it_grew_is_a_new_one)
{
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	ck_assert(touch(&h, 1, 0x5000, 0, 1, 1000));
	f = fault(1, 0x5000, 0, 2, 9000000);
	f.renewed = 900; /* the heap has not grown since the first fault */
	ck_assert(!homes_touch(&h, &f));
	f.time = 10000000;
	f.renewed = 9500000;
	ck_assert(homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	f.time = f.renewed = 10000100;
	f.thread = 2; /* has not yet seen that the page is there */
	ck_assert(!homes_touch(&h, &f));
	homes_fork(&h, 1, 2, 20000000);
	f.time = f.renewed = 30000000; /* after the fork, a write by the parent copies the page */
	ck_assert(!homes_touch(&h, &f));
	homes_release(&h);
}
END_TEST

/* malloc touches a block before the block's birth is reported. */
START_TEST(a_touch_for_a_block_that_is_born_later_is_the_blocks)
{
	struct homes h;

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 20), -1);
	homes_born(&h, 1, 0x5000, 20);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 20), 1);
	ck_assert_uint_eq(homes_find(&h, 1, 0x5000, 20).touched, 20);
	homes_born(&h, 1, 0x6000, 20); /* never touched */
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), -1);
	homes_release(&h);
}
END_TEST

/* The page may have moved: by the kernel's balancing, or by a call that this thread has not seen
 * yet. It may also be a new page, for an unknown reason. */
START_TEST(a_fault_without_a_reason_makes_the_home_uncertain)
{
	struct homes_fault f;
	struct homes h;
	int32_t seen[1] = { 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	touch(&h, 1, 0x5000, 0, 1, 20); /* from the node that has the page */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1);
	touch(&h, 1, 0x5000, 0, 2, 30); /* the page may have moved to this node */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	f = fault(1, 0x5000, 0, 2, 40);
	f.exact = true;
	homes_touch(&h, &f);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	homes_move(&h, 1, 0x5000, 0x6000, 50);
	homes_look(&h, 1, 0x5000, 4096, seen, 1, 60);
	touch(&h, 1, 0x5000, 0, 2, 70); /* from the node that had the page before */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	f = fault(1, 0x5000, 0, 0, 80);
	f.major = true; /* read back from the disk */
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
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1); /* there until the kernel takes it back */
	ck_assert(touch(&h, 1, 0x5000, 0, 2, 30));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert(!touch(&h, 1, 0x5000, 0, 2, 40));
	homes_release(&h);
}
END_TEST

/* For a fault by the kernel it may be unknown whether it only read zeros. */
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

/* All processes that map a file count as one. */
START_TEST(a_shared_page_stays_where_the_first_put_it)
{
	struct homes_fault f;
	struct homes h;
	int32_t seen[2] = { 3, -1 };

	homes_init(&h, 4096);
	h.shared = true;
	ck_assert(touch(&h, 1, 0x5000, 0, 1, 10));
	ck_assert(!touch(&h, 1, 0x5000, 0, 2, 30 + HOMES_RACE_NS)); /* by another process */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1);
	ck_assert_uint_eq(homes_find(&h, 1, 0x5000, 0).touched, 10);
	homes_look(&h, 1, 0x6000, 4096, seen, 2, 40); /* placed by an unknown process */
	ck_assert(!touch(&h, 1, 0x6000, 0, 2, 50));
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 3);
	ck_assert(touch(&h, 1, 0x7000, 0, 2, 50));
	f = fault(1, 0x9000, 0, 2, 60);
	f.present = true; /* was in the page cache before */
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

/* The first process that writes after a fork gets a new page. The other one keeps the old page. */
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
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 21), -1); /* mapped after the fork */
	ck_assert_int_eq(node_of(&h, 2, 0x7000, 20), 3);
	ck_assert_int_eq(node_of(&h, 2, 0x8000, 0), -1);
	touch(&h, 1, 0x5000, 0, 2, 30);             /* the parent writes */
	touch(&h, 1, 0x8000, 0, 2, 30);             /* a page that the child does not have */
	ck_assert(touch(&h, 2, 0x6000, 20, 0, 30)); /* the child writes */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 1);
	ck_assert_int_eq(node_of(&h, 2, 0x6000, 0), 0);
	ck_assert_int_eq(node_of(&h, 2, 0x8000, 0), -1);
	homes_fork(&h, 2, 3, 40);
	ck_assert_int_eq(node_of(&h, 3, 0x5000, 0), 1); /* from its grandparent */
	ck_assert_int_eq(node_of(&h, 3, 0x6000, 0), 0);
	homes_move(&h, 3, 0x5000, 0x6000, 50);
	ck_assert_int_eq(node_of(&h, 3, 0x5000, 0), -1);
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 0), 1);
	homes_fork(&h, 0, 4, 60); /* an unknown parent */
	homes_release(&h);
}
END_TEST

/* A write after a fork copies the page, unless no other process has it any more. */
START_TEST(who_is_left_alone_with_a_page_keeps_it)
{
	struct homes h;

	homes_init(&h, 4096);
	for (uint64_t a = 0x5000; a < 0x9000; a += 4096)
		touch(&h, 1, a, 0, 1, 10);
	homes_fork(&h, 1, 2, 20);
	touch(&h, 1, 0x5000, 0, 0, 30);            /* a copy */
	ck_assert(touch(&h, 2, 0x5000, 0, 3, 40)); /* the remaining page */
	ck_assert(touch(&h, 2, 0x6000, 0, 3, 40)); /* a copy */
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
	homes_end(&h, 4, true); /* exec: what it forks then shares its new pages */
	touch(&h, 4, 0x5000, 110, 1, 120);
	homes_fork(&h, 4, 5, 130);
	ck_assert(touch(&h, 5, 0x5000, 0, 2, 140));
	ck_assert_int_eq(node_of(&h, 5, 0x5000, 0), 2);
	homes_end(&h, 9, false); /* an unknown process */
	homes_release(&h);
}
END_TEST

START_TEST(a_huge_page_has_one_home)
{
	static const uint64_t huge = 2 << 20, giant = 1 << 30;
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	f = fault(1, 5 * huge + 0x3000, 0, 2, 10);
	f.page_bytes = huge;
	ck_assert(homes_touch(&h, &f));
	for (uint64_t a = 5 * huge; a < 6 * huge; a += 4096) {
		ck_assert_int_eq(node_of(&h, 1, a, 0), 2);
		ck_assert_uint_eq(homes_find(&h, 1, a, 0).page_bytes, huge);
	}
	ck_assert_int_eq(node_of(&h, 1, 5 * huge - 1, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 6 * huge, 0), -1);
	f.address = 7 * huge + 5;
	f.page_bytes = 4096;
	f.node = 1;
	homes_touch(&h, &f);
	ck_assert_uint_eq(homes_find(&h, 1, 7 * huge, 0).page_bytes, 4096);
	ck_assert_int_eq(node_of(&h, 1, 7 * huge + 4096, 0), -1);
	f = fault(1, 5 * huge + 0x3000, 0, 3, 20); /* one small page, after a split */
	f.page_bytes = 4096;
	f.exact = true;
	homes_touch(&h, &f);
	ck_assert_int_eq(node_of(&h, 1, 5 * huge + 0x3fff, 0), 3);
	ck_assert_int_eq(node_of(&h, 1, 5 * huge + 0x4000, 0), 2);
	f = fault(1, 3 * giant + 1, 0, 1, 20);
	f.page_bytes = giant;
	homes_touch(&h, &f);
	ck_assert_int_eq(node_of(&h, 1, 4 * giant - 1, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 4 * giant, 0), -1);
	f = fault(1, 0x12345678000, 0, 1, 20);
	f.page_bytes = 1ull << 50; /* damage */
	homes_touch(&h, &f);
	ck_assert_int_eq(node_of(&h, 1, 0x12345678000, 0), 1);
	ck_assert_uint_lt(h.touches.runs.n, 10);
	homes_release(&h);
}
END_TEST

START_TEST(sizes_that_were_told_count_where_no_touch_says_better)
{
	struct homes h;

	homes_init(&h, 4096);
	homes_size(&h, 1, 0x200000, 0x400000, 2 << 20);
	ck_assert_uint_eq(homes_find(&h, 1, 0x3fffff, 0).page_bytes, 2 << 20);
	ck_assert_uint_eq(homes_find(&h, 1, 0x400000, 0).page_bytes, 0);
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

START_TEST(a_huge_page_is_made_where_most_of_its_pages_were)
{
	const uint64_t at = 4ull * LARGE;
	int32_t seen[1] = { 2 };
	struct homes h;

	homes_init(&h, SMALL);
	touch_range(&h, IN_LARGE / 2 + 1, IN_LARGE);
	touch(&h, 1, at - SMALL, 0, 1, 10);
	homes_collapse(&h, 1, at - SMALL, at + LARGE + SMALL, 20, true);
	ck_assert_int_eq(node_of(&h, 1, at - SMALL, 0), 1); /* not a full huge page */
	for (uint64_t a = at; a < at + LARGE; a += SMALL) {
		ck_assert_int_eq(node_of(&h, 1, a, 0), 0);
		ck_assert_uint_eq(homes_find(&h, 1, a, 0).page_bytes, LARGE);
	}
	homes_look(&h, 1, at + 5 * SMALL, SMALL, seen, 1,
		   30); /* one page of a huge page stands for all of it */
	ck_assert_int_eq(node_of(&h, 1, at + 5 * SMALL, 0), 2);
	homes_release(&h);
	homes_init(&h, SMALL);
	touch_range(&h, IN_LARGE / 2, IN_LARGE); /* as many pages on either node */
	homes_collapse(&h, 1, at, at + LARGE, 20, true);
	ck_assert_int_eq(node_of(&h, 1, at, 0), -1);
	ck_assert_uint_eq(homes_find(&h, 1, at, 0).page_bytes, LARGE);
	homes_look(&h, 1, at, 2 * LARGE, seen, 1, 30);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - 1, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE, 0), 2);
	homes_collapse(&h, 1, at, at + 2 * LARGE, 40, true);
	homes_look(&h, 1, at, 2 * LARGE, seen, 1, 50); /* the second huge page was not asked for */
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - 1, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE, 0), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_collapse_that_fails_leaves_the_homes_unknown)
{
	const uint64_t at = 4ull * LARGE;
	struct homes h;

	homes_init(&h, SMALL);
	touch_range(&h, IN_LARGE, IN_LARGE);
	homes_collapse(&h, 1, at, at + LARGE, 20, false);
	ck_assert_int_eq(node_of(&h, 1, at, 0), -1);
	ck_assert_uint_eq(homes_find(&h, 1, at, 0).page_bytes, 0);
	homes_collapse(&h, 1, at + 1, at + LARGE, 20, true); /* no huge page fits in the range */
	homes_collapse(&h, 1, UINT64_MAX - 5, UINT64_MAX, 20, true);
	homes_release(&h);
}
END_TEST

/* A damaged log reports a collapse of the complete address space. */
START_TEST(a_collapse_of_everything_ends)
{
	const uint64_t at = 4ull * LARGE;
	struct homes h;

	homes_init(&h, SMALL);
	touch_range(&h, IN_LARGE, IN_LARGE);
	for (uint64_t i = 0; i < 1000; i++)
		homes_collapse(&h, 1, 0, UINT64_MAX - i, 20 + i, true);
	ck_assert(!homes_nomem(&h));
	ck_assert_int_eq(node_of(&h, 1, at, 0), -1);
	ck_assert_uint_eq(homes_find(&h, 1, at, 0).page_bytes, 0);
	homes_release(&h);
}
END_TEST

/* The kernel makes huge pages by itself between two looks. */
START_TEST(small_pages_are_uncertain_while_the_kernel_makes_huge_ones)
{
	const uint64_t at = 4ull * LARGE;
	int32_t seen[1] = { 0 };
	struct homes_fault f;
	struct homes h;

	homes_init(&h, SMALL);
	touch_range(&h, IN_LARGE / 2 + 1, IN_LARGE);
	f = fault(1, 6ull * LARGE, 0, 1, 10);
	f.page_bytes = LARGE;
	homes_touch(&h, &f);
	homes_collapsing(&h, 1, 40);
	ck_assert_int_eq(node_of(&h, 1, at, 0), 0); /* on the node where the huge page would be */
	ck_assert_uint_eq(homes_find(&h, 1, at, 0).page_bytes, 0);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - SMALL, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 6ull * LARGE + SMALL, 0), 1); /* is already huge */
	homes_look(&h, 1, at + LARGE - SMALL, SMALL, seen, 1, 39);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - SMALL, 0), 0);
	seen[0] = 1;
	homes_look(&h, 1, at + LARGE - SMALL, SMALL, seen, 1, 40);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - SMALL, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - 2 * SMALL, 0), -1);
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
	homes_look(&h, 3, 0x5000, 4096, seen, 3, 30); /* a call reported that it moved */
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
	tcase_add_test(t, a_child_has_the_pages_of_its_parent);
	tcase_add_test(t, who_is_left_alone_with_a_page_keeps_it);
	tcase_add_test(t, a_huge_page_has_one_home);
	tcase_add_test(t, sizes_that_were_told_count_where_no_touch_says_better);
	tcase_add_test(t, a_choice_is_known_by_its_touch_or_a_move);
	tcase_add_test(t, touches_take_room_for_their_pages_not_for_their_number);
	tcase_add_test(t, a_huge_page_is_made_where_most_of_its_pages_were);
	tcase_add_test(t, a_collapse_that_fails_leaves_the_homes_unknown);
	tcase_add_test(t, a_collapse_of_everything_ends);
	tcase_add_test(t, small_pages_are_uncertain_while_the_kernel_makes_huge_ones);
	tcase_add_test(t, a_look_tells_what_it_finds_elsewhere);
	suite_add_tcase(s, t);
	return run_suite(s);
}
