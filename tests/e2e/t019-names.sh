#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a heap object has the name of the program's variable. The cases include constructors with initialiser
# lists, parameters that point to the variable, functions that return a new block, standard containers, code in
# preprocessor branches, and wrappers that only the user knows. The place of the block of a container that the program
# defines is the code that has the container. Each block has a different size, by which the test finds its object. Every
# installed C and C++ compiler builds the cases, with and without optimisation.
. "$(dirname "$0")/lib.sh"
need_perf
command -v g++ >/dev/null || skip "there is no C++ compiler"

# a library of templates; the debug information says that it is in a folder of the system
mkdir "$T/system"
cat >"$T/system/matrix.h" <<'EOF'
#include <cstdlib>
#include <cstring>

namespace linear {
template <typename T> struct Storage {
	T *data_;
	explicit Storage(size_t n) : data_(static_cast<T *>(std::calloc(n, sizeof(T)))) {}
	void grow(size_t n)
	{
		data_ = static_cast<T *>(std::realloc(data_, n * sizeof(T)));
		std::memset(data_, 0, n);
	}
};
template <typename T> class Matrix {
	Storage<T> storage_;
      public:
	explicit Matrix(size_t n) : storage_(n) {}
	void setFrom(size_t n) { storage_.grow(n); }
	T *data() { return storage_.data_; }
};
}
EOF
cat >"$T/names.cc" <<'EOF'
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <valarray>
#include <vector>
#include "matrix.h"

struct Order { long id, price; Order *next; double pad[597]; };
struct Trade { double pad[625]; };

template <typename T, typename A = long> class Array {
	T *start_;
      public:
	explicit Array(size_t n) { start_ = new T[n]; memset((void *)start_, 1, n * sizeof(T)); }
	Array(size_t n, T value) : Array(n) { start_[0] = value; }
	T &operator[](size_t i) { return start_[i]; }
};

struct Base {
	char *text_;
	explicit Base(size_t n) : text_(new char[n]()) {}
};

struct Graph : Base {
	Array<char> out, in;
	char *weights;
	Graph(size_t n) : Base(n + 1), out(n + 2), in(n + 3, 'x'),
		weights(new char[n + 4]())
	{
		allocate(n + 5);
	}
	void allocate(size_t n);
	char *labels;
};

void Graph::allocate(size_t n)
{
	labels = new char[n]();
}

static char *of_file;

__attribute__((noinline)) static void fill(char **out, size_t n)
{
	*out = (char *)calloc(n, 1);
}

__attribute__((noinline)) static void outer(char **twice, size_t n)
{
	fill(twice, n);
	(*twice)[0] = 1; /* so that the call is no jump, which would leave no frame */
}

__attribute__((noinline)) static void *checked(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	memset(p, 0, n);
	return p;
}

struct csr { char *rows, *columns; };

#define COLUMNS(matrix) ((matrix)->columns)

__attribute__((noinline)) static void add_columns(struct csr *matrix, size_t n)
{
	COLUMNS(matrix) = (char *)checked(n);
}

__attribute__((noinline)) static csr *csr_new(size_t n)
{
	csr *m = (csr *)checked(n);

	m->rows = (char *)checked(n + 1);
	return m;
}

__attribute__((noinline)) static void static_one(size_t n)
{
	of_file = (char *)checked(n);
}

struct slab { slab *next; char data[]; };
static slab *slabs;
static char *data_of(slab *s) { return s->data; }

/* The source does not show that its callers get the block. */
__attribute__((noinline)) static void *pool_get(size_t n)
{
	slab *s = (slab *)checked(n + sizeof(slab));

	s->next = slabs;
	slabs = s;
	return data_of(s);
}

static void *sized(size_t n);

__attribute__((noinline)) static slab *push(size_t n)
{
	slab *fresh = (slab *)checked(n);

	fresh->next = slabs;
	slabs = fresh;
	return fresh;
}

struct items { char *at; };

/* The source of the function is a macro, which does not show that it returns the block. */
struct table { char at[70034]; };
struct tables { table *first; } all_tables[2];
#define TABLE(name) \
	__attribute__((noinline)) static table *new_##name(int n) \
	{ \
		return touched((table *)calloc(n, sizeof(table))); \
	} \
	__attribute__((noinline)) static int put_##name(int n) \
	{ \
		static table *volatile other = (table *)calloc(n, 70035); \
\
		return other->at[3]; \
	}
