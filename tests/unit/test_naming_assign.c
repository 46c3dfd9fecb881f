/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests to which variable a source line assigns an allocation. */
#include "base/count.h"
#include "naming/assign.h"
#include "naming/calls.h"

#include "check_main.h"

struct row {
	/* the variable that the line assigns an allocation to; "" if there is none */
	const char *name;
	const char *line;
};

static const struct row rows[] = {
	/* Lines in C. */
	{ "a", "double *a = (double *)malloc(n * 8);" },
	{ "a", "a = b = calloc(n, 8);" },
	{ "s->x.y", "s->x.y = malloc(n);" },
	{ "p->cells[i]", "\tp -> cells [i] = malloc(n);" },
	{ "a.b->c[i][j]", "a.b->c[i][j] = (double *) calloc(n, sizeof(double));" },
	{ "(*pp)->x", "(*pp)->x = malloc(n);" },
	{ "*out", "*out = malloc(n);" },
	{ "rows", "double (*rows)[64] = malloc(n * sizeof(*rows));" },
	{ "a", "static double (*a) = (double *)malloc(n * 8);" },
	{ "a", "struct node (*a) = malloc(n);" },
	{ "calls", "int (**calls)(int, char *) = malloc(n * sizeof(*calls));" },
	{ "e", "double (**e)[10] = malloc(n);" },
	{ "f(*a)", "f(*a) = malloc(n);" },
	{ "p", "if (!(p = malloc(n)))" },
	{ "p", "while ((p = malloc(n)) == NULL)" },
	{ "p", "return (p = malloc(n));" },
	{ "p", "p = a == b ? malloc(n) : NULL;" },
	{ "p", "p = wrap(3, malloc(n));" },
	{ "p", "p = checked(malloc(n), file, line);" },
	{ "p", "p = checked(__FILE__, \"p\", malloc(n));" },
	{ "p", "p = cast(struct node **, malloc(n));" },
	{ "", "entry = add(table, key, strdup(s));" },
	{ "", "entry = add(a * b, malloc(n));" },
	{ "table", "table.insert(std::make_pair(key, new T));" },
	{ "m", "let m = wrapped(rows, Vec::with_capacity(n));" },
	{ "p", "int n = 5, *p = malloc(n);" },
	{ "a", "double *a[2] = { malloc(n), malloc(m) };" },
	{ "p[i]", "for (i = 0; i < n; i++) p[i] = malloc(4);" },
	{ "n", "struct node *n = malloc(sizeof *n), *m;" },
	{ "p", "T *const restrict p = malloc(n);" },
	{ "data", "\t.data = malloc(n)," },
	{ "p", "if ((fd = open(f, 0)) < 0 || (p = mmap(0, n, 1, 1, fd, 0)) == MAP_FAILED)" },
	{ "p", "p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, -1, 0);" },
	{ "p", "posix_memalign((void **)&p, 64, n);" },
	{ "s->buf", "ret = posix_memalign(&s->buf, 64, n);" },
	{ "p", "if (posix_memalign((void**)&p, 64, n) != 0) abort();" },
	{ "*out", "posix_memalign(out, 64, n);" },
	{ "mem_", "int rc = posix_memalign(reinterpret_cast<void**>(&mem_), 64, n);" },
	{ "s.p[1]", "posix_memalign(static_cast<void **>((void *)&s.p[1]), 64, n);" },
	{ "*out", "posix_memalign(reinterpret_cast<void **>(out), 64, n);" },
	{ "data", "cudaMallocManaged(reinterpret_cast<void **>(&data), n);" },
	{ "s", "char *s = NULL; asprintf(&s, \"%d\", 3);" },
	{ "line", "while (getline(&line, &cap, f) > 0)" },
	{ "q", "char *q = strdup(s);" },
	{ "n", "struct node *n = xmalloc(sizeof(*n));" },
	{ "buf->data", "buf->data = g_malloc0(n);" },
	{ "ptr", "ptr = realloc(ptr, n);" },
	{ "p", "p = pool_alloc(&pool, n);" },
	{ "pool->x", "pool_alloc_to(&pool->x, n);" },
	{ "p", "case 3: p = malloc(n); break;" },
	{ "p", "CHECK(p = malloc(n));" },
	{ "grid", "grid = make_grid(n, m);" },
	/* Lines that call accelerator libraries and MPI. */
	{ "d_a", "cudaMalloc(&d_a, n);" },
	{ "x", "CUDA_CHECK(cudaMallocManaged((void**)&x, n));" },
	{ "vals", "PetscCall(PetscMalloc1(n, &vals));" },
	{ "win", "ierr = MPI_Alloc_mem(n, MPI_INFO_NULL, &win);" },
	/* Lines in C++. */
	{ "p", "p = new T;" },
	{ "cells", "this->cells = new Cell[n];" },
	{ "v", "v.resize(n);" },
	{ "s->v", "s->v.push_back(x);" },
	{ "m", "auto [it, ok] = m.emplace(k, v);" },
	{ "m", "auto it = m.insert(x);" },
	{ "list", "list.push_back(new Node(3));" },
	{ "p", "p.reset(new T[n]);" },
	{ "p", "auto p = std::make_unique<double[]>(n);" },
	{ "p", "std::shared_ptr<Foo> p = std::make_shared<Foo>(a, b);" },
	{ "p", "std::unique_ptr<T> p(new T);" },
	{ "x", "std::vector<double> x(n), y(n);" },
	{ "v", "std::vector<double> v{1, 2, 3};" },
	{ "g", "std::vector<std::vector<double>> g(n, std::vector<double>(m));" },
	{ "big", "std::vector<double> big(" },
	{ "cache", "static std::map<std::string, std::vector<int>> cache;" },
	{ "m", "Matrix m(n, n);" },
	{ "s", "std::string s = \"abc\";" },
	{ "m[\"a\"]", "m[\"a\"] = argc;" },
	{ "s", "s += t;" },
	{ "x", "double *x = static_cast<double*>(std::malloc(n));" },
	{ "p", "Foo::Foo(int n) : p(new double[n]), n(n) {}" },
	{ "data_", "    : data_(n)" },
	{ "rows_", "    , rows_(n, m)" },
	{ "S::all", "S::all = new T[n];" },
	/* Lines in Fortran. */
	{ "u", "ALLOCATE(u(n,m))" },
	{ "u|v", "ALLOCATE(u(n,m), v(n))" },
	{ "a%b", "allocate (a%b(n))" },
	{ "a(i)%b", "      allocate(a(i)%b(n), stat=ierr)" },
	{ "u", "if (.not. allocated(u)) allocate(u(n))" },
	{ "w", "allocate(real(8) :: w(n)) ! comment = x" },
	{ "w|z", "allocate(real(8) :: w(n), z(n))" },
	{ "a|b|c", "  allocate(a(n), b(n/2), c(100, n/100), stat=ierr)" },
	{ "t%u|v(k)%w", "Allocate(t%u(3), v(k)%w, source = x(1, 2))" },
	{ "", "allocate(stat=ierr)" },
	{ "p", "double *p{ new double[n] };" },
	{ "p", "const T *const p{new T(n)};" },
	{ "new%b", "new%b = old%b" },
	{ "a(i,2)%b%c", "if (n == 1) a(i, 2)%b%c = 2 * c" },
	{ "q", "100   Allocate(q(n))" },
	{ "u", "u = matmul(v, w)" },
	/* Lines in Rust and Go. */
	{ "v", "let mut v: Vec<f64> = Vec::with_capacity(n);" },
	{ "a", "a := make([]int, n)" },
	/* Text in comments and strings does not count. */
	{ "q", "/* p = malloc(n); */ q = malloc(n);" },
	{ "p", "of p = malloc() */ p = malloc(n);" },
	{ "p", "printf(\"x = %d\", n); p = malloc(n); // q = malloc(n)" },
	{ "", "// p = malloc(n);" },
	{ "", "/* p = malloc(n); */" },
	{ "", "printf(\"p = malloc(%d)\", n);" },
	{ "", "puts(\"\\\"p = \"); foo(malloc(n));" },
	{ "", "! allocate(q(n))" },
	/* Lines that do not name a variable. */
	{ "", "" },
	{ "", "return malloc(n);" },
	{ "", "return new T[n];" },
	{ "", "foo(malloc(n));" },
	{ "", "foo(x, new T);" },
	{ "", "if (malloc(n) == NULL)" },
	{ "", "x == malloc(3);" },
	{ "", "x = 1, foo(malloc(3));" },
	{ "", "free(p);" },
	{ "", "delete p;" },
	{ "", "deallocate(u)" },
	{ "", "x = 3;" },
	{ "", "p = NULL;" },
	{ "", "int x(5);" },
	{ "", "for (int i = 0; i < n; i++)" },
	{ "", "int main(int argc, char **argv)" },
	{ "", "Matrix multiply(const Matrix &a) {" },
	{ "", "return x;" },
	{ "", "goto out;" },
	{ "", "using namespace std;" },
	{ "", "throw std::bad_alloc();" },
	{ "", "#define NEW(p) p = malloc(n)" },
	{ "", "new (buf) Foo(n);" },
	{ "", "}" },
	{ "", "))) = malloc(n" },
	{ "", "= new T" },
	{ "", "((((((((((" },
};

