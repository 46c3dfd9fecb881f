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
	local code=0

	rm -rf "$T"/run.db*
	"$MEMDB" record -q --sampler soft -o "$DB" "${@:1:$#-1}" -- "$T/built" "${!#}" >"$T/stdout" 2>"$T/stderr" || code=$?
	assert_eq "exit code of ${!#}" "${WANT-0}" $code
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

losses() { sqlite3 -separator ' ' "$DB" "SELECT source, what, count, substr(detail, 1, instr(detail, ':') - 1) FROM losses ORDER BY 1, 2, 4"; }

# stores: prints the stores to thread-local variables and stacks, by kind of object, for each thread
# that made such stores, in the order in which they began
stores()
{
	sqlite3 -separator ' ' "$DB" "
		SELECT y.name, o.kind, o.thread_id = s.thread_id, sum(s.period)
		FROM samples s JOIN symbols y ON y.id = s.symbol_id AND y.name LIKE 'use_%'
		JOIN objects o ON o.id = s.object_id AND o.name <> 'sum' WHERE s.memory_opcode = 2
		GROUP BY s.thread_id, y.name ORDER BY s.thread_id, y.name"
}

echo "== thread-local variables and stacks of threads that allocate nothing, and of the process that one of them forks"
one="use_thread_local static 1 $N"
if build gcc "$SRC/tests/programs/stacks.c" 2>"$T/why"; then
	soft -c 1 now # the compiler calls nothing for accesses to local variables
	"$MEMDB" record --sampler exact --raw "$T/both" -- "$T/built" 2>"$T/stderr" >"$T/stdout" || true
	! command -v qemu-x86_64 >"$T/why" || [ "$(uname -m)" != x86_64 ] ||
		assert_match "what the sampler exact says" 'was built for the sampler soft' "$(cat "$T/stderr")"
	"$MEMDB" record --sampler exact --sampler soft --raw "$T/two" -- "$T/built" 2>"$T/stderr" && fail "two samplers are taken"
	assert_match "what is said of two samplers" 'only one sampler' "$(cat "$T/stderr")"
	assert_eq "stores, by calls" "$one
$one
$one
$one" "$(stores)"
fi
one="use_stack stack 1 $N
use_thread_local static 1 $N"
for static in "" -static; do
	# shellcheck disable=SC2086
	[ "$(uname -m)" = x86_64 ] && build_checked gcc "$SRC/tests/programs/stacks.c" $static 2>"$T/why" || continue
	soft -c 1 now
	assert_eq "stores, by checks $static" "$one
$one
$one
$one" "$(stores)"
done

echo "== heap, mappings and stacks of a static program, whose allocations nobody sees"
cat >"$T/static.c" <<'SOURCE'
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
enum { N = 3000 };
static volatile int *small, *large, *mapped;
static int global[N];
__attribute__((noinline)) static void fill(volatile int *p) { for (int i = 0; i < N; i++) p[i] = i; }
static void *work(void *arg)
{
	int own[N];

	fill(own);
	fill(large);
	fill(own);
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	small = malloc(N * sizeof(*small));
	large = malloc(1 << 20);
	fill(small);
	fill(global);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	mapped = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	fill(mapped);
	return 0;
}
SOURCE
for way in calls checks; do
	if [ $way = calls ]; then
		gcc -fsanitize=thread -O2 -g -static -o "$T/built" -x c "$T/static.c" -x none "$soft/libmemdb-soft.a" -lm 2>"$T/why" || continue
	else
		[ "$(uname -m)" = x86_64 ] && build_checked gcc "$T/static.c" -static 2>"$T/why" || continue
	fi
	soft -c 1 now
	assert_eq "stores by $way" "[heap outside blocks] $N