static inline table *touched(table *t)
{
	t->at[0] = 1;
	return t;
}
TABLE(table)

#define RESIZE(list, n) do { \
		(list).at = (char *)realloc((list).at, (n)); \
		(list).at[0] = 1; \
	} while (0)

/* Assigns the block to a local variable first. */
__attribute__((noinline)) static void grow(items *list, size_t n)
{
	char *bigger = (char *)realloc(list->at, n);

	if (!bigger)
		abort();
	list->at = bigger;
}

/* Returns something else than the block that it gets. */
__attribute__((noinline)) static char *attach(items *list, char *text)
{
	char *before = list->at;

	text[0] = before[0];
	return before;
}

/* The constructor's list does not contain the queue. */
struct Late {
	char *text;
	std::deque<long> waiting;
	explicit Late(size_t n) : text(new char[n]()) {}
};

/* The constructor's list does not contain what has a value in the class, but ends with a member that
 * holds no block. */
struct Dense {
	linear::Matrix<char> matrix;
	std::vector<char> extra = std::vector<char>(70044);
	bool dense;
	explicit Dense(size_t n)
		: matrix(n),
		  dense(true)
	{
	}
};

/* The constructor's list contains a new object of a class that a member before it has. */
struct Twice {
	Array<char> inner;
	std::unique_ptr<Array<char>> apart;
	explicit Twice(size_t n) : inner(n), apart(new Array<char>(n + 1)) {}
};

/* Has only the constructor that the compiler makes. */
struct Defaults {
	int n = 3;
	char *first = new char[70045]();
	std::vector<char> second = std::vector<char>(70046);
	bool full() const { return n > 3; }
	std::vector<char> third{ std::vector<char>(70047) };
};

/* keeps the call of push() from becoming a jump */
static inline slab *touched(slab *s)
{
	s->data[0] = 1;
	return s;
}

__attribute__((noinline)) static slab *push_one(size_t n)
{
	return touched(push(n));
}

__attribute__((noinline)) static char *some(size_t n)
{
	if (n > 1)
		return (char *)sized(n) + 1;
	return nullptr;
}

/* Puts the size before the block. */
__attribute__((noinline)) static void *sized(size_t n)
{
	size_t *p = (size_t *)checked(n + sizeof(size_t));

	*p = n;
	return (void *)(p + 1);
}

/* Rust has a library of this name. */
namespace core {
struct Engine {
	char *field;
	void load(size_t n);
};
__attribute__((noinline)) void Engine::load(size_t n)
{
	field = (char *)calloc(n, 1);
}
}

static void keep(void *p)
{
	static void *volatile kept;

	kept = p;
}

static __attribute__((noinline)) void fill_rows(char **rows, size_t bytes)
{
	const int row = 1;

	rows[0] = (char *)malloc(bytes);
	rows[row] = (char *)malloc(bytes + 1);
}

/* A container of the program's own that allocates when an element is added. */
struct Slots {
	char *slots = nullptr;
	__attribute__((noinline)) char *find(size_t key)
	{
		if (!slots)
			slots = new char[key];
		return slots;
	}
};
struct Dictionary {
	Slots words;
	template <typename K, K *unused = nullptr> char &operator[](const K &key) { return *this->words.find(key); }
	Dictionary &add(size_t key) { return (*this)[key] = 1, *this; }
};
template <typename T> struct Wrapped {
	T inner;
	char &operator[](size_t key) { return inner[key]; }
};

