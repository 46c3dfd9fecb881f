#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that thread-local variables are objects of their threads. The variables are in the program, in a library that
# it links, and in one that it loads later. Some threads call no function that the tracker sees. Some code addresses
# the variables through the thread pointer, other code through a computed address. The program prints all addresses.
. "$(dirname "$0")/lib.sh"
need_perf
command -v g++ >/dev/null || skip "there is no C++ compiler"

cat >"$T/locals.cc" <<'EOF'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N = 1 << 10 };

static __thread long counters[N] = { 1 };
namespace deep { struct Pool { static thread_local long slots[N]; }; }
thread_local long deep::Pool::slots[N];
extern __thread long of_library[N];
static thread_local long named[N];
static long *(*of_plugin_here)(void);

__attribute__((noinline)) static long *kept_here()
{
	static thread_local long kept[N];

	return kept;
}

static double cpu_seconds()
{
	timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Nothing that the tracker sees. */
static void tell(const char *name, volatile long *a)
{
	char line[200];
	timespec t;
	int n;

	clock_gettime(CLOCK_MONOTONIC, &t);
	n = snprintf(line, sizeof(line), "array %s %lu %zu %d %ld %ld 0\n", name, (unsigned long)a, N * sizeof(long), getpid(),
		     syscall(SYS_gettid), t.tv_sec * 1000000000 + t.tv_nsec);

	if (write(1, line, (size_t)n) != n)
		abort();
}

__attribute__((noinline)) static void work(const char *name, volatile long *a)
{
	double from = cpu_seconds();

	tell(name, a);
	do
		for (int r = 0; r < 200; r++)
			for (int i = 0; i < N; i++)
				a[i] += i;
	while (cpu_seconds() - from < 0.02);
}

static void *run(void *allocates)
{
	double from;

	if (allocates)
		free(malloc(100));
	work("counters", counters);
	work("deep::Pool::slots", deep::Pool::slots);
	work("kept_here()::kept", kept_here());
	work("of_library", of_library);
	work("of_plugin", of_plugin_here());
	from = cpu_seconds();
	tell("named", named);
	do
		for (int r = 0; r < 2000; r++)
			for (int i = 0; i < 64; i++)
				*(volatile long *)&named[i * 16] += r;
	while (cpu_seconds() - from < 0.02);
	return nullptr;
}

int main(int argc, char **argv)
{
	void *plugin = dlopen(argv[1], RTLD_NOW);
	pthread_t t[3];

	if (!plugin)
		return 2;
	of_plugin_here = (long *(*)(void))dlsym(plugin, "of_plugin_here");
	for (size_t i = 0; i < 3; i++)
		pthread_create(&t[i], nullptr, run, (void *)(i * (argc > 2)));
	run(nullptr);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], nullptr);
}
EOF
echo 'char before = 1; __thread long of_library[1 << 10];' >"$T/library.c"
echo '__thread long small, of_plugin[1 << 10]; long *of_plugin_here(void) { small++; return of_plugin; }' >"$T/plugin.c"

# build CC CXX FLAGS: builds the program and its libraries.
build()
{
	local flags=${3/-no-pie/} pie=

	[ "$flags" = "$3" ] || pie="-fno-pie -no-pie"
	$1 $flags -shared -fPIC -o "$T/library.so" "$T/library.c"
	$1 $flags -shared -fPIC -o "$T/plugin.so" "$T/plugin.c"
	$2 $flags $pie -o "$T/locals" "$T/locals.cc" "$T/library.so" -Wl,-rpath,"$T" -ldl -lpthread
}

# check WHAT: checks that each variable has samples with its name and thread. Counts only samples after the thread
# has printed the variable's address: before that, the loader and the thread's creator touch the memory.
check()
{
	read_answers "$T/stdout"
	answers=$(sqlite3 "$DB" "
		ATTACH '$T/answers.db' AS a;
		CREATE TEMP TABLE h AS
		SELECT r.name AS array, o.name = r.name AND o.kind = 'static' AND t.tid = r.tid AND o.size_bytes = r.bytes
				AND o.address_start = r.address AND s.object_offset = s.address - r.address AS good,
			format('%s %s of %s, %d at %x', o.kind, o.name, t.tid, o.size_bytes, o.address_start) AS got
		FROM a.arrays r JOIN samples s ON s.address >= r.address AND s.address < r.address + r.bytes
		JOIN threads worker ON worker.id = s.thread_id AND worker.tid = r.tid AND s.time >= r.start_ns
		LEFT JOIN objects o ON o.id = s.object_id LEFT JOIN threads t ON t.id = o.thread_id;
		SELECT 'wrong: ' || array || ' as ' || coalesce(got, 'nothing') FROM h WHERE good IS NOT 1 GROUP BY got;
		SELECT array FROM h GROUP BY array HAVING count(*) >= 3 ORDER BY 1;")
	assert_eq "$1" "counters
deep::Pool::slots
kept_here()::kept
named
of_library
of_plugin" "$answers"
	assert_eq "$1: instances" 4 "$(sql "SELECT count(*) FROM objects WHERE name = 'counters'")"
}

for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	cxx=${compiler/gcc/g++}
	cxx=${cxx/clang/clang++}
	for flags in "-O0 -gdwarf-4" "-O3 -gdwarf-5 -no-pie" "-O2 -s"; do
		build $compiler $cxx "$flags"
		record --sampler=timer "$T/locals" "$T/plugin.so" some
		[[ $flags == *-s ]] || check "$compiler $flags"
	done
	assert_eq "$compiler, stripped" "[thread-local variables of locals]" \
		"$(sql "SELECT DISTINCT name FROM objects WHERE kind = 'static' AND thread_id IS NOT NULL AND name LIKE '%locals]'")"
done
build gcc g++ "-O2 -g"
record --sampler=timer "$T/locals" "$T/plugin.so"
check "threads that the tracker does not see"
