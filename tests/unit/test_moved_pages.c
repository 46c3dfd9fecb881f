/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which pages a look (a query of the nodes of pages) reports as moved. */
#include "homes_fixture.h"

/* The pages that homes_look() reported as moved. */
struct reported {
	uint64_t start, end, since;
	unsigned calls;
};

static void report(void *arg, uint32_t process, uint64_t start, uint64_t end, uint64_t since)
{
	struct reported *r = arg;

	ck_assert_uint_eq(process, 1);
	*r = (struct reported){ start, end, since, r->calls + 1 };
}

/* A look queries every fourth page. If another process moved only some of the queried pages, the
 * look does not show which of the skipped pages have moved. So the first touches of the skipped
 * pages no longer show their nodes. If all queried pages have moved, the skipped ones have moved,
 * too. */
START_TEST(if_some_queried_pages_moved_the_skipped_ones_are_unknown)
{
	static const int32_t some[] = { 0, 0, 3, 0 }, all[] = { 3, 3, 3, 3 };
	struct reported r = { 0 };
	struct homes h;

	homes_init(&h, 4096);
	h.changed = report;
	h.arg = &r;
	for (uint64_t i = 0; i < 32; i++)
		touch(&h, 1, 0x100000 + i * 0x1000, 1, 0, 10 + i);
	homes_look(&h, 1, 0x100000, 0x4000, some, 4, 100);
	ck_assert_uint_eq(r.calls, 1);
	ck_assert_uint_eq(r.start, 0x100000);
	ck_assert_uint_eq(r.end, 0x110000);
	ck_assert_uint_eq(r.since, 18);
	for (uint64_t i = 0; i < 16; i++)
		ck_assert_int_eq(node_of(&h, 1, 0x100000 + i * 0x1000, 1),
				 i % 4 ? -1 : some[i / 4]);
	homes_look(&h, 1, 0x110000, 0x4000, all, 4, 100);
	ck_assert_uint_eq(r.calls, 5);
	for (uint64_t i = 16; i < 32; i++)
		ck_assert_int_eq(node_of(&h, 1, 0x100000 + i * 0x1000, 1), 3);
	homes_release(&h);
}
END_TEST

/* Both looks query every fourth page, but not the same ones, as if a call in between had dropped
 * the first page. The pages that only the first look queried were on other nodes, so they have
 * moved at an unknown time. What the first look skipped was unknown, because its pages are on two
 * nodes. */
START_TEST(pages_that_only_the_look_before_queried_may_have_moved)
{
	static const int32_t before[] = { 1, 2, 1, 2, 1, 2 }, now[] = { 0, 0, 0, 3, 3 };
	struct reported r = { 0 };
	struct homes h;

	homes_init(&h, 4096);
	h.changed = report;
	h.arg = &r;
	homes_look(&h, 1, 0x100000, 0x4000, before, 6, 10);
	homes_look(&h, 1, 0x101000, 0x4000, now, 5, 20);
	/* the pages at 0x104000, 0x108000, 0x10c000 and 0x110000; around 0x10c000, the new look
	 * found two nodes, but not the one of before */
	ck_assert_uint_eq(r.calls, 4);
	ck_assert_uint_eq(r.start, 0x110000);
	ck_assert_uint_eq(r.end, 0x111000);
	ck_assert_uint_eq(r.since, 10);
	homes_release(&h);
}
END_TEST

enum { BASE = 0x100000, MOST_PAGES = 256, HOME = 0, AWAY = 3, ABSENT = -2 };

/* A mapping at BASE, of which the pages [first, end) are present. */
struct mapping {
	struct homes h;
	int32_t nodes[MOST_PAGES]; /* where its pages are */
	uint64_t pages, step, first, end, time;
	bool told[MOST_PAGES]; /* whether the last look reported the page */
	uint64_t moved_at;
};

static void note_pages(void *arg, uint32_t process, uint64_t start, uint64_t end, uint64_t since)
{
	struct mapping *m = arg;

	(void)process;
	ck_assert_uint_le(since, m->moved_at); /* later rows have the new node already */
	for (uint64_t a = start; a < end && a < BASE + m->pages * SMALL; a += SMALL) {
		ck_assert(!m->told[(a - BASE) / SMALL]); /* reported ranges do not overlap */
		m->told[(a - BASE) / SMALL] = true;
	}
}

/* Looks at every step-th page from page `offset` on, and at the first page, as the follower does.
 * Returns the number of listed pages that are present. */
static unsigned look_from(struct mapping *m, uint64_t offset)
{
	int32_t nodes[MOST_PAGES];
	uint32_t n = 0, present = 0;

	for (uint64_t i = offset; i < m->pages; i += m->step) {
		present += m->nodes[i] >= 0;
		nodes[n++] = m->nodes[i];
	}
	present += offset && m->nodes[0] >= 0;
	m->time += 100;
	memset(m->told, 0, sizeof(m->told));
	if (offset) {
		bool alike = n > 1 && nodes[0] == m->nodes[0] && nodes[1] == nodes[0];

		homes_look(&m->h, 1, BASE, alike ? offset * SMALL : SMALL, m->nodes, 1, m->time);
	}
	homes_look(&m->h, 1, BASE + offset * SMALL, m->step * SMALL, nodes, n, m->time);
	return present;
}