int main(int argc, char **argv)
{
	std::vector<char> plain(70001);
	std::valarray<char> values('a', 70002);
	std::string text(70003, 'x');
	std::pmr::monotonic_buffer_resource resource;
	std::pmr::vector<char> moments(&resource);
	std::unordered_map<long, Order> table;
	std::map<long, Order> tree;
	std::deque<long> queue;
	Graph graph(71000);
	Graph *allocated = new Graph(72000);
	char *grid, *far;
	auto shared = std::make_shared<std::vector<char>>(70005, 'x');
	auto unique = std::make_unique<Graph>(73000);
	std::shared_ptr<Base> derived = std::make_shared<Graph>(74000);
	std::map<std::string, long> names;
	auto order = new Order{ argc, 2, nullptr, {} };
	std::unique_ptr<char[]> first(new char[70006]()), second(new char[70007]());

	names[std::string(75000, 'x') + "y"] = 1;
	moments.resize(80001);
	fill(&grid, 70008);
	char *lists[8];
	size_t base = argc;
	fill_rows(&lists[base], 70051);
	keep(lists[base]), keep(lists[base + 1]);
	outer(&far, 70009);
	csr *a = csr_new(70010);
	add_columns(a, 70012);
	char *buffer = (char *)checked(70013);
	keep(checked(70014));
	static_one(70015);
	char *branch =
#ifdef NEVER
		new char[1];
#else
		new char[70016]();
#endif
	char *list[] = { new char[70017](), nullptr };
	char *pooled = (char *)pool_get(70018), *behind = (char *)sized(70019);
	char *below = some(70020);

	core::Engine engine;
	items list_of = { nullptr }, by_macro = { nullptr };
	Late late(70031);
	std::vector<std::unique_ptr<Trade>> orders;

	linear::Matrix<char> product(70041), grown(7);
	Dense made(70043);
	Defaults defaults;
	Twice beside(70061);

	grown.setFrom(70042);
	keep(product.data()), keep(grown.data()), keep(made.matrix.data()), keep(&made.extra[0]), keep(&made.dense);
	keep(&beside), keep(defaults.first), keep(&defaults.second[0]), keep(&defaults.third[0]);
	grow(&list_of, 70029);
	list_of.at[0] = 1;
	RESIZE(by_macro, 70032);
	Dictionary english, *french = new Dictionary, several[2], &last = several[1];
	Wrapped<Dictionary> wrapped;
	english[(size_t)70036] = 1;
	(*french)[(size_t)70037 + (size_t)argc - 1] = last[(size_t)70038] + 1;
	wrapped[70039] = 2;
	several[0].add(70040);
	tables *alias = &all_tables[1];
	alias->first = new_table(1);
	int put = put_table(1);
	list_of.at[1] = put;
	char *attached = attach(&list_of, (char *)checked(70030));
	for (int i = 0; i < 20; i++)
		orders.push_back(std::make_unique<Trade>());
	keep(attached), keep(late.text), keep(orders[3].get()), keep(by_macro.at), keep(&english[(size_t)1]), keep(french);
	push(70022);
	push_one(70023);
	engine.load(70024);
	keep(engine.field);
	for (long i = 0; i < 100; i++) {
		table[i * 77 % 1000].price++;
		tree[i].price++;
		queue.push_back(i);
	}
	keep(pooled), keep(behind), keep(below), keep(&plain[0]), keep(&values[0]), keep(&text[0]), keep(&moments[0]), keep(grid), keep(far), keep(a), keep(buffer);
	keep(allocated), keep(order), keep(branch), keep(list), keep(&graph), keep(of_file), keep(first.get()), keep(second.get()), keep(unique.get()), keep(derived.get());
	return text[7] == 'y';
}
EOF

# name SIZE: prints the names of the objects that have a block of SIZE bytes.
name()
{
	sql "SELECT DISTINCT o.name FROM allocations a JOIN objects o ON o.id = a.object_id WHERE a.size_bytes = $1"
}

# names CONDITION: prints the names of all heap objects for which the SQL condition is true.
names()
{
	sql "SELECT group_concat(name, '|') FROM (SELECT DISTINCT name FROM objects WHERE kind = 'heap' AND $1 ORDER BY 1)"
}

expect()
{
	assert_eq "$build: block of $1 bytes" "$2" "$(name "$1")"
}

