/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which functions and libraries are skipped when an allocation gets a name, because they only
 * serve the code that calls them. */
#include "naming/naming.h"
#include "naming/rust.h"

#include "base/count.h"
#include "base/runtime.h"
#include "check_main.h"

static const char *const allocators[] = {
	"malloc",
	"calloc",
	"__libc_malloc",
	"posix_memalign",
	"mmap",
	"malloc@@GLIBC_2.2.5",
	"operator new(unsigned long)",
	"phmap::priv::Allocate(unsigned long)",
	"decltype (A::value((f)(1))) phmap::map<int, A>::operator[]<int>(int const&)",
	"decltype(f(1))& std::map<int>::get<int>(int)",
	"ska::detailv3::sherwood_v3_table<int, int>::rehash(unsigned long)",
	"spp::sparse_hashtable<int, int>::_resize_delta(unsigned long)",
	"gtl::priv::raw_hash_set<int>::initialize_slots(unsigned long)",
	"gtl::flat_hash_map<int, int>::operator[](int)",
	"ankerl::unordered_dense::v4_1_0::detail::table<int, int>::increase_size()",
	"tsl::robin_map<int, int>::operator[](int const&)",
	"tsl::detail_hopscotch_hash::hopscotch_hash<int>::rehash(unsigned long)",
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
	"Eigen::DenseStorage<double, -1, -1, 1, 0>::resize(long, long, long)",
	"boost::multi_array<double, 3ul>::multi_array(boost::extent_gen<3ul> const&)",
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
	"core::ops::function::FnOnce::call_once",
	"core::ptr::drop_in_place<(fn(u8) -> u8, (u8, u8))>",
	"je_malloc",
	"__interceptor_malloc",
};

static const char *const programs[] = {
	"main",
	"decltype (std::f(1)) make_table<int>(int)",
	"decltype",
	"foo(std::vector<double, std::allocator<double> >&)",
	"void apply<std::vector<int> >(std::vector<int>&)",
	"std::vector<int, std::allocator<int> > make_table(int)",
	"app::malloc_table(int)",
	"Mesh::operator=(Mesh const&)",
	"solve(Eigen::Matrix<double, -1, 1> const&)",
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
	"tsl::BFCAllocator::Extend(unsigned long)",
	"tsl::profiler::Trace::reserve(unsigned long)",
	"ska::Field::allocate(int)",
	"spp::Solver::Solver(int)",
	"gtl::make_grid(int)",
	"ankerl::load(char const*)",
	"core::gather",
	"alloc::fill",
	"core::Engine::load(unsigned long)",
	"void core::Engine::load<int>(int)",
	"alloc::(anonymous namespace)::make()",
	"",
};

START_TEST(allocators_are_skipped)
{
	ck_assert_msg(is_allocator_frame(allocators[_i], NULL), "%s", allocators[_i]);
}
END_TEST

START_TEST(functions_of_programs_are_not)
{
	ck_assert_msg(!is_allocator_frame(programs[_i], NULL), "%s", programs[_i]);
	ck_assert(!is_allocator_frame(NULL, NULL));
}
END_TEST

/* A C++ namespace may have the name of a Rust library. The source file decides, because compilers
 * may write a C++ name without parameters, too. */
START_TEST(rust_libraries_are_in_rust)
{
	static const char *const names[] = { "core::Engine::load", "alloc::vec::Vec<T,A>::push",
					     "hashbrown::raw::RawTable<T>::reserve" };
	const struct dso program = { .short_name = "app" };

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		ck_assert_msg(is_allocator_frame(names[i], "/src/core.rs"), "%s", names[i]);
		ck_assert_msg(!is_allocator_frame(names[i], "/src/core.cpp"), "%s", names[i]);
		ck_assert(is_service_frame(&program, names[i], "/src/core.rs"));
		ck_assert(!is_service_frame(&program, names[i], "/src/core.cpp"));
	}
	ck_assert(is_allocator_frame("std::vector<int>::resize(unsigned long)", "vector.h"));
}
END_TEST

/* Functions of libc are recognised by their names, too, not only by their library, because libc may
 * be linked into the program. */
