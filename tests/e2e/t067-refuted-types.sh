#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that no object has the type of another thing: a pool has not the type of its header, although the statement
# that allocates it has only a cast to that type; a container has not the type of another one, although the compiler
# merged their equal methods; an arena of bytes has not the type of a few of its objects. And accesses show types that
# the allocation does not: of blocks that are cut short, of structs with a common header, of all elements of an array
# with slack at its end. Of an array that begins at an aligned address in its block, no element is at the block's begin.
. "$(dirname "$0")/lib.sh"
need_perf

cat >"$T/pool.c" <<'EOF'
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct header { struct header *next; size_t size; };
struct text { struct text *next; unsigned hash, len; char bytes[64]; };
struct object { struct object *next; unsigned char kind, mark; };
struct table { struct object *next; unsigned char kind, mark; unsigned short flags; double *slots; long used; };
struct cell { double value; long hits; };
struct node { int count; }; /* then numbers */
struct slot { long key; int age, used; };
struct bucket { struct slot slot[4]; };
enum { LINE = 64, BUCKETS = 20000 };
enum { POOL = 1 << 20, TEXTS = 20000, TABLES = 20000, CELLS = 200000 };

#define HIDE(pointer) __asm__ volatile("" : "+r"(pointer)) /* from the compiler: which object it is */

static struct header *pool;
static unsigned seed = 1;
static unsigned any(unsigned n) { return (seed = seed * 1664525 + 1013904223) / 65536 % n; }

__attribute__((noinline)) static void *plain(size_t bytes) { return malloc(bytes); }

__attribute__((noinline)) static void make_pool(void)
{
	pool = (struct header *)plain(POOL);
	pool->next = NULL;
	pool->size = POOL;
	memset(pool + 1, 1, POOL - sizeof(*pool));
}

__attribute__((noinline)) static long use_pool(void)
{
	char *bytes = (char *)(pool + 1);
	long sum = 0;

	for (int i = 0; i < 3000000; i++)
		sum += bytes[any(POOL - 64)]++;
	return sum;
}

__attribute__((noinline)) static long use_texts(struct text **texts)
{
	long sum = 0;

	HIDE(texts);
	for (int i = 0; i < 3000000; i++) {
		struct text *t = texts[any(TEXTS)];

		sum += t->hash + t->len;
	}
	return sum;
}

__attribute__((noinline)) static long mark(struct object **all)
{
	long sum = 0;

	HIDE(all);
	for (int i = 0; i < 2000000; i++)
		sum += all[any(TABLES)]->mark++;
	return sum;
}

__attribute__((noinline)) static long use_tables(struct table **tables)
{
	long sum = 0;

	HIDE(tables);
	for (int i = 0; i < 2500000; i++)
		sum += tables[any(TABLES)]->used++;
	return sum;
}

/* An array with a header, which the caller does not see. */
__attribute__((noinline)) static void *with_header(size_t size, size_t n)
{
	void *b = malloc(size * n + sizeof(struct header));

	b = (char *)b + sizeof(struct header);
	((struct header *)b)[-1].size = n;
	return b;
}

__attribute__((noinline)) static long use_nodes(struct node **nodes)
{
	long sum = 0;

	HIDE(nodes);
	for (int i = 0; i < 3000000; i++) {
		struct node *n = nodes[any(TEXTS)];

		sum += ((int *)((char *)n + 4))[any(n->count)]++;
	}
	return sum;
}

__attribute__((noinline)) static long use_cells(struct cell *cells)
{
	long sum = 0;

	HIDE(cells);
	for (int i = 0; i < 3000000; i++)
		sum += cells[any(CELLS)].hits++;
	return sum;
}

__attribute__((noinline)) static long use_buckets(struct bucket *buckets)
{
	long sum = 0;

	HIDE(buckets);
	for (int i = 0; i < 3000000; i++) {
		struct slot *slots = buckets[any(BUCKETS)].slot;

		HIDE(slots);
		sum += slots->key++ + slots[1].key;
	}
	return sum;
}

