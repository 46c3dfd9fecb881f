/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which functions the naming code skips as allocators. */
#include "naming/naming.h"

#include "check_main.h"

static const char *const allocators[] = {
	"malloc",
	"calloc",
	"__libc_malloc",
	"posix_memalign",
	"mmap",
	"malloc@@GLIBC_2.2.5",
	"operator new(unsigned long)",
	"operator new[](unsigned long)",
	"operator new(unsigned long, std::align_val_t)",
	"std::__new_allocator<double>::allocate(unsigned long, void const*)",
	"__gnu_cxx::new_allocator<int>::allocate(unsigned long, void const*)",
	"std::_Vector_base<double, std::allocator<double> >::_M_allocate(unsigned long)",
	"std::vector<double, std::allocator<double> >::resize(unsigned long)",
	"void std::vector<int, std::allocator<int> >::_M_realloc_insert<int const&>(int const&)",
	"std::enable_if<!(is_array<S>), S>::type std::make_unique<S, int>(int&&)",
	"std::vector<K, std::allocator<K> >::emplace_back<K&, work(int)::<lambda(double)> >",
	"std::__cxx11::basic_string<char>::_M_create(unsigned long&, unsigned long)",
	"xmalloc",
	"xcalloc",
	"my_malloc",
	"zmalloc",
	"safe_realloc",
	"g_malloc0",
	"PyMem_RawMalloc",
	"_PyObject_GC_New",
	"_gfortran_matmul_r8",
	"__rust_alloc",
	"alloc::raw_vec::RawVec<T,A>::reserve_for_push",
	"<alloc::vec::Vec<T> as core::iter::FromIterator<T>>::from_iter",
	"je_malloc",
	"__interceptor_malloc",
};

static const char *const programs[] = {
	"main",
	"foo(std::vector<double, std::allocator<double> >&)",
	"void apply<std::vector<int> >(std::vector<int>&)",
	"std::vector<int, std::allocator<int> > make_table(int)",
	"app::malloc_table(int)",
	"Mesh::operator=(Mesh const&)",
	"(anonymous namespace)::build(int)",
	"stdlib_init",
	"my_std::vector()",
	"mallocate",
	"malloc_grid",
	"remap",
	"mi_compute",
	"tc_run",
	"PyEval_EvalFrame",
	"numa_sum",
	"mesh::fill",
	"",
};

START_TEST(allocators_are_skipped)
{
	ck_assert_msg(is_allocator_frame(allocators[_i]), "%s", allocators[_i]);
}
END_TEST

START_TEST(functions_of_programs_are_not)
{
	ck_assert_msg(!is_allocator_frame(programs[_i]), "%s", programs[_i]);
	ck_assert(!is_allocator_frame(NULL));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_allocator");
	TCase *tc = tcase_create("frames");

	tcase_add_loop_test(tc, allocators_are_skipped, 0,
			    sizeof(allocators) / sizeof(allocators[0]));
	tcase_add_loop_test(tc, functions_of_programs_are_not, 0,
			    sizeof(programs) / sizeof(programs[0]));
	suite_add_tcase(s, tc);
	return run_suite(s);
}
