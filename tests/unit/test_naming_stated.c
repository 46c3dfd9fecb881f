/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which element type an allocating statement shows: by new, sizeof, a cast or an argument. */
#include "check_main.h"
#include "naming/stated.h"

#include <string.h>

#include "base/count.h"

static const struct {
	const char *line, *by_new, *by_sizeof, *by_cast, *by_argument;
	bool is_array;
} lines[] = {
	{ "Order *o = new Order;", "Order", "", "", "", false },
	{ "auto o = new ns::Order{ 1, 2 };", "ns::Order", "", "", "", false },
	{ "p = new Node<int, 3>[n];", "Node<int,3>", "", "", "", true },
	{ "p = new (std::nothrow) unsigned long[n];", "unsigned long", "", "", "", true },
	{ "rows = new double*[n];", "double*", "", "", "", true },
	{ "p = malloc(n * sizeof(struct node));", "", "struct node", "", "", false },
	{ "p = malloc(sizeof *p * n);", "", "*p", "", "", false },
	{ "p->q = calloc(n, sizeof(*p->q));", "", "*p->q", "", "n", false },
	{ "p = malloc(sizeof(struct head) + n * sizeof(struct item));", "", "struct head", "", "",
	  false },
	{ "p = malloc(n * sizeof(struct a) + m * sizeof(struct b));", "", "", "", "", false },
	{ "p = malloc(sizeof(struct a) + sizeof(struct b) + n * sizeof(int));", "", "", "", "",
	  false },
	{ "p = (struct node *)malloc(n);", "", "", "struct node", "", false },
	{ "p = static_cast<T*>(malloc(n));", "", "", "T", "", false },
	{ "A(m) = CTAlloc(HYPRE_Int, n);", "", "", "", "HYPRE_Int", false },
	{ "t = g_new0(struct tree, n + 1);", "", "", "", "struct tree", false },
	{ "x = (a * b) + f(n);", "", "", "", "", false },
	{ "p = malloc(n);", "", "", "", "", false },
	/* a size that is only compared */
	{ "p = malloc(sizeof(struct s) > 8 ? n : m);", "", "", "", "", false },
	{ "p = malloc(8 <= sizeof(long) ? n * sizeof(struct s) : m);", "", "struct s", "", "",
	  false },
};

START_TEST(a_statement_states_a_type)
{
	struct tokens ts;
	char text[64];
	bool is_array = false;

	tokens_read(&ts, lines[_i].line);
	ck_assert(stated_by_new(&ts, 0, text, sizeof(text), &is_array) == !!*lines[_i].by_new);
	ck_assert_str_eq(text, lines[_i].by_new);
	ck_assert(is_array == lines[_i].is_array);
	ck_assert(stated_by_sizeof(&ts, text, sizeof(text)) == !!*lines[_i].by_sizeof);
	ck_assert_str_eq(text, lines[_i].by_sizeof);
	ck_assert(stated_by_cast(&ts, text, sizeof(text)) == !!*lines[_i].by_cast);
	ck_assert_str_eq(text, lines[_i].by_cast);
	ck_assert(stated_by_argument(&ts, text, sizeof(text)) == !!*lines[_i].by_argument);
	ck_assert_str_eq(text, lines[_i].by_argument);
}
END_TEST

static const struct {
	const char *line;
	bool has_rest, has_slack;
} sizes[] = {
	{ "p = malloc(sizeof(*p) + n);", true, false },
	{ "p = realloc(p, size * n + sizeof(struct head));", true, false },
	{ "p = malloc((n + 1) * sizeof *p);", false, false },
	{ "p = malloc(sizeof(*p) * n + 64);", false, true },
	{ "p = malloc(64 + n * sizeof(*p));", false, true },
	{ "p = calloc(count(n) * sizeof(*p) + LINE - 1, 1);", false, true },
	{ "p = calloc(n * sizeof(*p), (1 + 1));", false, false },
	{ "p = realloc(q + 1, n * sizeof(*p));", false, false },
	{ "p = calloc(n + 1, sizeof(*p));", false, false },
	{ "p = (struct node *)calloc(1, bytes);", true, false },
	{ "p = calloc(1, sizeof(*p));", false, false },
	{ "p = calloc(1", false, false },
};

START_TEST(other_data_may_follow_the_element)
{
	struct tokens ts;

	tokens_read(&ts, sizes[_i].line);
	ck_assert_msg(stated_with_rest(&ts) == sizes[_i].has_rest, "%s", sizes[_i].line);
	ck_assert_msg(stated_with_slack(&ts) == sizes[_i].has_slack, "%s", sizes[_i].line);
}
END_TEST

START_TEST(one_object_has_only_sizeof_as_its_size)
{
	static const struct {
		const char *line;
		bool is_one;
	} calls[] = {
		{ "malloc(sizeof(struct node));", true },
		{ "malloc(sizeof *p);", true },
		{ "malloc(n * sizeof(*p));", false },
		{ "malloc(sizeof(*p) * n);", false },
		{ "calloc(1, sizeof(*p));", false },
		{ "malloc(n);", false },
		{ "malloc(sizeof(*p", false },
		{ "malloc", false },
	};
	struct tokens ts;

	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		tokens_read(&ts, calls[i].line);
		ck_assert_msg(stated_as_one(&ts, 0) == calls[i].is_one, "%s", calls[i].line);
	}
}
END_TEST

START_TEST(of_several_new_the_one_at_the_place_counts)
{
	const char *line = "f(new First, new Second);";
	struct tokens ts;
	char text[64];
	bool is_array;

	tokens_read(&ts, line);
	ck_assert(stated_by_new(&ts, 2, text, sizeof(text), &is_array));
	ck_assert_str_eq(text, "First");
	ck_assert(stated_by_new(&ts, 6, text, sizeof(text), &is_array));
	ck_assert_str_eq(text, "Second");
}
END_TEST

START_TEST(a_type_that_does_not_fit_is_none)
{
	struct tokens ts;
	char text[6];
	bool is_array;

	tokens_read(&ts, "p = new Orders;");
	ck_assert(!stated_by_new(&ts, 0, text, sizeof(text), &is_array));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_stated");
	TCase *tc = tcase_create("types");

	tcase_add_loop_test(tc, a_statement_states_a_type, 0, COUNT_OF(lines));
	tcase_add_loop_test(tc, other_data_may_follow_the_element, 0, COUNT_OF(sizes));
	tcase_add_test(tc, of_several_new_the_one_at_the_place_counts);
	tcase_add_test(tc, one_object_has_only_sizeof_as_its_size);
	tcase_add_test(tc, a_type_that_does_not_fit_is_none);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
