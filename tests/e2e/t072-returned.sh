#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that blocks have the caller's names if a function returns them through another function or in a new object, also if
# the object's constructor allocates, if macros replace the names of functions, and if a template names the members of its
# base class with a scope. Members of objects without a name have the name of their class. Each block has a different size,
# by which the test finds its object.
. "$(dirname "$0")/lib.sh"
need_perf

cat >"$T/rename.h" <<'EOF'
#define queue_create lib__queue_create
#define queue_init lib__queue_init
#define imalloc lib__imalloc
#define ismalloc lib__ismalloc
#define iset lib__iset
#define table_init lib__table_init
EOF
cat >"$T/lib.c" <<'EOF'
#include <stdlib.h>
#include "rename.h"

#define MAKE_ALLOC(prefix, type) \
type *prefix##malloc(size_t n) \
{ \
	return (type *)get(n * sizeof(type)); \
} \
type *prefix##set(size_t n, type value, type *x) \
{ \
	for (size_t i = 0; i < n; i++) \
		x[i] = value; \
	return x; \
} \
type *prefix##smalloc(size_t n, type value) \
{ \
	type *ptr; \
\
	ptr = (type *)get(n * sizeof(type)); \
	if (!ptr) \
		return NULL; \
	return prefix##set(n, value, ptr); \
}
#define MAKE_QUEUE(prefix, kind, key) \
void prefix##init(kind *queue, size_t n) \
{ \
	queue->used = 0; \
	queue->keys = key##malloc(n); \
	queue->places = ismalloc(2 * n, -1); \
} \
kind *prefix##create(size_t n) \
{ \
	kind *queue; \
\
	queue = (kind *)get(sizeof(kind)); \
	prefix##init(queue, n); \
	return queue; \
}

struct queue { int *keys, *places; size_t used; };
typedef struct queue queue_t;
struct table { int *slots; };

__attribute__((noinline)) static void *get(size_t bytes)
{
	void *ptr = malloc(bytes);

	if (!ptr)
		abort();
	return ptr;
}
MAKE_ALLOC(i, int)
MAKE_QUEUE(queue_, queue_t, i)
__attribute__((noinline)) void table_init(struct table *t, size_t n)
{
	t->slots = (int *)malloc(n * sizeof(int));
	t->slots[0] = 1;
}
int main(void)
{
	queue_t *waiting = queue_create(10001);
	int *marks = ismalloc(10003, 7);
	struct table names;

	table_init(&names, 10005);
	__asm__ volatile("" : : "r"(waiting), "r"(marks), "r"(&names) : "memory");
	return 0;
}
EOF
cat >"$T/expected" <<'EOF'
40004 waiting->keys int
40012 marks int
40020 names.slots int
80008 waiting->places int
EOF

# objects: prints size, name and type of the objects.
objects()
{
	sql "SELECT o.size_bytes, o.name, coalesce(t.name, '') FROM objects AS o LEFT JOIN types AS t ON t.id = o.type_id
		WHERE o.kind = 'heap' AND o.size_bytes BETWEEN 40000 AND 99999 AND o.name NOT LIKE 'libstdc++%' ORDER BY 1" | tr '|' ' '
}

for build in "gcc -O0" "gcc -O2" "clang -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -w -fno-inline -o "$T/lib" "$T/lib.c"
	record --sampler=timer "$T/lib"
	assert_eq "$build: names of macros" "$(cat "$T/expected")" "$(objects)"
done

# a function returns a part of the block that a member of its struct gives; a pointer in the struct leads out of the block
cat >"$T/inner.c" <<'EOS'
#include <stdlib.h>

struct vector { long used, room; double data[]; };
struct head { long size; char *name; struct { int a, cells[2]; } first; };
struct entry { struct entry *next; char key[40104]; int value; };
struct table { long used; struct entry *head; };