[mappings outside blocks] $((3 * N))
[stack of thread $((2 * N))
[stack of thread $((2 * N))
global $N" "$(sqlite3 -separator ' ' "$DB" "
		SELECT iif(o.kind = 'stack', '[stack of thread', coalesce(o.name, 'unknown')), sum(s.period)
		FROM samples s JOIN symbols y ON y.id = s.symbol_id AND y.name = 'fill' LEFT JOIN objects o ON o.id = s.object_id
		GROUP BY s.object_id ORDER BY 1")"
done

echo "== false sharing of two threads that run on one CPU"
if build gcc "$SRC/tests/programs/neighbours.c" 2>"$T/why"; then
	cpu=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
	rm -rf "$DB"
	taskset -c "$cpu" "$MEMDB" record -q --sampler soft -c 1 -o "$DB" -- "$T/built" >"$T/stdout" 2>"$T/stderr" || fail "exit code $?"
	assert_eq "shared lines" "pair false sharing 2" "$(sqlite3 -separator ' ' "$DB" "
		SELECT o.name, l.sharing, l.writers FROM shared_lines l JOIN objects o ON o.id = l.object_id WHERE l.together AND l.drawn_hitm > 1000")"
fi

ways=(build)
[ "$(uname -m)" = x86_64 ] && ways+=(build_checked)
for way in "${ways[@]}"; do
	$way gcc "$SRC/tests/programs/lifetime.c" 2>"$T/why" || continue
	echo "== $way: accesses before main(), in a function of atexit() and in a destructor, which frees a block"
	soft -c 1 now
	assert_eq "loads and stores of the block" "$((3 * N)) $((3 * N))" "$(sqlite3 -separator ' ' "$DB" "
		SELECT sum(s.period) FILTER (WHERE s.memory_opcode = 1), sum(s.period) FILTER (WHERE s.memory_opcode = 2)
		FROM samples s JOIN symbols y ON y.id = s.symbol_id AND y.name = 'use_values' JOIN objects o ON o.id = s.object_id AND o.kind = 'heap'")"
	assert_eq "losses" "" "$(losses)"
done
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

	echo "== $compiler, $way: before an exec that fails, and before one that succeeds"
	soft -c 1 exec
	assert_eq "stores to the array" $N "$(count array Store store)"
	assert_eq "loads of the array" $((N * ROUNDS)) "$(count array Load load)"
	assert_eq "losses" "sampler programs without accesses 1 /bin/true" "$(losses)"

	echo "== $compiler, $way: what is counted is written during the run, although no new address is accessed: after the first 1.5 s, and after 1.5 s more"
	WANT=137 soft -c 1 steady
	assert_ge "counts of the loads of an element" 2 "$(sqlite3 "$DB" "
		SELECT count(DISTINCT s.time) FROM samples s JOIN symbols y ON y.id = s.symbol_id AND y.name = 'load'
		WHERE s.object_id = (SELECT id FROM objects WHERE name = 'array') AND s.object_offset = 0")"

	assert_eq "losses" "sampler processes without an end 1 $T/built" "$(losses)"

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

if gcc -fsanitize=thread --param tsan-instrument-func-entry-exit=0 -fno-omit-frame-pointer -O2 -g -c -o "$T/built.o" "$SRC/tests/programs/accesses.c" 2>"$T/why"; then
	echo "== the same without the calls of the compiler at the start and the end of functions: the path comes from frame pointers"
	gcc -o "$T/built" "$T/built.o" -L"$soft" -lmemdb-soft -Wl,-rpath,"$soft" -lpthread
	soft -c 10 threads
	assert_match "call path" '^load [^<]* < work ' "$(sqlite3 "$DB" "
		SELECT c.stack FROM samples s JOIN call_stacks c USING (call_path_id)
		JOIN symbols y ON y.id = s.symbol_id AND y.name = 'load'
		WHERE s.object_id = (SELECT id FROM objects WHERE name = 'block') LIMIT 1")"
fi

echo "== a full disk: what could not be written is counted, and the program does not notice"
rm -rf "$DB"
(ulimit -S -f 300 && exec "$MEMDB" record -q --sampler soft -c 10 -o "$DB" -- "$T/built" threads 2>"$T/stderr") ||
	fail "exit code $? with a small limit on files"
assert_ge "lost records" 10000 "$(sqlite3 "$DB" "SELECT sum(count) FROM losses WHERE what = 'lost events'")"

echo "== a program that closes all descriptors, and one that uses their numbers for its own file"
soft -c 1 closes
assert_eq "loads of the array" $((2 * N * ROUNDS)) "$(count array Load load)"
assert_eq "losses" "" "$(sqlite3 "$DB" "SELECT what FROM losses")"

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

echo "== processes that end in signal handlers, and a search in PATH that meets a file that cannot be executed"
mkdir "$T/broken"
echo '#!/nonexistent' >"$T/broken/true"
chmod +x "$T/broken/true"
for way in "${ways[@]}"; do
	$way "$tried" "$SRC/tests/programs/exits.c"
	PATH=$T/broken:$PATH soft -c 1 now
	assert_eq "stores after the child by vfork" $N "$(count array Store last)"
done

if [ "${#ways[@]}" = 2 ] && g++ -fnon-call-exceptions -O2 -o "$T/plain" "$SRC/tests/programs/unwound.cc" -pthread 2>/dev/null; then
	echo "== exceptions, cancellation and jumps leave checked code as they leave other code"
	for static in "" -static; do
		if ! build_checked g++ "$SRC/tests/programs/unwound.cc" -fnon-call-exceptions $static 2>"$T/why"; then
			[ "$static" ] || fail "not built: $(cat "$T/why")"
			echo "no static libraries here: $(head -n 1 "$T/why")"
			continue
		fi
		soft -c 1 now
		assert_eq "what it prints when all is counted" "$("$T/plain" | sed 's/, [0-9]* frames//')" \
			"$(sed 's/, [0-9]* frames//' "$T/stdout")"
		assert_eq "what it prints when not recorded" "$("$T/built")" "$(cat "$T/stdout")"
		assert_eq "stores after all jumps" $N "$(sqlite3 "$DB" "
			SELECT sum(period) FROM samples s JOIN symbols y ON y.id = s.symbol_id AND y.name LIKE 'last%'")"
	done
fi

echo "== a program that was not built for it"
"$MEMDB" record --sampler soft -o "$DB" --force -- "$PROGRAMS/accesses" fork >"$T/stdout" 2>"$T/stderr"
assert_match "what is said" 'was not built' "$(cat "$T/stderr")"
assert_match "why there are no samples" 'no samples: nothing that ran was built with the flags' "$(cat "$T/stdout" "$T/stderr")"
assert_eq "losses" "sampler programs without accesses 1 $PROGRAMS/accesses" "$(losses)"

if [ "${#ways[@]}" = 2 ] && command -v clang >/dev/null; then
	echo "== a program that was linked for it, but whose compiler did not run memdb's assembler"
	for static in "" -static -no-pie; do
		# shellcheck disable=SC2086
		clang -B"$soft/as/" -fno-omit-frame-pointer -O2 -g $static -o "$T/built" "$SRC/tests/programs/accesses.c" "$soft/libmemdb-soft.a" -pthread -lm 2>"$T/why" ||
			continue
		"$MEMDB" record --sampler soft -o "$DB" --force -- "$T/built" fork >"$T/stdout" 2>"$T/stderr"
		assert_match "what is said $static" 'was not built for the sampler soft.* -fno-integrated-as' "$(cat "$T/stderr")"
	done
fi

echo "== a program that was not built for it executes one that was, which is killed"
build "$tried" "$SRC/tests/programs/accesses.c"
code=0
"$MEMDB" record -q --sampler soft -c 1 -o "$DB" --force -- env "$T/built" kill >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code" 137 $code
assert_eq "losses" "sampler processes without an end 1 $T/built
sampler programs without accesses 1 $(realpath "$(command -v env)")" "$(losses)"

if [ "${#ways[@]}" = 2 ]; then
	echo "== killed before its first second: no samples, and why"
	printf 'static volatile int a; int main(void) { a = 1; __builtin_trap(); }' >"$T/killed.c"
	build_checked gcc "$T/killed.c"
	code=0
	"$MEMDB" record --sampler soft -c 1 -o "$DB" --force -- "$T/built" >"$T/stdout" 2>"$T/stderr" || code=$?
	assert_eq "exit code" 132 $code
	assert_match "why there are no samples" 'no samples: a signal ended the program, or it ended by the system call itself' "$(cat "$T/stdout" "$T/stderr")"

	if command -v pkg-config >/dev/null; then
		echo "== with the flags that pkg-config prints for the build folder"
		flags() { PKG_CONFIG_PATH=$BUILD/access pkg-config "$@"; }
		for way in checks soft; do
			assert_eq "include folders, of which there are none" 0 "$(grep -c includedir "$BUILD/access/memdb-$way.pc" || true)"
			# shellcheck disable=SC2046
			gcc -O2 -g $(flags --cflags memdb-$way) -c -o "$T/built.o" "$SRC/tests/programs/accesses.c"
			# shellcheck disable=SC2046
			gcc -o "$T/built" "$T/built.o" $(flags --libs memdb-$way)
			soft -c 1 alone
			assert_eq "stores to the array" $N "$(count array Store store)"
			# build systems put CFLAGS and LDFLAGS before the program's files, also where they link it
			# shellcheck disable=SC2046
			gcc $(flags --cflags memdb-$way) -fno-sanitize=thread $(flags --libs memdb-$way) -o "$T/built" "$T/built.o" 2>"$T/why" || fail "not linked with LDFLAGS: $(cat "$T/why")"
			soft -c 1 alone
			assert_eq "stores to the array, linked with LDFLAGS" $N "$(count array Store store)"
		done

		echo "== a shared library with calls, for programs of both variants: before and after memdb's library on the command line"
		cat >"$T/library.c" <<'SOURCE'
void store_all(volatile long *p)
{
	for (int i = 0; i < 1000; i++)
		p[i] = i;
}
SOURCE
		echo 'long a[1000]; void store_all(volatile long *); int main(void) { store_all(a); return 0; }' >"$T/user.c"
		gcc -O2 -g -fPIC -fsanitize=thread -c -o "$T/library.o" "$T/library.c" && gcc -shared -o "$T/libown.so" "$T/library.o"
		for way in checks soft; do for order in before after; do
			# shellcheck disable=SC2046
			gcc -O2 -g $(flags --cflags memdb-$way) -c -o "$T/built.o" "$T/user.c"
			own=(-L"$T" -lown "-Wl,-rpath,$T")
			read -ra libraries <<<"$(flags --libs memdb-$way)"
			if [ $order = before ]; then libraries=("${own[@]}" "${libraries[@]}"); else libraries+=("${own[@]}"); fi
			gcc -o "$T/built" "$T/built.o" "${libraries[@]}" 2>"$T/why" || fail "not linked: $(cat "$T/why")"
			soft -c 1 now
			assert_eq "stores by the library, $order memdb-$way" 1000 "$(count a Store store_all)"
		done; done

		echo "== a library that a program opens by dlopen: the program had its block before, and has checks itself or not"
		cat >"$T/opens.c" <<'SOURCE'
#include <dlfcn.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	volatile long *block = malloc(1000 * sizeof(long)); /* before the library is there */
	void *library = dlopen(argv[argc - 1], RTLD_NOW);
	void (*store_all)(volatile long *) = library ? (void (*)(volatile long *))dlsym(library, "store_all") : NULL;
	if (!block || !store_all)
		return 1;
	store_all(block);
	return 0;
}
SOURCE
		read -ra libraries <<<"$(flags --libs memdb-soft)"
		gcc -shared -o "$T/libown.so" "$T/library.o" "${libraries[@]}"
		# shellcheck disable=SC2046
		gcc -O2 -g $(flags --cflags memdb-checks) -c -o "$T/built.o" "$T/opens.c"
		read -ra libraries <<<"$(flags --libs memdb-checks)"
		for options in -pie -no-pie plain; do
			if [ $options = plain ]; then gcc -O2 -g -o "$T/built" "$T/opens.c"; else gcc $options -o "$T/built" "$T/built.o" "${libraries[@]}"; fi
			soft -c 1 "$T/libown.so"
			assert_eq "stores by the library, $options" 1000 "$(count block Store store_all)"
			assert_eq "losses, $options" "" "$(losses)"
		done

		echo "== programs whose libraries have the sampler behind libc, where its own hooks are never called: each way to end, also of a forked child"
		cat >"$T/ends.c" <<'SOURCE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static long a[1000];
#ifdef LINKED
void store_all(volatile long *);
#endif
static void end(const char *way)
{
	if (!strcmp(way, "exit"))
		exit(0);
	if (!strcmp(way, "quick_exit"))
		quick_exit(0);
	if (!strcmp(way, "_Exit"))
		_Exit(0);
	if (!strcmp(way, "exec"))
		execl("/bin/true", "true", (char *)NULL);
	if (!strcmp(way, "call"))
		syscall(SYS_exit_group, 0);
	_exit(0);
}
int main(int argc, char **argv)
{
	int status = 1;
#ifndef LINKED
	void *library = dlopen("libown.so", RTLD_NOW);
	void (*store_all)(volatile long *) = library ? (void (*)(volatile long *))dlsym(library, "store_all") : NULL;
#endif
	char *no[] = { "no", NULL };
	const char *forks = strchr(argv[argc - 1], '-');

	store_all(a);
	execv("/nonexistent", no);
	store_all(a);
	if (!forks)
		end(argv[argc - 1]);
	if (!fork()) {
		store_all(a);
		end(forks + 1);
	}
	wait(&status);
	return status;
}
SOURCE
		read -ra checks <<<"$(flags --libs memdb-checks)"
		# shellcheck disable=SC2046
		gcc -O2 -g $(flags --cflags memdb-checks) -c -o "$T/built.o" "$T/ends.c"
		for options in linked opened checked; do
			case $options in
			linked) gcc -O2 -g -DLINKED -o "$T/built" "$T/ends.c" -L"$T" -lown "-Wl,-rpath,$T" ;;
			opened) gcc -O2 -g -o "$T/built" "$T/ends.c" "-Wl,-rpath,$T" ;;
			checked) gcc -o "$T/built" "$T/built.o" "${checks[@]}" "-Wl,-rpath,$T" ;;
			esac
			for end in exit quick_exit _exit _Exit exec call fork-exit fork-_exit fork-quick_exit fork-exec; do
				soft -c 1 $end
				if [ "${end%-*}" = fork ]; then stores=3000; else stores=2000; fi
				assert_eq "stores by the library, $options, $end" $stores "$(count a Store store_all)"
				assert_eq "losses, $options, $end" "" "$(losses | sed '/programs without accesses 1 .bin.true/d')"
			done
		done

		echo "== quick_exit, without the tracker"
		echo "#include <stdlib.h>
