#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that arrays whose length is known only at run time have names and types: arrays of variable length, memory from
# alloca(), and arrays of callers, which a function accesses through a pointer that it got as an argument. Without optimisation,
# all pointers are stored on the stack, and memdb derives the types of heap blocks and of callers' arrays from them.
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

__attribute__((noinline)) static double passed_sum(const double *p, int n, int k)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += p[(i * 7 + k) % n];
	return s;
}

/* Hands its argument on to another function. */
__attribute__((noinline)) static double between(const double *q, int n, int k)
{
	return passed_sum(q, n, k) + 1;
}

__attribute__((noinline)) static void owner(int n, int rounds)
{
	double own[n], s = 0;

	array("passed_sum", own, sizeof(own));
	for (int i = 0; i < n; i++)
		own[i] = i;
	for (int k = 0; k < rounds; k++)
		s += between(own, n, k);
	sink = s;
}

__attribute__((noinline)) static unsigned code_of(const unsigned char *p, int n, int k)
{
	unsigned c = 0;

	for (int i = 0; i < n; i++)
		c = (c << 5) ^ (c >> 27) ^ p[(i * 7 + k) % n];
	return c;
}

__attribute__((noinline)) static void bytes_owner(int n, int rounds)
{
	unsigned char text[n];
	unsigned c = 0;

	array("code_of", text, sizeof(text));
	for (int i = 0; i < n; i++)
		text[i] = i;
	/* the calls take different times, so that the samples do not always come to the same instructions */
	for (int k = 0; k < rounds; k++)
		c += code_of(text, n - k % 64, k);
	sink = c;
}

/* Exchanges its arguments, so that each of them points to either array. */
__attribute__((noinline)) static void relax(double *from, double *to, int n, int rounds)
{
	for (int k = 0; k < rounds; k++) {
		double *next = from;

		for (int i = 1; i + 1 < n; i++)
			to[i] = .5 * (from[i - 1] + from[i + 1]);
		from = to;
		to = next;
	}
}

__attribute__((noinline)) static void exchanged(int n, int rounds)
{
	double first[n], second[n];

	array("relax", first, sizeof(first));
	array("relax", second, sizeof(second));
	for (int i = 0; i < n; i++)
		first[i] = second[i] = i;
	relax(first, second, n, rounds);
	sink = first[n / 2] + second[n / 2];
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
	owner(n, 4 * rounds);
	bytes_owner(n, 8 * rounds);
	exchanged(n, 4 * rounds);
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

# bytes_in FUNCTION: prints the names and types of the objects with bytes that the function accessed, also at lost addresses.
bytes_in()
{
	sql "SELECT DISTINCT o.name, t.name FROM samples s JOIN symbols y ON y.id = s.symbol_id AND y.name = '$1'
		JOIN objects o ON o.id = s.object_id LEFT JOIN types t ON t.id = o.type_id
		WHERE o.name GLOB '*::text' OR o.name GLOB '*::p'"
}

for build in "gcc -O0" "gcc -O1" "gcc -O2" "clang -O0" "clang -O2" "clang -O3"; do
	command -v "${build%% *}" >/dev/null || continue
	$build -g -w -o "$T/arrays" "$T/arrays.c"
	record --sampler=timer "$T/arrays" 30000
	assert_eq "$build: an array of variable length" "vla::own|double" "$(named vla)"
	assert_eq "$build: of structs" "structs::own|struct pair" "$(named structs)"
	assert_eq "$build: alloca()" "*from_alloca::room|float" "$(named from_alloca)"
	assert_eq "$build: an array of a caller of the caller" "owner::own|double" "$(named passed_sum)"
	# After gcc -O0, each load of a byte overwrites its own address, and some CPUs show none of these.
	optional=$([ "$build" != "gcc -O0" ] || echo "?")
	assert_match "$build: bytes of a caller" "^(bytes_owner::text[|]unsigned char)$optional$" \
		"$(bytes_in code_of | grep -v "::p|unsigned char \*" || true)"
	assert_eq "$build: exchanged pointers have addresses on the stack" 1 "$(sql "SELECT count(*) > 0 FROM answers.arrays a
		JOIN samples s ON s.address >= a.address AND s.address < a.address + a.bytes
		JOIN symbols y ON y.id = s.symbol_id AND y.name = 'relax' WHERE a.name = 'relax'")"
	assert_eq "$build: of exchanged pointers" "" "$(named relax | grep exchanged:: || true)"
	assert_eq "$build: of lost addresses, in the frame" "" "$(sql "
		SELECT count(*) FROM drawn_samples s JOIN objects o ON o.id = s.object_id AND o.name IN ('[frame of vla]', '[frame of sum]')
		JOIN addr_sources a ON a.id = s.addr_source AND a.name = 'object' HAVING count(*)")"
	assert_eq "$build: an array of a caller" "caller::own|struct order" "$(named sum)"
	assert_eq "$build: a block of the heap" "bytes|struct order" "$(named total)"
done
