/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the layout of a function's frame is made from its saved words and variables. The test
 * replaces the functions that read debug information. */
#include "naming/frame_layout.h"

#include "check_main.h"

#include <stdio.h>

enum { FRAME_BYTES = 4096, MOST_VARIABLES = 16384 };

static struct sym_local variables[MOST_VARIABLES];
static char names[MOST_VARIABLES][32];
static size_t nvariables;
static char file; /* used in place of the symbol file */

static struct arena arena;
static struct object_origin origin;

struct sym_file *__wrap_code_file(struct code *c, uint32_t dso);
bool __wrap_sym_file_has_lines(struct sym_file *f);
bool __wrap_sym_function_start(struct sym_file *f, uint64_t vaddr, uint64_t *start);
bool __wrap_sym_frame(struct sym_file *f, uint64_t vaddr, struct sym_frame *out);
const struct sym_local *__wrap_sym_locals(struct sym_file *f, uint64_t vaddr, size_t *n);

struct sym_file *__wrap_code_file(struct code *c, uint32_t dso)
{
	return (struct sym_file *)&file;
}

bool __wrap_sym_file_has_lines(struct sym_file *f)
{
	return true;
}

bool __wrap_sym_function_start(struct sym_file *f, uint64_t vaddr, uint64_t *start)
{
	*start = vaddr;
	return true;
}

bool __wrap_sym_frame(struct sym_file *f, uint64_t vaddr, struct sym_frame *out)
{
	*out = (struct sym_frame){ .bytes = FRAME_BYTES,
				   .nsaved = 1,
				   .saved = { { .offset = -8, .name = "return address" } } };
	return true;
}

const struct sym_local *__wrap_sym_locals(struct sym_file *f, uint64_t vaddr, size_t *n)
{
	*n = nvariables;
	return variables;
}

static void add(const char *name, int64_t offset, uint64_t size)
{
	variables[nvariables++] = (struct sym_local){
		.name = name, .base = SYM_LOCAL_CFA, .offset = offset, .size = size
	};
}

/* Sets origin.type to the layout of the frame; NULL means that it is unknown. */
static void find_layout(void)
{
	struct sym_symbol sym = { .name = "f", .vaddr = 4096, .size = 64 };
	struct symbol symbol = { .dso = 1, .sym = &sym };
	struct code code = { .symbols = { .at = &symbol, .n = 1 } };
	const struct naming n = { .code = &code, .arena = &arena };
	const struct object x = {
		.kind = OBJECT_STACK, .symbol = 1, .extent = FRAME_BYTES, .first_sample = 1
	};

	origin = (struct object_origin){ .name = "[frame of f]" };
	type_of_frame(&n, &x, &origin);
}

/* Checks that member i of the frame has this name and place. The offset is from the CFA. */
static void has_member(uint32_t i, const char *name, int64_t offset, uint64_t size)
{
	const struct sym_member *m;

	ck_assert_uint_lt(i, origin.type->nmembers);
	m = &origin.type->members[i];
	ck_assert_str_eq(m->name, name);
	ck_assert_int_eq((int64_t)m->offset - FRAME_BYTES, offset);
	ck_assert_uint_eq(m->size, size);
}

static void setup(void)
{
	nvariables = 0;
	arena = (struct arena){ 0 };
}

static void teardown(void)
{
	arena_release(&arena);
}

START_TEST(temporaries_fill_the_gaps)
{
	add("f::buf", -1032, 1024);
	add("f::argument", 16, 64); /* in the caller's frame */
	add("f::small", -1048, 16); /* so small that other values may share its place */
	find_layout();
	ck_assert_uint_eq(origin.type->nmembers, 3);
	has_member(0, "temporaries", -FRAME_BYTES, FRAME_BYTES - 1032);
	has_member(1, "f::buf", -1032, 1024);
	has_member(2, "return address", -8, 8);
	ck_assert_str_eq(origin.type_source, "frame");
	ck_assert(!origin.type_repeats);
}
END_TEST

START_TEST(variables_that_overlap_are_one_part_with_each_name_once)
{
	for (int i = 0; i < 50; i++) {
		add("one::buf", -1032, 1024);
		add("two::tmp", -1096, 128);
		add("three::low", -2000, 32);
	}
	add("four::bridge", -1990, 900);
	find_layout();
	ck_assert_uint_eq(origin.type->nmembers, 3);
	has_member(1, "three::low|one::buf|two::tmp|four::bridge", -2000, 1992);
}
END_TEST

START_TEST(a_part_has_at_most_eight_names)
{
	for (int i = 0; i < 9; i++) {
		snprintf(names[i], sizeof(names[i]), "f%d::x", i);
		add(names[i], -100, 64);
		if (i != 7)
			continue;
		find_layout();
		has_member(1, "f0::x|f1::x|f2::x|f3::x|f4::x|f5::x|f6::x|f7::x", -100, 64);
	}
	add(names[3], -100, 64);
	find_layout();
	has_member(1, "f0::x|f1::x|f2::x|f3::x|f4::x|f5::x|f6::x|f7::x|…", -100, 64);
}
END_TEST

/* Without the limit on the names of a part, the names would be joined one by one. All joined names
 * would stay in memory, 960 MB in total. */
START_TEST(many_variables_that_overlap_take_little_memory)
{
	for (int i = 0; i < MOST_VARIABLES; i++) {
		snprintf(names[i], sizeof(names[i]), "f%d::x", i);
		add(names[i], -100, 64);
	}
	find_layout();
	ck_assert_ptr_nonnull(origin.type);
	ck_assert_uint_lt(arena.used, 4096);
}
END_TEST

START_TEST(a_variable_across_an_end_of_the_frame_leaves_it_unknown)
{
	if (_i)
		add("f::above", -32, 64);
	else
		add("f::below", -FRAME_BYTES - 32, 64);
	find_layout();
	ck_assert_ptr_null(origin.type);
}
END_TEST

START_TEST(a_variable_at_an_unknown_place_leaves_the_frame_unknown)
{
	add("f::buf", -1032, 1024);
	add("f::other", -2000, 64);
	variables[1].base = 6;
	find_layout();
	ck_assert_ptr_null(origin.type);
}
END_TEST

/* The limit of 128 includes the return address. */
START_TEST(a_frame_of_too_many_parts_is_unknown)
{
	for (int i = 0; i < 127; i++)
		add("f::x", -40 - 24 * i, 24);
	add("f::y", -40, 24); /* not a further part, because it is in the same place as an f::x */
	find_layout();
	ck_assert_ptr_nonnull(origin.type);
	add("f::x", -40 - 24 * 127, 24);
	find_layout();
	ck_assert_ptr_null(origin.type);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_stack");
	TCase *t = tcase_create("naming_stack");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, temporaries_fill_the_gaps);
	tcase_add_test(t, variables_that_overlap_are_one_part_with_each_name_once);
	tcase_add_test(t, a_part_has_at_most_eight_names);
	tcase_add_test(t, many_variables_that_overlap_take_little_memory);
	tcase_add_loop_test(t, a_variable_across_an_end_of_the_frame_leaves_it_unknown, 0, 2);
	tcase_add_test(t, a_variable_at_an_unknown_place_leaves_the_frame_unknown);
	tcase_add_test(t, a_frame_of_too_many_parts_is_unknown);
	suite_add_tcase(s, t);
	return run_suite(s);
}
