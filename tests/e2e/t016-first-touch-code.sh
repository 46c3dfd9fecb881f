#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a first touch inside a library or the kernel is attributed to the line of the program that called it,
# and that the called function is named.
. "$(dirname "$0")/lib.sh"
need_perf
[ "$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)" != "[always] madvise never" ] ||
	skip "huge pages are always on: one fault brings in 512 pages"

# touched ARRAY: of the code that first touched most pages of the array, prints the function, its line, and the
# library function called there ("-": none).
touched()
{
	sql "SELECT f.function, f.line, coalesce(f.inside, '-') FROM first_touches f
		JOIN page_faults p ON p.object_id = f.object_id AND p.first
		JOIN answers.arrays a ON a.name = '$1' AND p.address >= a.address AND p.address < a.address + a.bytes
		GROUP BY f.object_id, f.location_id, f.inside ORDER BY f.pages DESC LIMIT 1"
}

record --sampler=timer filled
assert_sound
for case in 'resized:resize:.*' 'assigned:assign:.*' 'set:set:.*memset.*' 'loaded:load:read' 'written:write_each:-'; do
	IFS=: read -r array function inside <<<"$case"
	line=$(value "line.$array")
	assert_match "$array: who touched its pages" "^${function}[^|]*\|$line\|$inside$" "$(touched "$array")"
done
for array in resized assigned; do
	[ "$(touched $array | cut -d '|' -f 3)" != - ] || fail "$array: what the C++ library did is told as the program's"
done
assert_eq "losses told because the copies of the stack are small" "" \
	"$(sql "SELECT what FROM losses WHERE what LIKE 'call chains%'")"

echo "== without copies of the stack the function of libc is known, but not its caller"
record --sampler=timer --call-graph=none filled
assert_match "set" "^\[unknown\]\|\|[^|]*memset[^|]*$" "$(touched set)"

echo "== so it is in a program that contains libc"
cat >"$T/whole.c" <<'END'
#include <stdlib.h>
#include <string.h>
static char *volatile kept[64];
__attribute__((noinline)) static void clear(char *p) { memset(p, 0, 1 << 20); kept[0] = p; }
int main(void)
{
	for (int i = 0; i < 64; i++)
		kept[i] = malloc(40000);
	clear(malloc(1 << 20));
	return kept[1] == NULL;
}
END
if gcc -O2 -g -static -o "$T/whole" "$T/whole.c" 2>/dev/null; then
	record --sampler=timer "$T/whole"
	assert_match "memset's caller" "^clear\|4\|.*memset" "$(sql "
		SELECT function, line, inside FROM first_touches WHERE line IS NOT NULL ORDER BY pages DESC LIMIT 1")"
	assert_eq "internals of libc as the program's code" "" "$(sql "
		SELECT DISTINCT function FROM first_touches WHERE function GLOB '*malloc*' OR function GLOB '*mem[sc]*'")"
fi

echo "== what the kernel only reads is not placed by that, whether or not call chains show where the kernel was"
cat >"$T/reads.c" <<'END'
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	char *p = mmap((void *)0x200000000000, 64 * 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	FILE *f = tmpfile();

	if (p == MAP_FAILED || !f || write(fileno(f), p, 64 * 4096) != 64 * 4096)
		return 1;
	for (int i = 0; i < 64; i++)
		p[i * 4096] = 1;
	return 0;
}
END
cc -O1 -g -o "$T/reads" "$T/reads.c"
for chains in none fp; do
	record --sampler=timer --call-graph=$chains "$T/reads"
	[ "$(sql "SELECT count(*) FROM dsos WHERE kind = 'kernel' AND state = 'ok'")" != 0 ] || continue
	assert_eq "$chains: first touches of 64 pages" 64 "$(sql "
		SELECT count(*) FROM page_faults WHERE first AND address BETWEEN 0x200000000000 AND 0x20000003ffff")"
done

echo "== a function that allocates for its caller, and an operator, only do what their caller wants"
cat >"$T/passes.cc" <<'END'
#include <cstdio>
#include <cstdlib>
struct vec {
	double x, y;
	vec &operator=(const vec &v);
};
#ifdef INLINED
inline
#else
__attribute__((noinline))
#endif
vec &vec::operator=(const vec &v)
{
	x = v.x;
	y = v.y;
	return *this;
}
__attribute__((noinline)) static void *pool_alloc(size_t n)
{
	void *p = malloc(n);
	__asm__ volatile("" : "+r"(p));
	return p;
}
static char *volatile kept[20000];
__attribute__((noinline)) static void small_blocks()
{
	for (int i = 0; i < 20000; i++)
		kept[i] = (char *)pool_alloc(100);
}
__attribute__((noinline)) static void assign(vec *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = vec{ 1.0 * i, 2 };
}
int main()
{
	vec *all = (vec *)malloc(100000 * sizeof(vec));

	small_blocks();
	assign(all, 100000);
	printf("%g\n", all[3].x);
	return 0;
}
END
for build in "g++ -O0" "g++ -O2" "g++ -O2 -DINLINED"; do
	command -v g++ >/dev/null || continue
	$build -g -o "$T/passes" "$T/passes.cc"
	record --sampler=timer "$T/passes"
	assert_eq "$build: the blocks" "small_blocks|28|malloc" "$(sql "
		SELECT function, line, inside FROM first_touches WHERE object GLOB 'kept*' ORDER BY pages DESC LIMIT 1")"
	assert_match "$build: the array" "^assign\|33" "$(sql "
		SELECT function, line FROM first_touches WHERE object = 'all' ORDER BY pages DESC LIMIT 1")"
done
