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

/* A statement in which the constructor of Graph stores a block in the member "edges", and what the
 * caller of the statement's function accesses; "" if the statement does not return the object. */
static const struct {
	const char *statement, *text;
	bool forwarded;
} returns[] = {
	{ "return Graph(n);", "Graph.edges", false },
	{ "return Graph{ n };", "Graph.edges", false },
	{ "return shapes::Graph(n);", "Graph.edges", false },
	{ "return new Graph(n);", "Graph->edges", false },
	{ "return new shapes::Graph(n);", "Graph->edges", false },
	{ "return std::make_unique<Graph>(n);", "Graph->edges", true },
	{ "return make_shared<shapes::Graph>(n);", "Graph->edges", true },
	{ "return Graph(n);", "", true }, /* a container copies an object */
	{ "return first(Graph(n));", "", false },
	{ "return Other(Graph(n));", "", false },
	{ "return n + Graph(n).size();", "", false },
	{ "return Graph(n).size();", "", false },
	{ "return Graph(n) + 1;", "", false },
	{ "return new Graph[n];", "", false },
	{ "return Graph<int, 3>(n);", "Graph.edges", false },
	{ "g = Graph(n);", "", false },
	{ "return std::vector<Graph>(n);", "", true },
};

START_TEST(a_function_returns_a_new_object)
{
	char path[] = "/tmp/memdb-test-constructed-XXXXXX";
	const int fd = mkstemp(path);
	struct sources *sources = sources_new();
	struct holder_way way = { .path = HOLDER_MEMBER,
				  .callee = method_of("shapes::Graph::Graph(int)"),
				  .forwarded = returns[_i].forwarded };
	struct statement st;
	struct holder h;
	FILE *f;

	ck_assert_int_ge(fd, 0);
	f = fdopen(fd, "w");
	ck_assert_ptr_nonnull(f);
	fprintf(f, "Graph make(int n)\n{\n%s\n}\n", returns[_i].statement);
	fclose(f);
	ck_assert(statement_at(sources, path, 3, 0, 0, &st));
	ck_assert(holder_of_variable(&h, "edges"));
	ck_assert_int_eq(returned_object(&h, &st, "make(int)", &way), !!*returns[_i].text);
	ck_assert_str_eq(h.text, *returns[_i].text ? returns[_i].text : "edges");
	ck_assert_int_eq(way.path, *returns[_i].text ? HOLDER_RETURNED : HOLDER_MEMBER);
	sources_free(sources);
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_constructed");
	TCase *t = tcase_create("naming_constructed");

	tcase_add_loop_test(t, a_constructor_sets_a_member, 0, COUNT_OF(rows));
	tcase_add_loop_test(t, a_function_returns_a_new_object, 0, COUNT_OF(returns));
	suite_add_tcase(s, t);
	return run_suite(s);
}
