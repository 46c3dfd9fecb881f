/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/runtime.h"

#include <stddef.h>
#include <string.h>

#include "base/count.h"
#include "base/prefix.h"
#include "track_format.h"

bool runtime_is_allocator(const char *file)
{
	static const char *const names[] = { "libjemalloc",  "libtcmalloc", "libmimalloc",
					     "libtbbmalloc", "librpmalloc", "libsnmalloc" };

	return begins_with_any(file, names, COUNT_OF(names));
}

bool runtime_is_openmp(const char *file)
{
	static const char *const names[] = { "libgomp.", "libgomp-", "libomp.", "libomp5.",
					     "libiomp5." };

	return begins_with_any(file, names, COUNT_OF(names));
}

/* Does the name have ".so" at its end or before its version? */
static bool is_shared(const char *file)
{
	const char *so = strstr(file, ".so");

	return so && (!so[3] || so[3] == '.');
}

bool runtime_is_mpi(const char *file)
{
	static const char *const names[] = {
		"libmpi.",       "libmpi_cxx.",  "libmpi_mpifh.", "libmpi_usempi", "libmpi_cray",
		"libmpi_gnu_",   "libmpi_intel", "libmpi_amd",    "libmpi_nvidia", "libmpi_ibm",
		"libmpich",      "libmpifort",   "libmpicxx",     "libopen-pal",   "libopen-rte",
		"mca_",          "libmpc_mpi",   "libucp.",       "libuct.",       "libuct_",
		"libucs.",       "libucs_",      "libucm.",       "libucc.",       "libucc_",
		"libhcoll.",     "libsharp.",    "libsharp_coll", "libfabric.",    "libpsm2.",
		"libpsm_infini", "libcxi.",      "libugni.",      "libdmapp.",     "libxpmem.",
		"libibverbs.",   "librdmacm.",   "libmlx4.",      "libmlx4-rdmav", "libmlx5.",
		"libmlx5-rdmav", "libefa-rdmav", "libhns-rdmav",  "libirdma-rdma", "libpmix.",
		"libpmi.",       "libpmi2.",     "libpmi_cray",   "libmv2",
	};
	const size_t bytes = strlen(file);

	/* the last condition recognizes the plug-ins of libfabric: libtcp-fi.so, ... */
	return is_shared(file) &&
	       (begins_with_any(file, names, COUNT_OF(names)) ||
		(bytes > 9 && !strncmp(file, "lib", 3) && !strcmp(file + bytes - 6, "-fi.so")));
}

bool runtime_is_messaging(const char *function, const char *file)
{
	/* parts of the names of functions that work on data and do not wait */
	static const char *const working[] = {
		"pack",      "convertor", "copy",      "cpy",       "educe_local", "_op_",
		"_m2m",      "MPIR_SUM",  "MPIR_PROD", "MPIR_MAX",  "MPIR_MIN",    "MPIR_LAND",
		"MPIR_BAND", "MPIR_LOR",  "MPIR_BOR",  "MPIR_LXOR", "MPIR_BXOR",   "Segment_manip",
	};
	/* beginnings of functions' names that show that the program itself contains an MPI library
	 */
	static const char *const linked[] = { "opal_progress", "mca_btl_",       "mca_pml_",
					      "ompi_request_", "MPIDI_",         "MPID_Progress",
					      "ucp_worker_pr", "uct_iface_prog", "uct_mm_iface_" };
	const bool in_library = file && runtime_is_mpi(file);

	if (!in_library && !(function && begins_with_any(function, linked, COUNT_OF(linked))))
		return false;
	for (size_t i = 0; function && i < COUNT_OF(working); i++)
		if (strstr(function, working[i]))
			return false;
	return !in_library || strncmp(file, "mca_op_", 7) != 0;
}

bool runtime_is_loader(const char *file)
{
	static const char *const names[] = { TRACK_LOADERS };

	return begins_with_any(file, names, COUNT_OF(names));
}

bool runtime_is_libc(const char *file)
{
	static const char *const names[] = { "libc.so", "libc-2." };

	return begins_with_any(file, names, COUNT_OF(names));
}

bool runtime_is_library(const char *file)
{
	static const char *const names[] = {
		"libpthread", "libm.so",     "libm-",        "libmvec",    "libdl.so",
		"libdl-",     "librt.so",    "librt-",       "libgcc_s.",  "libstdc++",
		"libc++",     "libgfortran", "libquadmath.", "libflang",   "libstd-",
		"libasan.",   "libtsan.",    "libubsan.",    "liblsan.so",
	};

	return begins_with_any(file, names, COUNT_OF(names)) || runtime_is_libc(file) ||
	       runtime_is_loader(file) || runtime_is_allocator(file) || runtime_is_openmp(file);
}

/* Is this a source file of Rust's own libraries? Generic functions of these libraries are compiled
 * as a part of the program, but debug information names the library's file for them. path may be
 * NULL. */
static bool is_rust(const char *path)
{
	static const char *const folders[] = { "/rustc/", "/rust/deps/" };

	return path &&
	       (begins_with_any(path, folders, COUNT_OF(folders)) || strstr(path, "/lib/rustlib/"));
}

/* Is the file in a folder of a compiler's headers, or of Rust packages that cargo fetched?
 * Compilers outside /usr have such folders, too. */