for build in "g++ -O0" "g++ -O3" "clang++ -O0" "clang++ -O2"; do
	command -v "${build% *}" >/dev/null || continue
	$build -g -std=c++17 -ffile-prefix-map="$T/system=/usr/include/linear" -I "$T/system" -o "$T/names" "$T/names.cc"
	record --sampler=timer "$T/names"
	expect 70001 plain
	expect 70002 values
	expect 70004 text
	assert_eq "$build: type of a string's elements" char \
		"$(sql "SELECT t.name FROM objects o JOIN types t ON t.id = o.type_id WHERE o.name = 'text'")"
	assert_eq "$build: the container that asked a memory resource" moments "$(names "size_bytes BETWEEN 80001 AND 89999")"
	expect 71001 graph.text_
	expect 71002 graph.out.start_
	assert_eq "$build: the code that allocates a container's block" "Graph::Graph|Array::Array" \
		"$(sql "SELECT substr(function, 1, 12), wrapper FROM objects WHERE name = 'graph.out.start_'")"
	expect 71003 graph.in.start_
	expect 71004 graph.weights
	expect 71005 graph.labels
	expect 70041 product
	expect 70042 grown
	expect 70043 made.matrix
	expect 70044 made.extra
	expect 70045 defaults.first
	expect 70046 defaults.second
	expect 70047 defaults.third
	expect 70061 beside.inner.start_
	expect 70062 "beside.apart->start_"
	expect 72001 "allocated->text_"
	expect 72004 "allocated->weights"
	expect 72005 "allocated->labels"
	expect 70005 shared
	expect 73001 "unique->text_"
	expect 73004 "unique->weights"
	expect 73005 "unique->labels"
	expect 74001 "derived->text_"
	expect 74004 "derived->weights"
	expect 74005 "derived->labels"
	expect 4800 order
	expect 70006 first
	expect 70007 second
	expect 70008 grid
	expect 70051 "lists[base]"
	expect 70052 "lists[]"
	expect 70009 far
	expect 70010 a
	expect 70011 "a->rows"
	expect 70012 "COLUMNS(a)"
	expect 70013 buffer
	line=$(grep -n 'keep(checked(70014))' "$T/names.cc")
	expect 70014 "main (names.cc:${line%%:*})"
	expect 70015 of_file
	expect 70016 branch
	expect 70017 list
	expect 70026 slabs
	expect 70027 behind
	expect 70028 below
	expect 70022 slabs
	expect 70023 slabs
	expect 70029 list_of.at
	line=$(grep -n 'checked(70030))' "$T/names.cc")
	expect 70030 "main (names.cc:${line%%:*})"
	expect 70031 late.text
	expect 70032 by_macro.at
	expect 70034 "all_tables[1].first"
	expect 70035 other
	expect 70036 english.words.slots
	expect 70037 'french->words.slots'
	expect 70038 'several[1].words.slots'
	expect 70039 wrapped.inner.words.slots
	expect 70040 'several[0].words.slots'
	assert_eq "$build: a queue that is not in the constructor's list" "" "$(names "name LIKE 'late.text (%'")"
	assert_eq "$build: type of what a container's elements point to" Trade "$(sql "SELECT t.name FROM objects o
		JOIN types t ON t.id = o.type_id WHERE o.name = 'orders[]' AND o.size_bytes = 20 * 5000")"
	expect 70024 engine.field
	assert_eq "$build: a queue's" "queue (blocks)|queue (map)" \
		"$(names "name LIKE 'queue%'")"
	assert_eq "$build: nodes and buckets" "table (buckets)|table (nodes)|tree" \
		"$(names "name LIKE 't%' AND name <> 'text'")"
done

echo "== a wrapper that the user names"
record --all-blocks --sampler=timer --wrapper=pool_get --wrapper=none "$T/names"
assert_eq "what is said of a wrapper that does not exist" "memdb: --wrapper has no effect for 'none': no function of this name allocates; \`memdb report --by wrapper\` lists those that do" "$(grep -e --wrapper "$T/stderr")"
assert_eq "its loss" "none" "$(sql "SELECT detail FROM losses WHERE what = 'wrapper that allocates nothing'")"
build="--wrapper"
expect 70026 pooled
expect 70013 buffer
assert_eq "the wrapper" "pool_get" "$(sql "SELECT wrapper FROM objects WHERE name = 'pooled'")"
assert_eq "the other wrapper" "checked" "$(sql "SELECT wrapper FROM objects WHERE name = 'buffer'")"

echo "== a library's own memory"
cat >"$T/arena.c" <<'END'
#include <string.h>
#include <sys/mman.h>

__attribute__((noinline)) static char *new_arena(void)
{
	char *volatile p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p;
}

__attribute__((noinline)) static char *evaluate(void)
{
	char *volatile object = new_arena();

	memset(object, 1, 1 << 20);
	return object;
}