START_TEST(a_line_names_its_variable)
{
	const struct row *r = &rows[_i];
	char out[64];
	bool found = assigned_name(r->line, out, sizeof(out));

	ck_assert_msg(strcmp(out, r->name) == 0, "%s -> '%s', not '%s'", r->line, out, r->name);
	ck_assert_int_eq(found, r->name[0] != '\0');
}
END_TEST

START_TEST(some_lines_show_that_they_allocate)
{
	static const char *const shown[] = { "p = malloc(n);",
					     "FILE *f = fopen(path, mode);",
					     "rc = posix_memalign(&p, 64, n);",
					     "q = new T[n];",
					     "n = getline(&line, &size, f);",
					     "grid_alloc(g);" };
	static const char *const hidden[] = { "rc = regcomp(&re, text, 0);", "x = y;", "",
					      "// p = malloc(n);", "qsort(v, n, 4, compare);" };

	struct tokens ts;

	for (size_t i = 0; i < COUNT_OF(shown); i++) {
		tokens_read(&ts, shown[i]);
		ck_assert_msg(allocates_in(&ts), "%s", shown[i]);
	}
	for (size_t i = 0; i < COUNT_OF(hidden); i++) {
		tokens_read(&ts, hidden[i]);
		ck_assert_msg(!allocates_in(&ts), "%s", hidden[i]);
	}
}
END_TEST

