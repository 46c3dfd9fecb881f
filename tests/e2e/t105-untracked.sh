#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that cannot be tracked are recorded all the same, and it is said why.
. "$(dirname "$0")/lib.sh"
need_perf
command -v cc >/dev/null || skip "no C compiler"

cat >"$T/small.c" <<'SOURCE'
#include <stdio.h>
int main(void)
{
	puts("hello");
	return 6;
}
SOURCE
cc -static -o "$T/static" "$T/small.c" 2>/dev/null || skip "no static C library"
cc -o "$T/privileged" "$T/small.c"

# recorded PROGRAM WHY
recorded()
{
	local code=0

	rm -rf "$T/c"
	"$MEMDB" record --raw "$T/c" -- "$1" >"$T/stdout" 2>"$T/stderr" || code=$?
	assert_eq "exit code" 6 "$code"
	assert_eq "what it said" hello "$(cat "$T/stdout")"
	assert_match "the message" "not tracked.*$2" "$(cat "$T/stderr")"
	assert_match "the capture" "\"untracked_reason\":\".*$2" "$(cat "$T/c/capture.json")"
}

recorded "$T/static" "statically linked"
if [ "$(id -u)" = 0 ]; then
	chown nobody "$T/privileged"
	chmod 4755 "$T/privileged"
	recorded "$T/privileged" setuid
fi

# AddressSanitizer's library must be the first: not preloaded here, and not for a child either.
code=0
cc -fsanitize=address -o "$T/asan" "$T/small.c" 2>/dev/null || code=1
[ $code = 1 ] || "$T/asan" >/dev/null 2>&1 || code=$?
if [ $code = 6 ] && grep -qaF libasan.so "$T/asan"; then
	recorded "$T/asan" AddressSanitizer
	printf '#! %s\n' "$T/asan" >"$T/script"
	printf '#!%s\n' "$T/script" >"$T/scripts"
	chmod +x "$T/script" "$T/scripts"
	printf '#include <fcntl.h>\n#include <unistd.h>\nextern char **environ;\nint main(int n, char **v)\n{\n%s\n}\n' \
		'return fexecve(open(v[1], O_RDONLY | O_CLOEXEC), v + 1, environ);' >"$T/open.c"
	cc -o "$T/open" "$T/open.c"
	for how in "$T/asan; exit \$?" "exec $T/asan" "/usr/bin/env $T/asan" \
		"exec $T/script" "/usr/bin/env $T/scripts" "$T/open $T/asan" \
		"PATH=/none:/:$T:/bin /usr/bin/env asan" "cd $T && PATH=:/bin /usr/bin/env asan"; do
		code=0
		"$MEMDB" record -q -o "$DB" -- sh -c "$how" >"$T/stdout" 2>"$T/stderr" || code=$?
		assert_eq "exit code of sh -c '$how'" 6 "$code"
		assert_eq "what it said" hello "$(cat "$T/stdout")"
	done
fi

# A malloc that is linked into the program is found before the tracker's.
cat >"$T/own.c" <<'SOURCE'
#include <stddef.h>
#include <stdio.h>
static char memory[1 << 20], *next = memory;
void *malloc(size_t n)
{
	char *p = next;
	next += (n + 15) & ~15UL;
	return p;
}
void free(void *p)
{
}
int main(void)
{
	puts("hello");
	return 6;
}
SOURCE
cc -o "$T/own" "$T/own.c"
code=0
"$MEMDB" record -o "$DB" -- "$T/own" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code with an own malloc" 6 "$code"
assert_match "the message" "a malloc of its own" "$(cat "$T/stderr")"