__attribute__((noinline)) static double *by_array(size_t n)
{
	struct vector *v = malloc(sizeof(*v) + n * sizeof(double));

	v->used = v->room = n;
	return v->data;
}
__attribute__((noinline)) static double *by_element(size_t n)
{
	struct vector *v = malloc(sizeof(*v) + n * sizeof(double));

	v->used = v->room = n;
	return (double *)&v->data[1];
}
__attribute__((noinline)) static void *by_address(size_t n)
{
	struct head *h = calloc(1, n);

	h->size = n;
	return (void *)&h->first;
}
__attribute__((noinline)) static int *by_cells(size_t n)
{
	struct head *h = calloc(1, n);

	h->size = n;
	return h->first.cells;
}
__attribute__((noinline)) static char *by_pointer(size_t n)
{
	struct head *h = calloc(1, n);

	h->name = getenv("HOME");
	__asm__ volatile("" : : "r"(h) : "memory");
	return h->name;
}
/* the caller gets one of the elements */
__attribute__((noinline)) static double *slot_of(size_t n, size_t i)
{
	struct vector *grown = malloc(sizeof(*grown) + n * sizeof(double));

	grown->used = n;
	__asm__ volatile("" : : "r"(grown) : "memory");
	return &grown->data[i];
}
/* a list keeps the block, so the caller's part is not the block */
__attribute__((noinline)) static int *of_list(struct table *t, int k)
{
	struct entry *e = malloc(sizeof(*e));

	e->next = t->head;
	t->head = e;
	e->value = k;
	return &e->value;
}
int main(void)
{
	struct table words = { 0 };
	int *count = of_list(&words, 1);
	double *weights = by_array(5001), *masses = by_element(5003);
	void *pages = by_address(40104);
	int *cells = by_cells(40108);
	char *home = by_pointer(40112);
	double *slot = slot_of(5014, 3);

	__asm__ volatile("" : : "r"(slot) : "memory");
	__asm__ volatile("" : : "r"(weights), "r"(masses), "r"(pages), "r"(cells), "r"(home), "r"(&words), "r"(count) : "memory");
	return 0;
}
EOS
cat >"$T/expected" <<'EOS'
40024 weights
40040 masses
40104 pages
40108 cells
40112 h
40120 words.head
40128 grown
EOS
for build in "gcc -O0" "gcc -O2" "clang -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -w -o "$T/inner" "$T/inner.c"
	record --sampler=timer "$T/inner"
	assert_eq "$build: parts of blocks" "$(cat "$T/expected")" "$(objects | cut -d ' ' -f 1,2)"
	assert_eq "$build: type of a block whose part is returned" "40104 pages" "$(objects | sed -n 's/ $//; /pages/p')"
done

# a function allocates an object with its members, and returns it on a condition; the callers pass the object through a
# function that frees the work space, and store it in another object
cat >"$T/matrix.c" <<'EOS'
#include <stdlib.h>

struct matrix { long n, *p, *i; double *x; };
struct factors { struct matrix *l; long *pinv; };

