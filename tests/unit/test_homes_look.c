/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the model finds the nodes of pages (their homes) from looks: answers of move_pages()
 * for some pages of a range. */
#include "homes_fixture.h"

START_TEST(the_last_look_counts)
{
	struct homes h;
	int32_t four[] = { 0, 1, -1, 2 }, two[] = { 3, 3 };

	homes_init(&h, 4096);
	homes_look(&h, 2, 0x10000, 4096, four, 4, 100);
	ck_assert_int_eq(node_of(&h, 2, 0x10fff, 0), 0);
	ck_assert_int_eq(node_of(&h, 2, 0x11000, 0), 1);
	ck_assert_int_eq(node_of(&h, 2, 0x12000, 0), -1);
	ck_assert_int_eq(node_of(&h, 2, 0x14000, 0), -1);
	ck_assert_int_eq(node_of(&h, 2, 0xffff, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x11000, 0), -1);
	ck_assert_int_eq(node_of(&h, 7, 0x11000, 0), -1);
	homes_look(&h, 2, 0x11000, 4096, two, 2, 200);
	ck_assert_int_eq(node_of(&h, 2, 0x10000, 0), 0);
	ck_assert_int_eq(node_of(&h, 2, 0x11000, 0), 3);
	ck_assert_int_eq(node_of(&h, 2, 0x12000, 0), 3);
	/* queries a page of a mapping that was made at time 201: the look at time 200 saw an older
	 * mapping */
	ck_assert_int_eq(node_of(&h, 2, 0x11000, 201), -1);
	homes_release(&h);
}
END_TEST

START_TEST(looks_at_the_same_range_take_no_more_room)
{
	struct homes h;
	int32_t node[8] = { 0 };

	homes_init(&h, 4096);
	for (uint64_t t = 1; t < 1000; t++)
		homes_look(&h, 1, 0x10000, 65536, node, 8, t);
	ck_assert_uint_eq(h.looks.nodes.n, 8);
	ck_assert_uint_eq(h.looks.spans.n, 1);
	homes_release(&h);
}
END_TEST

/* A coarse look (a call of move_pages()) queries the node of every 16th page only. For the pages
 * between, the model assumes the same node, except where an earlier look has queried each page. The
 * first page of the coarse look is before the array. That page may belong to another mapping, so it
 * shows nothing about the pages of the array. */