static int32_t home_of(const struct mapping *m, uint64_t page)
{
	return node_of(&m->h, 1, BASE + page * SMALL, 1);
}

/* Looks, and checks that no page in [first, end) keeps the node that it has left. A look that lists
 * none of them cannot show it. */
static void check_look(struct mapping *m, uint64_t offset)
{
	int32_t before[MOST_PAGES];

	for (uint64_t i = m->first; i < m->end; i++)
		before[i] = home_of(m, i);
	if (!look_from(m, offset))
		return;
	for (uint64_t i = m->first; i < m->end; i++) {
		ck_assert_msg(before[i] != HOME || m->told[i], "page %d of %d, step %d from %d",
			      (int)i, (int)m->pages, (int)m->step, (int)offset);
		ck_assert_int_ne(home_of(m, i), HOME);
	}
}

/* All pages that are present move, in mappings of any size whose first and last pages may be
 * absent. Looks with any offset come before and after. */
START_TEST(pages_that_all_moved_keep_no_former_node)
{
	for (unsigned seed = 0; seed < 2000; seed++) {
		struct mapping m = { .time = 100, .moved_at = UINT64_MAX };

		srand(seed);
		m.pages = 20 + (uint64_t)(rand() % (MOST_PAGES - 20));
		m.step = 1 + 2 * (uint64_t)(rand() % 4);
		m.first = (uint64_t)(rand() % 10);
		m.end = m.pages - (uint64_t)(rand() % 10);
		homes_init(&m.h, SMALL);
		m.h.changed = note_pages;
		m.h.arg = &m;
		for (uint64_t i = 0; i < m.pages; i++)
			m.nodes[i] = i >= m.first && i < m.end ? HOME : ABSENT;
		for (uint64_t i = m.first; i < m.end; i++)
			touch(&m.h, 1, BASE + i * SMALL, 1, HOME, m.time++);
		for (int i = rand() % 3; i > 0; i--)
			look_from(&m, (uint64_t)rand() % m.step);
		for (uint64_t i = m.first; i < m.end; i++)
			m.nodes[i] = AWAY;
		m.moved_at = m.time;
		for (int i = 0; i < 4; i++)
			check_look(&m, (uint64_t)rand() % m.step);
		homes_release(&m.h);
	}
}
END_TEST

/* The child has the pages of its parent, and mremap() moves pages to another address. In both
 * cases, touches show no longer where the pages are. A look at every fourth page has found some
 * elsewhere. */
START_TEST(pages_that_left_are_unknown_to_a_child_and_elsewhere)
{
	static const int32_t some[] = { 0, 0, 3, 0 };
	const struct homes_remap r = { 0x100000, 0x900000, 0x10000, 1, 200, 201 };
	struct reported reported = { 0 };
	struct homes h;

	homes_init(&h, 4096);
	h.changed = report;
	h.arg = &reported;
	for (uint64_t i = 0; i < 16; i++) {
		touch(&h, 2, 0x100000 + i * SMALL, 1, 0, 10 + i);
		touch(&h, 1, 0x100000 + i * SMALL, 1, 0, 10 + i);
	}
	homes_look(&h, 1, 0x100000, 4ull * SMALL, some, 4, 100);
	homes_remap(&h, 1, &r);
	ck_assert_int_eq(node_of(&h, 1, 0x900000 + SMALL, 0), -1);
	homes_release(&h);
	homes_init(&h, 4096);
	h.changed = report;
	h.arg = &reported;
	for (uint64_t i = 0; i < 16; i++)
		touch(&h, 2, 0x100000 + i * SMALL, 1, 0, 10 + i);
	homes_fork(&h, 2, 1, 50);
	ck_assert_int_eq(node_of(&h, 1, 0x100000 + SMALL, 0), 0);
	homes_look(&h, 1, 0x100000, 4ull * SMALL, some, 4, 100);
	ck_assert_int_eq(node_of(&h, 1, 0x100000 + SMALL, 0), -1);
	ck_assert_int_eq(node_of(&h, 1, 0x100000 + 8 * SMALL, 0), 3);
	homes_release(&h);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("moved_pages");
	TCase *t = tcase_create("moved_pages");

	tcase_add_test(t, if_some_queried_pages_moved_the_skipped_ones_are_unknown);
	tcase_add_test(t, pages_that_only_the_look_before_queried_may_have_moved);
	tcase_add_test(t, pages_that_left_are_unknown_to_a_child_and_elsewhere);
	tcase_add_test(t, pages_that_all_moved_keep_no_former_node);
	suite_add_tcase(s, t);
	return run_suite(s);
}