__attribute__((noinline)) static void *get(long n, size_t size)
{
	return malloc((n > 1 ? n : 1) * size);
}
__attribute__((noinline)) static void *more(void *p, long n, size_t size, int *ok)
{
	void *pnew = realloc(p, (n > 1 ? n : 1) * size);

	*ok = pnew != NULL;
	return ((*ok) ? pnew : p);
}
__attribute__((noinline)) static struct matrix *drop(struct matrix *a)
{
	free(a->p);
	free(a);
	return NULL;
}
__attribute__((noinline)) static struct matrix *make(long n, int values)
{
	struct matrix *a = calloc(1, sizeof(*a));

	a->n = n;
	a->p = get(n, sizeof(long));
	a->i = get(n + 1, sizeof(long));
	a->x = values ? get(n + 2, sizeof(double)) : NULL;
	return ((!a->p || !a->i || (values && !a->x)) ? drop(a) : a);
}
__attribute__((noinline)) static struct matrix *done(struct matrix *c, void *w, void *x, int ok)
{
	free(w);
	free(x);
	return (ok ? c : drop(c));
}
__attribute__((noinline)) static struct matrix *product(const struct matrix *a)
{
	long *w = get(a->n + 10, sizeof(long));
	struct matrix *c;
	int ok;

	c = make(a->n + 100, 1);
	if (!c || !w)
		return (done(c, w, NULL, 0));
	w[0] = 1;
	c->i = more(c->i, a->n + 200, sizeof(long), &ok);
	return (done(c, w, NULL, 1));
}
__attribute__((noinline)) static struct factors *factorise(const struct matrix *a)
{
	struct factors *f = calloc(1, sizeof(*f));
	struct matrix *l;

	f->l = l = make(a->n + 300, 1);
	l->x[0] = 1;
	return f;
}
/* which of the two arrays is returned is unknown, so the names are those of this function */
__attribute__((noinline)) static long *second(long *p, long *w)
{
	free(p);
	return w;
}
__attribute__((noinline)) static long *order(long n)
{
	long *p = get(n, sizeof(long)), *w = get(n + 1, sizeof(long));

	p[0] = w[0] = 1;
	return second(p, w);
}
/* a pool keeps all elements but the first, and returns this one */
struct node { struct node *next; long value[8]; };
struct pool { struct node *unused; long size; };
__attribute__((noinline)) static void recycle(struct pool *p, struct node *n)
{
	n->next = p->unused;
	p->unused = n;
}
__attribute__((noinline)) static struct node *get_node(struct pool *p)
{
	struct node *n = p->unused;

	if (n) {
		p->unused = n->next;
		return n;
	} else {
		struct node *b = calloc(601, sizeof(*b));

		for (int i = 1; i < 601; i++)
			recycle(p, b + i);
		return b;
	}
}
int main(void)
{
	struct pool nodes = { 0 };
	struct node *root = get_node(&nodes);
	struct matrix *a = make(5000, 0), *square = product(a);
	struct factors *lower = factorise(a);
	long *q = order(5400);

	__asm__ volatile("" : : "r"(a), "r"(square), "r"(lower), "r"(q), "r"(root), "r"(&nodes) : "memory");
	return 0;
}
EOS
cat >"$T/expected" <<'EOS'
40000 a->p long
40008 a->i long
40080 w long
40800 square->p long
40808 square->i long
40816 square->x double
41600 square->i long
42400 lower->l->p long
42408 lower->l->i long
42416 lower->l->x double
43200 p long
43208 w long
43272 nodes.unused struct node
EOS
for build in "gcc -O0" "gcc -O2" "clang -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -w -o "$T/matrix" "$T/matrix.c"
	record --sampler=timer "$T/matrix"
	assert_eq "$build: members of an object that is returned on a condition" "$(cat "$T/expected")" "$(objects)"
done

command -v g++ >/dev/null || exit 0
cat >"$T/made.cc" <<'EOF'
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

template <class V> struct Graph {
	V *vertices;
	long n, m;
	int *flags;
	Graph(V *_v, long _n, long _m) : vertices(_v), n(_n), m(_m), flags(nullptr) {}
	Graph(V *_v, long _n, long _m, int *_f) : vertices(_v), n(_n), m(_m), flags{ _f } {}
};
struct Plain {
	double *start;
	int n;
	Plain(double *s, int k) { start = s; n = k; }
};
struct Pair { int count; std::vector<float> low, high; };
struct vertex { int *next; long degree; };

template <class V> __attribute__((noinline)) Graph<V> read_graph(long n, long m)
{
	V *v = (V *)calloc(n, sizeof(V));
	int *f = (int *)malloc(m * sizeof(int));

	f[0] = 1;
	return Graph<V>(v, n, m, f);
}
template <class V> __attribute__((noinline)) Graph<V> read_plain(long n)
{
	V *v = (V *)calloc(n, sizeof(V));

	return Graph<V>(v, n, 0);
}
__attribute__((noinline)) static Plain plain(int n)
{
	double *d = (double *)calloc(n, sizeof(double));

	return { d, n };
}
__attribute__((noinline)) static Pair pair(int n)
{
	std::vector<float> a(n), b(n + 1);

	a[0] = 1;
	return Pair{ n, std::move(a), std::move(b) };
}
/* the object has another value than the block */
__attribute__((noinline)) static Plain other(Plain *from, int n)
{
	double *d = (double *)calloc(n, sizeof(double));

	from->start[0] = d[0];
	__asm__ volatile("" : : "r"(d) : "memory");
	return Plain(from->start, d != nullptr);
}

