/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the sampled accesses of an object refute, confirm and elect the type of its elements.
 */
#include "naming/poll.h"

#include "check_main.h"

static const struct sym_member node_members[] = {
	{ "next", "struct node *", 0, 8 },
	{ "key", "int", 8, 4 },
	{ NULL, NULL, 12, 4 },
};
static const struct sym_type node = { "struct node", SYM_STRUCT, 16, node_members, 3 };

/* begins like struct node */
static const struct sym_member leaf_members[] = {
	{ "base.next", "struct node *", 0, 8 },
	{ "base.key", "int", 8, 4 },
	{ "flags", "int", 12, 4 },
	{ "text", "char[]", 16, 32 },
};
static const struct sym_type leaf = { "struct leaf", SYM_STRUCT, 48, leaf_members, 4 };

static const struct sym_member pair_members[] = {
	{ "first", "int", 0, 4 },
	{ "second", "int", 4, 4 },
	{ "weight", "double", 8, 8 },
};
static const struct sym_type pair = { "struct pair", SYM_STRUCT, 16, pair_members, 3 };

static const struct sym_member number_member = { "", "int", 0, 4 };
static const struct sym_type number = { "int", SYM_SCALAR, 4, &number_member, 1 };

static struct object object_of(uint64_t blocks, uint64_t bytes)
{
	return (struct object){ .kind = OBJECT_HEAP, .blocks = blocks, .total_bytes = bytes };
}

static struct object_origin origin_of(const struct sym_type *t)
{
	return (struct object_origin){ .type = t, .type_source = "cast", .type_repeats = true };
}

static struct voter voter(const struct vote *v, const struct sym_type *t, int64_t disp)
{
	return (struct voter){ .vote = v, .type = t, .disp = disp, .placed = true };
}

START_TEST(one_instruction_never_accesses_members_of_several_sizes)
{
	const struct vote mixed = { .samples = 8, .offset = 32, .others = { 40 }, .nothers = 1 };
	const struct vote fixed = { .samples = 8, .offset = 32, .others = { 64 }, .nothers = 1 };
	const struct object_origin o = origin_of(&node);
	struct voter v = voter(&mixed, NULL, 0);

	ck_assert(poll_refutes(&v, 1, &o));
	v.vote = &fixed;
	ck_assert(!poll_refutes(&v, 1, &o));
}
END_TEST

START_TEST(an_access_inside_a_number_is_against_a_struct)
{
	const struct vote inside = { .samples = 8, .offset = 16 + 3 };
	const struct object_origin o = origin_of(&node), numbers = origin_of(&number);
	const struct voter v = voter(&inside, NULL, 0);

	ck_assert(poll_refutes(&v, 1, &o));
	ck_assert(!poll_refutes(&v, 1, &numbers)); /* compilers read parts of numbers */
}
END_TEST

START_TEST(another_struct_with_other_members_refutes)
{
	const struct vote vote = { .samples = 8, .offset = 16 };
	const struct object_origin o = origin_of(&node);
	struct voter v = voter(&vote, &pair, 0);

	ck_assert(poll_refutes(&v, 1, &o));
	v.placed = false; /* then it is unknown which member of the pair is accessed */
	ck_assert(!poll_refutes(&v, 1, &o));
	v = voter(&vote, &leaf, 0); /* the same member, through another type */
	ck_assert(!poll_refutes(&v, 1, &o));
}
END_TEST

START_TEST(few_samples_do_not_refute)
{
	const struct vote against = { .samples = 3, .offset = 19 };
	const struct vote some = { .samples = 8, .offset = 19 };
	const struct vote other = { .samples = 100, .offset = 16, .step = 16 };
	const struct object_origin o = origin_of(&node);
	struct voter v[2] = { voter(&against, NULL, 0), voter(&other, NULL, 0) };

	ck_assert(!poll_refutes(v, 1, &o));
	v[0].vote = &some;
	ck_assert(poll_refutes(v, 1, &o));
	ck_assert(!poll_refutes(v, 2, &o)); /* most voters have no opinion */
	v[1] = voter(&other, &node, 0);
	ck_assert(!poll_refutes(v, 2, &o));
}
END_TEST

START_TEST(accesses_in_several_elements_prove_an_array)
{
	const struct vote many = { .samples = 8, .offset = 32, .step = 16 };
	const struct vote one = { .samples = 8, .offset = 8 };
	const struct object_origin o = origin_of(&node);
	struct voter v = voter(&many, &node, 0);

	ck_assert(poll_repeats(&v, 1, &o));
	v = voter(&one, &node, 8);
	ck_assert(!poll_repeats(&v, 1, &o));
	v = voter(&many, NULL, 0);
	ck_assert(!poll_repeats(&v, 1, &o));
}
END_TEST

