/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests to which member a call belongs that a constructor makes in its list of initializers. */
#include "naming/holder.h"
#include "naming/source.h"

#include "check_main.h"

#include <stdio.h>
#include <string.h>

#include "base/count.h"

static struct sources *sources;

static void setup(void)
{
	sources = sources_new();
	ck_assert_ptr_nonnull(sources);
}

static void teardown(void)
{
	sources_free(sources);
}

static void set_source(const char *text)
{
	ck_assert(source_add(sources, "x.cc", strdup(text)));
}

START_TEST(a_member_in_a_constructors_list_is_known)
{
	struct statement st;

	set_source(
		"A::A(int n)\n	: x_(new T[f(1, 2)]), y_{new T},\n	  z_(n)\n{\n	w();\n}\n");
	ck_assert(statement_at(sources, "x.cc", 2, 7, 0, &st));
	ck_assert(is_name(listed_member(&st)));
	ck_assert(!strncmp(st.tokens.t[0].s, "x_", 2));
	ck_assert(statement_at(sources, "x.cc", 2, 27, 0, &st));
	ck_assert(!strncmp(st.tokens.t[0].s, "y_", 2));
	ck_assert(statement_at(sources, "x.cc", 3, 4, 0, &st));
	ck_assert(is_name(listed_member(&st)));
	ck_assert(!strncmp(st.tokens.t[0].s, "z_", 2));
	ck_assert(statement_at(sources, "x.cc", 5, 2, 0, &st));
	ck_assert(!is_name(listed_member(&st)));
}
END_TEST

/* A constructor that the list does not contain is reported at the end of the list's last entry. */
START_TEST(an_unlisted_constructor_has_no_entry)
{
	static const struct {
		const char *callee, *text;
	} rows[] = {
		{ "Last::Last(int)", "last_.x" },
		{ "Pool::Pool()", "x" },
	};
	struct holder h = { .text = "x", .base_len = 1 };
	struct holder_way way;
	struct statement st;

	set_source("struct A {\n	bool flag_;\n	Last last_; struct B { bool last_; };\n"
		   "	A() : flag_(false) {}\n	A(int n) : flag_(true), last_(n)\n	{}\n};\n");
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct holder named = h;

		way = (struct holder_way){ .path = HOLDER_MEMBER,
					   .callee = method_of(rows[i].callee),
					   .is_default = i > 0 };
		ck_assert(statement_at(sources, "x.cc", 5, 33, 0, &st));
		ck_assert_int_eq(holder_in_caller(&named, &way, &st), !i);
		ck_assert_str_eq(named.text, rows[i].text);
		/* the entry of a variable without a constructor */
		ck_assert(statement_at(sources, "x.cc", 4, 19, 0, &st));
		ck_assert(!holder_in_caller(&named, &way, &st));
	}
}
END_TEST

/* At the end of the list, the call may be that of a member which the list does not contain. */
START_TEST(a_list_of_an_unknown_class_has_no_last_entry)
{
	struct holder h = { .text = "x", .base_len = 1 };
	const struct holder_way way = { .path = HOLDER_MEMBER,
					.callee = method_of("Last::Last(int)") };
	struct statement st;

	set_source("struct A { struct S { int n; }; };\n"
		   "struct B { struct S { Last x = Last(9); int n; S(int k); }; };\n"
		   "B::S::S(int k) : n(k)\n{}\n");
	ck_assert(statement_at(sources, "x.cc", 3, 21, 0, &st));
	ck_assert(!holder_in_caller(&h, &way, &st));
	ck_assert_str_eq(h.text, "x");
}
END_TEST

/* The list of a constructor. "@" is before the token that debug information reports for the call of
 * the constructor of Matrix, which assigned the block to its member d. */
static const struct case_of_list {
	const char *list, *text;
} lists[] = {
	{ "@inner(n), other(new Matrix(n))", "inner.d" },
	{ "inner(n), other(@new Matrix(n))", "other->d" },
	{ "inner(n), other{ @new ns::Matrix{ n } }", "other->d" },
	{ "inner(n), other(@std::make_unique<Matrix>(n))", "other->d" },
	{ "@inner(n), copy(Matrix(n))", "inner.d" },
	{ "inner(n), copy(@Matrix(n))", "copy.d" },
	{ "Base<Matrix<int>>(n), @inner(n)", "inner.d" },
	{ "@Matrix(n), size(n)", "d" },
	{ "@ns::Matrix<int>{ n }, size(n)", "d" },
	{ "Base<A<int>>(n), @Matrix(n)", "d" },
	{ "@Matrix(n), inner(n), other(new Matrix(n))", "d" },
	{ "Matrix(n), @inner(n), other(new Matrix(n))", "inner.d" },
	{ "Matrix(n), inner(n), other(@new Matrix(n))", "other->d" },
	{ "Matrix(n), @size(n)", "d" },
	{ "Matrix(n), inner(n@), size(n)", "inner.d" },
	{ "Matrix(n), size(n), inner(n@)", "d" },
	{ "Matrix(n), inner(n), other(new Matrix(n@))", "other->d" },
	{ "Matrix(n), inner(n), other(new Matrix(n)@)", "d" },
};

START_TEST(an_entry_with_a_new_object_is_no_base_class)
{
	const struct case_of_list *c = &lists[_i];
	struct holder h = { .text = "d", .base_len = 1 };
	const struct holder_way way = { .path = HOLDER_MEMBER,
					.callee = method_of("Matrix::Matrix(int)") };
	const size_t before = strcspn(c->list, "@");
	struct statement st;
	char text[256];

	snprintf(text, sizeof(text),
		 "A::A(int n) :\n%.*s%s\n{\n}\nstruct A : Matrix {\n	Matrix first, inner;\n};\n",
		 (int)before, c->list, c->list + before + 1);
	set_source(text);
	ck_assert(statement_at(sources, "x.cc", 2, (uint32_t)before + 1, 0, &st));
	ck_assert(holder_in_caller(&h, &way, &st));
	ck_assert_msg(!strcmp(h.text, c->text), "%s: '%s'", c->list, h.text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_list");
	TCase *tc = tcase_create("list");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_member_in_a_constructors_list_is_known);
	tcase_add_test(tc, an_unlisted_constructor_has_no_entry);
	tcase_add_test(tc, a_list_of_an_unknown_class_has_no_last_entry);
	tcase_add_loop_test(tc, an_entry_with_a_new_object_is_no_base_class, 0, COUNT_OF(lists));
	suite_add_tcase(s, tc);
	return run_suite(s);
}
