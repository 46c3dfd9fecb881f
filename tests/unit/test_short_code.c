/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/count.h"
#include "database/short_code.h"

#include "check_main.h"

START_TEST(arguments_give_way_to_the_name)
{
	static const char *const cases[][2] = {
		{ "main", "main" },
		{ "", "" },
		{ "fill(int, double)", "fill" },
		{ "std::vector<int>::push_back(int const&)", "std::vector<int>::push_back" },
		{ "std::map<int, std::vector<long> >::find(int const&) const",
		  "std::map<…>::find" },
		{ "sort<int*, std::less<int> >(int*, int*)", "sort<…>" },
		{ "int* ns::sort<int*, std::less<int> >(int*)", "ns::sort<…>" },
		{ "box<long long, 99>* ns::find<int>(int)", "ns::find<int>" },
		{ "void f<int>(std::vector<int>&) [clone .cold]", "f<int> [clone .cold]" },
		{ "unsigned long max<int>(int)", "max<int>" },
		{ "decltype (f(1)) ns::call<int>(int)", "ns::call<int>" },
		{ "<alloc::Vec<T> as core::Iter<T>>::next",
		  "<alloc::Vec<T> as core::Iter<T>>::next" },
		{ "vtable for ns::Box<int>", "vtable for ns::Box<int>" },
		{ "ns::A<int>::operator unsigned long() const",
		  "ns::A<int>::operator unsigned long" },
		{ "A::operator()(int) const", "A::operator()" },
		{ "double2::operator=(double2 const&)", "double2::operator=" },
		{ "operator*(double const&, double2 const&)", "operator*" },
		{ "operator!=<int>(A const&)", "operator!=<int>" },
		{ "ns::operator\"\" _km(long double)", "ns::operator\"\" _km" },
		{ "operator<<(std::ostream&, A const&)", "operator<<" },
		{ "A::operator<(A const&)", "A::operator<" },
		{ "operator-><int>(A)", "operator-><int>" },
		{ "f(int)::{lambda(int)#1}::operator()(int) const", "f::{lambda#1}::operator()" },
		{ "(anonymous namespace)::run(int)", "(anonymous namespace)::run" },
		{ "table (buckets)", "table (buckets)" },
		{ "fill (spmv.c:51)", "fill (spmv.c:51)" },
		{ "[frame of f(int)]", "[frame of f]" },
		{ "myoperator(int)", "myoperator" },
		{ "cut<int", "cut<int" },
		{ "cut(int", "cut(int" },
		{ "a->rows", "a->rows" },
		{ ">>>", ">>>" },
		{ "f()", "f" },
		{ "solve._omp_fn.0", "solve._omp_fn.0" },
		{ "__module_MOD_solve", "__module_MOD_solve" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char *got = short_code(cases[i][0]);

		ck_assert_str_eq(got, cases[i][1]);
		free(got);
	}
}
END_TEST

START_TEST(a_region_has_the_name_of_its_function)
{
	static const char *const cases[][2] = {
		{ "solve._omp_fn.12", "solve" },
		{ "ns::solve(int) [clone ._omp_fn.0]", "ns::solve" },
		{ "ns::solve.omp_outlined", "ns::solve" },
		{ ".omp_outlined.", ".omp_outlined." },
		{ "ns::solve(int)", "ns::solve" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char *got = source_code(cases[i][0]);

		ck_assert_str_eq(got, cases[i][1]);
		free(got);
	}
}
END_TEST

START_TEST(the_base_is_the_innermost_name)
{
	static const char *const cases[][2] = {
		{ "int* ns::box<int>::sort<std::less<int> >(int*)", "sort" },
		{ "unsigned long fetch_and_add<long, int>(long&, int)", "fetch_and_add" },
		{ "BuilderBase::SquishCSR (builder.h:161)", "SquishCSR (builder.h:161)" },
		{ "BuilderBase<int>::MakeCSR() [clone ._omp_fn.0]", "MakeCSR" },
		{ "solve._omp_fn.12", "solve" },
		{ "solve.omp_outlined", "solve" },
		{ "ns::Grid<double>::solve(int) [clone .omp_outlined]", "solve" },
		{ ".omp_outlined.", ".omp_outlined." },
		{ "A::operator()(int) const", "A::operator()" },
		{ "double2::operator=(double2 const&)", "double2::operator=" },
		{ "vec::operator*(double const&, double2 const&)", "vec::operator*" },
		{ "std::operator<< <char>(std::ostream&)", "std::operator<< <char>" },
		{ "ns::A::operator new(unsigned long)", "A::operator new" },
		{ "(anonymous namespace)::run(int)", "run" },
		{ "[frame of ns::f]", "[frame of ns::f]" },
		{ "__module_MOD_solve", "__module_MOD_solve" },
		{ "a b", "a b" },
		{ "a->rows", "a->rows" },
		{ "", "" },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char *got = base_code(cases[i][0]);

		ck_assert_str_eq(got, cases[i][1]);
		free(got);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("short_code");
	TCase *t = tcase_create("short_code");

	tcase_add_test(t, arguments_give_way_to_the_name);
	tcase_add_test(t, the_base_is_the_innermost_name);
	tcase_add_test(t, a_region_has_the_name_of_its_function);
	suite_add_tcase(s, t);
	return run_suite(s);
}
