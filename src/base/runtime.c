/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/runtime.h"

#include <stddef.h>
#include <string.h>

#include "base/count.h"

/* Does s begin with one of the words? The rest is not compared, because names of libraries end with
 * a version. */
static bool begins_with_any(const char *s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(s, words[i], strlen(words[i])))
			return true;
	return false;
}

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

bool runtime_is_library(const char *file)
{
	static const char *const names[] = {
		"libc.so",   "libc-",     "ld-linux", "ld-musl",     "libpthread",   "libm.so",
		"libm-",     "libmvec",   "libdl.so", "libdl-",      "librt.so",     "librt-",
		"libgcc_s.", "libstdc++", "libc++",   "libgfortran", "libquadmath.", "libflang",
		"libstd-",   "libasan.",  "libtsan.", "libubsan.",   "liblsan.so",
	};

	return begins_with_any(file, names, COUNT_OF(names)) || runtime_is_allocator(file) ||
	       runtime_is_openmp(file);
}

/* Returns the name of a libc function without the prefixes of libc's internal names, such as "__"
 * and "__GI_". */
static const char *plain_name(const char *function)
{
	function += strspn(function, "_");
	return strncmp(function, "GI_", 3) ? function : function + 3 + strspn(function + 3, "_");
}

/* Is it one of the versions of a libc function that are for certain CPUs, such as
 * memset_avx2_unaligned_erms? */
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

bool runtime_is_function(const char *function)
{
	static const char *const names[] = {
		"memset", "memcpy",  "memmove", "mempcpy", "memcmp", "memchr",  "memrchr",
		"bzero",  "bcopy",   "strlen",  "strnlen", "strcpy", "strncpy", "stpcpy",
		"strcat", "strncat", "strcmp",  "strncmp", "strchr", "strrchr", "strstr",
		"qsort",  "qsort_r", "wmemset", "wmemcpy", "fread",  "fwrite",
	};
	static const char *const heads[] = {
		"_IO_",       "_dl_",         "__GI_",        "msort_with_tmp", "sysmalloc",
		"_int_free",  "malloc_conso", "unlink_chunk", "systrim",        "ptmalloc_init",
		"mmap_chunk", "munmap_chunk", "__libc_start", "__libc_setup_t", "__ctype_init",
	};
	const char *name = plain_name(function);
	const size_t n = strcspn(name, "@");

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (strlen(names[i]) == n && !memcmp(name, names[i], n))
			return true;
	return begins_with_any(function, heads, COUNT_OF(heads)) ||
	       (name != function && is_version(name));
}