START_TEST(a_name_that_does_not_fit_is_none)
{
	char out[4] = "xyz";

	ck_assert(!assigned_name("long_name = malloc(3);", out, sizeof(out)));
	ck_assert_str_eq(out, "");
	ck_assert(assigned_name("abc = malloc(3);", out, sizeof(out)));
	ck_assert_str_eq(out, "abc");
	ck_assert(!assigned_name("abcd = malloc(3);", out, sizeof(out)));
	ck_assert(!assigned_name("a = malloc(3);", out, 0));
}
END_TEST

/* Parses every prefix and suffix of every line. Each is copied to a block of its exact length, so
 * that sanitizers detect a read outside of it. */
START_TEST(any_part_of_a_line_is_safe)
{
	const char *line = rows[_i].line;
	size_t len = strlen(line) + 1;
	char out[64];

	for (size_t n = 0; n < len; n++) {
		char *part = copy_exact(line, n + 1);

		part[n] = '\0';
		assigned_name(part, out, sizeof(out));
		free(part);
		part = copy_exact(line + n, len - n);
		assigned_name(part, out, sizeof(out));
		free(part);
	}
}
END_TEST

START_TEST(a_very_long_line_ends)
{
	const size_t n = 1 << 20;
	char *line = malloc(n + 1), out[64];

	for (int kind = 0; kind < 4; kind++) {
		memset(line, "(a=\""[kind], n);
		line[n] = '\0';
		ck_assert(!assigned_name(line, out, sizeof(out)));
	}
	free(line);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("naming_assign");
	TCase *tc = tcase_create("names");
	const int n = COUNT_OF(rows);

	tcase_add_loop_test(tc, a_line_names_its_variable, 0, n);
	tcase_add_test(tc, some_lines_show_that_they_allocate);
	tcase_add_test(tc, a_name_that_does_not_fit_is_none);
	tcase_add_loop_test(tc, any_part_of_a_line_is_safe, 0, n);
	tcase_add_test(tc, a_very_long_line_ends);
	suite_add_tcase(s, tc);
	return run_suite(s);
}
