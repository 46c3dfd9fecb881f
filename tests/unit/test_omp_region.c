/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the names of parallel regions are recognized, as gcc, clang and flang write them. */
#include "base/count.h"
#include "base/omp_region.h"

#include "check_main.h"

START_TEST(a_region_has_the_name_of_its_function)
{
	static const struct {
		const char *name;
		size_t len;
	} cases[] = {
		/* gcc 12 */
		{ "solve._omp_fn.0", 5 },
		{ "_ZN1SIdE3runEi._omp_fn.0", 14 },
		{ "S<double>::run(int) [clone ._omp_fn.0]", 19 },
		{ "app::work(int)::{lambda(int)#1}::operator()(int) const [clone ._omp_fn.12]",
		  54 },
		{ "MAIN__._omp_fn.3", 6 },
		/* clang from version 16 on */
		{ "solve.omp_outlined", 5 },
		{ "solve.omp_outlined.2", 5 },
		{ "solve.omp_outlined_debug__.1", 5 },
		{ "_ZN3app5solveEi.omp_outlined", 15 },
		{ "app::solve(int) [clone .omp_outlined]", 15 },
		{ "app::solve(int) [clone .omp_outlined_debug__] [clone .1]", 15 },
		/* flang */
		{ "solve_..omp_par.1", 6 },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		ck_assert_msg(region_is(cases[i].name), "'%s'", cases[i].name);
		ck_assert_msg(region_owner_length(cases[i].name) == cases[i].len, "'%s': %zu",
			      cases[i].name, region_owner_length(cases[i].name));
	}
}
END_TEST

START_TEST(regions_of_clang_14_do_not_name_their_function)
{
	static const char *const names[] = {
		".omp_outlined.",
		".omp_outlined..2",
		".omp_outlined._debug__",
		".omp_outlined._debug__.4",
		"(anonymous namespace)::.omp_outlined._debug__",
	};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		ck_assert_msg(region_is(names[i]), "'%s'", names[i]);
		ck_assert_msg(!region_owner_length(names[i]), "'%s'", names[i]);
	}
}
END_TEST

START_TEST(other_functions_are_no_regions)
{
	static const char *const names[] = {
		"solve",
		"solve(int) [clone .isra.0]",
		"solve.part.0",
		"omp_get_thread_num",
		".omp_task_entry.",
		"",
	};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		ck_assert_msg(!region_is(names[i]), "'%s'", names[i]);
		ck_assert_msg(!region_owner_length(names[i]), "'%s'", names[i]);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("region");
	TCase *t = tcase_create("region");

	tcase_add_test(t, a_region_has_the_name_of_its_function);
	tcase_add_test(t, regions_of_clang_14_do_not_name_their_function);
	tcase_add_test(t, other_functions_are_no_regions);
	suite_add_tcase(s, t);
	return run_suite(s);
}
