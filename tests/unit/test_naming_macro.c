/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that a statement with a macro shows to which variable the macro assigns a new block. */
#include "naming/macro.h"

#include "check_main.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "naming/expanded.h"

static char folder[] = "/tmp/memdb-test-macro-XXXXXX";
static char path[64], header[64], nested[64], inner[64], below[64], include[64], above[64];

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

static void setup(void)
{
	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(below, sizeof(below), "%s/src", folder);
	snprintf(include, sizeof(include), "%s/include", folder);
	ck_assert(!mkdir(below, 0700) && !mkdir(include, 0700));
	snprintf(path, sizeof(path), "%s/src/x.c", folder);
	snprintf(header, sizeof(header), "%s/src/x.h", folder);
	snprintf(nested, sizeof(nested), "%s/src/y.h", folder);
	snprintf(inner, sizeof(inner), "%s/src/z.h", folder);
	snprintf(above, sizeof(above), "%s/include/above.h", folder);
}

static void teardown(void)
{
	unlink(path);
	unlink(header);
	unlink(nested);
	unlink(inner);
	unlink(above);
	rmdir(below);
	rmdir(include);
	rmdir(folder);
}

static const struct row {
	const char *macros, *statement;
	const char *callee; /* NULL: the allocator */
	const char *name;
} rows[] = {
	{ "#define ALLOC(p, n) do { (p) = calloc(n, sizeof(*(p))); } while (0)\n",
	  "ALLOC(L->x, 3);", NULL, "L->x" },
	{ "#define PUSH(t, v, x) do { if ((v).n == (v).m) { \\\n"
	  "	(v).a = (t *)realloc((v).a, sizeof(t) * (v).m); \\\n"
	  "	} (v).a[(v).n++] = (x); } while (0)\n",
	  "PUSH(int, *p, a[i]);", NULL, "p->a" },
	{ "#define PUSH(t, v, x) (v).a = (t *)realloc((v).a, 8)\n",
	  "for (i = 0; i < n; i++) PUSH(int, s.list[i], f(x, y));", NULL, "s.list[i].a" },
	{ "#define PUSH(t, v, x) (v).a = (t *)realloc((v).a, 8)\n",
	  "PUSH(struct item, *list_of(q), 3);", NULL, "list_of(q)->a" },
	{ "#define GROW(p) GROW_BY(p, 2)\n#define GROW_BY(p, n) p = resize(p, n)\n", "GROW(q->z);",
	  "resize", "q->z" },
	{ "#define SUM(a, b) (a + b)\n#define MAKE(p) p = malloc(3)\n", "x = SUM(MAKE(q), 3);",
	  NULL, "x" },
	{ "#define A(x) (x ? B(x) : C(x))\n#define B(x) C(x)\n#define C(x) D(x, 2)\n"
	  "#define D(x, y) E(x)\n#define E(x) (out = put(out, x))\n",
	  "A(q);", "put", "out" },
	{ "#include \"x.h\"\n", "IN_HEADER(q);", NULL, "q" },
	{ "#include \"x.h\"\n", "IN_NESTED(q);", NULL, "q" },
	{ "#include \"x.h\"\n", "IN_INNER(q);", NULL, "q" },
	{ "#include \"x.h\"\n", "IN_NONE(q);", NULL, "" },
	/* of several definitions, the one that allocates counts */
	{ "#if A\n#define MAKE(p) p = 0\n#else\n#define MAKE(p) p = malloc(1)\n#endif\n",
	  "MAKE(q);", NULL, "q" },
	{ "#define NEW(name) new_##name()\n", "q = NEW(list);", "new_list", "q" },
	/* macros with a variable number of arguments */
	{ "#define ONE(p) p = calloc(1, sizeof(*p))\n#define SOME(p, n) p = calloc(n, sizeof(*p))\n"
	  "#define SELECT(a, b, name, ...) name\n"
	  "#define NEW(...) SELECT(__VA_ARGS__, SOME, ONE)(__VA_ARGS__)\n",
	  "NEW(s->p);", NULL, "s->p" },
	{ "#define ONE(p) p = calloc(1, sizeof(*p))\n#define SOME(p, n) p = calloc(n, sizeof(*p))\n"
	  "#define SELECT(a, b, name, ...) name\n"
	  "#define NEW(...) SELECT(__VA_ARGS__, SOME, ONE)(__VA_ARGS__)\n",
	  "NEW(s->q, n);", NULL, "s->q" },
	{ "#define TO(p, ...) p = make(1, __VA_ARGS__)\n", "TO(q, a, b);", "make", "q" },
	{ "#define TO(...) make_in(2, __VA_ARGS__)\n#define make_in(n, p, ...) p = make(n)\n",
	  "TO(q, a, b);", "make", "q" },
	{ "#define TO(p, rest...) p = make(1, ##rest)\n", "TO(q);", "make", "q" },
	{ "#define TO(a, ...) grow(a, ##__VA_ARGS__)\n#define grow(a, p) p = make(a)\n",
	  "TO(1, q);", "make", "q" },
	{ "#define PUT(x, name) x = put_##name(3)\n", "PUT(q, list);", "put_list", "q" },
	{ "#define PUT(x, name) x = put_##name(3)\n", "PUT(q, list);", "put_lis", "" },
	{ "#define lib_put(p) p = malloc(1)\n#define put lib_put /* short */\n", "put(q);", NULL,
	  "q" },
	{ "#define put lib_put\n#define lib_put put\n", "put(q);", NULL, "" },
	{ "#define put lib_put +\n#define lib_put(p) p = malloc(1)\n", "put(q);", NULL, "" },
	{ "#include <above.h>\n", "IN_ABOVE(q);", NULL, "q" },
	/* It is unknown which of the two blocks is meant. */
	{ "#define BOTH(p, q) do { p = malloc(1); q = malloc(2); } while (0)\n", "BOTH(a, b);",
	  NULL, "" },
	/* a name that is a part of "define" */
	{ "#define e(p) p = malloc(1)\n", "e(q);", NULL, "q" },
	/* an empty side of "##", and a cast */
	{ "#define MAKE(p, name) p = name##_alloc##name(1)\n", "MAKE(q, );", "_alloc", "q" },
	{ "#define MAKE(p, type) p = (type)alloc(1)\n", "MAKE(q, T);", NULL, "q" },
	/* only round brackets hide a comma from the preprocessor */
	{ "#define TO(a, p, b) p = make(a, b)\n", "TO(1[2, q, 3]);", "make", "q" },
	/* Macros that use themselves, and that are damaged. */
	{ "#define A(x) B(x) A(x)\n#define B(x) A(x) B(x)\n", "A(q);", NULL, "" },
	{ "#define A(x\n", "A(q);", NULL, "" },
	{ "#define A(x) \\", "A(q", NULL, "" },
	{ "#define A\n#define\n#include\n#include \"\n", "A(q);", NULL, "" },
};

