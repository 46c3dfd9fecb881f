/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how functions, statements and branches of a source text are found, and to which variable
 * they assign a new block. */
#include "naming/holder.h"
#include "naming/source.h"

#include "check_main.h"

#include <stdio.h>
#include <unistd.h>

#include "base/count.h"

static char path[] = "/tmp/memdb-test-scope-XXXXXX";
static struct sources *sources;

static void setup(void)
{
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	sources = sources_new();
	ck_assert_ptr_nonnull(sources);
}

static void teardown(void)
{
	sources_free(sources);
	unlink(path);
}

static void write_source(const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* Stores the name of the function that contains the first token of this line, or "" if no
 * function contains it. */
static void function_at(uint32_t line, char *out, size_t size)
{
	const struct view *v = source_view(sources, path, line, 0);
	const struct function *f = v ? view_function(v, view_at(v, line, 0)) : NULL;
	const struct token *t = f ? &v->tokens.at[f->parameters - 1].t : NULL;

	snprintf(out, size, "%.*s", t ? (int)t->len : 0, t ? t->s : "");
}

START_TEST(functions_are_found)
{
	static const struct {
		const char *line, *function;
	} rows[] = {
		{ "#include <x.h> /* of several", "" },
		{ "   lines { ( */", "" },
		{ "struct s { int x; };", "" },
		{ "static int *plain(int a, char *b)", "plain" },
		{ "{", "plain" },
		{ "	if (a) { b++; } /* } */ // }", "plain" },
		{ "	return \"}\" + '}' - a;", "plain" },
		{ "}", "plain" },
		{ "int table[] = { 1, 2, f(3) };", "" },
		{ "namespace n { extern \"C\" {", "" },
		{ "struct s *pointer(void) __attribute__((malloc)) {", "pointer" },
		{ "	x = (struct s){ 1 };", "pointer" },
		{ "}", "pointer" },
		{ "}}", "" },
		{ "template <typename T, bool B = true> class C : public D<T> {", "" },
		{ "public:", "" },
		{ "explicit C(int n) : D<T>(n), a_{n}, b_(n) {", "C" },
		{ "	go();", "C" },
		{ "}", "C" },
		{ "template <class U> auto m(U u) const noexcept -> int { return 1; }", "m" },
		{ "T operator()(int i) { return a_; }", "operator" },
		{ "T &operator[](const K &key) { return *at(key); }", "]" },
		{ "int a_ = 3; };", "" },
		{ "#define M(x) { ( \\", "" },
		{ "	more of it {", "" },
		{ "#ifdef A", "" },
		{ "void first(int a) {", "first" },
		{ "#else", "" },
		{ "void other(int a, int b) {", "other" },
		{ "#endif", "" },
		{ "	both();", "first" },
		{ "}", "first" },
		{ "#if 0", "" },
		{ "void never(void) {", "never" },
		{ "#else", "" },
		{ "void always(void) {", "always" },
		{ "#endif", "" },
		{ "}", "always" },
		{ "KHASH_INIT(names, int)", "" },
		{ "static int after_macro(int n)", "after_macro" },
		{ "{", "after_macro" },
		{ "}", "after_macro" },
		{ "MAKE_LIST(names, int)", "" },
		{ "MAKE_QUEUE(names, int)", "" },
		{ "__attribute__((noinline)) void after_two(int n)", "after_two" },
		{ "{", "after_two" },
		{ "}", "after_two" },
		{ "struct s {", "" },
		{ "s(int n) REQUIRES(a) EXCLUDES(b) : m(n), k(n) {", "s" },
		{ "} };", "s" },
		{ "void annotated(int n) REQUIRES(mutex) {", "annotated" },
		{ "}", "annotated" },
		{ "void twice(int n) REQUIRES(a) EXCLUDES(b) {", "twice" },
		{ "}", "twice" },
		{ "int main() try { return 0; } catch (...) {}", "main" },
		{ "NO_WARNINGS(c++98)", "" },
		{ "BEGIN namespace n { class D {", "" },
		{ "void inside(int n) { go(); }", "inside" },
		{ "}; } END", "" },
		{ "BEGIN template <class T, class A = B<T>> class E {", "" },
		{ "void inner(int n) { go(); }", "inner" },
		{ "};", "" },
		{ "void unfinished(", "" },
	};
	char text[8192] = "", name[64];

	for (size_t i = 0; i < COUNT_OF(rows); i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\n", rows[i].line);
	write_source(text);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (rows[i].line[0] == '#' || strstr(rows[i].line, "*/") == rows[i].line + 12 ||
		    strstr(rows[i].line, "more of it"))
			continue; /* no token begins in this line */
		function_at((uint32_t)i + 1, name, sizeof(name));
		ck_assert_msg(!strcmp(name, rows[i].function), "line %zu '%s': '%s', not '%s'",
			      i + 1, rows[i].line, name, rows[i].function);
	}
}
END_TEST

static struct word word(const char *s)
{
	return (struct word){ s, strlen(s) };
}

START_TEST(a_function_declares_and_returns_its_variables)
{
	static const char text[] = "static T *f(int n, std::map<int, int> m, double *&out, char "
				   "**argv, int (*g)(int), T a[3])\n"
				   "{\n"
				   "	double *p = x, *q;\n"
				   "	std::vector<std::pair<int, int>> v(3), w;\n"
				   "	for (size_t i = 0; i < n; i++)\n"
				   "		y = z * k;\n"
				   "	member = a * other;\n"
				   "	unsigned long long int big[3];\n"
				   "	if (n)\n"
				   "		return (T *)p;\n"
				   "	if (m)\n"
				   "		return static_cast<T *>(v);\n"
				   "	if (g)\n"
				   "		return std::move(w);\n"
				   "	if (q == z)\n"
				   "		return q->next;\n"
				   "	return big[1] + n;\n"
				   "}\n";
	static const char *const declared[] = { "p", "q", "v", "w", "i", "big" };
	static const char *const foreign[] = { "z", "k", "member", "other", "n", "x", "y", "T" };
	static const char *const returned[] = { "p", "v", "w" };
	static const char *const kept[] = { "q", "big", "n", "T", "next" };
	static const char *const parameters[] = { "n", "m", "out", "argv" };
	const struct view *v;
	const struct function *f;
	bool reference;

	write_source(text);
	v = source_view(sources, path, 3, 0);
	ck_assert_ptr_nonnull(v);
	f = view_function(v, view_at(v, 3, 0));
	ck_assert_ptr_nonnull(f);
	for (size_t i = 0; i < COUNT_OF(declared); i++)
		ck_assert_msg(function_declares(v, f, word(declared[i])), "%s", declared[i]);
	for (size_t i = 0; i < COUNT_OF(foreign); i++)
		ck_assert_msg(!function_declares(v, f, word(foreign[i])), "%s", foreign[i]);
	for (size_t i = 0; i < COUNT_OF(returned); i++)
		ck_assert_msg(function_returns(v, f, word(returned[i])), "%s", returned[i]);
	for (size_t i = 0; i < COUNT_OF(kept); i++)
		ck_assert_msg(!function_returns(v, f, word(kept[i])), "%s", kept[i]);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(function_parameter(v, f, word(parameters[i]), &reference), i);
		ck_assert_int_eq(reference, i == 2);
	}
	ck_assert_int_eq(function_parameter(v, f, word("a"), &reference), 5);
	ck_assert_int_eq(function_parameter(v, f, word("int"), &reference), -1);
}
END_TEST

