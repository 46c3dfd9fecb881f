/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which member of a returned object gets the block of a local variable. */
#include "naming/constructed.h"
#include "naming/source.h"

#include "check_main.h"

#include <stdio.h>
#include <unistd.h>

#include "base/count.h"

/* Constructors of a class, and the member that gets e in "return Graph(e, n);"; "" if that is not
 * certain. */
static const struct {
	const char *constructors, *text;
} rows[] = {
	{ "Graph(int *x, int n) : edges(x) {}", "Graph.edges" },
	{ "Graph(int *x, int n) { edges = x; }", "Graph.edges" },
	{ "Graph(int x, int n) { edges += x; }", "" },
	{ "Graph(int *x, int n) : edges(x) {} Graph(int *x) : all(x) {}", "Graph.edges" },
	/* which one is called depends on types */
	{ "Graph(int *x, int n) : edges(x) {} Graph(double *y, int n) : weights(y) {}", "" },
	{ "Graph(double *y, int n) : weights(y) {} Graph(int *x, int n) : edges(x) {}", "" },
	{ "Graph(int *x, int n) : edges(x) {} Graph(S &s, int n) {}", "" },
	{ "Graph(S &s, int n) {} Graph(int *x, int n) : edges(x) {}", "" },
	{ "Graph(int *x, int n) : edges(x) {} Graph(int *y, long n) : edges(y) {}", "Graph.edges" },
};

START_TEST(a_constructor_sets_a_member)
{
	char path[] = "/tmp/memdb-test-constructed-XXXXXX";
	const int fd = mkstemp(path);
	struct sources *sources = sources_new();
	struct statement st;
	struct holder h;
	struct holder_way way;
	FILE *f;

	ck_assert_int_ge(fd, 0);
	f = fdopen(fd, "w");
	ck_assert_ptr_nonnull(f);
	fprintf(f,
		"struct Graph { %s };\nGraph make(int n)\n{\nint *e = malloc(n);\n"
		"return Graph(e, n);\n}\n",
		rows[_i].constructors);
	fclose(f);
	ck_assert(statement_at(sources, path, 4, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	ck_assert_int_eq(constructed_at(&h, &st, "make", false, &way), !!*rows[_i].text);
	ck_assert_str_eq(h.text, *rows[_i].text ? rows[_i].text : "e");
	sources_free(sources);
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_constructed");
	TCase *t = tcase_create("naming_constructed");

	tcase_add_loop_test(t, a_constructor_sets_a_member, 0, COUNT_OF(rows));
	suite_add_tcase(s, t);
	return run_suite(s);
}
