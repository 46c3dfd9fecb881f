#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a program that cannot be tracked is still recorded, and that memdb says why it is not tracked.
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
cc -o "$T/small" "$T/small.c"

# recorded PROGRAM WHY: records PROGRAM and checks that memdb says that it is not tracked, with the
# reason WHY.
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

# The library of AddressSanitizer must be the first one that is loaded, so the tracker is not preloaded into
# such a program or its children.
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
	# The user preloads this library into a program that is not built with it.
	asan=$(ldd "$T/asan" | awk '$1 ~ /^libasan/ { print $3 }')
	for how in "" "sh -c" "env LD_PRELOAD=$asan"; do
		preload=$asan
		[ "${how%% *}" != env ] || preload=
		code=0
		# shellcheck disable=SC2086 # a list of words
		LD_PRELOAD=$preload "$MEMDB" record -q -o "$DB" -- $how "$T/small" >"$T/stdout" 2>"$T/stderr" || code=$?
		assert_eq "exit code of '$how' with '$asan' preloaded" 6 "$code"
		assert_eq "what it said" hello "$(cat "$T/stdout")"
	done
fi

# A static launcher is not tracked, but the program that it executes is.
cat >"$T/launch.c" <<'SOURCE'
#include <unistd.h>
int main(int n, char **v)
{
	return execv(v[1], v + 1);
}
SOURCE
cc -static -o "$T/launch" "$T/launch.c"
cc -o "$T/plain" "$T/small.c"
rm -rf "$T/c"
code=0
"$MEMDB" record --raw "$T/c" -- "$T/launch" "$T/plain" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code below a static launcher" 6 "$code"
assert_match "the message" "statically linked; in programs that it starts they are" "$(cat "$T/stderr")"
assert_eq "logs below a static launcher" 1 "$(find "$T/c/track" -name '*.log' | wc -l)"

# A loader that is run as a program is static too, but it loads the tracker.
cc -o "$T/dynamic" "$T/small.c"
loader=$(readelf -l "$T/dynamic" | sed -n 's/.*interpreter: \(.*\)]/\1/p')
code=0
rm -rf "$T/c"
"$MEMDB" record --raw "$T/c" -- "$loader" "$T/dynamic" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code below a loader" 6 "$code"
assert_eq "what memdb says" "memdb record: captured into '$T/c'" "$(cat "$T/stderr")"
assert_eq "logs below a loader" 1 "$(find "$T/c/track" -name '*.log' | wc -l)"

# It may only print a list, in which the tracker must not be, or load a program that does not bear the tracker.
for how in "$loader --list $T/dynamic" "exec $loader --library-path /none --list $T/dynamic" \
	"PATH=${loader%/*} exec ${loader##*/} --list $T/dynamic" "exec $loader --argv0 x $T/asan"; do
	[ -e "${how##* }" ] || continue
	native=0
	sh -c "$how" >"$T/native" 2>&1 || native=$?
	for direct in "" 1; do
		code=0
		# shellcheck disable=SC2086 # a list of words
		if [ -n "$direct" ]; then
			set -- ${how#exec }
			[ "${how#PATH}" = "$how" ] || continue
		else
			set -- sh -c "$how"
		fi
		"$MEMDB" record -q -o "$DB" -- "$@" >"$T/stdout" 2>"$T/stderr" || code=$?
		assert_eq "exit code of $*" "$native" "$code"
		assert_eq "what $* says" "$(sed 's/ (0x.*//' "$T/native")" "$(sed 's/ (0x.*//' "$T/stdout")"
	done
done

# silent_below NAME FILE: a tracked shell starts FILE. Checks that FILE prints and returns the same as without
# memdb.
silent_below()
{
	local want=0 got=0

	"$2" >"$T/native" 2>&1 || want=$?
	"$MEMDB" record -q -o "$DB" -- sh -c "$2; exit \$?" >"$T/stdout" 2>&1 || got=$?
	assert_eq "exit code of $1" "$want" "$got"
	assert_eq "what $1 says" "$(cat "$T/native")" "$(cat "$T/stdout")"
	got=0
	rm -rf "$T/c"
	"$MEMDB" record -q --raw "$T/c" -- "$2" >"$T/stdout" 2>&1 || got=$?
	assert_eq "exit code of $1, recorded itself" "$want" "$got"
	assert_eq "what $1 says, recorded itself" "$(cat "$T/native")" "$(cat "$T/stdout")"
}

# This program has 32-bit code, so its loader would complain about the tracker's library, which has
# 64-bit code.
cat >"$T/word.s" <<'SOURCE'
.globl _start
_start:
	mov $4, %eax
	mov $1, %ebx
	mov $text, %ecx
	mov $6, %edx
	int $0x80
	mov $1, %eax
	mov $7, %ebx
	int $0x80
.data
text:	.ascii "hello\n"
SOURCE
if [ -e /lib/ld-linux.so.2 ] && as --32 -o "$T/word.o" "$T/word.s" 2>/dev/null &&
	ld -m elf_i386 -pie -z notext -dynamic-linker /lib/ld-linux.so.2 -o "$T/word" "$T/word.o" 2>/dev/null &&
	"$T/word" >/dev/null 2>&1 || [ $? = 7 ]; then
	silent_below "a 32-bit program" "$T/word"
	assert_match "the capture" '"untracked_reason":".*word size' "$(cat "$T/c/capture.json")"
fi

# With little address space, the tracker would take memory that the program needs, so it does not
# start.
printf '#!/bin/sh\nulimit -v 4000\nexec %s\n' "$T/plain" >"$T/narrow"
chmod +x "$T/narrow"
silent_below "a program with 4 MB of address space" "$T/narrow"

# memdb recognises the C library of a program by the name of the program's loader. This loader has
# the name of no known C library.
ln -s "$(readelf -l "$T/plain" | sed -n 's/.*interpreter: \(.*\)]/\1/p')" "$T/ld-other.so.1"
cc -Wl,-dynamic-linker,"$T/ld-other.so.1" -o "$T/foreign" "$T/small.c"
silent_below "a program of another C library" "$T/foreign"
assert_match "the capture" '"untracked_reason":".*neither glibc nor musl' "$(cat "$T/c/capture.json")"
assert_eq "logs of a program of another C library" 0 "$(find "$T/c/track" -name '*.log' | wc -l)"
if command -v musl-gcc >/dev/null; then
	musl-gcc -o "$T/musl" "$T/small.c"
	silent_below "a program of musl" "$T/musl"
	assert_eq "logs of a program of musl" 1 "$(find "$T/c/track" -name '*.log' | wc -l)"
fi

# This program has its own malloc, which the loader finds before the tracker's.
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

# dlmopen() loads libc once more, and the tracker does not see what that libc allocates.
cat >"$T/names.c" <<'SOURCE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *library = dlmopen(argc > 1 ? LM_ID_NEWLM : LM_ID_BASE, "libc.so.6", RTLD_NOW);
	void *(*alloc)(size_t) = (void *(*)(size_t))dlsym(library, "malloc");
	return !alloc || !alloc(100000);
}
SOURCE
cc -o "$T/names" "$T/names.c" -ldl
for words in "" "new"; do
	"$MEMDB" record -q -o "$DB" -- "$T/names" $words 2>"$T/stderr"
	assert_eq "C libraries loaded once more ($words)" "${words:+1}" "$(sqlite3 "$DB" "
		SELECT count FROM losses WHERE what = 'second C libraries'")"
done
assert_match "the message" "1 second C libraries" "$(cat "$T/stderr")"
