/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which functions match a name on the command line. */
#include "base/count.h"
#include "database/select.h"

#include "check_main.h"

START_TEST(a_name_is_found_without_its_arguments_and_namespaces)
{
	static const struct {
		const char *name, *wanted;
		bool is;
	} cases[] = {
		{ "solve", "solve", true },
		{ "solve(int, double)", "solve", true },
		{ "solve(int, double)", "solve(int, double)", true },
		{ "app::solve(int)", "solve", true },
		{ "app::solve(int)", "app::solve", true },
		{ "void app::solve<int>(int)", "solve", true },
		{ "solve [clone ._omp_fn.0]", "solve", true },
		{ "solve(int) [clone .isra.0]", "solve", true },
		{ "solve._omp_fn.0", "solve", true },
		{ "memset@plt", "memset", true },
		{ "(anonymous namespace)::run(int)", "run", true },
		{ "app::(anonymous namespace)::run(int)", "run", true },
		{ "f(int)::{lambda(int)#1}::operator()(int) const", "f", true },
		{ "resolve", "solve", false },
		{ "solver", "solve", false },
		{ "solve_all", "solve", false },
		{ "solve::step()", "solve", false },
		{ "run(void (*)(app::solve))", "solve", false },
		{ "apply<app::solve>(int)", "solve", false },
		{ "solve", "", false },
		{ "", "solve", false },
		{ "x>>solve", "solve", false },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		ck_assert_msg(select_is_function(cases[i].name, cases[i].wanted) == cases[i].is,
			      "'%s' as '%s'", cases[i].name, cases[i].wanted);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("select");
	TCase *t = tcase_create("select");

	tcase_add_test(t, a_name_is_found_without_its_arguments_and_namespaces);
	suite_add_tcase(s, t);
	return run_suite(s);
}
