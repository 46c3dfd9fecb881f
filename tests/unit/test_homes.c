/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/homes.h"

#include "check_main.h"

/* A fault of thread 1 that places the page by policy, or with what the test changes. */
static struct homes_fault fault(uint32_t process, uint64_t address, uint64_t birth, int32_t node,
				uint64_t time)
{
	return (struct homes_fault){ .process = process,
				     .thread = 1,
				     .address = address,
				     .birth = birth,
				     .node = node,
				     .time = time };
}

static bool touch(struct homes *h, uint32_t process, uint64_t address, uint64_t birth, int32_t node,
		  uint64_t time)
{
	struct homes_fault f = fault(process, address, birth, node, time);

	return homes_touch(h, &f);
}

static int32_t node_of(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth)
{
	return homes_find(h, process, address, birth).node;
}

static bool is_looked(const struct homes *h, uint32_t process, uint64_t address, uint64_t birth)
{
	return homes_find(h, process, address, birth).looked;
}

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
	ck_assert_int_eq(node_of(&h, 2, 0x11000, 201), -1); /* of what was there before */
	homes_release(&h);
}
END_TEST

/* Two processes that fault in turn, each all over its memory: more than is found without a search.
 */
START_TEST(each_page_has_its_own_first_touch)
{
	enum { PAGES = 3000 };
	struct homes h;

	homes_init(&h, 4096);
	for (uint64_t i = 0; i < 2 * PAGES; i++) {
		uint64_t page = i % PAGES * 7919 % PAGES; /* each once in a round */

		ck_assert(touch(&h, 1, page << 12, 0, (int32_t)(page % 3), 10 + i) == (i < PAGES));
		ck_assert(touch(&h, 2, page << 12, 0, (int32_t)(page % 5), 10 + i) == (i < PAGES));
	}
	for (uint64_t i = 0; i < PAGES; i++) {
		ck_assert_int_eq(node_of(&h, 1, i << 12, 0), (int32_t)(i % 3));
		ck_assert_int_eq(node_of(&h, 2, i << 12, 0), (int32_t)(i % 5));
		ck_assert_int_eq(node_of(&h, 3, i << 12, 0), -1);
	}
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

/* The page before an array may be of another mapping, or of what was not moved with it. */
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
	ck_assert_int_eq(node_of(&h, 1, 0x30000, 0), -1); /* between: nobody asked */
	ck_assert_int_eq(node_of(&h, 1, 0x3f000, 0), 3);
	ck_assert_int_eq(node_of(&h, 1, 0x4e000, 0), 3);
	one_in_16[1] = 1; /* the pages have moved */
	homes_look(&h, 1, 0x1f000, 65536, one_in_16, 3, 300);
	ck_assert_int_eq(node_of(&h, 1, 0x2f000, 0), 1);
	ck_assert_int_ne(node_of(&h, 1, 0x21000, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, 0x3e000, 0), -1); /* between pages of two nodes */
	homes_release(&h);
}
END_TEST

START_TEST(a_look_at_a_part_leaves_what_is_known_around_it)
{
	struct homes h;
	int32_t many[10] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, two[] = { 50, 50 }, eleven[11];

	homes_init(&h, 4096);
	homes_look(&h, 1, 0x10000, 8192, many, 10, 100);
	homes_look(&h, 1, 0x15000, 4096, two, 2, 200); /* its end is inside page 3 of the other */
	ck_assert_int_eq(node_of(&h, 1, 0x14fff, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, 0x15000, 0), 50);
	ck_assert_int_eq(node_of(&h, 1, 0x16fff, 0), 50);
	ck_assert_int_eq(node_of(&h, 1, 0x18000, 0), 4);
	ck_assert_int_eq(node_of(&h, 1, 0x23fff, 0), 9);
	ck_assert_int_eq(node_of(&h, 1, 0x24000, 0), -1);
	for (int i = 0; i < 11; i++)
		eleven[i] = 50;
	homes_look(&h, 1, 0xf000, 4096, eleven, 11, 300); /* over the begin of the tail */
	ck_assert_int_eq(node_of(&h, 1, 0x19fff, 0), 50);
	ck_assert_int_eq(node_of(&h, 1, 0x1a000, 0), 5);
	ck_assert_int_eq(node_of(&h, 1, 0x1a000, 101), -1);
	homes_release(&h);
}
END_TEST

