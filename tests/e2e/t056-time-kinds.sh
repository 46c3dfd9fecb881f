#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb finds what a program spends its time on. Each program does only one kind of work, in functions
# with the name of this kind.
. "$(dirname "$0")/lib.sh"
need_perf

# kinds FUNCTION: prints the number of samples of the function by kind of time, the most frequent
# kind first.
kinds()
{
	sql "SELECT time_kind || ' ' || sum(samples) FROM time_spent WHERE function LIKE '$1%' GROUP BY time_kind ORDER BY sum(samples) DESC"
}

# mostly FUNCTION KIND...: checks that at least 90 % of the function's samples are of these kinds.
mostly()
{
	local function=$1 list
	shift
	list=$(printf "'%s'," "$@")
	assert_ge "samples in $function ($(kinds "$function" | tr '\n' ' '))" 100 "$(sql "SELECT sum(samples) FROM time_spent WHERE function LIKE '$function%'")"
	assert_ge "of ten in $function, $* ($(kinds "$function" | tr '\n' ' '))" 9 "$(sql "
		SELECT CAST(10 * total(iif(time_kind IN (${list%,}), samples, 0)) / sum(samples) + 0.001 AS INTEGER) FROM time_spent WHERE function LIKE '$function%'")"
}

# verdict BEGINNING: checks that the verdict of the report begins with BEGINNING.
verdict()
{
	local said

	said=$("$MEMDB" report "$DB" | sed '1,/^$/d' | head -n 1)
	case $said in
	"$1"*) ;;
	*) fail "the verdict begins with '$said', not with '$1'" ;;
	esac
	one_answer
}

# one_answer: checks that samples of the kinds memory and sharing have a cost, and that others have none. The exception
# is the kind unknown: such a sample may have a cost if an operand was expected to miss.
one_answer()
{
	assert_eq "samples whose cost contradicts their kind" "" "$(sql "
		SELECT coalesce(n.name, 'none'), count(*)
		FROM access_samples AS a JOIN samples AS s ON s.id = a.sample_id JOIN time_kinds AS n ON n.id = s.time_kind
		WHERE iif(n.name = 'unknown', s.missed IS NOT 1 AND a.cost > 0, (coalesce(a.cost, 0) > 0) <> (n.name IN ('memory', 'sharing'))) GROUP BY 1")"
}

record --sampler=timer timekinds compute
mostly compute compute cached
verdict 'not memory: '

record --sampler=timer timekinds stream
mostly compute_stream compute
verdict 'not memory: '

# memset() and memcpy() of libc use these instructions on many machines.
if [ "$(uname -m)" = x86_64 ]; then
	cat >"$T/rep.c" <<-'EOF'
		#include <time.h>
		enum { N = 8 << 20 };
		static char cleared[N], from[N], to[N];
		static void repeat(const char *source, char *target)
		{
			long n = N;
			if (source)
				__asm__ volatile("rep movsb" : "+c"(n), "+S"(source), "+D"(target) : : "memory");
			else
				__asm__ volatile("rep stosb" : "+c"(n), "+D"(target) : "a"(0) : "memory");
		}
		int main(void)
		{
			while (clock() < CLOCKS_PER_SEC * 6 / 10) {
				repeat((void *)0, cleared);
				repeat(from, to);
			}
			return 0;
		}
	EOF
	gcc -O1 -fno-inline -g -o "$T/rep" "$T/rep.c"
	record --sampler=timer "$T/rep"
	mostly repeat memory
	verdict 'memory: '
	assert_eq "what is waited for" "cleared from to" "$(sql "SELECT group_concat(object, ' ') FROM (
		SELECT object FROM object_costs WHERE cost > 0 AND object IN ('cleared', 'from', 'to') ORDER BY 1)")"
fi

record --sampler=timer timekinds gather
mostly gather memory
verdict 'memory: '

record --sampler=timer timekinds atomic
mostly count_atomically atomic
verdict 'atomic operations: '

