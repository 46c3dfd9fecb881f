/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the instructions that accessed a heap object are counted, as votes for its type. */
#include "model/votes.h"

#include "check_main.h"

static void add_sample(struct votes *v, uint32_t object, uint32_t location, uint64_t offset)
{
	ck_assert(votes_add(v, &(struct vote){
				       .object = object, .location = location, .offset = offset }));
}

START_TEST(samples_of_an_instruction_are_one_vote)
{
	struct votes v = { 0 };
	const struct vote *at;

	add_sample(&v, 3, 7, 16);
	add_sample(&v, 3, 7, 16 + 5 * 24);
	add_sample(&v, 3, 7, 16 + 2 * 24);
	add_sample(&v, 3, 8, 0);
	add_sample(&v, 9, 7, 40);
	at = &AT_ID(v.votes, votes_of(&v, 3));
	ck_assert_uint_eq(at->location, 8);
	ck_assert_uint_eq(at->step, 0);
	at = &AT_ID(v.votes, at->next);
	ck_assert_uint_eq(at->samples, 3);
	ck_assert_uint_eq(at->offset, 16);
	ck_assert_uint_eq(at->step, 24);
	ck_assert_uint_eq(at->next, 0);
	ck_assert_uint_eq(at->nothers, 2);
	ck_assert_uint_eq(at->others[0], 16 + 5 * 24);
	ck_assert_uint_eq(at->others[1], 16 + 2 * 24);
	ck_assert_uint_eq(AT_ID(v.votes, votes_of(&v, 9)).samples, 1);
	ck_assert_uint_eq(votes_of(&v, 4), 0);
	ck_assert_uint_eq(votes_of(&v, 1000), 0);
	votes_release(&v);
}
END_TEST

START_TEST(the_operands_of_one_place_are_told_apart)
{
	struct votes v = { 0 };
	struct vote x = { .object = 1, .location = 1, .insn = 4 };

	ck_assert(votes_add(&v, &x));
	x.from_start = true;
	ck_assert(votes_add(&v, &x));
	x.insn = -4;
	ck_assert(votes_add(&v, &x));
	ck_assert_uint_eq(v.votes.n, 3);
	votes_release(&v);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("votes");
	TCase *t = tcase_create("votes");

	tcase_add_test(t, samples_of_an_instruction_are_one_vote);
	tcase_add_test(t, the_operands_of_one_place_are_told_apart);
	suite_add_tcase(s, t);
	return run_suite(s);
}
