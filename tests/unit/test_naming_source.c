/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how lines of source files are read, and which files are not read. */
#include "naming/source.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_main.h"

static char path[] = "/tmp/memdb-test-source-XXXXXX";

static void make_file(void)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void remove_file(void)
{
	unlink(path);
	memcpy(path + strlen(path) - 6, "XXXXXX", 6);
}

static void write_file(const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(text, 1, len, f), len);
	fclose(f);
}

START_TEST(source_lines_are_given_by_number)
{
	static const char text[] = "first\n\n\tthird \r\nlast without newline";
	struct sources *s = sources_new();

	write_file(text, sizeof(text) - 1);
	ck_assert_str_eq(source_line(s, path, 1, 0), "first");
	ck_assert_str_eq(source_line(s, path, 2, 0), "");
	ck_assert_str_eq(source_line(s, path, 3, 0), "\tthird ");
	ck_assert_str_eq(source_line(s, path, 4, 0), "last without newline");
	ck_assert_ptr_null(source_line(s, path, 5, 0));
	ck_assert_ptr_null(source_line(s, path, 0, 0));
	ck_assert_ptr_null(source_line(s, path, UINT32_MAX, 0));
	sources_free(s);
	sources_free(NULL);
}
END_TEST

START_TEST(a_source_newer_than_the_program_is_not_shown)
{
	struct sources *s = sources_new();
	struct timespec times[2] = { { 1000, 0 }, { 1000, 0 } };

	write_file("x\n", 2);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	ck_assert_ptr_null(source_line(s, path, 1, 999));
	ck_assert_str_eq(source_line(s, path, 1, 1000), "x");
	sources_free(s);
}
END_TEST

START_TEST(what_is_no_source_has_no_lines)
{
	struct sources *s = sources_new();

	ck_assert_ptr_null(source_line(s, "/nonexistent", 1, 0));
	ck_assert_ptr_null(source_line(s, "/dev/zero", 1, 0));
	ck_assert_ptr_null(source_line(s, "/tmp", 1, 0));
	ck_assert_ptr_null(source_line(s, "", 1, 0));
	ck_assert_ptr_null(source_line(s, path, 1, 0)); /* the file is empty */
	ck_assert_int_eq(truncate(path, (16 << 20) + 1), 0);
	sources_free(s);
	s = sources_new();
	ck_assert_ptr_null(source_line(s, path, 1, 0)); /* the file is too large */
	for (int i = 0; i < 1000; i++) {
		char other[32];

		snprintf(other, sizeof(other), "/nonexistent/%d", i);
		ck_assert_ptr_null(source_line(s, other, 1, 0));
	}
	sources_free(s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_source");
	TCase *tc = tcase_create("source");

	tcase_add_checked_fixture(tc, make_file, remove_file);
	tcase_add_test(tc, source_lines_are_given_by_number);
	tcase_add_test(tc, a_source_newer_than_the_program_is_not_shown);
	tcase_add_test(tc, what_is_no_source_has_no_lines);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