/* A mapping of which nothing is there ends inside the step of its last page. */
START_TEST(a_look_does_not_reach_into_the_next_mapping)
{
	struct homes h;
	int32_t there[4] = { 1, 1, 1, 1 }, absent[2] = { -1, -1 };

	homes_init(&h, 4096);
	homes_look(&h, 1, 0x100000, 0x40000, there, 4, 100);
	homes_look(&h, 1, 0xf4000, 0x8000, absent, 2, 200); /* to 0x104000 */
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

START_TEST(a_page_is_first_touched_once_in_each_life)
{
	struct homes h;

	homes_init(&h, 4096);
	ck_assert(touch(&h, 1, 0x5000, 10, 1, 20));
	ck_assert(!touch(&h, 1, 0x5008, 10, 1, 30));
	ck_assert_int_eq(node_of(&h, 1, 0x5fff, 10), 1);
	ck_assert(!touch(&h, 1, 0x5008, 10, 0, 30)); /* nothing says why */
	ck_assert_int_eq(node_of(&h, 1, 0x5fff, 10), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x5fff, 31), -1);
	ck_assert(touch(&h, 1, 0x5000, 40, 0, 50)); /* unmapped and mapped again */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 40), 0);
	ck_assert(touch(&h, 2, 0x5000, 0, 1, 60));
	homes_release(&h);
}
END_TEST

START_TEST(a_range_beyond_the_address_space_is_ignored)
{
	struct homes h;
	int32_t node[2] = { 0 };

	homes_init(&h, 4096);
	homes_look(&h, 1, UINT64_MAX - 4096, 4096, node, 2, 1);
	homes_look(&h, 1, 0x1000, 0, node, 2, 1);
	ck_assert_uint_eq(h.looks.spans.n, 0);
	homes_release(&h);
}
END_TEST

/* A look at every fourth page of an interleaved array sees one node only. */
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
	ck_assert_int_eq(node_of(&h, 1, 0x17000, 0), 0); /* nothing better is known */
	ck_assert(is_looked(&h, 1, 0x17000, 0));
	homes_look(&h, 1, 0x10000, 4 * 4096, moved, 2, 30); /* the kernel has moved them */
	ck_assert_int_eq(node_of(&h, 1, 0x11008, 0), 3);
	ck_assert(is_looked(&h, 1, 0x11008, 0));
	touch(&h, 1, 0x12000, 25, 2, 40); /* a page that came after the look */
	ck_assert_int_eq(node_of(&h, 1, 0x12000, 25), 2);
	ck_assert_int_eq(node_of(&h, 0, 0x12000, 0), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_neighbour_that_is_not_there_stands_for_nothing)
{
	struct homes h;
	int32_t seen[3] = { -1, 2, -1 };

	homes_init(&h, 4096);
	homes_look(&h, 1, 0x10000, 4 * 4096, seen, 3, 20);
	ck_assert_int_eq(node_of(&h, 1, 0x10000, 0), -1); /* it was asked itself */
	ck_assert_int_eq(node_of(&h, 1, 0x11000, 0), 2);  /* the one after it */
	ck_assert(is_looked(&h, 1, 0x11000, 0));
	ck_assert_int_eq(node_of(&h, 1, 0x17fff, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, 0x19000, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x1bfff, 0), -1);
	ck_assert(!is_looked(&h, 1, 0x1bfff, 0));
	homes_release(&h);
}
END_TEST