int main(void)
{
	static void *texts[TEXTS], *tables[TABLES];
	struct cell *cells = (struct cell *)plain(CELLS * sizeof(struct cell) + 8);
	long sum = 0;

	char *aligned = malloc(BUCKETS * sizeof(struct bucket) + LINE);
	struct bucket *buckets = (struct bucket *)(((size_t)aligned + LINE) & ~(size_t)(LINE - 1));
	struct node *nodes[TEXTS];
	struct cell *headed = with_header(sizeof(struct cell), CELLS);

	memset(buckets, 0, BUCKETS * sizeof(struct bucket));
	sum += use_buckets(buckets);
	memset(headed, 0, CELLS * sizeof(struct cell));
	for (int i = 0; i < TEXTS; i++) {
		nodes[i] = (struct node *)calloc(1, 8 + i % 2 * 4 + 64);
		nodes[i]->count = 16;
	}
	sum += use_nodes(nodes) + use_cells(headed);
	make_pool();
	memset(cells, 0, CELLS * sizeof(struct cell) + 8);
	for (int i = 0; i < TEXTS; i++) {
		texts[i] = plain(offsetof(struct text, bytes) + 5);
		memset(texts[i], 1, 21);
	}
	for (int i = 0; i < TABLES; i++) {
		tables[i] = plain(40);
		memset(tables[i], 1, 40);
	}
	sum += use_pool() + use_texts((struct text **)texts) + use_cells(cells);
	sum += mark((struct object **)tables) + use_tables((struct table **)tables);
	return sum == 1;
}
EOF

# type NAME: prints the type of the object NAME, and " []" if it is an array.
type()
{
	sql "SELECT coalesce(replace(t.name, 'struct ', ''), 'none') || iif(o.type_repeats, ' []', '')
		FROM objects o LEFT JOIN types t ON t.id = o.type_id WHERE o.name = '$1' AND o.kind = 'heap' AND o.allocated_bytes > 100000"
}

for build in "gcc -O2" "clang -O2"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -o "$T/pool" "$T/pool.c"
	record --sampler=timer --freq=3000 "$T/pool"
	assert_eq "$build: the pool" none "$(type pool)"
	assert_eq "$build: blocks without their last bytes" text "$(type 'texts[i]')"
	assert_eq "$build: blocks with a common header" table "$(type 'tables[i]' | sed 's/ \[\]//')"
	assert_eq "$build: an array with slack" "cell []" "$(type cells)"
	assert_eq "$build: an array after a header" "cell []" "$(type headed)"
	assert_eq "$build: an array at an aligned address" right "$(sql "SELECT iif(t.name = 'struct bucket' AND o.type_start % 64 <> 48, 'moved', 'right')
		FROM objects o LEFT JOIN types t ON t.id = o.type_id WHERE o.name = 'aligned'")"
	assert_eq "$build: a struct and then numbers" node "$(type 'nodes[i]')"
done

command -v g++ >/dev/null || exit 0
cat >"$T/merged.cc" <<'EOF'
#include <vector>

struct Point { int x, y; };
struct Node { double weight; int next, id; };
struct Range { double *from, *to; };

static unsigned seed = 1;
static unsigned any(unsigned n) { return (seed = seed * 1664525 + 1013904223) / 65536 % n; }

/* Two calls, so that the compiler does not inline the function that allocates. The number makes this function differ from
 * others, so that it is not merged, too. */
template <typename T, int number> __attribute__((noinline)) void grow(std::vector<T> &v, int n)
{
	v.resize(n / 2 + number);
	v.resize(n);
}

