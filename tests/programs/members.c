/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structs in C: allocated in the usual ways, static and local. Their layouts have padding,
 * nested structs, arrays, unions, bit fields and flexible arrays. */
#include "members.h"

enum { N = 1 << 10 };

struct point {
	double x, y;
};

struct node {
	long key;
	char flag;
	struct node *next;
	struct point at[2];
	union {
		int count;
		float weight;
	} u;
	unsigned low : 4, high : 12;
};

typedef struct {
	int from, to;
	float cost;
} edge;

struct graph {
	long size;
	edge *edges;
};

struct text {
	int length;
	char bytes[];
};

static struct node table[N];
static double numbers[4 * N];

#define NEW_ARRAY(type, n) ((type *)get((size_t)(n) * sizeof(type)))

static void *get(size_t bytes)
{
	void *p = malloc(bytes);

	if (!p)
		exit(2);
	return p;
}

static int make(struct point **out, size_t n)
{
	*out = calloc(n, sizeof(**out));
	return *out ? 0 : -1;
}

NOINLINE static void walk(struct node *nodes, long n)
{
	double sum = 0;

	for (long i = 0; i < n; i++) {
		nodes[i].key += 3;
		sum += nodes[i].at[1].y + nodes[i].u.count;
		nodes[i].low = (unsigned)i;
		nodes[i].flag ^= 1;
	}
	sink += sum;
}

NOINLINE static void chase(struct node *first)
{
	long sum = 0;

	for (struct node *p = first; p; p = p->next)
		sum += p->key;
	sink += (double)sum;
}

NOINLINE static void relax(struct graph *g)
{
	for (long i = 0; i < g->size; i++)
		if (g->edges[i].cost < 1e6f)
			g->edges[i].cost += (float)g->edges[i].to;
}

NOINLINE static void move(struct point *p, long n)
{
	for (long i = 0; i < n; i++)
		p[i].y = p[i].y * 0.5 + p[i].x;
}

NOINLINE static void scale(double *p, long n)
{
	for (long i = 0; i < n; i++)
		p[i] = p[i] * 0.999 + 1;
}

NOINLINE static void spell(struct text *t)
{
	for (int i = 0; i < t->length; i++)
		t->bytes[i]++;
}

/* The source lines that allocate these blocks do not show the type of the blocks. Only the pointers
 * in the code that uses the blocks show it. */
static void *hidden[2];

struct holder {
	char name[16];
	struct node *nodes;
};

NOINLINE static void walk_held(const struct holder *h, long n)
{
	for (long i = 0; i < n; i++)
		h->nodes[i * 17 % n].at[0].x += 1;
}

/* Arrays of a function other than main(), which passes pointers to them to the functions that use
 * them. */
NOINLINE static void lend(void)
{
	struct node lent[64] = { 0 };
	double numbers[64] = { 0 };

	WORK("lent", "node", sizeof(*lent), 0, lent, sizeof(lent), walk(lent, 64));
	WORK("lent_numbers", "double", 8, 0, numbers, sizeof(numbers), scale(numbers, 64));
}

static void tell_parts(void)
{
	PART("point", struct point, x);
	PART("point", struct point, y);
	PART("node", struct node, key);
	PART("node", struct node, flag);
	PART("node", struct node, next);
	PART("node", struct node, at[0].x);
	PART("node", struct node, at[0].y);
	PART("node", struct node, at[1].x);
	PART("node", struct node, at[1].y);
	printf("part node u.count|u.weight %zu 4\n", offsetof(struct node, u));
	printf("part node low|high %zu 1\n", offsetof(struct node, u) + 4);
	printf("part node high %zu 1\n", offsetof(struct node, u) + 5);
	PART("edge", edge, from);
	PART("edge", edge, to);
	PART("edge", edge, cost);
	PART("text", struct text, length);
	printf("part text bytes %zu 1000000\n", offsetof(struct text, bytes));
	SCALAR("double", double);
}

int main(int argc, char **argv)
{
	struct node *nodes = malloc(N * sizeof(struct node)), local[64] = { 0 };
	struct node *list = get(N * sizeof(*list));
	struct graph *graph = malloc(sizeof(*graph));
	struct holder holder = { "held" };
	struct text *words;
	struct point *cloud;
	double *values;

	budget_ns = work_ns(argc, argv, 0.05);
	memset(nodes, 0, N * sizeof(*nodes));
	for (int i = 0; i < N; i++)
		list[i] = (struct node){ .key = i, .next = i + 1 < N ? &list[i + 1] : NULL };
	graph->size = N;
	graph->edges = NEW_ARRAY(edge, N);
	memset(graph->edges, 0, sizeof(edge) * N);
	if (make(&cloud, N))
		return 2;
	values = (double *)malloc(N * 8);
	memset(values, 0, N * 8);
	words = get(sizeof(struct text) + N);
	memset(words, 0, sizeof(struct text) + N);
	words->length = N;

	/* the size is an expression that shows no type: N nodes of 64 bytes */
	hidden[0] = get(N << 6);
	hidden[1] = get(N << 6);
	memset(hidden[0], 0, N * sizeof(struct node));
	memcpy(hidden[1], list, N * sizeof(struct node));
	for (int i = 0; i + 1 < N; i++)
		((struct node *)hidden[1])[i].next = (struct node *)hidden[1] + i + 1;
	holder.nodes = hidden[0];

	tell_parts();
	WORK("nodes", "node", sizeof(*nodes), 0, nodes, N * sizeof(*nodes), walk(nodes, N));
	WORK("list", "node", sizeof(*list), 0, list, N * sizeof(*list), chase(list));
	WORK("edges", "edge", sizeof(edge), 0, graph->edges, N * sizeof(edge), relax(graph));
	WORK("cloud", "point", sizeof(*cloud), 0, cloud, N * sizeof(*cloud), move(cloud, N));
	WORK("values", "double", 8, 0, values, N * 8, scale(values, N));
	WORK("words", "text", 1 << 20, 0, words, sizeof(struct text) + N, spell(words));
/* without optimisation, the pointers are on the stack, and no instruction shows their type */
#ifdef __OPTIMIZE__
	WORK("held", "node", sizeof(struct node), 0, hidden[0], N * sizeof(struct node),
	     walk_held(&holder, N));
	WORK("linked", "node", sizeof(struct node), 0, hidden[1], N * sizeof(struct node),
	     chase(hidden[1]));
	lend();
#endif
	WORK("table", "node", sizeof(*table), 0, table, sizeof(table), walk(table, N));
	WORK("numbers", "double", 8, 0, numbers, sizeof(numbers), scale(numbers, 4 * N));
	WORK("local", "node", sizeof(*local), 0, local, sizeof(local), walk(local, 64));
	return 0;
}
