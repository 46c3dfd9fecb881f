/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests where a function keeps a block that it first assigns to a local variable. */
#include "naming/holder.h"
#include "naming/moved_on.h"
#include "naming/source.h"
#include "naming/parted.h"
#include "naming/pooled.h"
#include "naming/stored.h"
#include "naming/walked.h"

#include "check_main.h"

#include <stdio.h>
#include <unistd.h>

#include "base/count.h"

static char path[] = "/tmp/memdb-test-stored-XXXXXX";
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

/* Cases in which a function assigns a new block to a local variable and then stores this variable:
 * `stored` is the place where the function stores the variable, and `text` the caller's expression
 * for this place. */
static const struct {
	const char *function, *head, *inner, *outer, *stored, *text;
} stored[] = {
	{ "f", "void f(T **out)", "T *p = malloc(1); *out = p;", "f(&q);", "*out", "q" },
	{ "f", "void f(L *l)", "T *p = realloc(l->t, 2); if (!p) return; l->t = p;", "f(&a);",
	  "l->t", "a.t" },
	/* the first of several arrays in one block */
	{ "f", "void f(S *s)",
	  "void *b = malloc(9); T **rows = (T **)b; U *keys = (U *)(rows + n); V *codes = (V "
	  "*)(keys + n); s->rows = rows; s->keys = keys; s->codes = codes;",
	  "f(&a);", "s->rows", "a.rows" },
	{ "f", "void f(S *s)",
	  "char *b = malloc(9); s->keys = (U *)(b + n * sizeof(T)); s->rows = (T *)b;", "f(&a);",
	  "s->rows", "a.rows" },
	/* an element that the function returns is not the block */
	{ "f", "S *f()",
	  "S *b = malloc(9); S *p, *last; last = unused; p = b; for (;;) { p->next = last; last = "
	  "p; "
	  "p++; } unused = last; return last;",
	  "q = f();", "unused", "unused" },
	{ "f", "S *f()",
	  "S *b = malloc(9); S *p, *last; for (p = b; p < e; ++p) last = p; return last;",
	  "q = f();", "", "b" },
	{ "f", "S *f()", "S *b = malloc(9); S *p, *q; p = b; q = p; while (p < e) p++; return q;",
	  "x = f();", "p", "x" },
	/* but the rows of a matrix are all of it */
	{ "f", "T **f(int n)",
	  "T *p = malloc(1); T **rows = get(n); for (;;) { rows[i] = p; p += m; } return rows;",
	  "A = f(1);", "rows[i]", "A[]" },
	{ "f", "A *f(A *a)", "T *p = malloc(1); for (;;) { a->rows[i] = p; p += m; } return a;",
	  "q = f(x);", "a->rows[i]", "x->rows[]" },
	{ "f", "void f(T **out)", "char *n = realloc(b, 2); b = n; char *b; *out = (T *)b;",
	  "f(&q);", "*out", "q" },
	{ "f", "T *f()", "char *n = realloc(b, 2); b = n; char *b; return b;", "q = f();", "b",
	  "q" },
	{ "f", "void f(K *k)", "H *q = malloc(1); q->next = k->first, q->size = 1, k->first = q;",
	  "f(km);", "k->first", "km->first" },
	{ "A::f()", "void A::f()", "B *b = new B; b->next = head_; head_ = b;", "a.f();", "head_",
	  "a.head_" },
	{ "A::f()", "void A::f()", "B *b = new B; chunks_.push_back(b);", "a.f();", "chunks_",
	  "a.chunks_" },
	{ "A::f()", "void A::f()", "B *b = new B; blocks_.Push(b);", "a.f();", "blocks_",
	  "a.blocks_" },
	/* a smart pointer owns the block */
	{ "A::f()", "void A::f()",
	  "T *p = get(1); auto n = std::unique_ptr<T[], Free>(p, Free{ a, 1 }); "
	  "blocks_.push_back(std::move(n));",
	  "a.f();", "blocks_", "a.blocks_" },
	{ "A::f()", "void A::f()", "T *p = get(1); blocks_.push_back(shared_ptr<T>(p));", "a.f();",
	  "blocks_", "a.blocks_" },
	{ "A::f()", "void A::f()", "T *p = get(1); auto n = Pair<T>(p, 1); blocks_ = n;", "a.f();",
	  "", "p" },
	{ "f", "void f()", "T *p = malloc(1); all = p;", "f();", "all", "all" },
	{ "f", "void f(S *s)", "T *p = malloc(1); B *b = &s->all[i]; b->t = p;", "f(&a);",
	  "s->all[i].t", "a.all[].t" },
	{ "f", "void f()", "T *p = malloc(1); e = p + 1; use(p); x = p->y; n = 1 + p;", "f();", "",
	  "p" },
	{ "f", "void f()", "T *p = malloc(1); T *other; other = p;", "f();", "", "p" },
	{ "f", "void f(T *t)", "T *p = malloc(1); t = p; sum += p;", "f(x);", "", "p" },
	{ "f", "void f(S *s)", "char *p = malloc(1); s->t = (T *)(p + sizeof(H));", "f(&a);",
	  "s->t", "a.t" },
	{ "f", "void f(S *s)", "char *p = malloc(1); s->t = cast(T *, p + g(1) + 2);", "f(&a);",
	  "s->t", "a.t" },
	{ "f", "T *f()", "char *p = malloc(1); T *o = cast(T *, p + offset); return o;", "q = f();",
	  "o", "q" },
	{ "f", "void f(T **t)", "void *p = malloc(1); *t = (T *)((int *)p + 2);",
	  "f((void **)&(a));", "*t", "a" },
	{ "f", "void f(S *s)", "T *p = malloc(1); s->t = cast(const T *, p);", "f(&a);", "s->t",
	  "a.t" },
	{ "f", "void f(S *s)", "T *p = malloc(1); s->end = (T *)p + 1; s->e = g(1, p + 1);",
	  "f(&a);", "", "p" },
	/* The block is stored in the target of a local pointer. This target is the answer except in
	 * three cases: it may be a link between blocks of the same type, it is not certain that it
	 * is another block, or it is in the block itself. */
	{ "f", "void f(L *l)", "T *n = realloc(b, 2); if (!n) return; b->list.t = n; B *b = g(l);",
	  "f(&a);", "b->list.t", "b->list.t" },
	{ "f", "void f(L *l)", "T *n = malloc(1); T *last = g(l); last->next = n;", "f(&a);", "",
	  "n" },
	{ "f", "void f(L *l)", "auto *n = malloc(1); auto *b = g(l); b->t = n;", "f(&a);", "",
	  "n" },
	{ "f", "void f(L *l)", "T *n = malloc(1); B *b = (B *)&n[8]; b->t = n;", "f(&a);", "",
	  "n" },
	{ "f", "void f(L *l)", "T *n = malloc(1); B b; b.t = n;", "f(&a);", "", "n" },
	/* The block is stored in several places. The place whose name is in the variable's name
	 * counts, otherwise the first one. */
	{ "f", "void f(S *s)", "T *new_keys = malloc(1); s->all = new_keys; s->keys = new_keys;",
	  "f(&a);", "s->keys", "a.keys" },
	{ "A::f()", "void A::f()", "T *new_keys = new T; warning = new_keys; keys = new_keys;",
	  "a.f();", "keys", "a.keys" },
	{ "f", "void f(S *s)", "T *p = malloc(1); s->all = p; s->x = p;", "f(&a);", "s->all",
	  "a.all" },
	/* A function named init stores the block in a struct, so the block belongs to this struct.
	 * A function of another name may store a block in order to free it. */
	{ "f", "void pool_init(P *p, T *t) { p->start = t; } void f(L *l)",
	  "T *n = malloc(1); if (n) pool_init(&l->pool, (T *)n);", "f(&a);", "l->pool.start",
	  "a.pool.start" },
	{ "f", "void pool_init(P *p, T *t) { p->start = t; } void f(L *l)",
	  "T *n = malloc(1); P p; pool_init(&p, n);", "f(&a);", "", "n" },
	{ "f", "void pool_init(T *t) { t->x = 1; } void f(L *l)", "T *n = malloc(1); pool_init(n);",
	  "f(&a);", "", "n" },
	{ "f", "void recycle(P *p, T *t) { p->spare = t; } void f(L *l)",
	  "T *n = malloc(1); recycle(&l->pool, n);", "f(&a);", "", "n" },
	{ "f", "int fill(P *p, T *t) { p->start = t; } T *f(int n)",
	  "T *p = malloc(n); P a; if (fill(&a, p)) return a.start; free(a.start);", "q = f(1);",
	  "a.start", "q" },
	{ "f", "int fill(P *p, T *t) { p->start = t; } T *f(int n)",
	  "T *p = malloc(n); P a; if (fill(&a, p)) return a.end; free(a.start);", "q = f(1);", "",
	  "p" },
	{ "f", "T *f(int n)", "T *p = malloc(n); P a; a.start = p; return a.start;", "q = f(1);",
	  "a.start", "q" },
	{ "f",
	  "void a_init(P *p, T *t) { b_init(p, t); } void b_init(P *q, T *t) { a_init(q, t); "
	  "} void f(L *l)",
	  "T *n = malloc(1); a_init(&l->pool, n);", "f(&a);", "", "n" },
};

