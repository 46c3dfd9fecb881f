#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that arrays whose length is known only at run time have names and types: arrays of variable length, memory from
# alloca(), and arrays of the only caller, which a function accesses through a pointer. Without optimisation, all pointers are
# stored on the stack, and memdb derives the types of heap blocks and of callers' arrays from them.
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(uname -m)" = x86_64 ] || skip "no x86-64 machine"

cat >"$T/arrays.c" <<'EOF'
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair { long key; double value; };
struct order { long key; double price; int n, m; };

static volatile double sink;

static void array(const char *name, const void *p, size_t bytes)
{
	printf("array %s %lu %zu 0 0 0 0\n", name, (unsigned long)p, bytes);
}

__attribute__((noinline)) static void vla(int n, int rounds)
{
	double own[n], s = 0;

	array("vla", own, sizeof(own));
	for (int i = 0; i < n; i++)
		own[i] = i;
	for (int k = 0; k < rounds; k++)
		for (int i = 0; i < n; i++)
			s += own[(i * 7 + k) % n];
	sink = s;
}

__attribute__((noinline)) static void structs(int n, int rounds)
{
	struct pair own[n];
	double s = 0;

	array("structs", own, sizeof(own));
	for (int i = 0; i < n; i++)
		own[i] = (struct pair){ i, i };
	for (int k = 0; k < rounds; k++)
		for (int i = 0; i < n; i++)
			s += own[(i * 7 + k) % n].value;
	sink = s;
}

__attribute__((noinline)) static void from_alloca(int n, int rounds)
{
	float *room = alloca(n * sizeof(*room)), s = 0;

	array("from_alloca", room, n * sizeof(*room));
	for (int i = 0; i < n; i++)
		room[i] = i;
	for (int k = 0; k < rounds; k++)
		for (int i = 0; i < n; i++)
			s += room[(i * 7 + k) % n];
	sink = s;
}

__attribute__((noinline)) static double sum(const struct order *p, int n, int k)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += p[(i * 7 + k) % n].price;
	return s;
}

__attribute__((noinline)) static void caller(int n, int rounds)
{
	struct order own[500];
	double s = 0;

	array("sum", own, sizeof(own));
	for (int i = 0; i < 500; i++)
		own[i] = (struct order){ i, i, i, i };
	for (int k = 0; k < rounds; k++)
		s += sum(own, n, k);
	sink = s;
}

__attribute__((noinline)) static void *get(size_t n)
{
	void *volatile p = malloc(n);

	return p;
}

__attribute__((noinline)) static void fill(char **out, size_t n)
{
	*out = get(n);
}

__attribute__((noinline)) static double total(const struct order *orders, int n, int k)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += orders[(i * 7919L + k) % n].price;
	return s;
}

int main(int argc, char **argv)
{
	const int n = 400 + argc, rounds = atoi(argv[1]);
	char *bytes;

	vla(n, rounds);
	structs(n, rounds);
	from_alloca(n, rounds);
	/* longer than the others: after -O3, only one in four samples has an address */
	caller(500, 10 * rounds);
	fill(&bytes, 100000 * sizeof(struct order));
	for (int i = 0; i < 100000; i++)
		((struct order *)bytes)[i] = (struct order){ i, i, i, i };
	array("total", bytes, 100000 * sizeof(struct order));
	for (int k = 0; k < rounds / 100; k++)
		sink = total((struct order *)bytes, 100000, k);
	return 0;
}
EOF

# named ARRAY: prints the names and types of the objects to which samples in this array belong; the array has the name of
# the function that accesses it.
named()
{
	sql "SELECT DISTINCT o.name, t.name FROM answers.arrays a
		JOIN samples s ON s.address >= a.address AND s.address < a.address + a.bytes
		JOIN symbols y ON y.id = s.symbol_id AND (y.name = a.name OR y.name GLOB a.name || '.*')
		JOIN selected_events e ON e.id = s.evsel_id AND e.role <> 'fault'
		LEFT JOIN objects o ON o.id = s.object_id LEFT JOIN types t ON t.id = o.type_id
		WHERE a.name = '$1'"
}

for build in "gcc -O0" "gcc -O1" "gcc -O2" "clang -O0" "clang -O2" "clang -O3"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -o "$T/arrays" "$T/arrays.c"
	record --sampler=timer "$T/arrays" 30000
	assert_eq "$build: an array of variable length" "vla::own|double" "$(named vla)"
	assert_eq "$build: of structs" "structs::own|struct pair" "$(named structs)"
	assert_eq "$build: alloca()" "*from_alloca::room|float" "$(named from_alloca)"
	assert_eq "$build: of lost addresses, in the frame" "" "$(sql "
		SELECT count(*) FROM drawn_samples s JOIN objects o ON o.id = s.object_id AND o.name IN ('[frame of vla]', '[frame of sum]')
		JOIN addr_sources a ON a.id = s.addr_source AND a.name = 'object' HAVING count(*)")"
	assert_eq "$build: an array of a caller" "caller::own|struct order" "$(named sum)"
	assert_eq "$build: a block of the heap" "bytes|struct order" "$(named total)"
done
