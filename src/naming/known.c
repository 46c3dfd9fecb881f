/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists the functions that allocate memory or pass an allocation on. A frame of such a function
 * never names an object, because only its caller knows the purpose of the memory. */
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "base/prefix.h"
#include "base/runtime.h"
#include "naming/function.h"
#include "naming/naming.h"
#include "naming/rust.h"

/* Functions besides those of runtime_allocates(), by their complete names without parameters. */
static const char *const functions[] = {
	"mmap",           "mmap64",
	"mremap",         "brk",
	"sbrk",           "shmat",
	"strdup",         "strndup",
	"wcsdup",         "asprintf",
	"vasprintf",      "getline",
	"getdelim",       "realpath",
	"_Znwm",          "_Znam",
	"_Znwj",          "_Znaj",
	"reallocf",       "getcwd",
	"fopen",          "fopen64",
	"fdopen",         "opendir",
	"open_memstream", "_IO_file_doallocate",
	"_IO_doallocbuf",
};

/* Functions whose names begin with one of these only pass allocations on. Libraries of C++
 * templates are among them, because programs often have a copy in a folder of their own. Where
 * programs have namespaces of the same name, only the library's classes are here. */
static const char *const prefixes[] = {
	"std::",
	"__gnu_cxx::",
	"__gnu_parallel::",
	"Eigen::",
	"Kokkos::",
	"absl::",
	"ankerl::unordered_dense",
	"arma::",
	"boost::",
	"eastl::",
	"folly::",
	"gtl::btree_",
	"gtl::flat_hash_",
	"gtl::node_hash_",
	"gtl::parallel_",
	"gtl::priv::",
	"nlohmann::",
	"phmap::",
	"robin_hood::",
	"ska::bytell_hash_",
	"ska::detailv",
	"ska::flat_hash_",
	"spp::libc_allocator",
	"spp::sparse_hash",
	"spp::sparsegroup",
	"spp::sparsetable",
	"spp::spp_allocator",
	"tbb::",
	"thrust::",
	"tsl::array_",
	"tsl::bhopscotch_",
	"tsl::detail_array_hash",
	"tsl::detail_hopscotch_hash",
	"tsl::detail_htrie_hash",
	"tsl::detail_ordered_hash",
	"tsl::detail_robin_hash",
	"tsl::detail_sparse_hash",
	"tsl::hopscotch_",
	"tsl::htrie_",
	"tsl::ordered_",
	"tsl::robin_",
	"tsl::sparse_",
	"__libc_",
	"__GI_",
	"tcache_",
	"__posix_memalign",
	"__strdup",
	"__strndup",
	"_IO_vasprintf",
	"__vasprintf",
	"__asprintf",
	"__mmap",
	"alloc_perturb",
	"g_malloc",
	"g_try_malloc",
	"g_realloc",
	"g_try_realloc",
	"g_slice_alloc",
	"g_strdup",
	"g_strndup",
	"g_new",
	"PyMem_",
	"PyObject_Malloc",
	"PyObject_Calloc",
	"PyObject_Realloc",
	"_PyMem_",
	"_PyObject_Malloc",
	"_PyObject_Calloc",
	"_PyObject_Realloc",
	"_PyObject_GC_",
	"_PyObject_New",
	"PyType_GenericAlloc",
	"pymalloc_",
	"new_arena",
	"_gfortran_",
	"_gfortrani_",
	"<alloc::",
	"<core::",
	"<hashbrown::",
	"<std::",
	"_mm_malloc",
	"numa_alloc",
	"rte_malloc",
	"rte_calloc",
	"rte_zmalloc",
	"hwloc_alloc",
	"memkind_",
	"hbw_",
	"cudaMalloc",
	"cudaHostAlloc",
	"omp_alloc",
	"omp_aligned_alloc",
	"kmp_malloc",
	"__kmp_alloc",
	"__kmpc_alloc",
	"GOMP_alloc",
	"MPI_Alloc_mem",
	"PMPI_Alloc_mem",
	"av_malloc",
	"av_calloc",
	"av_realloc",
	"apr_palloc",
	"talloc_",
	"_talloc_",
	"obstack_",
	"_obstack_",
};

/* Prefixes that count only in Rust programs. In other languages, a program may have namespaces and
 * modules of these names. */
static const char *const rust_prefixes[] = { "alloc::", "core::", "hashbrown::" };

/* Programs often have wrappers of malloc() and similar functions. The name of such a wrapper
 * consists of one of these heads and one of these tails: xmalloc, my_calloc, safe_realloc, … */
static const char *const wrapper_heads[] = { "x",        "e",   "my_",   "my",
					     "safe_",    "s_",  "do_",   "wrap_",
					     "checked_", "ck_", "must_", "or_die_",
					     "ggc_",     "c_",  "util_", "z",
					     "_",        "__",  "___",   "__interceptor_" };
