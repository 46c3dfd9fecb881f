#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a load that overwrites its own address is attributed to the local variable that the caller passes, also if
# several callers pass their variables, or if its other addresses are in one variable, and that it gets no such name if one
# call leads to several variables.
. "$(dirname "$0")/lib.sh"
need_perf

cat >"$T/lost.c" <<'END'
#include "answer.h"

enum { N = 1 << 17 };

static volatile long sink;

NOINLINE void total(long *a)
{
	for (int r = 0; r < 2; r++)
		for (int i = 0; i < N; i++)
			sink = a[i];
}

NOINLINE void one(int64_t end)
{
	long mine[N];

	memset(mine, 1, sizeof(mine));
	while (cpu_ns() < end)
		total(mine);
}

NOINLINE void two(int64_t end)
{
	long its[N];

	memset(its, 2, sizeof(its));
	while (cpu_ns() < end)
		total(its);
}

NOINLINE void either(int64_t end)
{
	long left[N], right[N];

	memset(left, 3, sizeof(left));
	memset(right, 4, sizeof(right));
	for (int i = 0; cpu_ns() < end; i++)
		total(i % 2 ? left : right);
}

struct part {
	long *data;
};

NOINLINE void total_part(struct part *p)
{
	for (int r = 0; r < 2; r++)
		for (int i = 0; i < N; i++)
			sink = p->data[i];
}

NOINLINE void part(int64_t end)
{
	long inside[N];
	struct part p = { inside };

	memset(inside, 5, sizeof(inside));
	while (cpu_ns() < end)
		total_part(&p);
}

NOINLINE void parts(int64_t end)
{
	long lower[N], upper[N];
	struct part p;

	memset(lower, 6, sizeof(lower));
	memset(upper, 7, sizeof(upper));
	for (int i = 0; cpu_ns() < end; i++) {
		p.data = i % 2 ? lower : upper;
		total_part(&p);
	}
}

int main(void)
{
	part(cpu_ns() + 1000000000);
	parts(cpu_ns() + 1000000000);
	one(cpu_ns() + 400000000);
	two(cpu_ns() + 400000000);
	either(cpu_ns() + 400000000);
	return 0;
}
END

# lost CALLER: prints the objects of the samples in total() whose address is lost, and their numbers.
lost()
{
	sql "SELECT o.name, count(*) FROM samples s JOIN addr_sources a ON a.id = s.addr_source
		JOIN objects o ON o.id = s.object_id JOIN call_paths p ON p.id = s.call_path_id
		JOIN call_paths c ON c.id = p.parent_id JOIN symbols f ON f.id = c.symbol_id
		WHERE a.name = 'object' AND f.name = '$1' GROUP BY 1 ORDER BY 1"
}

# count_of NAME: reads the output of lost; prints the number for this object.
count_of()
{
	awk -F'|' -v name="$1" '$1 == name { n = $2 } END { print n + 0 }'
}

gcc -O0 -g -w -D_GNU_SOURCE -I"$SRC/tests/programs" -o "$T/lost" "$T/lost.c"
record --sampler=timer "$T/lost"
for names in one::mine two::its part::inside; do
	assert_ge "lost addresses in $names" 10 "$(lost "${names%%::*}" | count_of "$names")"
done
wrong=$(for caller in one two either part parts; do lost "$caller" | sed "s/^/$caller: /"; done |
	awk -F'|' '$1 !~ /^one: one::mine$|^two: two::its$|^part: part::(inside|p)$|^parts: parts::p$|: \*total::a$|\[stack of/')
assert_eq "wrong names of lost addresses" "" "$wrong"