START_TEST(a_call_that_moves_pages_ends_what_is_known)
{
	struct homes h;
	int32_t node[4] = { 1, 1, 1, 1 };

	homes_init(&h, 4096);
	for (uint64_t page = 0x10000; page < 0x15000; page += 4096)
		touch(&h, 1, page, 0, 0, 10);
	homes_look(&h, 1, 0x10000, 4096, node, 4, 20);
	homes_move(&h, 1, 0x11000, 0x12000, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x10000, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x11000, 0), -1);
	ck_assert(!is_looked(&h, 1, 0x11000, 0));
	ck_assert_int_eq(node_of(&h, 1, 0x12000, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x14000, 0), 0);
	homes_move(&h, 1, 0, UINT64_MAX, 40);
	ck_assert_int_eq(node_of(&h, 1, 0x14000, 0), -1);
	homes_look(&h, 1, 0x10000, 4096, node, 4, 50);
	ck_assert_int_eq(node_of(&h, 1, 0x11000, 0), 1);
	homes_move(&h, 0, 0, UINT64_MAX, 60); /* of no process */
	homes_release(&h);
}
END_TEST

/* Two pages from `from` get other addresses. */
static void remap(struct homes *h, uint64_t from, uint64_t to, uint64_t birth, uint64_t time)
{
	struct homes_remap r = { from, to, 0x2000, birth, time - 1, time };

	homes_remap(h, 1, &r);
}

START_TEST(pages_take_their_homes_to_other_addresses)
{
	struct homes h;
	int32_t two[] = { 3, 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 10, 1, 20);
	touch(&h, 1, 0x6000, 10, 2, 21);
	touch(&h, 1, 0xa000, 10, 3, 22); /* of what was there before */
	homes_look(&h, 1, 0xa000, 4096, two, 2, 23);
	remap(&h, 0x5000, 0xa000, 10, 30);
	ck_assert_int_eq(node_of(&h, 1, 0xa000, 30), 1);
	ck_assert_int_eq(node_of(&h, 1, 0xbfff, 30), 2);
	ck_assert_int_eq(node_of(&h, 1, 0xc000, 30), -1);
	ck_assert_int_eq(node_of(&h, 2, 0xa000, 30), -1);
	ck_assert_uint_eq(homes_find(&h, 1, 0xa000, 30).touched, 20);
	ck_assert(touch(&h, 1, 0xc000, 30, 3, 31));
	ck_assert(touch(&h, 1, 0x5000, 32, 3, 33)); /* something else is mapped there now */
	ck_assert_int_eq(node_of(&h, 1, 0xa000, 30), 1);
	remap(&h, 0xa000, 0x20000, 30, 40);
	ck_assert_int_eq(node_of(&h, 1, 0x21000, 40), 2);
	ck_assert_int_eq(node_of(&h, 1, 0x21000, 41), -1); /* mapped again */
	ck_assert(!touch(&h, 1, 0x20000, 40, 3, 50));      /* nothing says why */
	ck_assert_int_eq(node_of(&h, 1, 0x20000, 40), -1);
	homes_release(&h);
}
END_TEST

START_TEST(pages_that_went_and_came_back_are_those_that_came_back)
{
	struct homes h;

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 10, 1, 20);
	remap(&h, 0x5000, 0xa000, 10, 30);
	touch(&h, 1, 0xb000, 30, 2, 31); /* was not there before */
	remap(&h, 0xa000, 0x5000, 30, 40);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 40), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 40), 2);
	homes_drop(&h, 1, 0x5000, 0x7000, 50);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 40), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_page_that_was_moved_and_then_remapped_is_not_where_it_was_touched)
{
	struct homes h;

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 10, 1, 20);
	homes_move(&h, 1, 0x5000, 0x6000, 25);
	remap(&h, 0x5000, 0xa000, 10, 30);
	ck_assert_int_eq(node_of(&h, 1, 0xa000, 30), -1);
	homes_release(&h);
}
END_TEST

START_TEST(a_fault_after_a_look_ends_it)
{
	struct homes h;
	int32_t seen[2] = { 3, 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	homes_look(&h, 1, 0x5000, 4096, seen, 2, 20);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 3);
	touch(&h, 1, 0x5000, 0, 3, 25); /* where it is, or where it is put anew */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 3);
	homes_drop(&h, 1, 0x5000, 0x6000, 29);
	touch(&h, 1, 0x5000, 0, 2, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert(!is_looked(&h, 1, 0x5000, 0));
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 3);
	touch(&h, 1, 0x6000, 0, -1, 30); /* nobody knows where to */
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), -1);
	homes_release(&h);
}
END_TEST

