#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that nodes have the name of the list or tree into which a pointer to a pointer puts them, and that the block that a
# coroutine allocates for itself is its frame, but not that of a constructor that contains a coroutine.
. "$(dirname "$0")/lib.sh"
need_perf
command -v g++ >/dev/null || skip "there is no g++"

cat >"$T/nodes.cc" <<'EOS'
#include <coroutine>
#include <cstdlib>

struct Node { long key; Node *left, *right; char rest[976]; };
struct Tree {
	Node *root = nullptr;
	__attribute__((noinline)) void insert(long key)
	{
		Node **p = &root;

		while (*p)
			p = key < (*p)->key ? &(*p)->left : &(*p)->right;
		*p = new Node{ key, nullptr, nullptr, "" };
	}
};
struct Item { Item *next; char rest[992]; };
struct List { Item *head; };
__attribute__((noinline)) static void append(List *list)
{
	Item **at;

	for (at = &list->head; *at; at = &(*at)->next)
		;
	*at = (Item *)calloc(1, sizeof(Item));
}

struct Steps {
	struct promise_type {
		double value;
		Steps get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
		std::suspend_always initial_suspend() { return {}; }
		std::suspend_always final_suspend() noexcept { return {}; }
		std::suspend_always yield_value(double x) { value = x; return {}; }
		void return_void() {}
		void unhandled_exception() {}
	};
	std::coroutine_handle<promise_type> handle;
};
Steps walker(int n)
{
	double local[20000];

	for (int i = 0; i < 20000; i++)
		local[i] = i;
	for (;;)
		co_yield local[n++ % 20000];
}
struct Runner {
	double *data;
	Steps (*start)();
	Runner(int n) : data(new double[n])
	{
		start = []() -> Steps { co_yield 3; };
	}
};
int main()
{
	Runner runner(18001);
	Tree tree;
	List items = { nullptr };
	Steps steps = walker(3);

	for (long i = 0; i < 100; i++) {
		tree.insert(i * 37 % 100);
		append(&items);
		steps.handle.resume();
	}
	asm volatile("" : : "r"(&runner) : "memory");
	return steps.handle.promise().value == 5 && tree.root && items.head;
}
EOS
frame="[frame of walker] $(grep -n '^Steps walker' "$T/nodes.cc" | cut -d : -f 1)"
for build in "g++ -O0" "g++ -O2"; do
	$build -g -std=c++20 -o "$T/nodes" "$T/nodes.cc"
	record --sampler=timer "$T/nodes"
	assert_eq "$build: nodes" "items.head 100
tree.root 100" "$(sql "SELECT name || ' ' || allocations FROM objects WHERE kind = 'heap' AND size_bytes = 100000 ORDER BY 1")"
	assert_eq "$build: the frame of a coroutine" "$frame" "$(sql "
		SELECT name || ' ' || line FROM objects WHERE kind = 'heap' AND size_bytes BETWEEN 160000 AND 170000")"
	assert_eq "$build: the block of a constructor" runner.data "$(sql "
		SELECT name FROM objects WHERE kind = 'heap' AND size_bytes = 144008")"
done
