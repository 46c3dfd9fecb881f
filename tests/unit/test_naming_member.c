/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which members of a class have a value in its definition that can be a new block. */
#include "naming/member.h"

#include "check_main.h"

#include <stdio.h>
#include <unistd.h>

#include "base/count.h"

static char path[] = "/tmp/memdb-test-member-XXXXXX";

/* Writes the text to a file, and returns its view. The caller frees *sources. */
static const struct view *view_of(const char *text, struct sources **sources)
{
	const struct view *v;
	int fd;
	FILE *f;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	f = fdopen(fd, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	*sources = sources_new();
	ck_assert_ptr_nonnull(*sources);
	v = source_view(*sources, path, 1, 0);
	ck_assert_ptr_nonnull(v);
	return v;
}

/* Returns the members of class C in the text, separated by "|"; "" if there are none. */
static const char *members_in(const char *text, size_t size)
{
	static char out[64];
	struct sources *sources;
	const struct view *v = view_of(text, &sources);

	if (!members_with_values(&(struct statement){ .view = v }, (struct word){ "C", 1 }, out,
				 size))
		*out = '\0';
	sources_free(sources);
	unlink(path);
	return out;
}

static const struct {
	const char *text;
	bool is_container;
} classes[] = {
	{ "template <class T> class C { T *p; T &operator[](int i) { return p[i]; } };", true },
	{ "template <class T> class C { V v; void f() { sort(v.begin(), v.end()); } };", false },
	{ "template <class T> class C { V v; int n = t.at(3); };", false },
	{ "template <class T, int n> struct C : B<T> { T *begin() const { return p; } };", true },
	{ "template <class T> struct C { T &operator()(int i, int j); T *p; };", true },
	{ "template <class T> struct C { T *x, *r; void solve(int n); bool operator==(C c); };",
	  false },
	{ "struct C { double *x; double &at(int i) { return x[i]; } };", false },
	{ "template <class T> struct D { T &at(int i); };", false },
};

START_TEST(a_template_with_access_to_elements_is_a_container)
{
	struct sources *sources;
	const struct view *v = view_of(classes[_i].text, &sources);

	ck_assert_msg(is_container_template(v, (struct word){ "C", 1 }) == classes[_i].is_container,
		      "%s", classes[_i].text);
	ck_assert(!is_container_template(v, (struct word){ "", 0 }));
	sources_free(sources);
	unlink(path);
}
END_TEST

static const struct {
	const char *text, *members;
} rows[] = {
	{ "struct C { T *a = new T[9]; int n = 1; V<int> b = V<int>(9); };", "a|b" },
	{ "class C : public B {\npublic:\n V b{ V(9) }; private: T *c = make(3); };", "b|c" },
	{ "struct C { V a; T *p = nullptr; std::atomic<int> n{ 0 }; bool on = is_on(1); };", "" },
	{ "struct C { int f() { return g(1); } V a = V(2); V h(int n = k(1)); V b{}; };", "a" },
	{ "struct C { C(int n) : x{ n }, y(n) { z = new T; } V a = V(2); };", "a" },
	{ "struct C { struct In { V x = V(1); } in; V a = V(2); };", "a" },
	{ "struct C { static V all = V(3); int w : 3; V a = V(2); };", "a" },
	{ "struct C;\nenum class C;\nstruct D { V a = V(2); };", "" },
	{ "struct C;\nstruct C { V a = V(2); };", "a" },
	{ "struct A { struct C { V a = V(2); }; };\nstruct C { V b = V(2); };", "" },
	{ "struct C final { V a = [](int n) { return V(n); }(9); V b = V(1); };", "a|b" },
	{ "struct C { P p{ nullptr }; V b{ false }; V n{ 3, k }; V w{ k }; V s{ \"a\" }; };",
	  "n|w" },
	{ "struct C { V a = V(2);", "" },
	{ "struct C { { } } ; V a = V(2); };", "" },
};

START_TEST(members_with_values_are_found)
{
	ck_assert_str_eq(members_in(rows[_i].text, 64), rows[_i].members);
}
END_TEST

/* The class below a "struct C { V a; V b = V(1); V c; V d = V(2); int n;", the column of a place in
 * its constructor, on line 2, whether a member that the list does not have may allocate there, and
 * the members that may. */
static const struct {
	const char *constructor;
	uint32_t column;
	bool is_unlisted;
	const char *members;
} lists[] = {
	{ "C(int k) : a(k)\n { } };", 15, true, "a|b|d" },
	{ "C(int k) : a(k)\n { } };", 12, false, "a|b|d" },
	{ "C(int k) : a(k), b(k)\n { } };", 21, true, "a|b|d" },
	{ "C(int k) : a(k), b(k), n(k)\n { } };", 27, true, "a|b|d" },
	{ "C(int k) : a(k), b(k), d(k)\n { } };", 27, false, "a|b|d" },
	{ "C(int k) :\na(k), c(k), n(k) { } };", 8, true, "b|d" },
	/* another class of this name, and one of which it is unknown which it is */
	{ "}; struct D { struct C { V e = V(4); bool n; C(int k) : n(k)\n{ } }; };", 60, true,
	  "e" },
	{ "}; struct D { struct C { V e; }; }; C::C(int k) : e(k)\n{ }", 54, true, "" },
};

START_TEST(members_with_values_share_a_line_with_the_list)
{
	char text[256], out[64] = "";
	struct sources *sources;
	struct statement st;

	snprintf(text, sizeof(text), "struct C { V a; V b = V(1); V c; V d = V(2); int n;\n%s\n",
		 lists[_i].constructor);
	view_of(text, &sources);
	ck_assert(statement_at(sources, path, 2, lists[_i].column, 0, &st));
	ck_assert_msg(is_unlisted(&st, "V::V(int)") == lists[_i].is_unlisted, "%s", text);
	members_with_values(&st, (struct word){ "C", 1 }, out, sizeof(out));
	ck_assert_str_eq(out, lists[_i].members);
	sources_free(sources);
	unlink(path);
}
END_TEST

START_TEST(a_member_has_a_line)
{
	struct sources *sources;
	const struct view *v = view_of("struct C {\nV a;\nV b =\nV(1); };", &sources);

	ck_assert_uint_eq(member_line(v, (struct word){ "C", 1 }, (struct word){ "b", 1 }), 3);
	ck_assert_uint_eq(member_line(v, (struct word){ "C", 1 }, (struct word){ "c", 1 }), 0);
	ck_assert_uint_eq(member_line(v, (struct word){ "D", 1 }, (struct word){ "b", 1 }), 0);
	sources_free(sources);
	unlink(path);
}
END_TEST

START_TEST(a_list_that_does_not_fit_is_none)
{
	ck_assert_str_eq(members_in(rows[0].text, 4), "a|b");
	ck_assert_str_eq(members_in(rows[0].text, 3), "");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_member");
	TCase *t = tcase_create("naming_member");

	tcase_add_loop_test(t, members_with_values_are_found, 0, COUNT_OF(rows));
	tcase_add_test(t, a_list_that_does_not_fit_is_none);
	tcase_add_loop_test(t, members_with_values_share_a_line_with_the_list, 0, COUNT_OF(lists));
	tcase_add_test(t, a_member_has_a_line);
	tcase_add_loop_test(t, a_template_with_access_to_elements_is_a_container, 0,
			    COUNT_OF(classes));
	suite_add_tcase(s, t);
	return run_suite(s);
}