START_TEST(a_coarse_look_leaves_what_a_finer_one_knows)
{
	struct homes h;
	int32_t each[16], one_in_16[3] = { 0, 2, 3 };

	for (int i = 0; i < 16; i++)
		each[i] = 2;
	homes_init(&h, 4096);
	homes_look(&h, 1, 0x20000, 4096, each, 16, 100);
	homes_look(&h, 1, 0x1f000, 65536, one_in_16, 3, 200);
	ck_assert_int_eq(node_of(&h, 1, 0x1f000, 0), 0);
	ck_assert_int_eq(node_of(&h, 1, 0x20000, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, 0x2f000, 0), 2);
	/* no look queried this page; the nearest pages before and after it are on nodes 2 and 3 */
	ck_assert_int_eq(node_of(&h, 1, 0x30000, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x3f000, 0), 3);
	ck_assert_int_eq(node_of(&h, 1, 0x4e000, 0), 3);
	/* page 0x2f000 is now on another node, so the pages near it have probably moved, too */
	one_in_16[1] = 1;
	homes_look(&h, 1, 0x1f000, 65536, one_in_16, 3, 300);
	ck_assert_int_eq(node_of(&h, 1, 0x2f000, 0), 1);
	ck_assert_int_ne(node_of(&h, 1, 0x21000, 0), 2);
	/* the two nearest pages of the look are on different nodes */
	ck_assert_int_eq(node_of(&h, 1, 0x3e000, 0), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_look_at_a_part_leaves_what_is_known_around_it)
{
	struct homes h;
	int32_t many[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 9, 9 }, two[] = { 50, 50 }, eleven[11];

	homes_init(&h, 4096);
	homes_look(&h, 1, 0x10000, 8192, many, 10, 100);
	/* The first look queried one page in each 8 KiB. This look ends in the middle of such a
	 * range of 8 KiB. */
	homes_look(&h, 1, 0x15000, 4096, two, 2, 200);
	ck_assert_int_eq(node_of(&h, 1, 0x14fff, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, 0x15000, 0), 50);
	ck_assert_int_eq(node_of(&h, 1, 0x16fff, 0), 50);
	ck_assert_int_eq(node_of(&h, 1, 0x18000, 0), 4);
	ck_assert_int_eq(node_of(&h, 1, 0x22fff, 0), 9);
	/* the look did not query this page, and two queried pages on one node are not enough to
	 * assume the same node between them */
	ck_assert_int_eq(node_of(&h, 1, 0x23fff, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x24000, 0), -1);
	for (int i = 0; i < 11; i++)
		eleven[i] = 50;
	/* this look replaces the results of the first one up to 0x1a000 */
	homes_look(&h, 1, 0xf000, 4096, eleven, 11, 300);
	ck_assert_int_eq(node_of(&h, 1, 0x19fff, 0), 50);
	ck_assert_int_eq(node_of(&h, 1, 0x1a000, 0), 5);
	ck_assert_int_eq(node_of(&h, 1, 0x1a000, 101), -1);
	homes_release(&h);
}
END_TEST

/* The second look queries every eighth page of a mapping that has no pages in memory. The last step
 * is longer than the rest of the mapping. The look must not change the homes in the next mapping.
 */
START_TEST(a_look_does_not_reach_into_the_next_mapping)
{
	struct homes h;
	int32_t there[4] = { 1, 1, 1, 1 }, absent[2] = { -1, -1 };

	homes_init(&h, 4096);
	homes_look(&h, 1, 0x100000, 0x40000, there, 4, 100);
	/* the last step ends at 0x104000, inside the next mapping */
	homes_look(&h, 1, 0xf4000, 0x8000, absent, 2, 200);
	ck_assert_int_eq(node_of(&h, 1, 0xfc000, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x100000, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x132000, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x1c0000, 0), 1);
	homes_release(&h);
}
END_TEST

START_TEST(looks_at_a_growing_range_take_room_for_its_last)
{
	static int32_t node[3000];
	struct homes h;

	homes_init(&h, 4096);
	for (uint32_t i = 0; i < 3000; i++)
		node[i] = (int32_t)(i % 7);
	for (uint32_t n = 1; n <= 3000; n++)
		homes_look(&h, 1, 0x10000, 4096, node, n, n);
	ck_assert_uint_lt(h.looks.nodes.n, 1 << 18);
	ck_assert_uint_lt(h.looks.spans.n, 1000);
	for (uint32_t i = 0; i < 3000; i++)
		ck_assert_int_eq(node_of(&h, 1, 0x10000 + i * 4096, 0), node[i]);
	ck_assert(!h.nomem);
	homes_release(&h);
}
END_TEST

/* An array is interleaved over four nodes. A look at every fourth page sees only one of the nodes.
 * So the first touch of a page is better evidence of its node than a look at its neighbour. */
START_TEST(a_first_touch_comes_before_a_look_at_a_neighbour)
{
	struct homes h;
	int32_t seen[2] = { 0, 0 }, moved[2] = { 3, 3 };

	homes_init(&h, 4096);
	for (int i = 0; i < 6; i++)
		touch(&h, 1, 0x10000 + 4096 * (uint64_t)i, 0, i % 4, 10);
	homes_look(&h, 1, 0x10000, 4 * 4096, seen, 2, 20);
	ck_assert_int_eq(node_of(&h, 1, 0x10000, 0), 0);
	ck_assert(is_looked(&h, 1, 0x10000, 0));
	ck_assert_int_eq(node_of(&h, 1, 0x11008, 0), 1);
	ck_assert(!is_looked(&h, 1, 0x11008, 0));
	/* the look queried an earlier page, 0x14000, but not this one */
	ck_assert_int_eq(node_of(&h, 1, 0x17000, 0), 0);
	ck_assert(is_looked(&h, 1, 0x17000, 0));
	/* the look finds the pages on other nodes: the kernel has moved them */
	homes_look(&h, 1, 0x10000, 4 * 4096, moved, 2, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x11008, 0), 3);
	ck_assert(is_looked(&h, 1, 0x11008, 0));
	/* the first touch of this page is later than the last look */
	touch(&h, 1, 0x12000, 25, 2, 40);
	ck_assert_int_eq(node_of(&h, 1, 0x12000, 25), 2);
	ck_assert_int_eq(node_of(&h, 0, 0x12000, 0), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_neighbour_that_is_not_there_stands_for_nothing)
{
	struct homes h;
	int32_t seen[4] = { -1, 2, 2, -1 };

	homes_init(&h, 4096);
	homes_look(&h, 1, 0x10000, 4 * 4096, seen, 4, 20);
	/* the look queried page 0x10000, which was not in memory */
	ck_assert_int_eq(node_of(&h, 1, 0x10000, 0), -1);
	/* the look did not query page 0x11000; the next page that it queried, 0x14000, is on node
	 * 2 */
	ck_assert_int_eq(node_of(&h, 1, 0x11000, 0), 2);
	ck_assert(is_looked(&h, 1, 0x11000, 0));
	ck_assert_int_eq(node_of(&h, 1, 0x1bfff, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, 0x1d000, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x1ffff, 0), -1);
	ck_assert(!is_looked(&h, 1, 0x1ffff, 0));
	homes_release(&h);
}
END_TEST

/* The look queries every fifth page of memory that is interleaved over two nodes. Nothing is known
 * about the pages between, and nothing about the pages after the last queried one. */
START_TEST(a_look_at_interleaved_pages_says_nothing_of_those_between)
{
	struct homes h;
	int32_t seen[4] = { 0, 1, 0, 1 };

	homes_init(&h, 4096);
	homes_look(&h, 1, 0x10000, 5 * 4096, seen, 4, 20);
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(node_of(&h, 1, 0x10000 + (uint64_t)i * 4096, 0),
				 i % 5 ? -1 : seen[i / 5]);
	homes_release(&h);
}
END_TEST

/* The look queries every fifth page. First, every fourth queried page is on another node, so
 * nothing is known about the pages between. Then 50 pages on one node are followed by 50 pages on
 * another. */
START_TEST(a_look_knows_pages_between_only_in_long_runs)
{
	struct homes h;
	int32_t mixed[12], blocks[20];

	for (int i = 0; i < 12; i++)
		mixed[i] = i * 5 % 4 == 3 ? 2 : 1;
	for (int i = 0; i < 20; i++)
		blocks[i] = i / 10;
	homes_init(&h, 4096);
	homes_look(&h, 1, 0x100000, 5 * 4096, mixed, 12, 20);
	homes_look(&h, 1, 0x800000, 5 * 4096, blocks, 20, 20);
	for (int i = 0; i < 60; i++)
		ck_assert_int_eq(node_of(&h, 1, 0x100000 + (uint64_t)i * 4096, 0),
				 i % 5 ? -1 : mixed[i / 5]);
	for (int i = 0; i < 100; i++) /* the second node may begin at any of the pages 46 to 50 */
		ck_assert_int_eq(node_of(&h, 1, 0x800000 + (uint64_t)i * 4096, 0),
				 i > 45 && i < 50 ? -1 : i / 50);
	homes_release(&h);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("homes_look");
	TCase *t = tcase_create("homes_look");

	tcase_add_test(t, the_last_look_counts);
	tcase_add_test(t, looks_at_the_same_range_take_no_more_room);
	tcase_add_test(t, a_coarse_look_leaves_what_a_finer_one_knows);
	tcase_add_test(t, a_look_at_a_part_leaves_what_is_known_around_it);
	tcase_add_test(t, a_look_does_not_reach_into_the_next_mapping);
	tcase_add_test(t, looks_at_a_growing_range_take_room_for_its_last);
	tcase_add_test(t, a_first_touch_comes_before_a_look_at_a_neighbour);
	tcase_add_test(t, a_neighbour_that_is_not_there_stands_for_nothing);
	tcase_add_test(t, a_look_at_interleaved_pages_says_nothing_of_those_between);
	tcase_add_test(t, a_look_knows_pages_between_only_in_long_runs);
	suite_add_tcase(s, t);
	return run_suite(s);
}