# Two threads write to one cache line, then each to a line of its own. If the machine is too busy to run both at the
# same time, the program prints "busy": then there may be no sharing.
record --sampler=timer timekinds sharing
if [ "$(nproc)" -ge 2 ] && ! grep -q busy "$T/stdout"; then
	# The program prints which part of the time in add_to() is due to the other thread. How large it is depends on the
	# machine: on some, each thread keeps the line for several additions.
	shared=$(sed -n 's/^shared \(-*[0-9]*\) %$/\1/p' "$T/stdout")
	assert_ge "of ten in add_to, sharing ($(kinds add_to | tr '\n' ' '); according to the program $shared %)" \
		"$((shared > 40 ? shared * 7 / 100 : 3))" "$(sql "
		SELECT CAST(10 * total(iif(time_kind = 'sharing', samples, 0)) / sum(samples) AS INTEGER) FROM time_spent WHERE function = 'add_to'")"
	assert_eq "the most expensive object" "both" "$(sql "SELECT object FROM object_costs ORDER BY cost DESC LIMIT 1")"
	cp "$DB" "$T/before.db"
	record --sampler=timer timekinds padding
	# not the thread time: on a busy machine, one thread may spin long until the other one runs
	assert_match "after padding" '^waits for memory: .*: less, beyond chance' "$("$MEMDB" diff "$T/before.db" "$DB")"
	assert_match "after padding" '^both +static .* less' "$("$MEMDB" diff "$T/before.db" "$DB")"
fi

record --sampler=timer timekinds spin
mostly spin_wait spin fence
mostly compute compute cached

record --sampler=timer timekinds mutex
verdict 'synchronisation: '

record --sampler=timer timekinds barrier
verdict 'synchronisation: '

record --sampler=timer timekinds system
verdict 'the kernel: '

# A library with the name of an MPI library looks for messages by functions of its parts, in no small loop. Its work on
# data is no waiting.
cat >"$T/mpi.c" <<'EOF'
#include <stddef.h>
volatile int queues[3];
static int part_first(void) { return queues[0]; }
static int part_second(void) { return queues[1]; }
static int part_third(void) { return queues[2]; }
int (*volatile parts[])(void) = { part_first, part_second, part_third };
void MPI_Wait(void)
{
	int arrived = 0;
	while (!arrived)
		for (int i = 0; i < 3; i++)
			arrived |= parts[i]();
}
long opal_convertor_pack(const long *from, size_t n)
{
	size_t at = 0;
	long sum = 0;
	for (size_t i = 0; i < n; i++, at = (at * 5 + 1) % n)
		sum += from[at];
	return sum;
}
EOF
cat >"$T/rank.c" <<'EOF'
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
enum { N = 8 << 20 };
static long data[N];
extern volatile int queues[3];
void MPI_Wait(void);
long opal_convertor_pack(const long *from, size_t n);
__attribute__((noinline)) static unsigned uct_search(unsigned n)
{
	unsigned found = n;
	for (unsigned i = 0; i < n; i++)
		found = found * 1103515245u + 12345u;
	return found;
}
static void send(int signal) { queues[2] = signal; }
int main(void)
{
	struct itimerval once = { .it_value.tv_usec = 600000 };
	long sum = 0;
	signal(SIGPROF, send);
	setitimer(ITIMER_PROF, &once, NULL);
	MPI_Wait();
	while (clock() < CLOCKS_PER_SEC)
		sum += opal_convertor_pack(data, N);
	while (clock() < CLOCKS_PER_SEC * 13 / 10)
		sum += uct_search(1000000);
	return sum == 1;
}
EOF
gcc -O1 -g -shared -fPIC -o "$T/libmpi.so.40" "$T/mpi.c"
gcc -O1 -g -o "$T/rank" "$T/rank.c" "$T/libmpi.so.40" -Wl,-rpath,"$T"
record --sampler=timer "$T/rank"
mostly part_ wait
assert_ge "samples in MPI_Wait that are waits" 1 "$(sql "SELECT sum(samples) FROM time_spent WHERE function = 'MPI_Wait' AND time_kind = 'wait'")"
mostly opal_convertor_pack memory unknown cached compute
mostly uct_search compute # a search of a game, although UCX has functions whose names begin so
