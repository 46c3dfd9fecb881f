#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that static data which no variable covers are objects by section: string literals, jump tables, constants in
# the code, and in a stripped program all its variables. Each access of one run is recorded, so the counts of the
# accesses are certain.
. "$(dirname "$0")/lib.sh"
command -v qemu-x86_64 >/dev/null || skip "there is no qemu-x86_64"
[ "$(uname -m)" = x86_64 ] || skip "no x86-64 machine"

cat >"$T/data.c" <<'EOF'
enum { N = 1000 };

int filled[N] = { 1 }, empty[N];
static const int fixed[N] = { [7] = 2 };
volatile int sum;

__attribute__((noinline)) void literal(const char *s)
{
	for (int i = 0; i < N; i++)
		sum += s[i % 20];
}

__attribute__((noinline)) void jump(int to)
{
	asm volatile("jmp *1f(,%0,8)\n"
		     ".pushsection .rodata\n1: .quad 2f, 3f, 4f\n.popsection\n"
		     "2: nop\n3: nop\n4: nop"
		     :
		     : "r"((long)to));
}

__attribute__((noinline)) void in_code(void)
{
	asm volatile("mov 1f, %%eax\njmp 2f\n1: .long 7\n2:" : : : "eax");
}

__attribute__((noinline)) void arrays(void)
{
	for (int i = 0; i < N; i++)
		empty[i] = filled[i] + ((const volatile int *)fixed)[i];
}

int main(void)
{
	literal("the letters of a text");
	for (int i = 0; i < N; i++) {
		jump(i % 3);
		in_code();
	}
	arrays();
	return 0;
}
EOF

exact()
{
	rm -rf "$T"/run.db*
	"$MEMDB" record -q --sampler exact -c 1 -o "$DB" -- "$1" >"$T/stdout" 2>"$T/stderr" || fail "recording of $1"
}

# objects FUNCTION: prints the objects that FUNCTION accesses, except `sum` and its stack, and how often.
objects()
{
	sqlite3 "$DB" "
		SELECT o.name, o.kind, sum(s.period) FROM samples s JOIN objects o ON o.id = s.object_id
		JOIN selected_events e ON e.id = s.evsel_id AND e.role = 'access'
		JOIN symbols y ON y.id = s.symbol_id AND y.name = '$1'
		WHERE o.kind <> 'stack' AND o.name <> 'sum' GROUP BY 1, 2 ORDER BY 1"
}

echo "== with symbols"
gcc -O1 -g -no-pie -fcf-protection=none -o "$T/data" "$T/data.c"
exact "$T/data"
assert_eq "the characters of a literal" "[.rodata of data]|static|1000" "$(objects literal)"
assert_eq "a jump table" "[.rodata of data]|static|1000" "$(objects jump)"
assert_eq "a number in the code" "[.text of data]|static|1000" "$(objects in_code)"
assert_eq "variables" "empty|static|1000
filled|static|1000
fixed|static|1000" "$(objects arrays)"
assert_eq "one object of each section" "" "$(sqlite3 "$DB" "
	SELECT name FROM objects WHERE kind = 'static' GROUP BY name, dso_id HAVING count(*) > 1 AND name GLOB '[[].*'")"
assert_eq "its size" "$(size -A "$T/data" | awk '$1 == ".rodata" { print $2 }')" \
	"$(sqlite3 "$DB" "SELECT size_bytes FROM objects WHERE name = '[.rodata of data]'")"

echo "== stripped"
strip -o "$T/bare" "$T/data"
exact "$T/bare"
stripped()
{
	sqlite3 "$DB" "
		SELECT o.name, o.kind, sum(s.period) FROM samples s JOIN objects o ON o.id = s.object_id
		JOIN selected_events e ON e.id = s.evsel_id AND e.role = 'access'
		JOIN dsos d ON d.id = o.dso_id AND d.short_name = 'bare'
		WHERE o.name LIKE '[%' GROUP BY 1, 2 HAVING sum(s.period) >= 1000 ORDER BY 1"
}
assert_match "its data" '^\[\.bss of bare\]\|static\|' "$(stripped)"
assert_match "its filled data" '^\[\.data of bare\]\|static\|100[0-9]$' "$(stripped)"
assert_match "its constants" '^\[\.rodata of bare\]\|static\|300[0-9]$' "$(stripped)"
assert_eq "answers of coverage" "section|1" "$("$MEMDB" query --format=csv coverage "$DB" |
	tr -d '"' | awk -F , '$1 == "name" && $2 == "section" { print $2 "|" $3 }')"