template <class T> struct Base {
	std::vector<T> rows_;
	static std::vector<T> pool;
};
template <class T> std::vector<T> Base<T>::pool;
template <class T> struct Index : Base<T> {
	using B = Base<T>;
	explicit Index(int n) { build(n); }
	__attribute__((noinline)) void build(int n)
	{
		B::rows_.resize(n);
		B::pool.resize(n + 1);
	}
};

/* the constructor allocates, and the callers only return the object */
struct Mesh {
	int *nodes_;
	double *area_;
	explicit Mesh(int n) : nodes_(new int[n])
	{
		area_ = new double[n / 2 + 2];
		nodes_[0] = area_[0] = n;
	}
};
__attribute__((noinline)) static Mesh mesh(int n) { return Mesh(n); }
__attribute__((noinline)) static std::unique_ptr<Mesh> owned(int n) { return std::make_unique<Mesh>(n); }
__attribute__((noinline)) static Mesh *made(int n) { return new Mesh(n); }
__attribute__((noinline)) static Mesh *checked(Mesh *m) { return m ? m : (abort(), m); }
__attribute__((noinline)) static int first(const Mesh &m) { return m.nodes_[0]; }

/* members that get returned objects */
struct Owner {
	std::unique_ptr<Mesh> p_;
	Mesh *q_;
	explicit Owner(int n) : p_(owned(n)), q_{ made(n + 4) } {}
};

/* a namespace is not a class */
namespace store {
extern int *cells;
__attribute__((noinline)) void init(int n)
{
	cells = new int[n];
	cells[0] = n;
}
int *cells;
}

int main()
{
	Graph<vertex> g = read_graph<vertex>(2501, 10003);
	Graph<vertex> h = read_plain<vertex>(2505);
	Plain p = plain(5011);
	auto *q = new Plain(plain(5013));
	Pair r = pair(10017);
	Plain o = other(&p, 5017);
	Index<int> index(10027);
	Mesh m = mesh(10039);
	auto u = owned(10043);
	Mesh *w = made(10047);
	const int f = first(Mesh(10051)); /* the object has no name */
	Mesh *c = checked(new Mesh(10063));
	std::vector<Mesh> copies{ Mesh(10091) }; /* the vector has a copy of the object */
	asm volatile("" : : "r"(&copies) : "memory");
	const int k = mesh(10071).nodes_[0]; /* k is not the object */
	Owner z(10083);

	store::init(10059);
	asm volatile("" : : "r"(&g), "r"(&h), "r"(&p), "r"(q), "r"(&r), "r"(&o), "r"(&index), "r"(&m), "r"(&u), "r"(w), "r"(f), "r"(c), "r"(k), "r"(&z)
		     : "memory");
	return 0;
}
EOF
cat >"$T/expected" <<'EOF'
40012 g.flags int
40016 g.vertices vertex
40068 r.low float
40072 r.high float
40080 h.vertices vertex
40088 p.start double
40104 q->start double
40108 index.rows_ int
40112 B::pool int
40136 d double
40156 m.nodes_ int
40168 m.area_ double
40172 u->nodes_ int
40184 u->area_ double
40188 w->nodes_ int
40200 w->area_ double
40204 Mesh.nodes_ int
40216 Mesh.area_ double
40236 cells int
40252 c->nodes_ int
40264 c->area_ double
40284 Mesh.nodes_ int
40296 Mesh.area_ double
40332 z.p_->nodes_ int
40344 z.p_->area_ double
40348 z.q_->nodes_ int
40360 z.q_->area_ double
40364 Mesh.nodes_ int
40376 Mesh.area_ double
EOF
for build in "g++ -O0" "g++ -O2" "clang++ -O0" "clang++ -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -w -std=c++17 -o "$T/made" "$T/made.cc"
	record --sampler=timer "$T/made"
	assert_eq "$build: members of returned objects, of base classes, and of objects without a name" "$(cat "$T/expected")" "$(objects)"
