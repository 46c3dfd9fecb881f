/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks along a std::list, a std::map, a std::unordered_map, a binary tree and hash chains. There
 * are two containers of each kind, which the same code walks in turn. A step overwrites the
 * register with the address that it waits for, so the address is lost.
 *
 * Prints for each walk which container it used:
 *
 *	walk KIND FROM TO LOW HIGH GLOB
 *
 * From the time FROM to TO (CLOCK_MONOTONIC, ns), the program used only one container: its nodes
 * are at the addresses LOW to HIGH, and the names of its other blocks match GLOB.
 */
#include <cstdio>
#include <ctime>
#include <list>
#include <map>
#include <unordered_map>
#include <vector>

#include "program.h"

enum { NODES = 1 << 19, LOOKS = 1 << 20, ROUNDS = 3, CHAINS = 1 << 17 };

struct payload {
	uint64_t value, more[3];
};
struct tree_node {
	tree_node *child[2];
	uint32_t key, value;
};
struct chain_node {
	chain_node *next;
	uint32_t key, value;
};
struct span {
	uintptr_t low = UINTPTR_MAX, high = 0;

	void add(const void *p)
	{
		uintptr_t at = (uintptr_t)p;

		low = at < low ? at : low;
		high = at > high ? at : high;
	}
};

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static std::vector<uint32_t> shuffled(void)
{
	std::vector<uint32_t> order(NODES);

	shuffle(order.data(), NODES);
	return order;
}

static uint64_t result;
template <class F> static void walk(const char *kind, const char *glob, const span &s, F step)
{
	long long from = now();

	result += step();
	printf("walk %s %lld %lld %ju %ju %s\n", kind, from, now(), (uintmax_t)s.low,
	       (uintmax_t)s.high, glob);
}

/* The nodes are not linked in the order in which they were allocated. */
static void fill_list(std::list<payload> &list, span &s)
{
	std::vector<std::list<payload>> single(NODES);
	std::vector<uint32_t> order = shuffled();

	for (std::list<payload> &one : single) {
		one.push_back(payload{ 1, { 2, 3, 4 } });
		s.add(&one.front());
	}
	for (uint32_t i : order)
		list.splice(list.end(), single[i]);
}

__attribute__((noinline, flatten)) static uint64_t walk_list(const std::list<payload> &list)
{
	uint64_t sum = 0;

	for (int round = 0; round < 2 * ROUNDS; round++)
		for (const payload &p : list)
			sum += p.value;
	return sum;
}

static void fill_map(std::map<uint32_t, payload> &map, span &s)
{
	for (uint32_t key : shuffled())
		s.add(&map.emplace(key, payload{ key, { 2, 3, 4 } }).first->second);
}

__attribute__((noinline, flatten)) static uint64_t walk_map(const std::map<uint32_t, payload> &map)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < LOOKS; i++)
		sum += map.lower_bound(MIX(0, i) % NODES)->second.value;
	return sum;
}

static void fill_table(std::unordered_map<uint32_t, payload> &table, span &s)
{
	for (uint32_t key : shuffled())
		s.add(&table.emplace(key * 977, payload{ key, { 2, 3, 4 } }).first->second);
}

__attribute__((noinline, flatten)) static uint64_t walk_table(
	const std::unordered_map<uint32_t, payload> &table)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < ROUNDS * LOOKS; i++) {
		auto found = table.find(MIX(0, i) % NODES * 977);

		sum += found == table.end() ? 1 : found->second.value;
	}
	return sum;
}

static void fill_tree(tree_node **root, span &s)
{
	for (uint32_t key : shuffled()) {
		tree_node **at = root;

		while (*at)
			at = &(*at)->child[key > (*at)->key];
		*at = new tree_node{ { NULL, NULL }, key, 1 };
		s.add(*at);
	}
}

__attribute__((noinline)) static uint64_t walk_tree(const tree_node *root)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < LOOKS; i++) {
		uint32_t key = MIX(0, i) % NODES;
		const tree_node *n = root;

		while (n && n->key != key)
			n = n->child[key > n->key];
		sum += n ? n->value : 0;
	}
	return sum;
}

static void fill_chains(std::vector<chain_node *> &chains, span &s)
{
	for (uint32_t key : shuffled()) {
		chain_node **head = &chains[MIX(0, key) >> 15];

		*head = new chain_node{ *head, key, 1 };
		s.add(*head);
	}
}

__attribute__((noinline, flatten)) static uint64_t walk_chains(
	const std::vector<chain_node *> &chains)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < 2 * LOOKS; i++) {
		uint32_t key = MIX(0, i) % NODES;

		for (const chain_node *n = chains[MIX(0, key) >> 15]; n; n = n->next)
			sum += n->key == key ? n->value : 0;
	}
	return sum;
}

static std::list<payload> list_a, list_b;
static std::map<uint32_t, payload> map_a, map_b;
static std::unordered_map<uint32_t, payload> table_a, table_b;
static tree_node *tree_a, *tree_b;
static std::vector<chain_node *> chains_a, chains_b;

/* Each container is filled at its own source line, so memdb sees two objects. */
int main(void)
{
	span a[5], b[5];

	chains_a.resize(CHAINS);
	chains_b.resize(CHAINS);
	fill_list(list_a, a[0]);
	fill_map(map_a, a[1]);
	fill_table(table_a, a[2]);
	fill_tree(&tree_a, a[3]);
	fill_chains(chains_a, a[4]);
	fill_list(list_b, b[0]);
	fill_map(map_b, b[1]);
	fill_table(table_b, b[2]);
	fill_tree(&tree_b, b[3]);
	fill_chains(chains_b, b[4]);
	for (int turn = 0; turn < 2; turn++) {
		walk("list", "list_a*", a[0], [] { return walk_list(list_a); });
		walk("list", "list_b*", b[0], [] { return walk_list(list_b); });
		walk("map", "map_a*", a[1], [] { return walk_map(map_a); });
		walk("map", "map_b*", b[1], [] { return walk_map(map_b); });
		walk("unordered_map", "table_a*", a[2], [] { return walk_table(table_a); });
		walk("unordered_map", "table_b*", b[2], [] { return walk_table(table_b); });
		walk("tree", "tree_a*", a[3], [] { return walk_tree(tree_a); });
		walk("tree", "tree_b*", b[3], [] { return walk_tree(tree_b); });
		walk("chains", "chains_a*", a[4], [] { return walk_chains(chains_a); });
		walk("chains", "chains_b*", b[4], [] { return walk_chains(chains_b); });
	}
	fprintf(stderr, "result %ju\n", (uintmax_t)result);
	return 0;
}
