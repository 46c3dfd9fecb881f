/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "symbol/symbol.h"

#include "check_main.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char source[] = "int main(void)\n"
			     "{\n"
			     "	a=malloc(n);b=malloc(n);c = malloc(n);\n"
			     "	double *p = malloc(n), *q = calloc(n, 8);\n"
			     "	double *grid =\n"
			     "		(double *)\n"
			     "		malloc(n * sizeof(double));\n"
			     "	x = \"; \\\" , {\"; text = strdup(\"a;b\");\n"
			     "	f(1, 2);\n"
			     "	malloc(3);\n"
			     "	if (x)\n"
			     "		y = malloc(2);\n"
			     "	z = choose(\n"
			     "		malloc(1), malloc(2));\n"
			     "}\n";

struct row {
	uint32_t line, column;
	const char *name; /* "": none */
};

static const struct row rows[] = {
	{ 3, 4, "a" },  { 3, 16, "b" },   { 3, 31, "c" },    { 3, 0, "a" }, { 4, 14, "p" },
	{ 4, 30, "q" }, { 7, 3, "grid" }, { 8, 28, "text" }, { 10, 2, "" }, { 12, 7, "y" },
	{ 14, 3, "z" }, { 99, 1, "" },    { 3, 4000, "" },   { 1, 1, "" },
};

static char path[] = "/tmp/memdb-test-statement-XXXXXX";

static void setup(void)
{
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, source, sizeof(source) - 1), sizeof(source) - 1);
	close(fd);
}

static void teardown(void)
{
	unlink(path);
}

START_TEST(the_statement_at_a_column_names)
{
	struct sym_sources *s = sym_sources_new();
	char name[64] = "";
	bool found =
		sym_assigned_at(s, path, rows[_i].line, rows[_i].column, 0, name, sizeof(name));

	ck_assert_msg(!strcmp(name, rows[_i].name), "line %u column %u: '%s', not '%s'",
		      rows[_i].line, rows[_i].column, name, rows[_i].name);
	ck_assert_int_eq(found, rows[_i].name[0] != 0);
	sym_sources_free(s);
}
END_TEST

START_TEST(a_source_newer_than_the_program_is_not_believed)
{
	struct sym_sources *s = sym_sources_new();
	char name[64] = "";

	ck_assert(!sym_assigned_at(s, path, 3, 4, time(NULL) - 1000, name, sizeof(name)));
	ck_assert_str_eq(name, "");
	sym_sources_free(s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("symbol_statement");
	TCase *t = tcase_create("symbol_statement");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, the_statement_at_a_column_names, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(t, a_source_newer_than_the_program_is_not_believed);
	suite_add_tcase(s, t);
	return run_suite(s);
}