int main()
{
	enum { N = 60000 };
	std::vector<Node *> nodes;
	std::vector<Point> points;
	std::vector<Range *> ranges;
	std::vector<long> numbers;
	long sum = 0;

	grow<Node *, 0>(nodes, N);
	grow<Point, 1>(points, N);
	grow<Range *, 2>(ranges, N);
	grow<long, 3>(numbers, N);
	for (int i = 0; i < 3000000; i++) {
		sum += nodes[any(N)] == nullptr;
		sum += points[any(N)].y++;
		sum += ranges[any(N)] == nullptr;
		sum += numbers[any(N)]++;
	}
	return sum == 1;
}
EOF
for build in "g++ -O2" "g++ -O2 -fuse-ld=gold -Wl,--icf=all" "clang++ -O2 -fuse-ld=lld -Wl,--icf=all"; do # linkers merge more functions than compilers
	$build -g -ffunction-sections -o "$T/merged" "$T/merged.cc" 2>/dev/null || continue
	record --sampler=timer --freq=2000 "$T/merged"
	assert_eq "$build: vectors and their types" "nodes Node *
numbers long
points Point
ranges Range *" "$(sql "SELECT DISTINCT o.name || ' ' || replace(t.name, 'long int', 'long') FROM objects o JOIN types t ON t.id = o.type_id
		WHERE o.kind = 'heap' AND o.type_source = 'container' AND o.size_bytes >= 8 * 60000 ORDER BY 1")"
done

# With -flto, gcc describes inlined allocators as those of other types.
cat >"$T/inlined.cc" <<'EOF'
#include <list>
#include <vector>

struct Order { double price; long id; };

int main()
{
	enum { N = 60000 };
	std::vector<std::vector<double>> rows(100, std::vector<double>(2000));
	std::list<long> items;
	std::vector<Order *> orders;
	std::vector<long> numbers(N);
	double sum = 0;

	for (long i = 0; i < N; i++) {
		items.push_back(i);
		orders.push_back(new Order{1.0, i});
	}
	for (int r = 0; r < 60; r++) {
		for (long item : items) sum += item;
		for (auto &row : rows) for (double value : row) sum += value;
		for (Order *order : orders) sum += order->price;
		for (long i = 0; i < N; i++) sum += numbers[i * 7919 % N]++;
	}
	return sum < 0;
}
EOF
if g++ -O2 -flto -g -o "$T/inlined" "$T/inlined.cc" 2>/dev/null; then
	record --sampler=timer --freq=2000 "$T/inlined"
	assert_eq "-flto: objects" "items numbers orders rows[]" "$(sql "SELECT group_concat(name, ' ') FROM (SELECT DISTINCT name FROM objects
		WHERE name IN ('items', 'numbers', 'orders', 'rows[]') ORDER BY 1)")"
	assert_eq "-flto: types of other containers" "" "$(sql "SELECT o.name || ' ' || t.name FROM objects o JOIN types t ON t.id = o.type_id
		WHERE (o.name = 'items' AND t.name NOT LIKE '%List_node%') OR (o.name = 'numbers' AND t.name NOT IN ('long', 'long int'))
		OR (o.name = 'orders' AND t.name <> 'Order *') OR (o.name = 'rows[]' AND t.name <> 'double')")"
fi

# Types of one name in several namespaces: the innermost one around the function counts, and a type of another file never.
cat >"$T/names.h" <<'EOF'
struct Node { long value; Node *next; };
long length(Node *);
EOF
cat >"$T/other.cc" <<'EOF'
#include "names.h"
long length(Node *n)
{
	long sum = 0;

	for (; n; n = n->next)
		sum += n->value++ == 0;
	return sum;
}
EOF
cat >"$T/names.cc" <<'EOF'
#include "names.h"
namespace net {
struct Node { double weight[6]; Node *from, *to; };
struct Link { Node *first; Link *next; };
struct Graph {
	Node *nodes;
	Link *links = nullptr;
	__attribute__((noinline)) Graph(int n) { nodes = new Node[n]; }
	__attribute__((noinline)) void link(int i)
	{
		struct Link { long number; } entry = { i };
		net::Link *made = new net::Link;

		made->first = &nodes[entry.number];
		made->next = links;
		links = made;
	}
};
}
int main()
{
	enum { N = 40000 };
	net::Graph graph(N);
	Node *list = nullptr;
	double sum = 0;

	for (int i = 0; i < N; i++) {
		graph.link(i);
		list = new Node{ 0, list };
	}
	for (int round = 0; round < 60; round++) {
		for (net::Link *l = graph.links; l; l = l->next)
			sum += l->first->weight[round % 6] += round;
		sum += length(list);
	}
	return sum < 0;
}
EOF
for build in "g++ -O0" "g++ -O2" "clang++ -O2"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -o "$T/names" "$T/names.cc" "$T/other.cc"
	record --sampler=timer --freq=2000 "$T/names"
	assert_eq "$build: types of one name" "graph.links net::Link
graph.nodes net::Node
list Node" "$(sql "SELECT DISTINCT o.name || ' ' || t.name FROM objects o JOIN types t ON t.id = o.type_id
		WHERE o.kind = 'heap' AND o.allocated_bytes > 100000 ORDER BY 1")"
done

# Members of several classes with one name: those of a class hide those of its base class, and the members of a member
# are none of the class. A mapping of records that are shorter than their type is no array of that type.
cat >"$T/hidden.cc" <<'EOF'
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

enum { N = 100000, RECORD = 176 };
struct Record { int n; double v[65536]; };
struct Item { long key; double weight; };
struct Base { Item *items; Item **rows; };
struct Derived : Base { double *items; };
struct list { Item *all; Item *slots; };
struct Table { struct list list; float *slots; };

static unsigned seed = 1;
static unsigned any(unsigned n) { return (seed = seed * 1664525 + 1013904223) / 65536 % n; }

__attribute__((noinline)) static void fill(Derived *d, Table *t)
{
	d->items = (decltype(d->items))malloc(N * 16);
	t->slots = (decltype(t->slots))malloc(N * 16 + 16);
	memset(d->items, 0, N * 16);
	memset(t->slots, 0, N * 16);
}
int main()
{
	Derived d;
	Table t;
	Record *records = (Record *)mmap(nullptr, N * RECORD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double sum = 0;

	fill(&d, &t);
	for (int i = 0; i < 4000000; i++) {
		sum += d.items[any(2 * N)]++ + t.slots[any(4 * N)]++;
		sum += ((Record *)((char *)records + RECORD * any(N)))->v[any(20)]++;
	}
	return sum < 0;
}
EOF
for build in "g++ -O0" "g++ -O2" "clang++ -O2"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -o "$T/hidden" "$T/hidden.cc"
	record --sampler=timer --freq=2000 "$T/hidden"
	assert_eq "$build: members that hide others" "d.items double
t.slots float" "$(sql "SELECT DISTINCT o.name || ' ' || t.name FROM objects o JOIN types t ON t.id = o.type_id
		WHERE o.kind = 'heap' AND o.allocated_bytes > 100000 ORDER BY 1")"
	assert_eq "$build: samples of the mapping" 1 "$(sql "SELECT count(*) > 20 FROM access_samples x JOIN objects o ON o.id = x.object_id
		WHERE o.name = 'records'")"
	assert_eq "$build: elements of the mapping" "" "$(sql "SELECT DISTINCT x.element FROM access_samples x JOIN objects o ON o.id = x.object_id
		WHERE o.name = 'records' AND x.element > 0")"
done

# A sizeof that is not in the arguments of an allocation types nothing: neither the buffers of files nor a block whose size
# depends on it.
cat >"$T/measured.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>

struct record { double a, b, c; int n; };

int main(void)
{
	FILE *f = fopen("/dev/null", "w");
	short *s = malloc(sizeof(struct record) > 8 ? 60002 : 60004);
	struct record *r = malloc(1000 * sizeof(struct record));
	double sum = 0;

	setvbuf(f, NULL, _IOFBF, 50002);
	for (int k = 0; k < 300000; k++) {
		fprintf(f, "%zu %d\n", sizeof(struct record), k);
		sum += s[k % 30001]++ + r[k % 1000].b++;
	}
	return sum < 0;
}
EOF
for build in "gcc -O0" "gcc -O2" "clang -O2"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -o "$T/measured" "$T/measured.c"
	record --all-blocks --sampler=timer --freq=2000 "$T/measured"
	assert_eq "$build: objects with the type" "r" "$(sql "SELECT o.name FROM objects o JOIN types t ON t.id = o.type_id
		WHERE o.kind = 'heap' AND t.name LIKE '%record%'")"
	assert_eq "$build: the buffer is sampled or touched" 1 "$(sql "SELECT count(*) > 0 FROM objects o
		WHERE o.kind = 'heap' AND o.function = 'main' AND o.name LIKE 'main (%' AND (o.first_sample_id OR o.first_fault_id)")"
done

# a head with elements after it: the head is only the first part of the block, and a flexible array is the rest of it
cat >"$T/heads.c" <<'EOS'
#include <stdlib.h>

struct item { int key; float x, y; };
struct list { size_t used; double data[]; };
struct head { int n; double all; };

int main(void)
{
	size_t n = 40000;
	double sum = 0;
	struct list *a = malloc(sizeof *a + n * sizeof a->data[0]);
	struct list *b = malloc(sizeof(struct list) + n * sizeof(double));
	struct head *h = malloc(n * sizeof(struct item) + sizeof(struct head));
	struct item *items = (struct item *)(h + 1);

	for (size_t i = 0; i < n; i++) {
		a->data[i] = b->data[i] = i;
		items[i] = (struct item){ i, i, i };
	}
	a->used = b->used = h->n = n;
	for (int k = 0; k < 20000000; k++) {
		unsigned r = k * 7919u % 40000;

		sum += a->data[r] + b->data[r] + items[r].y;
		items[r].x += 1;
	}
	return sum < 0;
}
EOS
for build in "gcc -O0" "gcc -O2" "clang -O2"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -o "$T/heads" "$T/heads.c"
	record --sampler=timer "$T/heads"
	assert_eq "$build: types of lists" "a struct list
b struct list" "$(sql "SELECT o.name || ' ' || t.name FROM objects o JOIN types t ON t.id = o.type_id WHERE o.name IN ('a', 'b') ORDER BY 1")"
	assert_eq "$build: other members than the list's" 0 "$(sql "SELECT count(*) FROM drawn_samples d JOIN objects o ON o.id = d.object_id
		LEFT JOIN members m ON m.id = d.member_id WHERE o.name IN ('a', 'b') AND d.object_offset >= 8 AND d.member_id IS NOT NULL AND m.name <> 'data'")"
	# the first 16 bytes are the head
	assert_eq "$build: items where the head is" 0 "$(sql "SELECT count(*) FROM objects o JOIN types t ON t.id = o.type_id
		WHERE o.name = 'h' AND t.name LIKE '%item%' AND o.type_start % 12 <> 4")"
done

# in a sum with a multiple of another type, the size of a number is room before or behind the elements
cat >"$T/room.c" <<'EOS'
#include <stdlib.h>

int main(void)
{
	size_t n = 40000;
	int *ends = malloc(n * sizeof(int) + sizeof(long));
	short *begins = malloc(sizeof(void *) + n * sizeof(short));
	void *bytes = malloc(n * sizeof(double) + 64);

	__asm__ volatile("" : : "r"(ends), "r"(begins), "r"(bytes) : "memory");
	return 0;
}
EOS
for build in "gcc -O0" "gcc -O2" "clang -O2"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -o "$T/room" "$T/room.c"
	record --sampler=timer "$T/room"
	assert_eq "$build: types of elements" "begins short
bytes double
ends int" "$(sql "SELECT o.name || ' ' || t.name FROM objects o JOIN types t ON t.id = o.type_id WHERE o.name IN ('ends', 'begins', 'bytes') ORDER BY 1")"
done