static bool is_in_package(const char *path)
{
	static const char *const folders[] = { "/include/c++/", "/lib/gcc/",
					       "/lib64/gcc/",   "/lib/clang/",
					       "/lib64/clang/", "/.cargo/registry/src/" };

	for (size_t i = 0; i < COUNT_OF(folders); i++)
		if (strstr(path, folders[i]))
			return true;
	return false;
}

bool runtime_is_header(const char *path)
{
	static const char *const folders[] = { "/usr/include/", "/usr/local/include/",
					       "/usr/lib/" };

	return path && (begins_with_any(path, folders, COUNT_OF(folders)) || is_in_package(path) ||
			is_rust(path));
}

/* Returns the name of a libc function without the prefixes that libc's internal names have, such as
 * "__" and "__GI_". */
static const char *plain_name(const char *function)
{
	function += strspn(function, "_");
	return strncmp(function, "GI_", 3) ? function : function + 3 + strspn(function + 3, "_");
}

/* Is this a version of a libc function for certain CPUs, such as memset_avx2_unaligned_erms? */
static bool is_version(const char *name)
{
	static const char *const heads[] = { "mem", "str",    "stp",  "wmem", "wcs",
					     "wcp", "rawmem", "bcmp", "bzero" };
	static const char *const cpus[] = { "_sse",   "_ssse", "_avx",     "_evex", "_erms",
					    "_asimd", "_sve",  "_generic", "_mops", "_falkor" };

	if (!begins_with_any(name, heads, COUNT_OF(heads)))
		return false;
	for (size_t i = 0; i < COUNT_OF(cpus); i++)
		if (strstr(name, cpus[i]))
			return true;
	return false;
}

/* Functions that allocate heap memory, by their complete names: those of libc. */
static const char *const allocating[] = {
	"malloc",        "calloc",         "realloc", "reallocarray", "memalign",
	"aligned_alloc", "posix_memalign", "valloc",  "pvalloc",
};

/* The names of other functions that allocate heap memory begin with these words: inner functions of
 * libc's malloc, … */
static const char *const allocating_inside[] = {
	"_int_malloc", "_int_realloc", "_int_memalign", "_mid_memalign", "sysmalloc",
};

/* … and functions of languages and of well-known allocators. */
static const char *const allocating_others[] = {
	"operator new", "je_malloc",   "je_calloc",  "je_realloc",     "mi_malloc",
	"mi_calloc",    "mi_realloc",  "mi_zalloc",  "mi_new",         "mi_heap_",
	"tc_malloc",    "tc_calloc",   "tc_realloc", "tc_new",         "scalable_",
	"__rust_alloc", "__rdl_alloc", "__rg_alloc", "__rust_realloc", "__rdl_realloc",
	"__rg_realloc",
};

/* Likewise for functions that free memory or manage it. */
static const char *const freeing[] = { "free", "cfree", "operator delete" };
static const char *const freeing_inside[] = {
	"_int_free",     "malloc_conso", "unlink_chunk", "systrim",       "heap_trim",
	"ptmalloc_init", "tcache_get",   "tcache_put",   "tcache_init",   "tcache_double",
	"mmap_chunk",    "munmap_chunk", "arena_get",    "checked_reque", "tcache_next",
};
static const char *const freeing_others[] = {
	"je_free",    "je_arena_",      "je_tcache_",    "je_large_",    "je_sdallocx",
	"tcmalloc::", "tc_free",        "tc_delete",     "mi_free",      "_mi_",
	"rml::",      "__rust_dealloc", "__rdl_dealloc", "__rg_dealloc",
};

#define BEGINS(name, list) begins_with_any(name, list, COUNT_OF(list))

/* Is this an inner function of libc's malloc? */
static bool is_inside_malloc(const char *name)
{
	return BEGINS(name, allocating_inside) || BEGINS(name, freeing_inside);
}

bool runtime_allocates(const char *name, size_t len)
{
	return equals_any(name, len, allocating, COUNT_OF(allocating)) ||
	       BEGINS(name, allocating_inside) || BEGINS(name, allocating_others);
}

bool runtime_is_allocation(const char *function, const char *file)
{
	const char *name;
	size_t len;

	if (file && runtime_is_allocator(file))
		return true;
	if (!function)
		return false;
	name = plain_name(function);
	name += strncmp(name, "libc_", 5) ? 0 : 5;
	len = strcspn(name, "[(@.");
	return equals_any(name, len, allocating, COUNT_OF(allocating)) ||
	       equals_any(name, len, freeing, COUNT_OF(freeing)) || is_inside_malloc(function) ||
	       BEGINS(function, allocating_others) || BEGINS(function, freeing_others);
}

bool runtime_is_function(const char *function)
{
	static const char *const names[] = {
		"memset", "memcpy",  "memmove", "mempcpy", "memcmp", "memchr",  "memrchr",
		"bzero",  "bcopy",   "strlen",  "strnlen", "strcpy", "strncpy", "stpcpy",
		"strcat", "strncat", "strcmp",  "strncmp", "strchr", "strrchr", "strstr",
		"qsort",  "qsort_r", "wmemset", "wmemcpy", "fread",  "fwrite",
	};
	static const char *const heads[] = {
		"_IO_",         "_dl_",           "__GI_",        "msort_with_tmp",
		"__libc_start", "__libc_setup_t", "__ctype_init",
	};
	const char *name = plain_name(function);

	return equals_any(name, strcspn(name, "@"), names, COUNT_OF(names)) ||
	       begins_with_any(function, heads, COUNT_OF(heads)) || is_inside_malloc(function) ||
	       (name != function && is_version(name));
}