START_TEST(a_macro_says_what_gets_the_block)
{
	const struct row *r = &rows[_i];
	struct method callee = { { "", 0 }, { r->callee, r->callee ? strlen(r->callee) : 0 } };
	struct sources *s = sources_new();
	struct statement st;
	char text[1024], name[64] = "";
	uint32_t line = 3;

	snprintf(text, sizeof(text), "%svoid f()\n{\n%s\n}\n", r->macros, r->statement);
	for (const char *c = r->macros; *c; c++)
		line += *c == '\n';
	write_file(path, text);
	write_file(header,
		   "#include \"x.h\"\n#include \"y.h\"\n#define IN_HEADER(p) p = malloc(1)\n");
	write_file(nested, "#include \"z.h\"\n#define IN_NESTED(p) p = malloc(1)\n");
	write_file(above, "#define IN_ABOVE(p) p = malloc(1)\n");
	write_file(inner, "#include \"x.h\"\n#define IN_INNER(p) p = malloc(1)\n");
	if (statement_at(s, path, line, 0, 0, &st)) {
		macro_expand(s, path, 0, r->callee ? &callee : NULL, &st);
		write_name(&st.tokens, assigned_in(&st.tokens), name, sizeof(name));
	}
	ck_assert_msg(!strcmp(name, r->name), "%s: '%s', not '%s'", text, name, r->name);
	sources_free(s);
}
END_TEST