START_TEST(of_two_threads_that_touch_at_once_one_places)
{
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	f = fault(1, 0x5000, 0, 1, 1000);
	ck_assert(homes_touch(&h, &f));
	f.thread = 2;
	f.node = 2;
	f.time += HOMES_RACE_NS - 1;
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1);
	f.exact = true; /* where it really is */
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	f.exact = false;
	f.node = 3;
	f.time += 2 * HOMES_RACE_NS;
	f.thread = 3;
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1); /* it may have moved since */
	homes_release(&h);
}
END_TEST

START_TEST(a_read_places_no_page)
{
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	f = fault(1, 0x5000, 0, 1, 10);
	f.reads = true;
	ck_assert(!homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	ck_assert(touch(&h, 1, 0x5000, 0, 2, 20));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	homes_release(&h);
}
END_TEST

START_TEST(a_page_that_was_given_back_is_first_touched_again)
{
	struct homes h;
	int32_t seen[2] = { 3, 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	touch(&h, 1, 0x6000, 0, 1, 10);
	homes_look(&h, 1, 0x5000, 4096, seen, 2, 20);
	homes_drop(&h, 1, 0x5000, 0x6000, 30);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 3);
	ck_assert(touch(&h, 1, 0x5000, 0, 2, 40));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert_uint_eq(homes_find(&h, 1, 0x5000, 0).touched, 40);
	homes_release(&h);
}
END_TEST

/* Malloc shrinks the heap and grows it again, and no call is reported: pages that fault again after
 * that are new ones. */
START_TEST(a_page_of_the_heap_that_faults_again_after_it_grew_is_a_new_one)
{
	struct homes_fault f;
	struct homes h;

	homes_init(&h, 4096);
	ck_assert(touch(&h, 1, 0x5000, 0, 1, 1000));
	f = fault(1, 0x5000, 0, 2, 9000000);
	f.renewed = 900; /* it has not grown since */
	ck_assert(!homes_touch(&h, &f));
	f.time = 10000000;
	f.renewed = 9500000;
	ck_assert(homes_touch(&h, &f));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	f.time = f.renewed = 10000100;
	f.thread = 2; /* has not seen that the page is there already */
	ck_assert(!homes_touch(&h, &f));
	homes_fork(&h, 1, 2, 20000000);
	f.time = f.renewed = 30000000; /* the parent's copy of the page */
	ck_assert(!homes_touch(&h, &f));
	homes_release(&h);
}
END_TEST

/* A block that is being born is touched by malloc, before its birth is reported. */
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

/* A kernel that balances moves the page or not; a thread may not have seen yet that a call has
 * moved it; the page may be new, for a reason that nobody tells. */
START_TEST(a_fault_without_a_reason_makes_the_home_uncertain)
{
	struct homes_fault f;
	struct homes h;
	int32_t seen[1] = { 3 };

	homes_init(&h, 4096);
	touch(&h, 1, 0x5000, 0, 1, 10);
	touch(&h, 1, 0x5000, 0, 1, 20); /* from the node where it is */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1);
	touch(&h, 1, 0x5000, 0, 2, 30); /* it may have moved there */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	f = fault(1, 0x5000, 0, 2, 40);
	f.exact = true;
	homes_touch(&h, &f);
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	homes_move(&h, 1, 0x5000, 0x6000, 50);
	homes_look(&h, 1, 0x5000, 4096, seen, 1, 60);
	touch(&h, 1, 0x5000, 0, 2, 70); /* from where it was once */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), -1);
	f = fault(1, 0x5000, 0, 0, 80);
	f.major = true; /* it is back from the disk */
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
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 1); /* it is there as long as it does not */
	ck_assert(touch(&h, 1, 0x5000, 0, 2, 30));
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert(!touch(&h, 1, 0x5000, 0, 2, 40));
	homes_release(&h);
}
END_TEST

/* Of a fault by the kernel it may not be known whether it has read zeros. */
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