static volatile int array[$N];
int main(void) { for (int i = 0; i < $N; i++) array[i] = i; quick_exit(0); }" >"$T/quick.c"
		for way in checks soft; do
			# shellcheck disable=SC2046
			gcc -O2 -g $(flags --cflags memdb-$way) -c -o "$T/built.o" "$T/quick.c"
			read -ra libraries <<<"$(flags --libs memdb-$way)"
			gcc -o "$T/built" "$T/built.o" "${libraries[@]}"
			soft -c 1 --no-track now
			assert_eq "stores, memdb-$way" $N "$(count array Store main)"
			assert_eq "losses, memdb-$way" "" "$(losses)"
		done
	fi

	echo "== built for both variants: each access would count twice"
	build_checked gcc "$SRC/tests/programs/accesses.c" -fsanitize=thread 2>"$T/stderr" && fail "built for both"
	assert_match "what is said" 'not both' "$(cat "$T/stderr")"
fi

if command -v gfortran >/dev/null && [ -e "$(gfortran -print-file-name=libgfortran.a)" ]; then
	cat >"$T/fortran.f90" <<'SOURCE'
program static
	real(8) :: a(1000)
	integer :: i
	do i = 1, 1000
		a(i) = i
	end do
	open(10, status='scratch')
	write(10, *) sum(a)
	print '(f8.0)', sum(a)