START_TEST(libc_serves_wherever_it_is)
{
	static const char *const serving[] = { "memset",
					       "__memset_avx512_unaligned_erms",
					       "__memmove_evex_unaligned",
					       "__strlen_avx2",
					       "sysmalloc_mmap.constprop.0",
					       "__GI___qsort_r",
					       "msort_with_tmp.part.0",
					       "_int_malloc",
					       "_IO_new_file_xsputn" };
	static const char *const own[] = { "main", "memory_avx2", "strength", "_qsort_rows",
					   "fill" };
	const struct dso program = { .short_name = "app" }, libc = { .short_name = "libc.so.6" };

	for (size_t i = 0; i < COUNT_OF(serving); i++)
		ck_assert_msg(is_service_frame(&program, serving[i], NULL), "%s", serving[i]);
	for (size_t i = 0; i < COUNT_OF(own); i++)
		ck_assert_msg(!is_service_frame(&program, own[i], NULL), "%s", own[i]);
	ck_assert(is_service_frame(&libc, NULL, NULL));
	ck_assert(!is_service_frame(&program, NULL, NULL));
}
END_TEST

START_TEST(libraries_that_serve)
{
	static const char *const names[] = { "libc.so.6",           "libm.so.6",   "libgomp.so.1",
					     "libjemalloc.so.2",    "libomp.so.5", "libstd-0a1b.so",
					     "ld-linux-x86-64.so.2" };
	struct dso d = { .short_name = "libcrypto.so.3" };

	ck_assert(!is_runtime(&d));
	ck_assert(!runtime_is_openmp("libompitrace.so") && runtime_is_openmp("libiomp5.so"));
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		d.short_name = names[i];
		ck_assert_msg(is_runtime(&d), "%s", names[i]);
	}
}
END_TEST

START_TEST(libraries_of_mpi)
{
	static const char *const yes[] = { "libmpi.so.40.30.4",   "mca_btl_vader.so",
					   "libmpi_cray.so.12",   "libtcp-fi.so",
					   "libuct_ib.so.0",      "libmlx5-rdmav34.so",
					   "libopen-pal.so.40.3", "libmpich.so.12.2.1" };
	static const char *const no[] = { "-fi.so",       "lib-fi.so",          "libwi-fi.so.2",
					  "libmpfr.so.6", "libmpir.so",         "libmpi_timer.so",
					  "mca_sim",      "libmpi.sources.txt", "libuctime.so" };

	for (size_t i = 0; i < COUNT_OF(yes); i++)
		ck_assert_msg(runtime_is_mpi(yes[i]), "%s", yes[i]);
	for (size_t i = 0; i < COUNT_OF(no); i++)
		ck_assert_msg(!runtime_is_mpi(no[i]), "%s", no[i]);
}
END_TEST

START_TEST(functions_of_mpi_that_wait)
{
	static const struct {
		const char *function, *file;
	} yes[] = { { "opal_progress", "libopen-pal.so.40" },
		    { "MPIDI_POSIX_progress", "libmpich.so.12" },
		    { NULL, "mca_btl_vader.so" },
		    { "ucp_worker_progress", "app" },
		    { "mca_pml_ob1_progress", NULL } },
	  no[] = { { "opal_convertor_raw", "libopen-pal.so.40" },
		   { "__intel_avx_rep_memcpy", "libmpi.so.12" },
		   { "PMPI_Reduce_local", "libmpi.so.40" },
		   { "MPIR_SUM", "libmpich.so.12" },
		   { "leaf_copy_subarray_m2m", "libmpich.so.12" },
		   { NULL, "mca_op_avx.so" },
		   { "MPIDI_CH3_packetize", NULL },
		   { "compute_forces", "app" },
		   { "progress", NULL },
		   { NULL, NULL } };

	for (size_t i = 0; i < COUNT_OF(yes); i++)
		ck_assert_msg(runtime_is_messaging(yes[i].function, yes[i].file), "%zu", i);
	for (size_t i = 0; i < COUNT_OF(no); i++)
		ck_assert_msg(!runtime_is_messaging(no[i].function, no[i].file), "%zu", i);
}
END_TEST