/* A function that returns its block through a macro that only casts. */
static const struct {
	const char *macros, *body;
	bool is_cast;
} casts[] = {
	{ "#define CHECK(c, e) (e)\n#define TO_T(p) CHECK((p)->x, &((union U *)(p))->t)\n",
	  "O *p = make(1);\nT *t = TO_T(p); t->n = 1; return t;", true },
	{ "#define TO_T(p) wrap(p)\n", "O *p = make(1);\nT *t = TO_T(p); return t;", false },
	{ "", "O *p = make(1);\nT *t = TO_T(p); return t;", false },
	{ "#define TO_T(p) TO_T(p)\n", "O *p = make(1);\nT *t = TO_T(p); return t;", false },
	{ "#define SIZE(p) (p)->n\n", "O *p = make(1);\nint t = SIZE(p); return t;", false },
	{ "#define NEXT(p) (p)->next\n", "O *p = make(1);\nO *t = NEXT(p); return t;", false },
	{ "#define TO_T(p) ((T *)p)\n", "O *p = make(1);\nT *t = TO_T(p); return p2;", false },
};

START_TEST(a_macro_casts_the_result)
{
	struct sources *s = sources_new();
	struct statement st;
	char text[1024];
	uint32_t line = 3;

	snprintf(text, sizeof(text), "%svoid *f()\n{\n%s\n}\n", casts[_i].macros, casts[_i].body);
	for (const char *c = casts[_i].macros; *c; c++)
		line += *c == '\n';
	write_file(path, text);
	ck_assert(statement_at(s, path, line, 0, 0, &st));
	ck_assert_msg(macro_casts_result(&st, (struct word){ "p", 1 }) == casts[_i].is_cast, "%s",
		      text);
	sources_free(s);
}
END_TEST

/* A function that a macro outside all functions defines. */
static const struct {
	const char *macros, *call;
	const char *name; /* what its function words_put() allocates */
} files[] = {
	{ "#define CODE(name, T) void name##_put(struct t *t) { t->T = malloc(1); }\n",
	  "CODE(words, keys)", "t->keys" },
	{ "#define CODE(name, ...) BODY(name, __VA_ARGS__)\n"
	  "#define BODY(name, T, x) void name##_put(struct t *t) { t->T[x] = malloc(1); }\n",
	  "CODE(words, keys, 3)", "t->keys[3]" },
	{ "#define CODE(name, rest...) BODY(name, ##rest)\n"
	  "#define BODY(name) void name##_put(struct t *t) { t->x = malloc(1); }\n",
	  "CODE(words)", "t->x" },
	{ "#define CODE(name, key, at) void name##_put(T *t) { (at)->key = (key)malloc(1); }\n",
	  "CODE(words, keys, t)", "t->keys" },
	{ "#define CODE(pre, name) void pre##name##_put(T *t) { t->x = malloc(1); }\n",
	  "CODE(, words)", "t->x" },
	{ "#define CODE(name) void name##_put(T *t) { t->x = malloc(1); ONLY(if (t) {) n++; "
	  "ONLY(}) }\n"
	  "#define ONLY(x)\n",
	  "CODE(words)", "t->x" },
	{ "#define CODE(name) int name;\n", "CODE(words)", NULL },
	{ "", "CODE(words)", NULL },
};

START_TEST(a_macro_outside_functions)
{
	struct sources *s = sources_new();
	struct statement st, out;
	char text[1024], name[64] = "";
	const char *expected = files[_i].name;
	uint32_t line = 1;
	bool found;

	snprintf(text, sizeof(text), "%s%s\n", files[_i].macros, files[_i].call);
	for (const char *c = files[_i].macros; *c; c++)
		line += *c == '\n';
	write_file(path, text);
	ck_assert(statement_at(s, path, line, 0, 0, &st));
	found = is_expanded(&st) && expanded_statement(&st, "words_put", NULL, 0, &out);
	ck_assert_msg(found == (expected != NULL), "%s", text);
	if (found)
		write_name(&out.tokens, assigned_in(&out.tokens), name, sizeof(name));
	ck_assert_msg(!expected || !strcmp(name, expected), "%s: '%s'", text, name);
	ck_assert(!found || !expanded_statement(&st, "words_put", NULL, 1, &out));
	sources_free(s);
}
END_TEST