START_TEST(a_pointer_to_the_header_of_a_struct_supports_the_struct)
{
	const struct vote key = { .samples = 9, .offset = 8 },
			  flags = { .samples = 2, .offset = 12 };
	const struct object x = object_of(10, 480);
	const struct voter v[] = { voter(&key, &node, 8), voter(&flags, &leaf, 12) };
	struct object_origin o = { 0 };

	ck_assert(poll_elect(v, 2, &x, false, &o));
	ck_assert_ptr_eq(o.type, &leaf);
	ck_assert_str_eq(o.type_source, "accessed");
}
END_TEST

START_TEST(a_pointer_to_a_header_that_accesses_its_gap_points_to_another_struct)
{
	const struct vote key = { .samples = 9, .offset = 8 },
			  flags = { .samples = 90, .offset = 12 };
	const struct object x = object_of(10, 480);
	struct voter v[] = { voter(&key, &node, 8), voter(&flags, &node, 12),
			     voter(&key, &leaf, 8) };
	struct object_origin o = { 0 };

	ck_assert(!poll_elect(v, 2, &x, false, &o));
	ck_assert_ptr_null(o.type);
	ck_assert(poll_elect(v, 3, &x, false, &o)); /* one access shows which struct it is */
	ck_assert_ptr_eq(o.type, &leaf);
	o = origin_of(&node);
	ck_assert(poll_refutes(v, 2, &o));
	v[1].is_foreign = true; /* a copy of the struct includes its gaps */
	ck_assert(!poll_refutes(v, 2, &o));
}
END_TEST

START_TEST(a_block_may_have_only_the_first_members)
{
	const struct vote key = { .samples = 9, .offset = 8 };
	const struct vote later = { .samples = 9, .offset = 8, .step = 48 };
	const struct object x = object_of(10, 240); /* 24 bytes each, and struct leaf has 48 */
	struct voter v = voter(&key, &leaf, 8);
	struct object_origin o = { 0 };

	ck_assert(poll_elect(&v, 1, &x, false, &o));
	ck_assert_ptr_eq(o.type, &leaf);
	ck_assert(!o.type_repeats);
	o = (struct object_origin){ 0 };
	v.vote = &later;
	ck_assert(!poll_elect(&v, 1, &x, false, &o));
	ck_assert_ptr_null(o.type);
}
END_TEST

START_TEST(a_contested_type_needs_a_third_of_all_samples)
{
	const struct vote known = { .samples = 4, .offset = 0 }, other = { .samples = 9 };
	const struct object x = object_of(1, 1600);
	const struct voter v[] = { voter(&known, &node, 0), voter(&other, NULL, 0) };
	struct object_origin o = { 0 };

	ck_assert(!poll_elect(v, 2, &x, true, &o));
	ck_assert(poll_elect(v, 2, &x, false, &o));
	ck_assert_ptr_eq(o.type, &node);
}
END_TEST

START_TEST(elements_after_a_head_begin_where_the_samples_show_it)
{
	const struct vote keys = { .samples = 9, .offset = 24 + 160 + 8, .step = 16 };
	const struct object x = object_of(1, 24 + 1600);
	const struct voter v = voter(&keys, &node, 8);
	struct object_origin o = { .has_head = true };

	ck_assert(poll_elect(&v, 1, &x, false, &o));
	ck_assert_ptr_eq(o.type, &node);
	ck_assert_uint_eq(o.type_start,
			  8); /* the head may overlap elements that nothing accesses */
	ck_assert(o.type_repeats);
	o = (struct object_origin){ 0 };
	ck_assert(!poll_elect(&v, 1, &x, false, &o));
}
END_TEST

START_TEST(structs_at_odd_places_count_against_the_winner)
{
	const struct vote first = { .samples = 4, .offset = 0 };
	const struct vote odd = { .samples = 4, .offset = 100 };
	const struct object x = object_of(1, 1600);
	const struct voter v[] = { voter(&first, &node, 0), voter(&odd, &pair, 0) };
	struct object_origin o = { 0 };

	ck_assert(!poll_elect(v, 2, &x, false, &o));
	ck_assert_ptr_null(o.type);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_poll");
	TCase *t = tcase_create("poll");

	tcase_add_test(t, one_instruction_never_accesses_members_of_several_sizes);
	tcase_add_test(t, an_access_inside_a_number_is_against_a_struct);
	tcase_add_test(t, another_struct_with_other_members_refutes);
	tcase_add_test(t, few_samples_do_not_refute);
	tcase_add_test(t, accesses_in_several_elements_prove_an_array);
	tcase_add_test(t, a_pointer_to_the_header_of_a_struct_supports_the_struct);
	tcase_add_test(t, a_pointer_to_a_header_that_accesses_its_gap_points_to_another_struct);
	tcase_add_test(t, a_block_may_have_only_the_first_members);
	tcase_add_test(t, a_contested_type_needs_a_third_of_all_samples);
	tcase_add_test(t, elements_after_a_head_begin_where_the_samples_show_it);
	tcase_add_test(t, structs_at_odd_places_count_against_the_winner);
	suite_add_tcase(s, t);
	return run_suite(s);
}