static const struct {
	const char *head, *body;
	bool returns; /* whether it returns p */
} results[] = {
	{ "T *f(int n)", "return n ? p : NULL;", true },
	{ "T *f(int n)", "return ((!p->a || (n && !p->b)) ? drop(p) : p);", true },
	{ "T *f(int n)", "return n ? NULL : n > 3 ? p + 1 : q;", true },
	{ "T *f(int n)", "return p ? p->next : NULL;", false },
	{ "T *f(int n)", "return p ? q : s[p];", false },
	{ "T *f(int n)", "return (done(p, w, NULL, 1));", true },
	{ "T *f(int n)", "return n ? done(w, p) : NULL;", true },
	{ "T *f(int n)", "return done(p, q);", false }, /* unknown which of them it returns */
	{ "U *f(int n)", "return done(p);", false },
	{ "T *f(int n)", "return done(p) + 1;", false },
};

START_TEST(a_result_on_a_condition_or_through_a_call_is_returned)
{
	char text[300];
	const struct view *v;

	snprintf(text, sizeof(text), "%s\n{\nT *p, *q, s[3]; double *w;\n%s\n}\n", results[_i].head,
		 results[_i].body);
	write_source(text);
	v = source_view(sources, path, 4, 0);
	ck_assert_ptr_nonnull(v);
	ck_assert_msg(function_returns(v, view_function(v, view_at(v, 4, 0)), word("p")) ==
			      results[_i].returns,
		      "%s", text);
}
END_TEST