int main(void)
{
	return !*evaluate();
}
END
gcc -g -o "$T/python3.99" "$T/arena.c"
record --sampler=timer "$T/python3.99"
assert_match "an arena of Python's allocator" '^\[pymalloc arenas\] ' "$(sql "
	SELECT o.name FROM allocations a JOIN objects o ON o.id = a.object_id WHERE a.size_bytes = 1 << 20")"
cat >"$T/sort.cc" <<'END'
#include <algorithm>
#include <vector>
int main()
{
	std::vector<int> v(100001);

	for (size_t i = 0; i < v.size(); i++)
		v[i] = (int)(i * 7919 % v.size());
	std::stable_sort(v.begin(), v.end());
	return v[0];
}
END
cat >"$T/qsort.c" <<'END'
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
int main(void)
{
	int *v = malloc(100003 * sizeof(int));

	for (int i = 0; i < 100003; i++)
		v[i] = (int)(i * 7919L % 100003);
	qsort(v, 100003, sizeof(int), compare);
	return v[0];
}
END
gcc -O1 -g -o "$T/qsort" "$T/qsort.c"
record --sampler=timer "$T/qsort"
# some versions of libc sort without a buffer
assert_match "the buffer of qsort()" '^(\[qsort\] main \(qsort.c:12\)\|)?v$' "$(names "allocated_bytes BETWEEN 400000 AND 500000")"
assert_eq "its type" int "$(sql "SELECT DISTINCT t.name FROM objects o JOIN types t ON t.id = o.type_id WHERE o.allocated_bytes BETWEEN 400000 AND 500000")"
g++ -O1 -g -o "$T/sort" "$T/sort.cc"
record --sampler=timer "$T/sort"
assert_eq "the buffer of an algorithm" "[std::get_temporary_buffer] main (sort.cc:9)|v" "$(names "allocated_bytes BETWEEN 200000 AND 500000")"

echo "== a method that the compiler divides: its head, in front of what it inlines, is no call"
cat >"$T/split.cc" <<'END'
#include <cstdlib>
#include <new>
template <class T> struct Vec {
	T *data = nullptr;
	int size = 0, room = 0;
	void capacity(int least);
	void grow_to(int wanted);
};
template <class T>
void Vec<T>::capacity(int least)
{
	if (room >= least)
		return;
	room += least > room * 3 / 2 ? least - room : room / 2;
	data = (T *)std::realloc((void *)data, room * sizeof(T));
	if (!data)
		throw std::bad_alloc();
}
template <class T>
void Vec<T>::grow_to(int wanted) {
	if (size >= wanted)
		return;
	capacity(wanted);
	for (int i = size; i < wanted; i++)
		new (&data[i]) T();
	size = wanted;
}
struct Watch {
	long a, b;
	Watch();
	~Watch();
};
__attribute__((noinline)) Watch::Watch() : a(1), b(2) {}
__attribute__((noinline)) Watch::~Watch() {}
struct Map {
	Vec<Watch> map;
	void reserve(int key) { map.grow_to(key + 1); }
};
struct Solver {
	Map watches;
	__attribute__((noinline)) void add(int v);
	__attribute__((noinline)) void again(int v) { watches.reserve(v); }
};
void Solver::add(int v)
{
	watches.reserve(2 * v);
	watches.reserve(2 * v + 1);
}
int main()
{
	Solver solver;

	for (int i = 0; i < 70100 / 2; i++)
		solver.add(i);
	solver.again(100);
	return solver.watches.map.data[7].a == 2;
}
END
g++ -O2 -g -o "$T/split" "$T/split.cc"
record --all-blocks --sampler=timer "$T/split"
assert_eq "the blocks of the map" solver.watches.map.data "$(names "name LIKE '%data%'")"

echo "== a source that is newer than the program"
assert_eq "losses before" "" "$(sql "SELECT count FROM losses WHERE source = 'sources'")"
touch -d tomorrow "$T/names.cc"
record --all-blocks --sampler=timer "$T/names"
assert_eq "losses" "newer than the program|1|$T/names.cc" "$(sql "SELECT what, count, detail FROM losses WHERE source = 'sources'")"
line=$(grep -n 'plain(70001)' "$T/names.cc")
assert_eq "code instead of a variable" "main (names.cc:${line%%:*})" "$(name 70001)"