/* The clones of values may allocate blocks inside clone_from_impl(). */
START_TEST(functions_that_make_tables_in_rust)
{
	static const char *const yes[] = {
		"hashbrown::raw::RawTable<T,A>::reserve_rehash",
		"hashbrown::raw::RawTable<(u64, fn(u8) -> u8)>::new_uninitialized",
		"hashbrown::raw::RawTable<(u64, u32)>::resize<f::{closure}>",
	};
	static const char *const no[] = {
		"hashbrown::raw::RawTable<(u64, String)>::clone_from_impl",
		"hashbrown::raw::RawTable<T,A>::reserve_rehash::{{closure}}",
		"<hashbrown::raw::RawTable<T,A> as core::clone::Clone>::clone",
		"hashbrown::raw::RawTable<T,A>::insert",
		"hashbrown::raw::RawTable<T",
		"app::RawTable<T>::resize",
	};

	for (size_t i = 0; i < COUNT_OF(yes); i++)
		ck_assert_msg(rust_makes_table(yes[i]), "%s", yes[i]);
	for (size_t i = 0; i < COUNT_OF(no); i++)
		ck_assert_msg(!rust_makes_table(no[i]), "%s", no[i]);
}
END_TEST

START_TEST(functions_that_allocate)
{
	static const char *const yes[] = {
		"malloc",
		"__GI___libc_malloc",
		"__libc_calloc",
		"cfree",
		"_int_free",
		"_int_free.part.0",
		"tcache_put",
		"malloc@plt",
		"operator new",
		"operator new[](unsigned long)",
		"operator delete(void*)@plt",
		"je_arena_malloc_hard",
		"tc_new",
	};
	static const char *const no[] = {
		"main",      "free_tree",          "Pool::operator new(unsigned long)",
		"mallocate", "malloc_usable_size", "__malloc_usable_size",
		"memset",    "int_free",           "tcache",
	};

	for (size_t i = 0; i < COUNT_OF(yes); i++)
		ck_assert_msg(runtime_is_allocation(yes[i], "app"), "%s", yes[i]);
	for (size_t i = 0; i < COUNT_OF(no); i++)
		ck_assert_msg(!runtime_is_allocation(no[i], "libc.so.6"), "%s", no[i]);
	ck_assert(runtime_is_allocation(NULL, "libjemalloc.so.2"));
	ck_assert(!runtime_is_allocation(NULL, "libc.so.6") && !runtime_is_allocation(NULL, NULL));
}
END_TEST

START_TEST(headers_of_libraries)
{
	static const char *const yes[] = {
		"/usr/include/c++/12/bits/atomic_base.h",
		"/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h",
		"/opt/gcc-13/include/c++/13/vector",
		"/home/me/llvm/lib/clang/18/include/immintrin.h",
		"/rustc/90b35a6/library/core/src/iter/range.rs",
		"/rust/deps/hashbrown-0.16.1/src/map.rs",
		"/home/me/.cargo/registry/src/index-1/smallvec-1.13/src/lib.rs"
	};
	static const char *const no[] = { "/home/me/app/include/grid.h", "main.cc",
					  "/usr/src/app/a.c", "./include/c.h" };

	for (size_t i = 0; i < COUNT_OF(yes); i++)
		ck_assert_msg(runtime_is_header(yes[i]), "%s", yes[i]);
	for (size_t i = 0; i < COUNT_OF(no); i++)
		ck_assert_msg(!runtime_is_header(no[i]), "%s", no[i]);
	ck_assert(!runtime_is_header(NULL));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_allocator");
	TCase *tc = tcase_create("frames");

	tcase_add_loop_test(tc, allocators_are_skipped, 0, COUNT_OF(allocators));
	tcase_add_loop_test(tc, functions_of_programs_are_not, 0, COUNT_OF(programs));
	tcase_add_test(tc, rust_libraries_are_in_rust);
	tcase_add_test(tc, functions_that_make_tables_in_rust);
	tcase_add_test(tc, libc_serves_wherever_it_is);
	tcase_add_test(tc, libraries_that_serve);
	tcase_add_test(tc, libraries_of_mpi);
	tcase_add_test(tc, functions_of_mpi_that_wait);
	tcase_add_test(tc, functions_that_allocate);
	tcase_add_test(tc, headers_of_libraries);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