end program
SOURCE
	for way in "${ways[@]}"; do
		echo "== a static program in Fortran, $way"
		if [ $way = build ]; then
			gfortran -fsanitize=thread -c -o "$T/built.o" "$T/fortran.f90"
			gfortran -static -o "$T/built" "$T/built.o" "$soft/libmemdb-soft.a" -lpthread -lm
		else
			build_checked gfortran "$T/fortran.f90" -static
		fi
		assert_eq "what it prints" " 500500." "$("$T/built")"
		soft -c 1 now
		assert_eq "what it prints when recorded" " 500500." "$(cat "$T/stdout")"
	done
fi

echo "== few samples, because a library that was not built for it does the work"
echo 'int sum(const volatile int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }' >"$T/work.c"
cat >"$T/few.c" <<-'END'
	int sum(const volatile int *a, int n);
	static volatile int a[5000];
	int main(void)
	{
		for (int i = 0; i < 5000; i++)
			a[i] = i;
		return sum(a, 5000) == 1;
	}
END
gcc -O1 -shared -fPIC -o "$T/libwork.so" "$T/work.c"
if build_checked gcc "$T/few.c" -Wl,--no-as-needed "$T/libwork.so" "-Wl,-rpath,$T" 2>"$T/why"; then
	soft -c 100 few
	"$MEMDB" report "$DB" >"$T/report"
	assert_match "what the report says" '^-> only [0-9]+ samples: .*; code that was not built for the sampler soft has none: .*libwork\.so' "$(cat "$T/report")"
else
	echo "no checks: $(head -1 "$T/why")"
fi
