#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the sampler "soft" counts the accesses of programs that are built with -fsanitize=thread and linked to
# our library.
. "$(dirname "$0")/lib.sh"
soft=$(cd "$(dirname "$MEMDB")/../access" && pwd)

N=3000 ROUNDS=40 # the same values as in accesses.c

# build_checked COMPILER SOURCE [OPTION...]: builds $T/built by memdb's assembler (access/as),
# which puts checks before the accesses.
build_checked()
{
	local own=()

	[ "$1" = clang ] && own=(-fno-integrated-as)
	"$1" -B"$soft/as/" "${own[@]}" -fno-omit-frame-pointer -O2 -g "${@:3}" -o "$T/built" "$2" "$soft/libmemdb-soft.a" -pthread -lm
}

# build COMPILER SOURCE: builds $T/built with the commands of docs/exact-sampling.md.
build()
{
	"$1" -fsanitize=thread -O2 -g -c -o "$T/built.o" "$2" || return 1
	"$1" -o "$T/built" "$T/built.o" -L"$soft" -lmemdb-soft -Wl,-rpath,"$soft" -lpthread
}

# soft [OPTION...] CASE: records $T/built with the argument CASE.
soft()
{
	rm -rf "$T"/run.db*
	"$MEMDB" record -q --sampler soft -o "$DB" "${@:1:$#-1}" -- "$T/built" "${!#}" >"$T/stdout" 2>"$T/stderr" ||
		fail "exit code of ${!#}: $?"
}

# count OBJECT OPERATION FUNCTION: prints how many accesses (Load or Store) FUNCTION made to OBJECT.
count()
{
	sqlite3 "$DB" "
		SELECT coalesce(sum(s.period), 0) FROM samples s
		JOIN objects o ON o.id = s.object_id AND o.name = '$1'
		JOIN symbols y ON y.id = s.symbol_id AND y.name = '$3'
		JOIN memory_opcodes m ON m.id = s.memory_opcode AND m.name = '$2'"
}

ways=(build)
[ "$(uname -m)" = x86_64 ] && ways+=(build_checked)
for compiler in gcc clang; do for way in "${ways[@]}"; do
	if ! command -v $compiler >/dev/null || ! $way $compiler "$SRC/tests/programs/accesses.c" 2>"$T/why"; then
		echo "without $compiler: $(head -n 1 "$T/why" 2>/dev/null)"
		continue
	fi
	tried=$compiler

	echo "== $compiler, $way: each access of two threads"
	soft -c 1 threads
	assert_eq "stores to the array" $N "$(count array Store store)"
	assert_eq "loads of the array" $((2 * N * ROUNDS / 4)) "$(count array Load load)"
	assert_eq "stores to the blocks" $((2 * N)) "$(count block Store store)"
	assert_eq "loads of the blocks" $((2 * N * ROUNDS)) "$(count block Load load)"

	echo "== $compiler, $way: a forked child"
	soft -c 1 fork
	assert_eq "loads of the array by parent and child" "$((N * ROUNDS + N))" "$(count array Load load)"

	echo "== $compiler, $way: not recorded"
	"$T/built" threads || fail "the program does not run by itself"
done; done
[ "${tried-}" ] || skip "no compiler has -fsanitize=thread"

echo "== one access in 10, with its call path"
soft -c 10 threads
assert_near "loads of the blocks" $((2 * N * ROUNDS)).0 "$(count block Load load).0" $((6 * 1600)).0
assert_match "call path" '^load [^<]* < work ' "$(sqlite3 "$DB" "
	SELECT c.stack FROM samples s JOIN call_stacks c USING (call_path_id)
	JOIN symbols y ON y.id = s.symbol_id AND y.name = 'load'
	WHERE s.object_id = (SELECT id FROM objects WHERE name = 'block') LIMIT 1")"

echo "== a full disk: what could not be written is counted, and the program does not notice"
rm -rf "$DB"
(ulimit -S -f 300 && exec "$MEMDB" record -q --sampler soft -c 10 -o "$DB" -- "$T/built" threads 2>"$T/stderr") ||
	fail "exit code $? with a small limit on files"
assert_ge "lost records" 10000 "$(sqlite3 "$DB" "SELECT sum(count) FROM losses WHERE what = 'lost events'")"

echo "== atomics, signal handlers and deep recursion do what they do without"
cat >"$T/odd.c" <<'SOURCE'
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
static _Atomic long sum;
static _Atomic char small;
static long taken[64], plain[64];
static volatile sig_atomic_t alarms;
struct big { long v[40]; };
static struct big a, b;
static void on_alarm(int s)
{
	(void)s;
	alarms++;
	plain[alarms % 64]++;
}
static long deep(int n)
{
	volatile long here = n;
	return n ? deep(n - 1) + here : 0;
}
static void *work(void *x)
{
	for (int i = 0; i < 20000; i++) {
		long seen = 5;
		sum += 2;
		small ^= 1;
		while (!atomic_compare_exchange_weak(&sum, &seen, seen + 1))
			;
		atomic_fetch_sub(&sum, 1);
		taken[i % 64]++;
	}
	return x;
}
int main(void)
{
	struct itimerval every = { { 0, 2000 }, { 0, 2000 } };
	pthread_t t[2];
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	a.v[39] = 7;
	b = a;
	long d = deep(2000);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%ld %d %ld %ld\n", (long)sum, small, d, b.v[39]);
	return 0;
}
SOURCE
for way in "${ways[@]}"; do
	$way "$tried" "$T/odd.c"
	assert_eq "what it prints" "80000 0 2001000 7" "$("$T/built")"
	soft -c 1 now
	assert_eq "what it prints when all is counted" "80000 0 2001000 7" "$(cat "$T/stdout")"
	soft -c 100 now
	assert_eq "what it prints when some is drawn" "80000 0 2001000 7" "$(cat "$T/stdout")"
done

echo "== a program that was not built for it"
"$MEMDB" record --sampler soft -o "$DB" --force -- "$PROGRAMS/accesses" fork 2>"$T/stderr"
assert_match "what is said" 'was not built' "$(cat "$T/stderr")"
