#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that an import which runs out of memory says so: its message must not need memory.
. "$(dirname "$0")/lib.sh"
need_perf
command -v cc >/dev/null || skip "no C compiler"

cat >"$T/malloc.c" <<'SOURCE'
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static long calls, last = -1;
static pid_t first;
static int fails(void)
{
	if (last < 0) {
		last = atol(getenv("CALLS"));
		first = getpid();
	}
	return getpid() == first && ++calls > last;
}
void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t each) { return fails() ? NULL : __libc_calloc(n, each); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }
void *reallocarray(void *p, size_t n, size_t each) { return fails() ? NULL : __libc_realloc(p, n * each); }
__attribute__((destructor)) static void end(void)
{
	if (getpid() == first && getenv("COUNT"))
		dprintf(3, "%ld\n", calls);
}
SOURCE
cc -O1 -shared -fPIC -o "$T/malloc.so" "$T/malloc.c"
# memdb drops LD_PRELOAD, which is for the recorded program
loader=$(ldd "$MEMDB" | sed -n 's/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\).*/\1/p')
"${loader:-false}" --help 2>/dev/null | grep -c -e --preload >/dev/null || skip "no loader with --preload"

# import CALLS: imports with an allocator that fails after this number of calls.
import()
{
	CALLS=$1 "$loader" --preload "$T/malloc.so" "$MEMDB" import -q --no-lines -o "$T/small.db" "$T/c"
}

"$MEMDB" record -q --raw "$T/c" -- "$PROGRAMS/count_blocks" >/dev/null
rm -f "$T/c/kallsyms"
COUNT=1 import 1000000000 3>"$T/count" 2>"$T/stderr"
all=$(cat "$T/count")
assert_ge "calls of the allocator" 2000 "$all"
for tenth in 1 2 3 4 5 6 7 8 9; do
	code=0
	import $((all * tenth / 10)) 2>"$T/stderr" || code=$?
	assert_eq "exit code after $tenth tenths of the calls" 1 "$code"
	assert_match "the message after $tenth tenths of the calls" '^memdb import: .*(out of memory|Cannot allocate memory)' "$(cat "$T/stderr")"
done
