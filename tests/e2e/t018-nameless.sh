#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves how blocks of a library without symbols are named: by the innermost function with a name. This is a function
# that the library exports, or the line of the program that called the library; if the program has no lines, it is the
# place in the library. They do not get the name of the variable in that line. Blocks that libc allocates for itself do not get the name of a variable either, unless the
# line shows that the variable receives the block.
. "$(dirname "$0")/lib.sh"
need_perf
command -v cc >/dev/null || skip "there is no C compiler"

cat >"$T/lib.c" <<'EOF'
#include <stdlib.h>
__attribute__((noinline)) static char *nameless(size_t n)
{
	char *volatile p = malloc(n);
	return p;
}
char *exported(size_t n)
{
	char *volatile p = nameless(n);
	return p;
}
static int by_pointer(size_t n)
{
	return nameless(n)[0] = 3;
}
int (*const pointer)(size_t) = by_pointer;
EOF
cat >"$T/main.c" <<'EOF'
#include <stddef.h>
extern char *exported(size_t);
extern int (*const pointer)(size_t);
int main(void)
{
	char *block = exported(5000);
	int code = pointer(6000);
	return block[0] + code == 77;
}
EOF
cat >"$T/libc.c" <<'EOF'
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
int main(void)
{
	regex_t expression;
	int *numbers = malloc(400000);
	int code;
	for (int i = 0; i < 100000; i++)
		numbers[i] = i * 7919 % 1000;
	qsort(numbers, 100000, sizeof(*numbers), compare);
	FILE *file = fopen("/dev/null", "r");
	code = regcomp(&expression, "a.*b", 0);
	return numbers[0] + !file + code;
}
EOF
cc -O1 -g -fPIC -shared -s -o "$T/libnameless.so" "$T/lib.c"
cc -O1 -g -o "$T/main" "$T/main.c" -L"$T" -lnameless -Wl,-rpath,"$T"
record --sampler=timer "$T/main"
assert_match "by an exported function" '^exported\+0x[0-9a-f]+\|exported$' \
	"$(sql "SELECT name, function FROM objects WHERE size_bytes = 5000 AND kind = 'heap'")"
assert_eq "by the line that called the library" "main (main.c:7)|main|7" \
	"$(sql "SELECT name, function, line FROM objects WHERE size_bytes = 6000 AND kind = 'heap'")"

# An interpreter calls all its extensions from one function, which says nothing of their blocks.
cat >"$T/interpreter.c" <<'EOF'
#include <stddef.h>
extern int (*const pointer)(size_t);
__attribute__((noinline)) int dispatch(size_t n)
{
	return pointer(n) + 1;
}
int main(void)
{
	return dispatch(7000) == 77;
}
EOF
cc -O1 -s -rdynamic -o "$T/interpreter" "$T/interpreter.c" -L"$T" -lnameless -Wl,-rpath,"$T"
record --sampler=timer "$T/interpreter"
assert_match "by the extension, not by the function that called it" '^libnameless.so\+0x[0-9a-f]+$' \
	"$(sql "SELECT name FROM objects WHERE size_bytes = 7000 AND kind = 'heap'")"

cc -O1 -g -o "$T/libc" "$T/libc.c"
record --sampler=timer "$T/libc"
named()
{
	sql "SELECT DISTINCT name FROM objects WHERE kind = 'heap' AND function = 'main' AND line = $1"
}
assert_eq "malloc" numbers "$(named 11)"
assert_eq "qsort's own block" "[qsort] main (libc.c:15)" "$(named 15)"
assert_eq "fopen's" file "$(named 16)"
assert_eq "regcomp's" "main (libc.c:17)" "$(named 17)"

# Functions that a macro defines have all their code in the line of the macro.
cat >"$T/made.c" <<'EOF'
#include <stdlib.h>
#define MAKE_POOL(name, type) \
	__attribute__((noinline)) static type *name##_new(size_t n) \
	{ \
		type *made = malloc(n); \
		type *volatile kept = made; \
		return kept; \
	}
MAKE_POOL(byte, char)
MAKE_POOL(word, short)

typedef struct {
	int x;
} unused;

int main(void)
{
	return byte_new(5000)[0] + word_new(6000)[0] == 77;
}
EOF
cc -O1 -g -o "$T/made" "$T/made.c"
record --sampler=timer "$T/made"
for size in 5000 6000; do
	assert_match "a function that a macro defines" '^(byte|word)_new \(made.c:(9|10)\)$|^main \(made.c:18\)$' \
		"$(sql "SELECT name FROM objects WHERE size_bytes = $size AND kind = 'heap'")"
done

# In a stripped program, the code that called the library of C++ is the site, not the place in the library.
if command -v g++ >/dev/null; then
	echo 'int main(int n, char **) { char *volatile p = new char[5000 + n]; return p[0] == 77; }' >"$T/new.cc"
	g++ -O1 -s -o "$T/new" "$T/new.cc"
	record --sampler=timer "$T/new"
	assert_match "the caller of operator new" '^new\+0x[0-9a-f]+$' \
		"$(sql "SELECT name FROM objects WHERE size_bytes = 5001 AND kind = 'heap'")"
fi