/* A macro in a function that allocates several objects. */
START_TEST(a_macro_with_several_allocations)
{
	static const char *const expected[] = { "m->head", "m->head->cells" };
	struct sources *s = sources_new();
	struct statement st, out;
	char name[64];

	write_file(path, "#include \"x.h\"\nvoid f(struct map *m)\n{\nint n = 3;\n"
			 "START(3, m, n);\nOTHER(m, n);\nn = malloc(1);\nSTART(3, 4, 5);\n}\n");
	write_file(header, "#define START(k, m, n) MAKE(m, k)\n#define ALLOC(n) malloc(n)\n"
			   "#define MAKE(m, k) do { (m)->head = ALLOC(k); IF({) \\\n"
			   "(m)->head->cells = (T *)ALLOC(k * 2); IF(}) } while (0)\n"
			   "#define IF(x) x\n");
	ck_assert(statement_at(s, path, 5, 0, 0, &st) && is_expanded(&st));
	for (unsigned i = 0; i < COUNT_OF(expected); i++) {
		ck_assert(expanded_statement(&st, "f", "malloc", i, &out));
		ck_assert(write_name(&out.tokens, assigned_in(&out.tokens), name, sizeof(name)));
		ck_assert_str_eq(name, expected[i]);
	}
	ck_assert(!expanded_statement(&st, "f", "malloc", 2, &out));
	ck_assert(expanded_name(&st, "f", "malloc", name, sizeof(name)));
	ck_assert_str_eq(name, "m (START)");
	ck_assert(!expanded_name(&st, "f", "malloc", name, 9));
	ck_assert(statement_at(s, path, 6, 0, 0, &st) && !is_expanded(&st));
	ck_assert(statement_at(s, path, 7, 0, 0, &st) && !is_expanded(&st));
	ck_assert(statement_at(s, path, 8, 0, 0, &st) && is_expanded(&st));
	ck_assert(!expanded_name(&st, "f", "malloc", name, sizeof(name)));
	sources_free(s);
}
END_TEST

/* Macros without parameters, one of which uses another one. */
START_TEST(a_macro_without_parameters)
{
	static const char *const expected[] = { "a", "m->b", "c" };
	struct sources *s = sources_new();
	struct statement st, out;
	char name[64];

	write_file(path, "#include \"x.h\"\nvoid f(struct map *m)\n{\nint n = 3;\nSTART\nn++;\n"
			 "START;\nif (n)\nSTART;\nn = COUNT;\nOTHER;\nn;\n}\n");
	write_file(header, "#define START do { a = malloc(n); REST; } while (0);\n"
			   "#define REST\\\nm->b = (T *)malloc(n), \\\nc = malloc(2);\n"
			   "#define COUNT (n + sizeof(int))\n#define OTHER 3\n");
	for (uint32_t line = 5; line < 10; line += 2) {
		ck_assert(statement_at(s, path, line, 0, 0, &st) && is_expanded(&st));
		for (unsigned i = 0; i < COUNT_OF(expected); i++) {
			ck_assert(expanded_statement(&st, "f", "malloc", i, &out));
			ck_assert(write_name(&out.tokens, assigned_to_call(&out.tokens, out.at),
					     name, sizeof(name)));
			ck_assert_str_eq(name, expected[i]);
		}
		ck_assert(!expanded_statement(&st, "f", "malloc", 3, &out));
		ck_assert(!expanded_name(&st, "f", "malloc", name, sizeof(name)));
	}
	for (uint32_t line = 10; line < 13; line++)
		ck_assert(statement_at(s, path, line, 0, 0, &st) && !is_expanded(&st));
	sources_free(s);
}
END_TEST

/* Which definition of a file the compiler used is unknown. */
START_TEST(a_macro_without_parameters_that_is_defined_twice)
{
	struct sources *s = sources_new();
	struct statement st;

	write_file(path, "#include \"x.h\"\n#define OWN a = malloc(1)\nvoid f()\n{\n"
			 "SETUP;\nOWN;\n}\n");
	write_file(header, "#ifdef X\n#define SETUP a = malloc(n)\n#else\n"
			   "#define SETUP b = malloc(n)\n#endif\n#define OWN b = malloc(1)\n");
	ck_assert(statement_at(s, path, 5, 0, 0, &st) && !is_expanded(&st));
	ck_assert(statement_at(s, path, 6, 0, 0, &st) && is_expanded(&st));
	sources_free(s);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_macro");
	TCase *tc = tcase_create("macro");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, a_macro_says_what_gets_the_block, 0, COUNT_OF(rows));
	tcase_add_loop_test(tc, a_macro_casts_the_result, 0, COUNT_OF(casts));
	tcase_add_loop_test(tc, a_macro_outside_functions, 0, COUNT_OF(files));
	tcase_add_test(tc, a_macro_with_several_allocations);
	tcase_add_test(tc, a_macro_without_parameters);
	tcase_add_test(tc, a_macro_without_parameters_that_is_defined_twice);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
