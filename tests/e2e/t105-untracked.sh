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