done

# gcc reports the constructor's line for members that have a value in the class; their place is their own line
cat >"$T/valued.cc" <<'EOS'
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

struct Valued {
	std::vector<double> one_;
	double *two_{ new double[20001] };
	std::vector<double> three_ = std::vector<double>(20003);
	std::unique_ptr<float[]> four_{ std::make_unique<float[]>(40011) };
	int *five_ = static_cast<int *>(calloc(40017, 4));
	explicit Valued(size_t n)
		: one_(n)
	{
	}
};
/* a member has a value without a block */
struct Empty {
	std::vector<double> data_;
	std::unique_ptr<float[]> later_{ nullptr };
	std::string text_ = std::string("abc");
	explicit Empty(size_t n)
		: data_(n)
	{
	}
};
template <class T> struct Box {
	T *p_;
	explicit Box(size_t n) : p_(new T[n]) {}
	T &operator[](size_t i) { return p_[i]; }
};
struct Holder {
	int n = 3;
	Box<double> box_{ 20201 };
};
int main()
{
	Valued v(20000);
	Empty e(20101);
	Holder h;

	asm volatile("" : : "r"(&v), "r"(&e), "r"(&h) : "memory");
	return 0;
}
EOS
for build in "g++ -O0" "g++ -O2" "clang++ -O0" "clang++ -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -w -std=c++17 -o "$T/valued" "$T/valued.cc"
	record --sampler=timer "$T/valued"
	assert_eq "$build: lines of members" "v.one_ 13
v.two_ 8
v.three_ 9
v.four_ 10
v.five_ 11
e.data_ 23
h.box_.p_ 34" "$(sql "SELECT name || ' ' || line FROM objects WHERE kind = 'heap' AND size_bytes BETWEEN 160000 AND 170000 ORDER BY size_bytes")"
done

# pools that a method stores in a container of the program, and in one of smart pointers
cat >"$T/pools.cc" <<'EOS'
#include <memory>
#include <vector>

template <class T> struct Array {
	T at_[8];
	int n_ = 0;
	void Push(T t) { at_[n_++] = t; }
};
template <int size> struct Pool {
	struct Block { char items[40000 / size][size]; };
	Array<Block *> blocks_;
	__attribute__((noinline)) void *Alloc()
	{
		Block *block = new Block;

		blocks_.Push(block);
		return block->items;
	}
};
template <class T, class Alloc = std::allocator<T>> struct Owners {
	using traits = std::allocator_traits<Alloc>;
	struct Free {
		Alloc alloc;
		size_t n;
		void operator()(T *t) { traits::deallocate(alloc, t, n); }
	};
	Alloc alloc_;
	std::vector<std::unique_ptr<T[], Free>> owned_;
	__attribute__((noinline)) void grow(size_t n)
	{
		T *raw = traits::allocate(alloc_, n);
		auto fresh = std::unique_ptr<T[], Free>(raw, Free{ alloc_, n });
		owned_.push_back(std::move(fresh));
	}
};
struct Document {
	Pool<40> nodes_;
	Owners<long> numbers_;
};
int main()
{
	Document d;
	void *first = d.nodes_.Alloc();

	d.numbers_.grow(5005);
	asm volatile("" : : "r"(&d), "r"(first) : "memory");
	return 0;
}
EOS
for build in "g++ -O0" "g++ -O2" "clang++ -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -w -std=c++17 -o "$T/pools" "$T/pools.cc"
	record --sampler=timer "$T/pools"
	assert_eq "$build: pools in containers" "40000 d.nodes_.blocks_[]
40040 d.numbers_.owned_[]" "$(objects | cut -d ' ' -f 1,2)"
done
