/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first line of a script names the interpreter and at most one argument, as in execve(2). */
#include "record/script.h"

#include "check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_line(const char *line, const char *interpreter, const char *argument)
{
	char head[SCRIPT_HEAD + 1] = "";
	const char *rest, *name;

	snprintf(head, sizeof(head), "%s", line);
	name = script_interpreter(head, &rest);
	if (!interpreter) {
		ck_assert_ptr_null(name);
		return;
	}
	ck_assert_str_eq(name, interpreter);
	ck_assert_str_eq(rest, argument);
}

START_TEST(line_is_split_as_by_the_kernel)
{
	check_line("#!/bin/sh\necho a b\n", "/bin/sh", "");
	check_line("#! \t/bin/sh \t -e -u \t\nexit\n", "/bin/sh", "-e -u");
	check_line("#!/usr/bin/env python3", "/usr/bin/env", "python3");
	check_line("#!/bin/sh\r\n", "/bin/sh\r", "");
	check_line("#!  \nexit\n", "", "");
	check_line("#!", "", "");
	check_line("#", NULL, NULL);
	check_line("", NULL, NULL);
	check_line("\177ELF", NULL, NULL);
}
END_TEST

START_TEST(head_of_a_long_line_ends)
{
	char path[] = "/tmp/memdb-script-XXXXXX", head[SCRIPT_HEAD + 1];
	int fd = mkstemp(path);
	const char *argument;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, "#!", 2), 2);
	for (int i = 0; i < SCRIPT_HEAD; i++)
		ck_assert_int_eq(write(fd, "x", 1), 1);
	close(fd);
	ck_assert(script_read_head(path, head));
	ck_assert_uint_eq(strlen(script_interpreter(head, &argument)), SCRIPT_HEAD - 2);
	unlink(path);
	ck_assert(!script_read_head(path, head));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("script");
	TCase *t = tcase_create("script");

	tcase_add_test(t, line_is_split_as_by_the_kernel);
	tcase_add_test(t, head_of_a_long_line_ends);
	suite_add_tcase(s, t);
	return run_suite(s);
}