/* Processes that map a file are reported as one. */
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
	homes_look(&h, 1, 0x6000, 4096, seen, 2, 40); /* placed by somebody else */
	ck_assert(!touch(&h, 1, 0x6000, 0, 2, 50));
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 3);
	ck_assert(touch(&h, 1, 0x7000, 0, 2, 50));
	f = fault(1, 0x9000, 0, 2, 60);
	f.present = true; /* in the page cache before */
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

/* Whoever writes first after a fork gets a new page; the other one keeps the old. */
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
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 21), -1); /* of a mapping of its own */
	ck_assert_int_eq(node_of(&h, 2, 0x7000, 20), 3);
	ck_assert_int_eq(node_of(&h, 2, 0x8000, 0), -1);
	touch(&h, 1, 0x5000, 0, 2, 30);             /* the parent writes */
	touch(&h, 1, 0x8000, 0, 2, 30);             /* what the child does not have */
	ck_assert(touch(&h, 2, 0x6000, 20, 0, 30)); /* the child writes */
	ck_assert_int_eq(node_of(&h, 1, 0x5000, 0), 2);
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, 0x6000, 0), 1);
	ck_assert_int_eq(node_of(&h, 2, 0x6000, 0), 0);
	ck_assert_int_eq(node_of(&h, 2, 0x8000, 0), -1);
	homes_fork(&h, 2, 3, 40);
	ck_assert_int_eq(node_of(&h, 3, 0x5000, 0), 1); /* of its grandparent */
	ck_assert_int_eq(node_of(&h, 3, 0x6000, 0), 0);
	homes_move(&h, 3, 0x5000, 0x6000, 50);
	ck_assert_int_eq(node_of(&h, 3, 0x5000, 0), -1);
	ck_assert_int_eq(node_of(&h, 2, 0x5000, 0), 1);
	homes_fork(&h, 0, 4, 60); /* of nobody that is known */
	homes_release(&h);
}
END_TEST

/* A write after a fork copies the page, unless nobody else has it any more. */
START_TEST(who_is_left_alone_with_a_page_keeps_it)
{
	struct homes h;

	homes_init(&h, 4096);
	for (uint64_t a = 0x5000; a < 0x9000; a += 4096)
		touch(&h, 1, a, 0, 1, 10);
	homes_fork(&h, 1, 2, 20);
	touch(&h, 1, 0x5000, 0, 0, 30);            /* a copy */
	ck_assert(touch(&h, 2, 0x5000, 0, 3, 40)); /* what is left */
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
	homes_end(&h, 9, false); /* of which nothing is known */
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
	f = fault(1, 5 * huge + 0x3000, 0, 3, 20); /* one small page of it, after it was split */
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

enum { SMALL = 4096, LARGE = SMALL * (SMALL / 8), IN_LARGE = LARGE / SMALL };

/* Page i of the range at 4 * LARGE is on node i < of_0 ? 0 : 1. */
static void touch_range(struct homes *h, uint32_t of_0, uint32_t all)
{
	for (uint32_t i = 0; i < all; i++) {
		struct homes_fault f = fault(1, 4ull * LARGE + i * SMALL, 0, i >= of_0, 10);

		f.page_bytes = SMALL;
		homes_touch(h, &f);
	}
}

START_TEST(a_huge_page_is_made_where_most_of_its_pages_were)
{
	const uint64_t at = 4ull * LARGE;
	int32_t seen[1] = { 2 };
	struct homes h;

	homes_init(&h, SMALL);
	touch_range(&h, IN_LARGE / 2 + 1, IN_LARGE);
	touch(&h, 1, at - SMALL, 0, 1, 10);
	homes_collapse(&h, 1, at - SMALL, at + LARGE + SMALL, 20, true);
	ck_assert_int_eq(node_of(&h, 1, at - SMALL, 0), 1); /* not of a whole huge page */
	for (uint64_t a = at; a < at + LARGE; a += SMALL) {
		ck_assert_int_eq(node_of(&h, 1, a, 0), 0);
		ck_assert_uint_eq(homes_find(&h, 1, a, 0).page_bytes, LARGE);
	}
	homes_look(&h, 1, at + 5 * SMALL, SMALL, seen, 1,
		   30); /* any page of it stands for all of it */
	ck_assert_int_eq(node_of(&h, 1, at + 5 * SMALL, 0), 2);
	homes_release(&h);
	homes_init(&h, SMALL);
	touch_range(&h, IN_LARGE / 2, IN_LARGE); /* a draw */
	homes_collapse(&h, 1, at, at + LARGE, 20, true);
	ck_assert_int_eq(node_of(&h, 1, at, 0), -1);
	ck_assert_uint_eq(homes_find(&h, 1, at, 0).page_bytes, LARGE);
	homes_look(&h, 1, at, 2 * LARGE, seen, 1, 30);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - 1, 0), 2);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE, 0), 2);
	homes_collapse(&h, 1, at, at + 2 * LARGE, 40, true);
	homes_look(&h, 1, at, 2 * LARGE, seen, 1, 50); /* of the second one nothing was asked */
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
	homes_collapse(&h, 1, at + 1, at + LARGE, 20, true); /* no huge page fits in it */
	homes_collapse(&h, 1, UINT64_MAX - 5, UINT64_MAX, 20, true);
	homes_release(&h);
}
END_TEST

