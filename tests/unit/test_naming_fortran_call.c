/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which variable of the caller a Fortran procedure allocates. */
#include "naming/fortran.h"

#include "check_main.h"

#include <stdio.h>
#include <unistd.h>

#include "base/count.h"

static char path[] = "/tmp/memdb-test-fortran-XXXXXX.f90";

static void setup(void)
{
	int fd;

	strcpy(path + sizeof(path) - 11, "XXXXXX.f90");
	fd = mkstemps(path, 4);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void teardown(void)
{
	unlink(path);
}

static const struct row {
	const char *head; /* the head of the procedure that allocates `name` */
	const char *name, *function, *call, *in_caller;
} rows[] = {
	{ "subroutine init(g, n)", "g%u", "fields::init", "call init(levels(l)%g, n / l)",
	  "levels(l)%g%u" },
	{ "SUBROUTINE INIT(n, &\n    A)", "a", "init", "if (x) CALL Init(3, work)", "work" },
	{ "subroutine init(a)", "a", "init", "call init(a = work)", "work" },
	{ "subroutine init(n, a)", "a", "init", "call init(a=work, n=f(3, 2))", "work" },
	{ "subroutine init(a)", "a(k)%b", "init", "call init(t%parts(1, :))", "t%parts(k)%b" },
	{ "pure integer function init(g)", "g%u", "init", "n = 1 + init(grid)", "grid%u" },
	{ "subroutine blob_init(self, n)", "self%mass", "m::blob_init", "call x(2)%b%init(700)",
	  "x(2)%b%mass" },
	{ "subroutine blob_init(self, a)", "a", "m::blob_init", "call x%init(work)", "work" },
	{ "subroutine read_2d(n, a)", "a", "io::read_2d", "if (n > 0) call Read(f(3), images)",
	  "images" },
	{ "subroutine read_2d(n, a)", "a", "io::read_2d", "call read(3, a=images)", "images" },
	{ "subroutine init(f, n, a)", "a", "init", "call init('it''s a \"b.dat', 'c d', work)",
	  "work" },
	{ "subroutine init(f, n, a)", "a", "init", "call init(\"it's b.dat\", 'c', work)", "work" },
	/* The caller does not show the variable. */
	{ "subroutine read2d(a)", "a", "read2d", "call read(work)", "" },
	{ "subroutine read_2d(a)", "a", "read_2d", "x = read(work)", "" },
	{ "subroutine init(a)", "a", "init", "call init(work + 1)", "" },
	{ "subroutine init(a)", "a", "init", "call other(work)", "" },
	{ "subroutine init(a)", "a", "init", "call init", "" },
	{ "subroutine init(a)", "a", "init", "call init(", "" },
	{ "subroutine init(a)", "a", "init", "call x%", "" },
	/* The variable is not an argument. */
	{ "subroutine init(n, m)", "g%n", "init", "call init(a, b)", NULL },
	{ "subroutine init", "g", "init", "call init", NULL },
};

START_TEST(the_caller_names_the_variable)
{
	const struct row *r = &rows[_i];
	struct sources *s = sources_new();
	struct fortran_line inner = { s, path, 4, 0 }, outer = { s, path, 7, 0 };
	FILE *f = fopen(path, "w");
	char name[64];
	int argument;

	ck_assert_ptr_nonnull(f);
	fprintf(f, "%s\n%s  real :: x\n  x = 1\nend subroutine\nsubroutine f\n  %s\nend\n", r->head,
		strchr(r->head, '\n') ? "" : "\n", r->call);
	fclose(f);
	strcpy(name, r->name);
	argument = fortran_argument(&inner, name);
	ck_assert_msg((argument >= 0) == !!r->in_caller, "%s: %d", r->head, argument);
	if (r->in_caller)
		ck_assert_msg(fortran_in_caller(&outer, r->function, argument, name,
						sizeof(name)) == !!*r->in_caller,
			      "%s: %s", r->call, name);
	ck_assert_str_eq(name, r->in_caller && *r->in_caller ? r->in_caller : r->name);
	sources_free(s);
}
END_TEST

START_TEST(a_value_contains_its_target)
{
	static const char *const yes[] = { "v = v(ix)", "g%cells = g%cells(size(g%cells):1:-1)",
					   "if (n == 1) W(1:n) = matmul(w, b)",
					   "a(i)%u(k) = b%u(ix)",
					   "v(merge(1, 2, mask=x)) = cshift(V, 1)" };
	static const char *const no[] = { "v = u(ix)",
					  "v(k) = u(k)",
					  "g%cells = cells2(g%n)",
					  "call f(v=v)",
					  "if (v == 1) x = v(1)",
					  "v =",
					  "= v",
					  "" };
	struct tokens ts;

	for (size_t i = 0; i < COUNT_OF(yes); i++) {
		tokens_read(&ts, yes[i]);
		ck_assert_msg(fortran_value_has_target(&ts), "%s", yes[i]);
	}
	for (size_t i = 0; i < COUNT_OF(no); i++) {
		tokens_read(&ts, no[i]);
		ck_assert_msg(!fortran_value_has_target(&ts), "%s", no[i]);
	}
}
END_TEST

/* The body of a procedure "f" that calls "make(a, n)", the line that debug information reports,
 * from 1, and the name of a in it; "" if that is not certain. */
static const struct {
	const char *body;
	uint32_t line;
	const char *name;
} reported[] = {
	{ "subroutine f\nreal :: x\nx = 1\ncall make(c, 3)\ncall make(d, 4)\nend\n", 2, "c" },
	{ "program f\nreal :: x\ncall make(s%u, 3)\nend\n", 1, "s%u" },
	{ "subroutine f\nx = 1\nif (x) call Make(c, &\n 3)\nend\n", 2, "c" },
	/* an earlier call in the procedure */
	{ "subroutine f\ncall make(b, 3)\nx = 1\ncall make(c, 3)\nend\n", 3, "" },
	/* the reported statement makes another call */
	{ "subroutine f\ncall other(b)\ncall make(c, 3)\nend\n", 2, "" },
	/* the call is in another procedure */
	{ "subroutine f\nx = 1\nend\nsubroutine g\ncall make(c, 3)\nend\n", 2, "" },
	{ "subroutine f\nx = 1\ncall make_all(c, 3)\nend\n", 2, "" },
};

START_TEST(the_reported_line_is_before_the_first_call)
{
	struct sources *s = sources_new();
	struct fortran_line l = { s, path, reported[_i].line, 0 };
	FILE *f = fopen(path, "w");
	char name[64] = "y";

	ck_assert_ptr_nonnull(f);
	fputs(reported[_i].body, f);
	fclose(f);
	ck_assert_int_eq(fortran_in_caller(&l, "work::make", 0, name, sizeof(name)),
			 !!*reported[_i].name);
	ck_assert_str_eq(name, *reported[_i].name ? reported[_i].name : "y");
	sources_free(s);
}
END_TEST

START_TEST(move_alloc_gives_the_name)
{
	struct sources *s = sources_new();
	struct fortran_line l = { s, path, 2, 0 };
	FILE *f = fopen(path, "w");
	char name[64] = "tmp", other[64] = "other", small[4] = "tmp";

	ck_assert_ptr_nonnull(f);
	fputs("subroutine f(a)\n  allocate(tmp(n), other(n))\n  if (x) then\n"
	      "    call move_alloc(tmp, to=a%list)\n  end if\nend subroutine\n"
	      "subroutine g\n  call move_alloc(other, b)\nend subroutine\n",
	      f);
	fclose(f);
	fortran_moved(&l, name, sizeof(name));
	ck_assert_str_eq(name, "a%list");
	fortran_moved(&l, other, sizeof(other)); /* the procedure ends before */
	ck_assert_str_eq(other, "other");
	fortran_moved(&l, small, sizeof(small)); /* does not fit */
	ck_assert_str_eq(small, "tmp");
	sources_free(s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_fortran_call");
	TCase *tc = tcase_create("fortran_call");

	tcase_add_test(tc, a_value_contains_its_target);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, the_caller_names_the_variable, 0, COUNT_OF(rows));
	tcase_add_loop_test(tc, the_reported_line_is_before_the_first_call, 0, COUNT_OF(reported));
	tcase_add_test(tc, move_alloc_gives_the_name);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
