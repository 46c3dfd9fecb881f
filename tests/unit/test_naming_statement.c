/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which variable names are found in the statement at a line and column, in C and Fortran. */
#include "naming/source.h"

#include "check_main.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"

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
	const char *name; /* the variable name that must be found there, "" if there is none */
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
	struct sources *s = sources_new();
	char name[64] = "";
	bool found = assigned_at(s, path, rows[_i].line, rows[_i].column, 0, name, sizeof(name));

	ck_assert_msg(!strcmp(name, rows[_i].name), "line %u column %u: '%s', not '%s'",
		      rows[_i].line, rows[_i].column, name, rows[_i].name);
	ck_assert_int_eq(found, rows[_i].name[0] != 0);
	sources_free(s);
}
END_TEST

static const char free_form[] =
	"program p\n"
	"  allocate(a(n), & ! the first, of (two\n"
	"           & b(n, '!&'), &\n"
	"     c(n))\n"
	"  x = 1; allocate(d(n)); if (y) ALLOCATE(e(n), f(n), stat=i) ! ; allocate(g(n))\n"
	"  h = k(n); m = 2\n"
	"  deallocate(a, b)\n"
	"  print *, 'allocate(z(n))'\n"
	"  allocate(last(n), &\n";
/* arrays whose bounds are known only at run time */
static const char declarations[] = "  real(8) :: s, work(n), fixed(3), tmp(2, m + 1)\n"
				   "  real(kind=8), dimension(n) :: left, right, small(4)\n"
				   "  type(cell) :: cells(size(work))\n"
				   "  real(8), allocatable :: grid(:, :)\n"
				   "  integer :: i, j\n";
/* variables that the caller passes are not automatic arrays */
static const char arguments[] = "  subroutine work(a, n, &\n"
				"                  S) bind(c)\n"
				"  interface\n"
				"    real function g(w)\n"
				"    end function g\n"
				"  end interface\n"
				"  real(8) :: a(n), w(n), s(n), c(n)\n"
				"  real(8) :: p(2) = (/1d0,2d0/), k = 3, v(n)\n"
				"  real(8) :: s(n)\n"
				"  end subroutine\n"
				"  function f(n) result(r)\n"
				"  real(8) :: r(n), a(n)\n";
static const char fixed_form[] = "      program p\n"
				 "      allocate(a(n),\n"
				 "     1         b(n))\n"
				 "      allocate(c(n))\n"
				 "     0x = k(n)\n"
				 "      double precision work(n), tmp(5, m/2)\n"
				 "      real*8 vec(n)\n"
				 "      complex*16 plane(nx, ny), z\n"
				 "      real factor\n";

static const struct {
	const char *ending, *text;
	uint32_t line;
	const char *name;
} fortran[] = {
	{ ".f90", free_form, 1, "" },
	{ ".F90", free_form, 2, "a|b|c" },
	{ ".f90", free_form, 3, "a|b|c" },
	{ ".f90", free_form, 4, "a|b|c" },
	{ ".f90", free_form, 5, "d|e|f" },
	{ ".f90", free_form, 6, "h" },
	{ ".f90", free_form, 7, "" },
	{ ".f90", free_form, 8, "" },
	{ ".f90", free_form, 9, "last" },
	{ ".f90", free_form, 99, "" },
	{ ".f90", declarations, 1, "work|tmp" },
	{ ".f90", declarations, 2, "left|right" },
	{ ".f90", declarations, 3, "cells" },
	{ ".f90", declarations, 4, "" },
	{ ".f90", declarations, 5, "" },
	{ ".f90", arguments, 7, "w|c" },
	{ ".f90", arguments, 8, "v" },
	{ ".f90", arguments, 9, "" },
	{ ".f90", arguments, 12, "a" },
	{ ".f", fixed_form, 6, "work|tmp" },
	{ ".f", fixed_form, 7, "vec" },
	{ ".f", fixed_form, 8, "plane" },
	{ ".f", fixed_form, 9, "" },
	{ ".f", fixed_form, 2, "a|b" },
	{ ".F", fixed_form, 3, "a|b" },
	{ ".for", fixed_form, 4, "c" },
	{ ".f", fixed_form, 5, "x" },
};

START_TEST(a_statement_of_fortran_may_have_several_lines_and_objects)
{
	struct sources *s = sources_new();
	char file[64], name[64] = "";
	FILE *f;

	snprintf(file, sizeof(file), "%s%s", path, fortran[_i].ending);
	f = fopen(file, "w");
	ck_assert_ptr_nonnull(f);
	fputs(fortran[_i].text, f);
	fclose(f);
	assigned_at(s, file, fortran[_i].line, 18, 0, name, sizeof(name));
	unlink(file);
	ck_assert_msg(!strcmp(name, fortran[_i].name), "line %u: '%s', not '%s'", fortran[_i].line,
		      name, fortran[_i].name);
	sources_free(s);
}
END_TEST

START_TEST(names_of_fortran_that_do_not_fit_are_none)
{
	struct sources *s = sources_new();
	char file[64], name[64];
	FILE *f;

	snprintf(file, sizeof(file), "%s.f90", path);
	f = fopen(file, "w");
	ck_assert_ptr_nonnull(f);
	fputs(free_form, f);
	fclose(f);
	for (size_t size = 1; size <= 5; size++) {
		ck_assert(!assigned_at(s, file, 5, 0, 0, name, size));
		ck_assert_str_eq(name, "");
	}
	ck_assert(assigned_at(s, file, 5, 0, 0, name, 6));
	ck_assert_str_eq(name, "d|e|f");
	unlink(file);
	sources_free(s);
}
END_TEST

START_TEST(a_source_newer_than_the_program_is_not_believed)
{
	struct sources *s = sources_new();
	char name[64] = "";

	ck_assert(!assigned_at(s, path, 3, 4, time(NULL) - 1000, name, sizeof(name)));
	ck_assert_str_eq(name, "");
	sources_free(s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_statement");
	TCase *t = tcase_create("naming_statement");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_loop_test(t, the_statement_at_a_column_names, 0, COUNT_OF(rows));
	tcase_add_loop_test(t, a_statement_of_fortran_may_have_several_lines_and_objects, 0,
			    COUNT_OF(fortran));
	tcase_add_test(t, names_of_fortran_that_do_not_fit_are_none);
	tcase_add_test(t, a_source_newer_than_the_program_is_not_believed);
	suite_add_tcase(s, t);
	return run_suite(s);
}