/* What a damaged log says. */
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
	ck_assert_int_eq(node_of(&h, 1, at, 0), 0); /* there it would go */
	ck_assert_uint_eq(homes_find(&h, 1, at, 0).page_bytes, 0);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - SMALL, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 6ull * LARGE + SMALL, 0), 1); /* is one already */
	homes_look(&h, 1, at + LARGE - SMALL, SMALL, seen, 1, 39);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - SMALL, 0), 0);
	seen[0] = 1;
	homes_look(&h, 1, at + LARGE - SMALL, SMALL, seen, 1, 40);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - SMALL, 0), 1);
	ck_assert_int_eq(node_of(&h, 1, at + LARGE - 2 * SMALL, 0), -1);
	homes_release(&h);
}
END_TEST

struct change {
	unsigned calls;
	uint32_t process;
	uint64_t start, end, since;
};

static void note_change(void *arg, uint32_t process, uint64_t start, uint64_t end, uint64_t since)
{
	struct change *c = arg;

	c->calls++;
	c->process = process;
	c->start = start;
	c->end = end;
	c->since = since;
}

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
	homes_look(&h, 3, 0x5000, 4096, seen, 3, 30); /* a call told that it moved */
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
	Suite *s = suite_create("homes");
	TCase *t = tcase_create("homes");

	tcase_add_test(t, the_last_look_counts);
	tcase_add_test(t, each_page_has_its_own_first_touch);
	tcase_add_test(t, looks_at_the_same_range_take_no_more_room);
	tcase_add_test(t, a_coarse_look_leaves_what_a_finer_one_knows);
	tcase_add_test(t, a_look_at_a_part_leaves_what_is_known_around_it);
	tcase_add_test(t, a_look_does_not_reach_into_the_next_mapping);
	tcase_add_test(t, looks_at_a_growing_range_take_room_for_its_last);
	tcase_add_test(t, a_page_is_first_touched_once_in_each_life);
	tcase_add_test(t, a_range_beyond_the_address_space_is_ignored);
	tcase_add_test(t, a_first_touch_comes_before_a_look_at_a_neighbour);
	tcase_add_test(t, a_neighbour_that_is_not_there_stands_for_nothing);
	tcase_add_test(t, a_call_that_moves_pages_ends_what_is_known);
	tcase_add_test(t, pages_take_their_homes_to_other_addresses);
	tcase_add_test(t, pages_that_went_and_came_back_are_those_that_came_back);
	tcase_add_test(t, a_page_that_was_moved_and_then_remapped_is_not_where_it_was_touched);
	tcase_add_test(t, a_fault_after_a_look_ends_it);
	tcase_add_test(t, of_two_threads_that_touch_at_once_one_places);
	tcase_add_test(t, a_read_places_no_page);
	tcase_add_test(t, a_page_that_was_given_back_is_first_touched_again);
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
