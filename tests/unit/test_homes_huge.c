/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the homes (nodes) of huge pages: those that a program requests, and those that the kernel
 * makes of small pages. */
#include "homes_fixture.h"

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
	/* a fault on one small page of the former huge page, which was split */
	f = fault(1, 5 * huge + 0x3000, 0, 3, 20);
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
	f.page_bytes = 1ull << 50; /* a page size that no machine has: the log is damaged */
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

START_TEST(a_huge_page_is_made_where_most_of_its_pages_were)
{
	const uint64_t at = 4ull * LARGE;
	int32_t seen[1] = { 2 };
	struct homes h;

	homes_init(&h, SMALL);
	touch_range(&h, IN_LARGE / 2 + 1, IN_LARGE);
	touch(&h, 1, at - SMALL, 0, 1, 10);
	homes_collapse(&h, 1, at - SMALL, at + LARGE + SMALL, 20, true);
	/* no full huge page fits in this part, so the page stays small */
	ck_assert_int_eq(node_of(&h, 1, at - SMALL, 0), 1);
	for (uint64_t a = at; a < at + LARGE; a += SMALL) {
		ck_assert_int_eq(node_of(&h, 1, a, 0), 0);
		ck_assert_uint_eq(homes_find(&h, 1, a, 0).page_bytes, LARGE);
	}
	homes_look(&h, 1, at + 5 * SMALL, SMALL, seen, 1,
		   /* the look queried one small page in the huge page; its node is the node of the
		    * huge page */
		   30);
	ck_assert_int_eq(node_of(&h, 1, at + 5 * SMALL, 0), 2);
	homes_release(&h);
	homes_init(&h, SMALL);
	touch_range(&h, IN_LARGE / 2, IN_LARGE); /* half of the pages are on each node */
	homes_collapse(&h, 1, at, at + LARGE, 20, true);
	ck_assert_int_eq(node_of(&h, 1, at, 0), -1);
	ck_assert_uint_eq(homes_find(&h, 1, at, 0).page_bytes, LARGE);
	homes_look(&h, 1, at, 2 * LARGE, seen, 1, 30);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - 1, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE, 0), 2);
	homes_collapse(&h, 1, at, at + 2 * LARGE, 40, true);
	/* the look did not query the second huge page */
	homes_look(&h, 1, at, 2 * LARGE, seen, 1, 50);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - 1, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE, 0), -1);
	homes_release(&h);
}
END_TEST

/* A look queries the pages 0, 300 and 600 of two huge pages, which are on different nodes. So one
 * queried page is in the second huge page, but not at its start. */
START_TEST(any_listed_page_tells_the_node_of_its_huge_page)
{
	const uint64_t at = 4ull * LARGE;
	int32_t seen[3] = { 1, 1, 2 };
	struct homes h;

	homes_init(&h, SMALL);
	homes_collapse(&h, 1, at, at + 2 * LARGE, 20, true);
	homes_look(&h, 1, at, 300 * SMALL, seen, 3, 30);
	for (uint64_t i = 0; i < 900; i++)
		ck_assert_int_eq(node_of(&h, 1, at + i * SMALL, 0), i < IN_LARGE ? 1 : 2);
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
	/* the range is too short for a huge page */
	homes_collapse(&h, 1, at + 1, at + LARGE, 20, true);
	homes_collapse(&h, 1, UINT64_MAX - 5, UINT64_MAX, 20, true);
	homes_release(&h);
}
END_TEST

/* A damaged log reports that the entire address space has become huge pages. The model must not
 * visit every page, which would take very long. */
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

/* The kernel (khugepaged) makes huge pages between two queries of the nodes of pages (looks), and
 * does not report it. The node of a small page is uncertain if a huge page may have replaced it on
 * another node. */
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
	/* most small pages are on this node, so a huge page that replaced them would be on this
	 * node, too */
	ck_assert_int_eq(node_of(&h, 1, at, 0), 0);
	ck_assert_uint_eq(homes_find(&h, 1, at, 0).page_bytes, 0);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - SMALL, 0), -1);
	/* this page was already huge, so the kernel did not replace it */
	ck_assert_int_eq(node_of(&h, 1, 6ull * LARGE + SMALL, 0), 1);
	homes_look(&h, 1, at + LARGE - SMALL, SMALL, seen, 1, 39);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - SMALL, 0), 0);
	seen[0] = 1;
	homes_look(&h, 1, at + LARGE - SMALL, SMALL, seen, 1, 40);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - SMALL, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - 2 * SMALL, 0), -1);
	homes_release(&h);
}
END_TEST

/* madvise() has made the first huge page, so khugepaged cannot replace it. The pages after it are
 * still small, so khugepaged may have replaced them on another node. */
START_TEST(khugepaged_leaves_what_madvise_made_huge)
{
	const uint64_t at = 4ull * LARGE;
	int32_t seen[1] = { 2 };
	struct homes h;

	homes_init(&h, SMALL);
	homes_collapse(&h, 1, at, at + LARGE, 20, true);
	homes_look(&h, 1, at, LARGE, seen, 1, 20);
	homes_look(&h, 1, at + LARGE, LARGE, seen, 1, 20);
	homes_collapsing(&h, 0, 40);
	ck_assert_int_eq(node_of(&h, 1, at + SMALL, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE, 0), -1);
	ck_assert_int_eq(node_of(&h, 2, at, 0), -1);
	homes_release(&h);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("homes_huge");
	TCase *t = tcase_create("homes_huge");

	tcase_add_test(t, khugepaged_leaves_what_madvise_made_huge);
	tcase_add_test(t, a_huge_page_has_one_home);
	tcase_add_test(t, sizes_that_were_told_count_where_no_touch_says_better);
	tcase_add_test(t, a_huge_page_is_made_where_most_of_its_pages_were);
	tcase_add_test(t, any_listed_page_tells_the_node_of_its_huge_page);
	tcase_add_test(t, a_collapse_that_fails_leaves_the_homes_unknown);
	tcase_add_test(t, a_collapse_of_everything_ends);
	tcase_add_test(t, small_pages_are_uncertain_while_the_kernel_makes_huge_ones);
	suite_add_tcase(s, t);
	return run_suite(s);
}