/* In Rust, a parameter's name comes first, and calls do not list "self" among the arguments. */
START_TEST(parameters_in_rust_are_known)
{
	static const char *const names[] = { "n", "out", "src" };
	char rust[sizeof(path) + 3];
	const struct view *v;
	const struct function *f;
	bool reference;

	write_source("fn fill(&mut self, mut n: usize, out: &mut Vec<u8>, src: &[u8])\n{\n"
		     "\tout.reserve(n);\n}\n");
	snprintf(rust, sizeof(rust), "%s.rs", path);
	ck_assert_int_eq(rename(path, rust), 0);
	v = source_view(sources, rust, 3, 0);
	ck_assert_ptr_nonnull(v);
	f = view_function(v, view_at(v, 3, 0));
	ck_assert_ptr_nonnull(f);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(function_parameter(v, f, word(names[i]), &reference), i);
		ck_assert_int_eq(reference, i > 0);
	}
	ck_assert_int_eq(function_parameter(v, f, word("Vec"), &reference), -1);
	unlink(rust);
}
END_TEST

START_TEST(names_of_functions_show_what_they_are_for)
{
	ck_assert(name_allocates("grid_alloc") && name_allocates("Pool::Allocate<int>(int)"));
	ck_assert(name_allocates("void *arena_mmap(unsigned long)"));
	ck_assert(!name_allocates("Mesh::init(std::vector<int, std::allocator<int> > const&)"));
	ck_assert(!name_allocates("void fill<Alloc<int> >(int)"));
	ck_assert(is_operator("ns::Vec::operator=(Vec const&)") && is_operator("operator+"));
	ck_assert(is_operator("T& Box<T>::operator[]<int>(int)"));
	ck_assert(!is_operator("main::{lambda(int)#1}::operator()(int) const"));
	ck_assert(!is_operator("operator new(unsigned long)") && !is_operator("operator_of"));
	ck_assert(!is_operator("Vec::operator bool() const"));
}
END_TEST

