/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how files, locations and call paths of code get their ids, and how different builds of a
 * file with one path are distinguished. */
#include "model/code.h"

#include "check_main.h"

#include <stdio.h>

#include "base/count.h"

static struct code code;

static void setup(void)
{
	struct sym_options so = { 0 };

	ck_assert_int_eq(code_init(&code, &so, NULL), 0);
}

static void teardown(void)
{
	code_release(&code);
}

/* Returns the call path of these functions, outermost first. Each letter means one function; G is
 * in an OpenMP runtime. */
static uint32_t path_of(const char *calls)
{
	const uint32_t openmp = code_dso(&code, "/usr/lib/libgomp.so.1.0.0", NULL);
	uint32_t path = CALL_PATH_ROOT;

	for (; *calls; calls++)
		path = code_call_path(&code, path,
				      code_location(&code, *calls == 'G' ? openmp : 0,
						    (uint64_t)*calls),
				      CALL_USER);
	return path;
}

static const char *calls_of(uint32_t path)
{
	static char text[600];
	size_t n = sizeof(text) - 1;

	for (; path; path = code.call_paths.at[path - 1].parent) {
		uint32_t location = code.call_paths.at[path - 1].location;

		if (location)
			text[--n] = (char)code.locations.at[location - 1].offset;
	}
	return text + n;
}

static const char *fold(const char *calls)
{
	return calls_of(code_fold(&code, path_of(calls)));
}

START_TEST(recursion_is_folded)
{
	ck_assert_str_eq(fold("mbc"), "mbc");
	ck_assert_str_eq(fold("mbbbc"), "mbc");
	ck_assert_str_eq(fold("mababc"), "mabc");
	/* The second a is a recursive call. The frames between the first and the second a are
	 * removed, so the caller of c is a, not b. */
	ck_assert_str_eq(fold("mabac"), "mac");
	ck_assert_str_eq(fold("mabcbd"), "mabd");
	ck_assert_str_eq(fold("abcdabcdabce"), "abce");
	ck_assert_str_eq(fold(""), "");
	/* a parallel region in a parallel region, and a recursion of both */
	ck_assert_str_eq(fold("maGbcGd"), "maGbcGd");
	ck_assert_str_eq(fold("maGbGaGbGc"), "maGbGc");
	ck_assert_uint_eq(code_fold(&code, path_of("mbc")), path_of("mbc"));
	ck_assert_uint_eq(code_fold(&code, path_of("mbbc")), path_of("mbc"));
	ck_assert_uint_eq(code_fold(&code, 0), 0);
}
END_TEST

START_TEST(a_truncated_path_stays_one)
{
	uint32_t b = code_location(&code, 0, 'b'), path = CALL_PATH_TRUNCATED;

	for (int i = 0; i < 3; i++)
		path = code_call_path(&code, path, b, CALL_USER);
	path = code_fold(&code, path);
	ck_assert_uint_eq(code.call_paths.at[path - 1].parent, CALL_PATH_TRUNCATED);
}
END_TEST

START_TEST(deep_recursion_adds_no_paths)
{
	char calls[513] = "m";
	uint32_t n;

	for (size_t i = 1; i < sizeof(calls) - 1; i++)
		calls[i] = "ab"[i % 2];
	path_of(calls);
	n = code.call_paths.n;
	ck_assert_str_eq(fold(calls), "mb");
	ck_assert_uint_le(code.call_paths.n, n + 4);
}
END_TEST

static struct sym_build_id build(uint32_t n)
{
	struct sym_build_id id = { .size = 20 };

	memcpy(id.bytes, &n, sizeof(n));
	return id;
}

/* If no more call paths can be added, a new stack keeps its innermost frame and loses the outer
 * ones. */
START_TEST(too_many_paths_lose_their_outer_part)
{
	uint32_t path, at = CALL_PATH_ROOT, n;

	code.full_paths = 100;
	for (uint32_t i = 0; i < 120; i++)
		at = code_call_path(&code, at, code_location(&code, 0, i), CALL_USER);
	ck_assert_uint_ge(code.short_paths, 1);
	/* The innermost frame is in the path. Paths that were added before are still found. */
	ck_assert_uint_eq(code.call_paths.at[at - 1].location, code_location(&code, 0, 119));
	for (uint32_t i = 200; i < 400; i++)
		at = code_call_path(&code, at, code_location(&code, 0, i), CALL_USER);
	n = code.call_paths.n;
	ck_assert_uint_eq(n, 125);
	path = CALL_PATH_ROOT;
	for (uint32_t i = 0; i < 98; i++)
		path = code_call_path(&code, path, code_location(&code, 0, i), CALL_USER);
	ck_assert_uint_eq(code.call_paths.at[path - 1].depth, 98);
	ck_assert_uint_eq(code.call_paths.n, n);
}
END_TEST

