/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which samples count as waits for a cache line that another thread also uses. */
#include "account_fixture.h"

/* An access to a cache line that moves between CPUs counts as a wait, even if the line is in the
 * first-level cache. An atomic operation also takes time if the line does not move; that time does
 * not count as a wait. */
START_TEST(a_line_that_moves_is_waited_for)
{
	const struct wait_candidate own = { .how = WAIT_OWN, .bytes = 8, .lock = _i };
	const struct wait_plan one = { .ways = 1, .n = 1, .candidates = &own };
	struct account *a = open_account();
	uint32_t place = account_place(a, &one, 1, 4096), still, moved;
	struct account_deal d;
	unsigned waits = 0;

	for (int i = 0; i < 100; i++)
		account_saw(a, place, 0, &sample, 64, 1);
	still = account_wait(a, place, 1, (uint32_t[]){ 1 });
	moved = account_wait(a, place, 1, (uint32_t[]){ 1 | ACCOUNT_MOVED });
	ck_assert_uint_ne(still, moved);
	account_deal(a, still, 1000, &d);
	ck_assert(d.level == WAIT_HITS && !d.moved);
	for (int i = 0; i < 600; i++) {
		account_deal(a, moved, 1000, &d);
		ck_assert_int_eq(d.candidate, 0);
		ck_assert_int_eq(d.moved, d.level == WAIT_MISSES);
		waits += d.moved;
	}
	/* for an atomic operation (_i is 1), 100 of the 120 cycles are a wait: 500 of the 600
	 * samples */
	ck_assert_uint_ge(waits, _i ? 499 : 600);
	ck_assert_uint_le(waits, _i ? 501 : 600);
	account_close(a);
}
END_TEST

/* Plain accesses to a line that moves, in a loop of 8 instructions. `other` is a load of another
 * word of the line, which the loop does not store to. */
#define COUNTER                                                                     \
	{                                                                           \
		.insn = 4, .how = WAIT_OWN, .bytes = 8, .load = true, .store = true \
	}
#define OTHER                                                         \
	{                                                             \
		.insn = 0, .how = WAIT_FLOW, .bytes = 8, .load = true \
	}
static const struct {
	struct wait_candidate of[2];
	uint8_t n;
	struct wait_loop loop;
	enum wait_level level; /* of the samples that are not arithmetic */
	unsigned least, most;  /* how many of 1000 samples are not arithmetic */
} plain[] = {
	/* a store to a counter takes longer than the arithmetic of a short loop on all CPUs, longer
	 * than a chain of 6 cycles on some CPUs, and longer than a chain of 50 cycles on no CPU */
	{ { COUNTER }, 1, { .n = 8, .end = 32, .least = 1, .likely = 2 }, WAIT_MISSES, 910, 930 },
	{ { COUNTER }, 1, { .n = 8, .end = 32, .least = 5, .likely = 6 }, WAIT_UNCLEAR, 870, 880 },
	{ { COUNTER }, 1, { .n = 8, .end = 32, .least = 50, .likely = 52 }, WAIT_HITS, 0, 0 },
	/* if the loop contains jumps, they may be mispredicted */
	{ { COUNTER },
	  1,
	  { .n = 8, .end = 32, .least = 1, .likely = 2, .branches = true },
	  WAIT_UNCLEAR,
	  970,
	  980 },
	{ { COUNTER },
	  1,
	  { .n = 8, .end = 32, .least = 1, .likely = 2, .overlaps = true },
	  WAIT_UNCLEAR,
	  970,
	  980 },
	/* but mispredicted jumps take less time than a load that waits until the line arrives */
	{ { COUNTER, OTHER },
	  2,
	  { .n = 8, .end = 32, .least = 1, .likely = 2, .branches = true },
	  WAIT_MISSES,
	  980,
	  1000 },
	/* it is not known how often code outside of a loop runs */
	{ { COUNTER }, 1, { 0 }, WAIT_UNCLEAR, 1000, 1000 },
	{ { COUNTER, OTHER }, 2, { 0 }, WAIT_MISSES, 1000, 1000 },
};

START_TEST(plain_accesses_may_hide_the_wait_for_a_line)
{
	const struct wait_plan p = {
		.ways = 1, .n = plain[_i].n, .candidates = plain[_i].of, .loop = plain[_i].loop
	};
	const uint32_t moved = 1 | ACCOUNT_MOVED;
	struct account *a = open_account();
	uint32_t place = account_place(a, &p, 1, 4096), wait;
	struct account_deal d;
	unsigned waits = 0;

	for (int i = 0; i < 100; i++) {
		account_saw(a, place, 0, &sample, 64, moved);
		if (p.n > 1)
			account_saw(a, place, 1, &sample, 72, moved);
	}
	wait = account_wait(a, place, 1, (uint32_t[]){ moved, moved });
	for (int i = 0; i < 1000; i++) {
		account_deal(a, wait, 1000, &d);
		ck_assert(d.level == WAIT_HITS || (d.moved && d.level == plain[_i].level));
		waits += d.level != WAIT_HITS;
	}
	ck_assert_uint_ge(waits, plain[_i].least);
	ck_assert_uint_le(waits, plain[_i].most);
	account_close(a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("waits_moves");
	TCase *t = tcase_create("waits_moves");

	tcase_add_loop_test(t, a_line_that_moves_is_waited_for, 0, 2);
	tcase_add_loop_test(t, plain_accesses_may_hide_the_wait_for_a_line, 0, COUNT_OF(plain));
	suite_add_tcase(s, t);
	return run_suite(s);
}