static const char *const wrapper_tails[] = { "malloc",  "calloc",       "realloc",      "strdup",
					     "strndup", "zalloc",       "reallocarray", "memalign",
					     "memdup",  "aligned_alloc" };

static bool is_wrapper(const char *s, size_t n)
{
	for (size_t i = 0; i < COUNT_OF(wrapper_heads); i++) {
		size_t head = strlen(wrapper_heads[i]);

		if (head < n && memcmp(s, wrapper_heads[i], head) == 0 &&
		    equals_any(s + head, n - head, wrapper_tails, COUNT_OF(wrapper_tails)))
			return true;
	}
	return false;
}

/* Does the function belong to a Rust program? If the source file is unknown, the function's name
 * decides. A C++ name has parameters. A Fortran procedure has a name with one "::", such as
 * "core::gather", but Rust's own functions are in a module of their library:
 * "core::iter::from_fn". */
static bool is_rust_function(const char *s, const char *file)
{
	const char *scope = strstr(s, "::");

	if (file)
		return is_rust(file);
	return !has_parameters(s) && scope && strstr(scope + 2, "::");
}

bool is_allocator_frame(const char *pretty_function, const char *file)
{
	const char *s;
	size_t n;

	if (!pretty_function)
		return false;
	s = skip_return_type(pretty_function);
	n = strcspn(s, "(@");
	if (runtime_allocates(s, n) || equals_any(s, n, functions, COUNT_OF(functions)) ||
	    is_wrapper(s, n))
		return true;
	if (begins_with_any(s, prefixes, COUNT_OF(prefixes)))
		return true;
	return begins_with_any(s, rust_prefixes, COUNT_OF(rust_prefixes)) &&
	       is_rust_function(s, file);
}

bool is_runtime(const struct dso *d)
{
	return d->is_tracker || d->kind == DSO_VDSO || runtime_is_library(d->short_name);
}

bool is_service_frame(const struct dso *d, const char *function, const char *file)
{
	return is_runtime(d) || is_allocator_frame(function, file) ||
	       (function && runtime_is_function(function));
}

bool keeps_own_blocks(const struct dso *d, const char *function)
{
	if (function && (!strncmp(function, "omp_", 4) || !strncmp(function, "GOMP_alloc", 10)))
		return false;
	return runtime_is_openmp(d->short_name);
}

const char *scratch_of(const char *function)
{
	static const char *const sorts[] = { "qsort", "qsort_r" }; /* also as __GI___qsort_r */

	if (equals_any(function + strspn(function, "_GI"),
		       strlen(function) - strspn(function, "_GI"), sorts, COUNT_OF(sorts)))
		return "qsort";
	if (!strncmp(skip_return_type(function), "__gnu_parallel::", 16))
		return "libstdc++ parallel mode";
	return strstr(function, "std::_Temporary_buffer<") ||
			       strstr(function, "std::get_temporary_buffer<")
		       ? "std::get_temporary_buffer"
		       : NULL;
}

const char *container_part(const char *function)
{
	static const struct {
		const char *function, *part;
	} parts[] = {
		{ "_M_allocate_buckets", " (buckets)" }, { "_Hash_node_base*", " (buckets)" },
		{ "_Hash_node<", " (nodes)" },           { "_M_allocate_map", " (map)" },
		{ "_M_reallocate_map", " (map)" },       { "_M_initialize_map", " (blocks)" },
		{ "_M_create_nodes", " (blocks)" },      { "_Deque_base", " (blocks)" },
		{ "_M_push_back_aux", " (blocks)" },     { "_M_push_front_aux", " (blocks)" },
	};

	for (size_t i = 0; i < COUNT_OF(parts); i++)
		if (strstr(function, parts[i].function))
			return parts[i].part;
	return "";
}

bool constructs_element(bool *constructs, const char *function)
{
	static const char *const builders[] = { "::construct<", "std::_Construct<",
						"std::construct_at<" };
	static const char *const containers[] = { "std::vector<",      "std::deque<",
						  "std::_Hashtable<",  "std::_Rb_tree<",
						  "std::list<",        "std::__cxx11::list<",
						  "std::forward_list<" };

	for (size_t i = 0; i < COUNT_OF(builders); i++)
		*constructs |= strstr(function, builders[i]) != NULL;
	if (!*constructs ||
	    !begins_with_any(skip_return_type(function), containers, COUNT_OF(containers)))
		return false;
	*constructs = false;
	return true;
}

bool is_python_arenas(const struct dso *d, const struct object *x)
{
	const uint64_t bytes = x->blocks ? x->total_bytes / x->blocks : 0;
	const char *name = d->short_name;

	if (x->kind != OBJECT_MAPPING || bytes * x->blocks != x->total_bytes)
		return false;
	if (!strncmp(name, "lib", 3))
		name += 3;
	return (bytes == 1 << 18 || bytes == 1 << 20) && !strncmp(name, "python", 6) &&
	       (name[6] == '2' || name[6] == '3');
}