START_TEST(builds_of_one_path_are_told_apart)
{
	const struct sym_build_id a = build(1), b = build(2), c = build(3);
	uint32_t first = code_dso(&code, "/a", NULL), second = code_dso(&code, "/a", &b), third;

	/* The file "/a" was known without a build-id, so the first build-id that is reported for
	 * "/a" becomes its own: code_dso() returns the same id. */
	ck_assert_uint_eq(second, first);
	second = code_dso(&code, "/a", &a);
	third = code_dso(&code, "/a", &c);
	ck_assert_uint_ne(second, first);
	ck_assert_uint_ne(third, first);
	ck_assert_uint_ne(third, second);
	ck_assert_uint_eq(code_dso(&code, "/a", NULL), first);
	ck_assert_uint_eq(code_dso(&code, "/a", &b), first);
	ck_assert_uint_eq(code_dso(&code, "/a", &a), second);
	ck_assert_uint_eq(code_dso(&code, "/a", &c), third);
	ck_assert_uint_gt(code_dso(&code, "/b", &a), third);
}
END_TEST

static const struct {
	const char *path;
	enum dso_kind kind;
} paths[] = {
	{ "/usr/bin/app", DSO_FILE },
	{ "/dev/shm/build/app", DSO_FILE },
	{ "/dev/zero", DSO_ANONYMOUS },
	{ "/dev/shmem", DSO_ANONYMOUS },
	{ "/memfd:x (deleted)", DSO_ANONYMOUS },
	{ "/SYSV00000000 (deleted)", DSO_ANONYMOUS },
	{ "//anon", DSO_ANONYMOUS },
	{ "[stack]", DSO_ANONYMOUS },
	{ "[vdso]", DSO_VDSO },
	{ "[kernel.kallsyms]_text", DSO_KERNEL },
	{ "/lib/modules/6.1/kernel/fs/x.ko.xz", DSO_MODULE },
	{ "/tmp/perf-12.map", DSO_JIT },
	{ "/tmp/perf-12.maps", DSO_FILE },
};

START_TEST(the_path_says_what_it_is)
{
	uint32_t id = code_dso(&code, paths[_i].path, NULL);

	ck_assert_int_eq(code.dsos.at[id - 1].kind, paths[_i].kind);
}
END_TEST

/* The time to find a build does not depend on the number of builds. A linear search would take
 * minutes here. */
START_TEST(a_path_has_any_number_of_builds)
{
	const uint32_t n = 300000;

	for (uint32_t i = 0; i < n; i++) {
		const struct sym_build_id id = build(i);

		ck_assert_uint_eq(code_dso(&code, "/a", &id), i + 1);
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct sym_build_id id = build(i);

		ck_assert_uint_eq(code_dso(&code, "/a", &id), i + 1);
	}
}
END_TEST

/* The file is opened before a record reports a build-id for its path. If the file has this
 * build-id, code_dso() returns the file's id. If not, the record means a different build of the
 * file, which gets a new id. */
START_TEST(a_build_id_that_comes_later)
{
	static const char own[] = "/proc/self/exe";
	uint32_t dso = code_dso(&code, own, NULL);
	struct sym_build_id id = sym_file_build_id(code_file(&code, dso));

	if (!id.size)
		return; /* nothing to test: this linker writes no build-id */
	id.bytes[0] ^= 1;
	ck_assert_uint_ne(code_dso(&code, own, &id), dso);
	id.bytes[0] ^= 1;
	ck_assert_uint_eq(code_dso(&code, own, &id), dso);
	ck_assert_uint_eq(code.dsos.at[dso - 1].build_id.size, id.size);
	ck_assert_uint_eq(code_dso(&code, own, NULL), dso);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("code");
	TCase *t = tcase_create("code");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, recursion_is_folded);
	tcase_add_test(t, a_truncated_path_stays_one);
	tcase_add_test(t, deep_recursion_adds_no_paths);
	tcase_add_loop_test(t, the_path_says_what_it_is, 0, COUNT_OF(paths));
	tcase_add_test(t, too_many_paths_lose_their_outer_part);
	tcase_add_test(t, builds_of_one_path_are_told_apart);
	tcase_add_test(t, a_path_has_any_number_of_builds);
	tcase_add_test(t, a_build_id_that_comes_later);
	suite_add_tcase(s, t);
	return run_suite(s);
}