START_TEST(a_local_variable_is_stored)
{
	struct statement st;
	struct holder h;
	struct holder_way way;
	char text[1024];
	bool found;

	snprintf(text, sizeof(text), "%s\n{\n%s\n}\nint main()\n{\n%s\n}\n", stored[_i].head,
		 stored[_i].inner, stored[_i].outer);
	write_source(text);
	ck_assert(statement_at(sources, path, 3, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	found = stored_at(&h, &st, stored[_i].function, false, &way);
	ck_assert_msg(found == !!*stored[_i].stored, "%s", text);
	if (found) {
		ck_assert_str_eq(h.text, stored[_i].stored);
		ck_assert(statement_at(sources, path, 7, 0, 0, &st));
		holder_in_caller(&h, &way, &st);
		ck_assert_int_eq(way.is_inside, strstr(stored[_i].inner, "(T *)(p +") ||
							strstr(stored[_i].inner, "T *, p +") ||
							strstr(stored[_i].inner, "*)p + 2)"));
	}
	ck_assert_msg(!strcmp(h.text, stored[_i].text), "%s: '%s', not '%s'", text, h.text,
		      stored[_i].text);
}
END_TEST

/* A function that makes room in a buffer returns the position of the room, not the buffer. */
static const struct {
	const char *result;
	bool is_buffer;
} results[] = {
	{ "if (n) return p + b->used; return p + b->used;", true },
	{ "return p + b.used;", true },
	{ "return p;", false },
	{ "return p + 1;", false },
	{ "if (n) return p; return p + b->used;", false },
	{ "return p + c->used;", false },
	{ "return p + b;", false },
	{ "return b->data;", false },
};

START_TEST(a_position_in_a_buffer_is_not_the_buffer)
{
	struct statement st;
	struct holder h;
	struct holder_way way;
	char text[1024];

	snprintf(text, sizeof(text),
		 "char *f(B *b, int n)\n{\nchar *p = malloc(n);\nb->data = p;\n%s\n}\n",
		 results[_i].result);
	write_source(text);
	ck_assert(statement_at(sources, path, 3, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	ck_assert(stored_at(&h, &st, "f", false, &way));
	ck_assert_str_eq(h.text, "b->data");
	ck_assert_int_eq(way.is_buffer, results[_i].is_buffer);
}
END_TEST

/* A local pointer or reference that is set only once is another name for its target. */
static const struct {
	const char *body, *name;
} aliases[] = {
	{ "B *b = &s->all[i];\nb->x = malloc(1);", "s->all[i].x" },
	{ "const auto &b = all[f(1)].second;\nb.x = malloc(1);", "all[f(1)].second.x" },
	{ "const auto &b = all.at(1).second;\nb.x = malloc(1);", "b.x" },
	{ "auto &b = all[j].second;\nb.x->y = malloc(1);", "all[j].second.x->y" },
	{ "auto &b = s->all[i];\nb.push_back(1);", "s->all[i]" },
	{ "auto &b = all(i);\nb.push_back(1);", "b" },
	{ "T *b = &one;\nb = malloc(1);", "b" },
	{ "b = &s;\nb->x[3] = malloc(1);", "s.x[3]" },
	{ "B *b = &s->all[i];\nb[2].x = malloc(1);", "b[2].x" },
	{ "B *b = &s->all[i];\n(*b).x = malloc(1);", "s->all[i].x" },
	{ "B *b = first(&s);\n(*b->c).x.y = malloc(1);", "b->c->x.y" },
	{ "B **b = first(&s);\n(*b)->x = malloc(1);", "(*b)->x" },
	{ "B *b = &s->all[i];\nb = malloc(1);", "b" },
	{ "B *b = &one; b = &two;\nb->x = malloc(1);", "b->x" },
	{ "B *b = &s->all[i] + 1;\nb->x = malloc(1);", "b->x" },
	{ "B *b = first(&s);\nb->x = malloc(1);", "b->x" },
	{ "B b = s.first;\nb.x = malloc(1);", "b.x" },
	{ ";\nb->x = malloc(1); b = &later;", "b->x" },
	{ "B *b = &[;\nb->x = malloc(1);", "b->x" },
};

START_TEST(an_alias_is_resolved)
{
	struct statement st;
	struct holder h;
	char text[1024], before[HOLDER_MAX];

	snprintf(text, sizeof(text), "void f()\n{\n%s\n}\n", aliases[_i].body);
	write_source(text);
	ck_assert(statement_at(sources, path, 4, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	strcpy(before, h.text);
	ck_assert_int_eq(resolve_alias(&h, &st, st.place), strcmp(aliases[_i].name, before) != 0);
	ck_assert_msg(!strcmp(h.text, aliases[_i].name), "%s: '%s'", text, h.text);
}
END_TEST

/* Several arrays in one block. */
static const struct {
	const char *body;
	bool has_parts;
} parts[] = {
	{ "char *p = malloc(1);\ns->x = (T *)p; s->y = s->x + n; s->id = (int *)(s->y + n);",
	  true },
	{ "char *p = malloc(1);\nx = (T *)p; s->id[1] = (const int *)(p + n * sizeof(T));", true },
	{ "char *p = malloc(1);\ns->x = (T *)p; s->y = (T *)(s->x + n); s->z = s->y + n;", false },
	{ "char *p = malloc(1);\ns->x = (T *)p; s->id = (int *)(s->name + n);", false },
	{ "char *p = malloc(1);\ns->x = (T *)p; s->id = (int *)(other + n); q = (U *)s->x;",
	  false },
	{ "char *p = malloc(1);\ns->id = (int *)(p + n);", false },
	{ "char *p = malloc(1);\ns->x = p; s->id = (int *)(s->x + n);", false },
	{ "char *p = malloc(1);\ns->x = (T *)p; s->y = (", false },
};

START_TEST(other_arrays_begin_in_a_block)
{
	struct statement st;
	struct holder h;
	char text[1024];

	snprintf(text, sizeof(text), "void f(S *s)\n{\n%s\n}\n", parts[_i].body);
	write_source(text);
	ck_assert(statement_at(sources, path, 3, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	ck_assert_msg(has_other_parts(&st, &h) == parts[_i].has_parts, "%s", text);
}
END_TEST

/* A pointer to a pointer that moves along a list or tree leads to where that begins. */
static const struct {
	const char *body, *name;
} walks[] = {
	{ "N **p = &root_; while (*p) p = k < (*p)->k ? &(*p)->l : &(*p)->r;\n*p = new N(k);",
	  "root_" },
	{ "N **p; for (p = &t->head; *p; p = &(*p)->next) ;\n*p = malloc(1);", "t->head" },
	{ "N **p = &one;\n*p = malloc(1);", "one" },
	{ "N **p = &a[i]; *p = NULL; p = next(p);\n*p = malloc(1);", "a[i]" },
	{ "N **p = &root; p = &other;\n*p = malloc(1);", "*p" },
	{ "N **p = first(root); p = &(*p)->next;\n*p = malloc(1);", "*p" },
	{ "N **p = &rows[0];\nfor (;; p++) *p = malloc(1);", "*p" },
	{ "N **p = &rows[0]; p += 2;\n*p = malloc(1);", "*p" },
	{ "N **p = &rows[0]; p = p + 1;\n*p = malloc(1);", "*p" },
	{ "N **p = &rows[0]; p = &p[1];\n*p = malloc(1);", "*p" },
	{ "N **p = &root;\np->x = malloc(1);", "p->x" },
	{ "N **p;\n*p = malloc(1);", "*p" },
	{ "N **p = &f(1);\n*p = malloc(1);", "*p" },
	{ "N **p = &;\n*p = malloc(1);", "*p" },
};

START_TEST(a_walk_begins_at_a_variable)
{
	struct statement st;
	struct holder h;
	char text[1024], before[HOLDER_MAX];

	snprintf(text, sizeof(text), "void f()\n{\n%s\n}\n", walks[_i].body);
	write_source(text);
	ck_assert(statement_at(sources, path, 4, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	strcpy(before, h.text);
	ck_assert_msg(resolve_walk(&h, &st) == (strcmp(walks[_i].name, before) != 0), "%s", text);
	ck_assert_msg(!strcmp(h.text, walks[_i].name), "%s: '%s'", text, h.text);
}
END_TEST

/* Assigning a container of C++ copies its block. std::move() does not. */
START_TEST(a_copied_container_is_not_stored)
{
	struct statement st;
	struct holder h;
	struct holder_way way;

	write_source("void A::f()\n{\nV v(n);\nmoved_ = std::move(v);\nV w(n);\ncopy_ = w;\n}\n");
	ck_assert(statement_at(sources, path, 3, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	ck_assert(stored_at(&h, &st, "A::f()", true, &way));
	ck_assert_str_eq(h.text, "moved_");
	ck_assert(statement_at(sources, path, 5, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	ck_assert(!stored_at(&h, &st, "A::f()", true, &way));
	ck_assert_str_eq(h.text, "w");
}
END_TEST

/* If one statement assigns the block to several variables, the name is that of the variable which
 * outlives the function. */
static const struct {
	const char *statement, *name;
} chains[] = {
	{ "T *p = s->t = malloc(1);", "s->t" },
	{ "x.p = s->t = malloc(1);", "s->t" },
	{ "T *p = all = malloc(1);", "all" },
	{ "T *q; T *p = q = malloc(1);", "" },
	{ "T *p = malloc(1);", "" },
	{ "T *p = (n = 3) ? malloc(1) : g(s);", "" },
	{ "T *p = q == s->t ? malloc(1) : NULL;", "" },
};

START_TEST(a_chain_of_assignments_has_a_lasting_name)
{
	const char *call = strstr(chains[_i].statement, "malloc");
	struct statement st;
	struct holder h;
	struct holder_way way;
	char text[1024];
	bool found;

	snprintf(text, sizeof(text), "void f(S *s)\n{\n%s\n}\n", chains[_i].statement);
	write_source(text);
	ck_assert(statement_at(sources, path, 3, (uint32_t)(call - chains[_i].statement) + 1, 0,
			       &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	found = stored_in_chain(&h, &st, "f", &way);
	ck_assert_msg(found == !!*chains[_i].name, "%s", text);
	if (found)
		ck_assert_str_eq(h.text, chains[_i].name);
}
END_TEST

/* An allocator that writes a head at the start of a block returns a pointer to the bytes after the
 * head. */
static const struct {
	const char *body;
	bool is_moved;
} heads[] = {
	{ "p[0] = n; p++; return p;", true }, { "*p = n; p += 2; return p;", true },
	{ "p[0] = n; return p;", false },     { "*p++ = n; x = p + 1; return q;", false },
	{ "p == q; q++; return p;", false },  { "p", false },
};

START_TEST(a_pointer_moves_over_a_head)
{
	struct statement st;
	struct holder h;
	char text[1024];

	snprintf(text, sizeof(text), "long *f(int n)\n{\nlong *p = malloc(n);\n%s\n}\n",
		 heads[_i].body);
	write_source(text);
	ck_assert(statement_at(sources, path, 3, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	ck_assert_msg(is_moved_on(&h, &st) == heads[_i].is_moved, "%s", text);
}
END_TEST

/* A function keeps all elements of a block but the first in a list, and returns the first one. */
static const struct {
	const char *keep, *body, *text;
} pools[] = {
	{ "p->next = l->unused; l->unused = p;",
	  "for (int i = 1; i < n; i++) keep(l, b + i); return b;", "list->unused" },
	{ "l->unused = p;", "for (size_t i = 1; i < n; i++) { keep(l, &b[i]); } return b;",
	  "list->unused" },
	/* the caller cannot access what the function has put in place of its parameter */
	{ "l->unused = p;", "l = master(l); for (i = 1; i < n; i++) keep(l, b + i); return b;",
	  "l->unused" },
	/* an array that is initialised, and one that the list has, too */
	{ "p->next = 0; p->list = l;", "for (int i = 1; i < n; i++) keep(l, b + i); return b;",
	  "" },
	{ "l->unused = p;", "for (int i = 0; i < n; i++) keep(l, b + i); return b;", "" },
	{ "l->unused = p;", "for (int i = 1; i < n; i++) s += b[i]; keep(l, b + n); return b;",
	  "" },
	{ "l->unused = p;", "for (int i = 1; i < n; i++) other(l, b + i); return b;", "" },
	/* an array whose elements are also in a list: the place that has it, or the function */
	{ "l->unused = p;", "for (i = 1; i < n; i++) keep(l, b + i); l->all = b; return b;", "" },
	{ "l->unused = p;", "for (i = 1; i < n; i++) keep(l, b + i); rows[2] = b; return b;", "" },
	{ "l->unused = p;", "for (i = 1; i < n; i++) keep(l, b + i); every = b; return b;", "" },
	{ "l->unused = p;", "T *first = b; for (i = 1; i < n; i++) keep(l, b + i); return first;",
	  "list->unused" },
	{ "l->unused = p;", "for (i = 1; i < n; i++) keep(l, &b[i]); run(l); free(b);", "" },
};

START_TEST(a_pool_has_the_name_of_its_list)
{
	struct statement st;
	struct holder h;
	struct holder_way way;
	char text[1024];
	bool found;

	snprintf(text, sizeof(text),
		 "void keep(L *l, T *p) { %s }\nT *f(L *l, int n)\n{\nT *b = malloc(n);\n%s\n}\n"
		 "int main()\n{\nT *t = f(list, 9);\n}\n",
		 pools[_i].keep, pools[_i].body);
	write_source(text);
	ck_assert(statement_at(sources, path, 4, 0, 0, &st));
	ck_assert(holder_from(&h, &st.tokens, assigned_in(&st.tokens)));
	found = pooled_at(&h, &st, "f", &way);
	ck_assert_msg(found == !!*pools[_i].text, "%s", text);
	if (!found)
		return;
	ck_assert(statement_at(sources, path, 9, 0, 0, &st));
	holder_in_caller(&h, &way, &st);
	ck_assert_msg(!strcmp(h.text, pools[_i].text), "%s: '%s'", text, h.text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_stored");
	TCase *tc = tcase_create("stored");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, a_local_variable_is_stored, 0, COUNT_OF(stored));
	tcase_add_loop_test(tc, a_position_in_a_buffer_is_not_the_buffer, 0, COUNT_OF(results));
	tcase_add_loop_test(tc, an_alias_is_resolved, 0, COUNT_OF(aliases));
	tcase_add_loop_test(tc, other_arrays_begin_in_a_block, 0, COUNT_OF(parts));
	tcase_add_loop_test(tc, a_walk_begins_at_a_variable, 0, COUNT_OF(walks));
	tcase_add_test(tc, a_copied_container_is_not_stored);
	tcase_add_loop_test(tc, a_chain_of_assignments_has_a_lasting_name, 0, COUNT_OF(chains));
	tcase_add_loop_test(tc, a_pointer_moves_over_a_head, 0, COUNT_OF(heads));
	tcase_add_loop_test(tc, a_pool_has_the_name_of_its_list, 0, COUNT_OF(pools));
	suite_add_tcase(s, tc);
	return run_suite(s);
}