START_TEST(names_of_functions_have_parts)
{
	static const struct {
		const char *pretty, *owner, *name, *text;
	} rows[] = {
		{ "main", "", "main", "main" },
		{ "ns::Grid<int, A<B> >::alloc(unsigned long)", "Grid", "alloc",
		  "ns::Grid::alloc" },
		{ "Pvec<long>::Pvec(unsigned long)", "Pvec", "Pvec", "Pvec::Pvec" },
		{ "T* make<T>(int)", "", "make", "make" },
		{ "void ns::fill<int, 3>(ns::A<int>&)", "ns", "fill", "ns::fill" },
		{ "(anonymous namespace)::f(int)", "(anonymous namespace)", "f",
		  "(anonymous namespace)::f" },
		{ "S::operator<(S const&)", "S", "operator", "S::operator<" },
		{ "int& ns::Map<int>::operator[]<int, (void*)0>(int&&)", "Map", "operator[]",
		  "ns::Map::operator[]" },
		{ "core::ptr::drop_in_place<fn(u8) -> (u8, u8)>", "ptr", "drop_in_place",
		  "core::ptr::drop_in_place" },
		{ "json::implements::<impl core::From<&str> for json::Value<T>>::from", "", "from",
		  "json::Value::from" },
		{ "core::slice::<impl [T]>::sort", "", "sort", "[T]::sort" },
		{ "", "", "", "" },
		{ "<<<<", "", "<<<<", "" },
		{ ">>>>", "", "", ">>>>" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct method m = method_of(rows[i].pretty);
		char text[64];

		short_function(rows[i].pretty, text, sizeof(text));
		ck_assert_str_eq(text, rows[i].text);
		if (strchr("<>S", rows[i].pretty[0]) && rows[i].pretty[0])
			continue; /* operators do not count as methods, so they have no owner */
		ck_assert_msg(m.owner.len == strlen(rows[i].owner) || rows[i].owner[0] == '(',
			      "%s: owner of %zu", rows[i].pretty, m.owner.len);
		ck_assert_uint_eq(m.name.len, strlen(rows[i].name));
		ck_assert(!memcmp(m.name.s, rows[i].name, m.name.len));
	}
	ck_assert_uint_eq(method_of(NULL).name.len, 0);
}
END_TEST

/* Cases in which a function returns a new block: `inner` is the callee's statement that stores the
 * new block, `outer` is the caller's statement. */
static const struct case_of_caller {
	const char *function, *head, *inner, *outer, *text;
} cases[] = {
	{ "make", "void make(T **out)", "*out = malloc(1);", "make(&grid);", "grid" },
	{ "make", "void make(T **out)", "*out = malloc(1);", "make((void **)&s->grid);",
	  "s->grid" },
	{ "make", "void make(T **out)", "*out = malloc(1);", "make(where);", "*where" },
	{ "make", "void make(T **out)", "(*out)->x = malloc(1);", "make(&p);", "p->x" },
	{ "make", "void make(int n, S *s)", "s->x = malloc(1);", "make(f(1, 2), &all);", "all.x" },
	{ "make", "void make(int n, S *s)", "s->x[i] = malloc(1);", "make(1, a->b);", "a->b->x[]" },
	{ "make", "void make(int n, S *s)", "s->x[0].y[n].z = malloc(1);", "make(1, a);",
	  "a->x[0].y[].z" },
	{ "make", "void make(T *t)", "t[i].x = malloc(1);", "make(&rows[k]);", "rows[].x" },
	{ "make", "void make(T *t)", "t[i].x = malloc(1);", "make(&rows[of[k]]);", "rows[].x" },
	{ "make", "void make(T *t)", "t[i].x = malloc(1);", "make(&a[n][f(b[k])]);", "a[n][].x" },
	{ "A::get(int)", "void A::get(int n)", "rows[table[n] + 1].x = new T[n];", "a.get(3);",
	  "a.rows[].x" },
	{ "make", "void make(S *s)", "DATA(s) = malloc(1);", "make(t);", "DATA(t)" },
	{ "make", "void make(V &v)", "v.resize(1);", "make(u);", "u" },
	{ "make", "void make(V v)", "v.resize(1);", "make(u);", "v" },
	{ "make", "void make(V &v)", "v.x = new T;", "make(*u);", "u->x" },
	{ "make", "void make(V &v)", "v.resize(1);", "make(*u);", "*u" },
	{ "make", "void make(V *v)", "v->x = new T;", "make(*u);", "(*u)->x" },
	{ "make", "T *make(int n)", "T *p = malloc(1); return p;", "q = Graph<int, T>::make(3);",
	  "q" },
	{ "make", "T *make(int n)", "T *p = malloc(1); return p;",
	  "*q = Graph<A<int>, T>::make(f(3, 2));", "*q" },
	{ "make", "T *make(int n)", "T *p = malloc(1); return p;", "q = 1 < 2, b > make(3);", "p" },
	{ "make", "void make(S *s)", "s->x = malloc(1);", "make(a + 1);", "s->x" },
	{ "make", "T *make(int n)", "T *p = malloc(1); return p;", "q = make(3);", "q" },
	{ "make", "T *make(int n)", "p = malloc(1); T *p; return (T *)p;", "q = make(3);", "q" },
	{ "make", "T *make(int n)", "T *p = malloc(1); return (void *)(p + 1);", "q = make(3);",
	  "q" },
	{ "make", "T *make(int n)", "T *p = malloc(1); return ((char *)p) + 16;", "q = make(3);",
	  "q" },
	{ "make", "T *make(int n)", "T *p = malloc(1); s = (char *)p + n; return s;",
	  "q = make(3);", "q" },
	{ "make", "T *make(int n)", "T *p = malloc(1); s = p->x; n = p[0] + 1; return s;",
	  "q = make(3);", "p" },
	{ "make", "T *make(int n)", "T *p = malloc(1); return p->x + 16;", "q = make(3);", "p" },
	{ "make", "S *make(int n)", "s->x = malloc(1); S *s; return s;", "q = make(3);", "q->x" },
	{ "make", "T *make(int n)", "T *p = malloc(1); return set(n, 0, p);", "q = make(3);", "q" },
	{ "make", "int make(int n)", "T *p = malloc(1); return set(n, 0, p);", "q = make(3);",
	  "p" },
	{ "make", "S *make(int n)", "T *p = malloc(1); return find(n, p);", "q = make(3);", "p" },
	{ "make", "T *make(int n)", "T *p = malloc(1); return set(n, p->x);", "q = make(3);", "p" },
	{ "lib__make", "void make(T **out)", "*out = malloc(1);", "make(&grid);", "grid" },
	{ "remake", "void make(T **out)", "*out = malloc(1);", "make(&grid);", "*out" },
	{ "make", "T *make(int n)", "T *p = malloc(1); use(p);", "q = make(3);", "p" },
	{ "make", "T *make(int n)", "global = malloc(1);", "q = make(3);", "global" },
	{ "A::A(int)", "A::A(int n)", "x_ = new T[n];", "A a(3);", "a.x_" },
	{ "A::A(T**)", "A::A(T **out)", "*out = new T;", "A a(&p);", "p" },
	{ "A<int>::A(T**)", "A(int n, T **out)", "*out = new T;", "n::A<int> a(3, &s.p);", "s.p" },
	{ "A::A(T**)", "A::A(T **out)", "*out = new T;", "A *a = all(&p);", "*out" },
	{ "A<int>::A(int)", "A(int n)", "x_ = new T[n];", "A<int> a(3), b(4);", "a.x_" },
	{ "A::A(int)", "A::A(int n)", "this->x_ = new T[n];", "auto a = new A(3);", "a->x_" },
	{ "A::A(int)", "A::A(int n)", "x_ = new T[n];", "f(new A(3));", "x_" },
	{ "A::get(int)", "void A::get(int n)", "x_ = new T[n];", "a.b->get(3);", "a.b->x_" },
	{ "A::get(int)", "void A::get(int n)", "x_ = new T[n];", "get(3);", "x_" },
	{ "A<T>::get(int)", "void A::get(int n)", "x_ = new T[n];", "r = A<T<int>>::get(3);",
	  "x_" },
	{ "A::get(int)", "void A::get(int n)", "x_ = new T[n];", "f(g() + 1).get(3);", "x_" },
	{ "A::get(int)", "void A::get(int n)", "S::all = new T[n];", "a.get(3);", "S::all" },
	{ "make", "void make(T **out)", "(*out)[n++] = malloc(1);", "make(&p);", "p[]" },
	{ "make", "void make(T **out)", "*out = malloc(1);", "make((void **)&(s->grid));",
	  "s->grid" },
	{ "A::get(int)", "void A::get(int n)", "x_ = new T[n];", "a.template get<T>(3);", "a.x_" },
	{ "A::get(int)", "void A::get(int n)", "x_ = new T[n];", "p->template get<T>(3);",
	  "p->x_" },
};

START_TEST(the_caller_says_where_a_block_is)
{
	const struct case_of_caller *c = &cases[_i];
	struct statement st;
	struct holder h;
	struct holder_way way;
	char text[1024];

	snprintf(text, sizeof(text), "%s\n{\n%s\n}\nint main()\n{\n%s\n}\n", c->head, c->inner,
		 c->outer);
	write_source(text);
	ck_assert(statement_at(sources, path, 3, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	way = holder_way(&h, &st, c->function);
	ck_assert(statement_at(sources, path, 7, 0, 0, &st));
	holder_in_caller(&h, &way, &st);
	ck_assert_msg(!strcmp(h.text, c->text), "%s: '%s', not '%s'", text, h.text, c->text);
}
END_TEST

START_TEST(a_statement_may_have_many_lines_and_branches)
{
	static const char text[] = "void f() {\n"
				   "	p =\n"
				   "#if A\n"
				   "		g(1);\n"
				   "#elif B\n"
				   "		malloc(2);\n"
				   "#else\n"
				   "		malloc(3);\n"
				   "#endif\n"
				   "	q = r(\n"
				   "\n"
				   "		// a comment; with signs {\n"
				   "		1,\n"
				   "		2,\n"
				   "		3,\n"
				   "		malloc(7));\n"
				   "}\n";
	static const struct {
		uint32_t line;
		const char *name;
	} rows[] = { { 4, "p" }, { 6, "p" }, { 8, "p" }, { 10, "q" }, { 16, "q" } };
	char name[64];

	write_source(text);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		ck_assert_msg(assigned_at(sources, path, rows[i].line, 3, 0, name, sizeof(name)),
			      "line %u", rows[i].line);
		ck_assert_str_eq(name, rows[i].name);
	}
}
END_TEST

/* One declaration has very many variables. For each, the search for the declaration's type goes
 * back only a limited distance. */
START_TEST(a_text_without_end_costs_little)
{
	enum { NAMES = 100000 };
	struct statement st;
	struct holder h;
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs("void f() { int x", f);
	for (int i = 0; i < NAMES; i++)
		fputs(", x", f);
	fputs(";\nx = malloc(1);\n", f);
	for (int i = 0; i < NAMES; i++)
		fputs("((((", f);
	fclose(f);
	ck_assert(statement_at(sources, path, 2, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	for (int i = 0; i < 100; i++)
		holder_way(&h, &st, "f");
	ck_assert(statement_at(sources, path, 3, 0, 0, &st));
	ck_assert_int_le(st.tokens.n, TOK_MAX);
}
END_TEST

/* Macro calls without ";" are many, and each could be the function's name. */
START_TEST(many_macro_calls_cost_little)
{
	enum { CALLS = 340000 };
	FILE *f = fopen(path, "w");
	char name[64];

	ck_assert_ptr_nonnull(f);
	for (int i = 0; i < CALLS; i++)
		fputs("A() ", f);
	fputs("static int f(int n)\n{\n}\n", f);
	fclose(f);
	function_at(2, name, sizeof(name));
	ck_assert_str_eq(name, "f");
}
END_TEST

/* A block directly in a block, as after "#pragma omp parallel", is not a part of its first
 * statement. But a value in braces is. */
START_TEST(a_block_in_a_block_begins_a_statement)
{
	static const struct {
		uint32_t line;
		const char *name;
	} rows[] = { { 5, "q" }, { 8, "p" }, { 14, "r" }, { 19, "w" } };
	struct statement st;
	char name[64];

	write_source("void f(int n)\n{\n#pragma omp parallel\n  {\n    Queue<int> q(n);\n  }\n"
		     "  { { {\n    Queue<int> p(n);\n  } } }\n}\n"
		     "struct S {\n  void g() const\n  { {\n    Queue<int> r(4);\n  } }\n};\n"
		     "void h()\n{\n  Pair w{ { make(1),\n    make(2) } };\n}\n");
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		ck_assert(statement_at(sources, path, rows[i].line, 0, 0, &st));
		ck_assert(write_name(&st.tokens, declared_in(&st.tokens), name, sizeof(name)));
		ck_assert_str_eq(name, rows[i].name);
	}
	ck_assert(statement_at(sources, path, 20, 0, 0, &st));
	ck_assert_int_eq(strncmp(token_at(&st.tokens, 0)->s, "Pair", 4), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_scope");
	TCase *tc = tcase_create("scope");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, functions_are_found);
	tcase_add_test(tc, a_function_declares_and_returns_its_variables);
	tcase_add_loop_test(tc, a_result_on_a_condition_or_through_a_call_is_returned, 0,
			    COUNT_OF(results));
	tcase_add_test(tc, parameters_in_rust_are_known);
	tcase_add_test(tc, names_of_functions_have_parts);
	tcase_add_test(tc, names_of_functions_show_what_they_are_for);
	tcase_add_loop_test(tc, the_caller_says_where_a_block_is, 0, COUNT_OF(cases));
	tcase_add_test(tc, a_statement_may_have_many_lines_and_branches);
	tcase_add_test(tc, a_text_without_end_costs_little);
	tcase_add_test(tc, many_macro_calls_cost_little);
	tcase_add_test(tc, a_block_in_a_block_begins_a_statement);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
