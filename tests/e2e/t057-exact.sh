#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the sampler "exact" counts every access, with threads, fork, exec and a killed program. The programs are
# so simple that the counts can be computed on paper. Also proves that the tracker sees the same events in the emulator
# as natively.
. "$(dirname "$0")/lib.sh"
command -v qemu-x86_64 >/dev/null || skip "there is no qemu-x86_64"
[ "$(uname -m)" = x86_64 ] || skip "no x86-64 machine"

N=3000 ROUNDS=40 # the same values as in accesses.c

# exact [OPTION...] [PROGRAM] CASE: records the program (`accesses` if none is given) with the argument CASE.
exact()
{
	local code=0 options=("${@:1:$#-1}") program=$PROGRAMS/accesses

	case ${options[-1]-} in
	stacks) program=$PROGRAMS/stacks ;;
	/*) program=${options[-1]} ;;
	esac
	[ "$program" = "$PROGRAMS/accesses" ] || unset "options[-1]"
	rm -rf "$T"/run.db*
	"$MEMDB" record -q --sampler exact -o "$DB" "${options[@]}" -- "$program" "${!#}" >"$T/stdout" 2>"$T/stderr" || code=$?
	assert_eq "exit code of ${!#}" "${WANT-0}" $code
}

# count OBJECT OPERATION FUNCTION: prints how many accesses (Load or Store) FUNCTION made to OBJECT.
count()
{
	sqlite3 "$DB" "
		SELECT coalesce(sum(s.period), 0) FROM samples s
		JOIN selected_events e ON e.id = s.evsel_id AND e.role = 'access'
		JOIN objects o ON o.id = s.object_id AND o.name = '$1'
		JOIN symbols y ON y.id = s.symbol_id AND y.name = '$3'
		JOIN memory_opcodes m ON m.id = s.memory_opcode AND m.name = '$2'"
}

echo "== each access of two threads"
exact -c 1 threads
assert_eq "stores to the array" $N "$(count array Store store)"
assert_eq "loads of the array" $((2 * N * ROUNDS / 4)) "$(count array Load load)"
assert_eq "stores to the blocks" $((2 * N)) "$(count block Store store)"
assert_eq "loads of the blocks" $((2 * N * ROUNDS)) "$(count block Load load)"
assert_eq "threads that load the array" 2 "$(sqlite3 "$DB" "
	SELECT count(DISTINCT thread_id) FROM samples WHERE memory_opcode = 1
		AND symbol_id = (SELECT id FROM symbols WHERE name = 'load')")"
assert_eq "pages of the array, by who touched them first" "store 6" "$(sqlite3 -separator ' ' "$DB" "
	SELECT y.name, count(*) FROM page_faults f JOIN objects o ON o.id = f.object_id AND o.name = 'array'
	JOIN symbols y ON y.id = f.symbol_id GROUP BY 1")"

# shares OBJECT: prints the lower limit of the object's share of all accesses, the share, and the
# upper limit, in percent.
shares()
{
	sqlite3 -separator ' ' "$DB" "
		SELECT round(access_low_pct, 3), round(access_pct, 3), round(access_high_pct, 3) FROM object_costs WHERE object = '$1'"
}
read -r low truth high < <(shares block)
assert_eq "interval of an exact share" "$truth $truth" "$low $high"
# With a selection, the report also counts accesses, and says why other callers are unknown.
all=$(sqlite3 "$DB" "SELECT samples FROM totals WHERE scope = 'run'")
own=$(sqlite3 "$DB" "SELECT sum(period) FROM samples WHERE symbol_id IN (SELECT id FROM symbols WHERE name = 'load')")
"$MEMDB" report --in load "$DB" >"$T/selected"
assert_ge "accesses of load, selected" 1 "$(grep -cE "^selected: in 'load' .*: $own of $all accesses .*; [0-9]+ of the other accesses may be in that function or what it called, too: counts have no call stack" "$T/selected")"

echo "== each operand is one access, however large it is"
cat >"$T/state.c" <<-'END'
	char area[4096] __attribute__((aligned(64)));
	#define STATE(name, code) \
		static void __attribute__((noinline)) name(void) { __asm__ volatile(code " area(%%rip)" : : "a"(7), "d"(0) : "memory"); }
	STATE(save_all, "fxsave")
	STATE(load_all, "fxrstor")
	STATE(save_fpu, "fnsave")
	STATE(load_fpu, "frstor")
	STATE(save_environment, "fnstenv")
	STATE(load_environment, "fldenv")
	int main(void)
	{
		for (int i = 0; i < 10; i++) {
			save_all(); load_all(); save_fpu(); load_fpu(); save_environment(); load_environment();
		}
		return area[0] == 1;
	}
END
gcc -O1 -g -no-pie -o "$T/state" "$T/state.c"
"$MEMDB" record -q --sampler exact -c 1 -o "$T/state.db" -- "$T/state" || fail "exit code $?"
assert_eq "accesses" "load_all Load 10|load_environment Load 10|load_fpu Load 10|save_all Store 10|save_environment Store 10|save_fpu Store 10" "$(sqlite3 "$T/state.db" "
	SELECT group_concat(line, '|') FROM (SELECT function || ' ' || opcode || ' ' || sum(estimate) AS line FROM access_samples
	WHERE object = 'area' AND function <> 'main' GROUP BY function, opcode ORDER BY 1)")"

for threads in 4 16; do
	echo "== nothing is lost with $threads threads"
	THREADS=$threads exact -c 1 threads
	assert_eq "loads of the array" $((threads * N * ROUNDS / 4)) "$(count array Load load)"
	assert_eq "stores to the blocks" $((threads * N)) "$(count block Store store)"
	assert_eq "loads of the blocks" $((threads * N * ROUNDS)) "$(count block Load load)"
	assert_eq "losses" "" "$(sqlite3 "$DB" "SELECT * FROM losses")"
done

echo "== two runs have the same counts"
# counts: prints the accesses of the program's own functions, by function, object and operation
counts()
{
	sqlite3 "$DB" "
		SELECT y.name, iif(o.kind = 'stack', o.kind, o.name), s.memory_opcode, sum(s.period) FROM samples s
		JOIN symbols y ON y.id = s.symbol_id JOIN dsos d ON d.id = y.dso_id AND d.short_name = 'accesses'
		LEFT JOIN objects o ON o.id = s.object_id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
}
# both threads may call a function for the first time, and then both look for it: so all are found at the start
LD_BIND_NOW=1 exact -c 1 threads
first=$(counts)
assert_ge "rows" 8 "$(echo "$first" | wc -l)"
LD_BIND_NOW=1 exact -c 1 threads
assert_eq "counts of the second run" "$first" "$(counts)"

# A program with one thread has the same counts everywhere, in libraries and at its start, too: also where blocks get the memory of others, and
# where several variables are in 16 bytes. The names of the two recordings differ in length, so the stacks begin elsewhere. The C++ program has
# its strings on the heap, because memcmp accesses those at the end of a page in another way.
echo "== all counts of two runs of a program with one thread"
# everything FILE: prints the accesses by object and operation
everything()
{
	sqlite3 "$1" "
		SELECT iif(o.kind = 'stack', o.kind, o.name), o.kind, s.memory_opcode, sum(s.period) FROM samples s
		LEFT JOIN objects o ON o.id = s.object_id GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
}
cat >"$T/program.cc" <<-'END'
	#include <iostream>
	#include <map>
	#include <string>
	static int numbers[5];
	static void __attribute__((noinline)) add(volatile int *at) { *at = *at + 1; }
	int main()
	{
		std::map<std::string, int> words;
		for (int i = 0; i < 500; i++) {
			words["a long word, which is on the heap " + std::to_string(i * 7919 % 300)] += i;
			add(&numbers[i % 5]);
		}
		std::cout << words.size() + numbers[0] << std::endl;
	}
END
cat >"$T/program.f90" <<-'END'
	program repeated
	  real(8), allocatable :: a(:), b(:)
	  integer :: i
	  do i = 1, 50
	    allocate(a(100))
	    a = i
	    deallocate(a)
	    allocate(b(100))
	    b = i + 1
	    if (i == 50) print *, sum(b)
	    deallocate(b)
	  end do
	end program
END
# The loader reads the environment, so it has the same size in each run: also if the recording starts so fast that the frequency of the counter is unknown.
exact -c 1000 "$(command -v env)" NOTHING=1
assert_match "options of the tracker" '^MEMDB_TRACK_OPTIONS=.*,tsc_khz=[0-9]{20}$' "$(cat "$T/stdout")"
programs=("$PROGRAMS/accesses reuse" "$PROGRAMS/accesses alone")
g++ -O1 -o "$T/cxx" "$T/program.cc" 2>"$T/why" && programs+=("$T/cxx")
gfortran -O1 -o "$T/fortran" "$T/program.f90" 2>"$T/why" && programs+=("$T/fortran")
# shellcheck disable=SC2016 # a program in perl
command -v perl >/dev/null && programs+=("perl -e \$h{\$_%97}.=\$_,@a=(1..\$_%9)for(1..2000);print(join(q(),sort(values(%h))))")
for program in "${programs[@]}"; do
	read -ra words <<<"$program"
	other=second-name
	[ "${words[0]}" != perl ] || other=b # perl copies its environment, in which this name is
	for name in a $other; do
		PERL_HASH_SEED=0 "$MEMDB" record -q --sampler exact -c 1 -o "$T/$name.db" -- "${words[@]}" >"$T/stdout" 2>"$T/stderr" || fail "exit code $? of $program"
		everything "$T/$name.db" >"$T/$name.counts"
	done
	assert_ge "objects of $program" 100 "$(wc -l <"$T/a.counts")"
	assert_eq "what differs in $program" "" "$(diff "$T/a.counts" "$T/$other.counts")"
	[ "$program" != "${programs[0]}" ] || assert_eq "stores to blocks that get the same memory in turn" "first $((10 * N)) second $((30 * N))" "$(sqlite3 "$T/a.db" "
		SELECT group_concat(o.name || ' ' || n, ' ') FROM (SELECT object_id, sum(period) AS n FROM samples
		WHERE symbol_id = (SELECT id FROM symbols WHERE name = 'touch') GROUP BY 1) JOIN objects o ON o.id = object_id WHERE o.kind = 'heap' ORDER BY o.name")"
done

echo "== stacks and thread-local variables of threads that allocate nothing, and of the process that one of them forks"
# stores: prints the stores to thread-local variables and stacks, by kind of object, for each thread
# that made such stores, in the order in which they began
stores()
{
	sqlite3 -separator ' ' "$DB" "
		SELECT y.name, o.kind, o.thread_id = s.thread_id OR o.thread_id IS NULL, sum(s.period)
		FROM samples s JOIN symbols y ON y.id = s.symbol_id AND y.name LIKE 'use_%'
		JOIN objects o ON o.id = s.object_id AND o.name <> 'sum' WHERE s.memory_opcode = 2
		GROUP BY s.thread_id, y.name ORDER BY s.thread_id, y.name"
}
own="use_stack stack 1 $N
use_thread_local static 1 $N"
exact -c 1 stacks clone
assert_eq "stores" "$own
$own
$own
$own
use_stack mapping 1 $N" "$(stores)"
if gcc -static -pthread -O1 -g -o "$T/stacks" "$SRC/tests/programs/stacks.c" 2>"$T/why"; then
	exact -c 1 "$T/stacks" now
	assert_eq "stores of a static program" "$own
$own
$own
$own" "$(stores)"
fi

echo "== false sharing of two threads that run on one CPU"
cpu=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
rm -rf "$DB"
taskset -c "$cpu" "$MEMDB" record -q --sampler exact -c 1 -o "$DB" -- "$PROGRAMS/neighbours" >"$T/stdout" 2>"$T/stderr" || fail "exit code $?"
assert_eq "shared lines" "pair false sharing 2" "$(sqlite3 -separator ' ' "$DB" "
	SELECT o.name, l.sharing, l.writers FROM shared_lines l JOIN objects o ON o.id = l.object_id WHERE l.together AND l.drawn_hitm > 1000")"
assert_eq "a layout that ends it, in which the unused member has no line of its own" "a 0 1|b 64 1|spare 72 0" "$(sqlite3 -separator ' ' "$DB" "
	SELECT group_concat(member || ' ' || new_offset || ' ' || aligned, '|') FROM object_layouts WHERE object = 'pair'")"

"$MEMDB" report --no-pager "$DB" >"$T/report"
assert_match "advice for the pair" '^-> pair \(id [0-9]+, [1-9][0-9.]* % of the accesses\): .*false sharing' "$(cat "$T/report")"
assert_eq "claims of a cost" 0 "$(grep -c 'of the cost' "$T/report")"

echo "== levels of a model of caches"
exact -c 1 --model-caches=4k,32k,1M threads
assert_eq "loads of the array: in the other thread's level once, then in the own second level, the rest of each line in the first" \
	"L1 (model) $((2 * (N - N / 8) * ROUNDS / 4)) L2 (model) $((2 * N / 8 * (ROUNDS / 4 - 1))) L3 (model) $((2 * N / 8))" "$(sqlite3 -separator ' ' "$DB" "
	SELECT group_concat(level || ' ' || n, ' ') FROM (SELECT level, CAST(sum(estimate) AS INTEGER) AS n FROM access_samples
	WHERE object = 'array' AND function = 'load' GROUP BY 1 ORDER BY 1)")"
assert_eq "what the hardware says of it" "model" "$(sqlite3 "$DB" "SELECT caches FROM runs WHERE NOT EXISTS (SELECT 1 FROM access_samples WHERE hw_remote IS NOT NULL)")"

exact -c 1 --model-caches=4k,32k,1M vectors
assert_eq "loads that lie in two lines have the level of the farther one: all miss but those within one line" \
	"L1 (model) $((N / 2 - 1 - N / 8)) L3 miss (model) $((N / 8))" "$(sqlite3 -separator ' ' "$DB" "
	SELECT group_concat(level || ' ' || n, ' ') FROM (SELECT level, CAST(sum(estimate) AS INTEGER) AS n FROM access_samples
	WHERE object = 'array' AND function = 'load_pairs' GROUP BY 1 ORDER BY 1)")"

echo "== one access in 10"
exact -c 10 threads
read -r low share high < <(shares block)
assert_le "lower end of the sampled share" "$truth" "$(awk "BEGIN { print $low - 2 * ($share - $low) }")"
assert_ge "upper end of the sampled share" "$truth" "$(awk "BEGIN { print $high + 2 * ($high - $share) }")"
assert_near "loads of the blocks" $((2 * N * ROUNDS)).0 "$(count block Load load).0" $((6 * 1600)).0
assert_match "their call path" '^load [^<]* < work ' "$(sqlite3 "$DB" "
	SELECT c.stack FROM samples s JOIN call_stacks c USING (call_path_id)
	JOIN symbols y ON y.id = s.symbol_id AND y.name = 'load'
	WHERE s.object_id = (SELECT id FROM objects WHERE name = 'block') LIMIT 1")"

echo "== whole paths after what the tracker did for malloc, which is no work of the program"
exact -c 10 alone
assert_match "path to the loads" '^load [^<]* < work [^<]* < main [^<]* < .*_start$' "$(sqlite3 "$DB" "
	SELECT group_concat(DISTINCT c.stack) FROM samples s JOIN call_stacks c USING (call_path_id)
	JOIN symbols y ON y.id = s.symbol_id AND y.name = 'load' WHERE s.object_id = (SELECT id FROM objects WHERE name = 'block')")"
assert_eq "accesses for the tracker" 0 "$(sqlite3 "$DB" "
	SELECT count(*) FROM access_samples WHERE dso = 'libmemdb-track.so' OR object = 'libmemdb-track.so'
		OR function LIKE '%dl_iterate_phdr'")"

echo "== a full disk: what could not be written is counted, and the program does not notice"
rm -rf "$DB"
(ulimit -S -f 300 && exec "$MEMDB" record -q --sampler exact -c 10 -o "$DB" -- "$PROGRAMS/accesses" threads 2>"$T/stderr") ||
	fail "exit code $? with a small limit on files"
assert_ge "lost records" 10000 "$(sqlite3 "$DB" "SELECT sum(count) FROM losses WHERE what = 'lost events'")"
assert_match "what is said" "lost events" "$(cat "$T/stderr")"
(ulimit -S -f 300 && exec "$MEMDB" record -q --sampler exact -c 10 --raw "$T/raw" -- "$PROGRAMS/accesses" threads 2>"$T/stderr") ||
	fail "exit code $? with a small limit on files"
assert_match "what is said without an import" 'records of accesses could not be written' "$(cat "$T/stderr")"

assert_match "the reason" '^sampler.*the disk was full' "$(sqlite3 -separator ' ' "$DB" "SELECT source, detail FROM losses WHERE what = 'lost events'")"

echo "== a program that closes all descriptors, and one that uses their numbers for its own file"
exact -c 1 closes
assert_eq "loads of the array" $((2 * N * ROUNDS)) "$(count array Load load)"
assert_eq "losses" "" "$(sqlite3 "$DB" "SELECT what FROM losses")"

echo "== a forked child"
exact -c 1 fork
assert_eq "loads of the array by process" "$N $((N * ROUNDS))" "$(sqlite3 -separator ' ' "$DB" "
	SELECT group_concat(n, ' ') FROM (SELECT sum(s.period) AS n FROM samples s JOIN threads t ON t.id = s.thread_id
	JOIN symbols y ON y.id = s.symbol_id AND y.name = 'load' WHERE s.memory_opcode = 1
	AND s.object_id IN (SELECT id FROM objects WHERE name = 'array') GROUP BY t.process_id ORDER BY t.process_id)")"
assert_eq "stores to the child's own block" $N "$(count block Store store)"
assert_eq "losses" "" "$(sqlite3 "$DB" "SELECT what FROM losses")"

echo "== a program that executes another, first in vain"
exact -c 1 exec
assert_eq "loads of the array" $((N * ROUNDS)) "$(count array Load load)"

echo "== a program that is killed"
WANT=137 exact -c 100 kill
assert_near "loads of the array" $((N * 100 * ROUNDS)).0 "$(count array Load load).0" $((N * 100 * ROUNDS / 20)).0

losses() { sqlite3 -separator ' ' "$DB" "SELECT source, what, count, substr(detail, 1, instr(detail, ':') - 1) FROM losses ORDER BY 1, 2, 4"; }
assert_eq "losses" "sampler processes without an end 1 $PROGRAMS/accesses" "$(losses)"

echo "== a thread that waits while another one kills the process"
WANT=137 exact -c 1 waits
assert_eq "loads of the array" $((N * ROUNDS)) "$(count array Load load)"

echo "== what is counted is written during the run, although no new address is accessed: after the first 1.5 s, and after 1.5 s more"
WANT=137 exact -c 1 steady
assert_ge "counts of the loads of an element" 2 "$(sqlite3 "$DB" "
	SELECT count(DISTINCT s.time) FROM samples s JOIN symbols y ON y.id = s.symbol_id AND y.name = 'load'
	WHERE s.object_id = (SELECT id FROM objects WHERE name = 'array') AND s.object_offset = 0")"

echo "== the process that runs the emulator is killed: the program ends, too"
"$MEMDB" record --sampler exact -c 100 -o "$DB" --force -- "$PROGRAMS/accesses" forever >"$T/stdout" 2>"$T/stderr" &
# children PID: prints the children of a process
children() { cat "/proc/$1/task/$1/children" 2>/dev/null || true; }
runs() { runner=$(children $!) && [ "$runner" ] && emulator=$(children "${runner% }") && [ "$emulator" ]; }
wait_until 60 runs
kill -KILL $runner
wait $! && fail "the killed recording has exit code 0"
# the kernel kills it when its parent has ended, which may be a moment later
ended() { [ ! -e "/proc/${emulator% }/exe" ]; }
wait_until 60 ended || fail "the emulator still runs"
assert_match "what is said" 'the process that runs the program did not end as it should' "$(cat "$T/stderr")"
assert_eq "what is said of perf" 0 "$(grep perf "$T/stderr" | wc -l)"

echo "== a script whose programs are executed, by path, PATH and an empty environment, and one that the emulator must leave"
ln -sf "$PROGRAMS/accesses" "$T/accesses"
cp /bin/true "$T/privileged"
# only root can make a set-user-ID program of another user
chown 65534 "$T/privileged" 2>/dev/null && chmod u+s "$T/privileged" || rm "$T/privileged"
cat >"$T/script" <<SCRIPT
#!/bin/sh -e
PATH=$T:\$PATH
accesses fork
(exec env -i "$PROGRAMS/accesses" fork)
if [ -e privileged ]; then ./privileged; fi
nothing.of.this.name 2>/dev/null || exit 7
SCRIPT
chmod +x "$T/script"
rm -rf "$DB"
(cd "$T" && exec "$MEMDB" record -q --sampler exact -c 1 -o "$DB" -- ./script) && fail "the script's exit code is lost"
assert_eq "loads of the array" $((2 * (N * ROUNDS + N))) "$(count array Load load)"
assert_eq "programs" "accesses accesses env script" "$(sqlite3 -separator ' ' "$DB" "
	SELECT group_concat(name, ' ') FROM (SELECT comm AS name FROM comms WHERE exec AND comm <> 'privileged' ORDER BY 1)")"
if [ -e "$T/privileged" ]; then
	assert_match "the program that nobody saw" '^1 privileged: it is setuid' "$(sqlite3 -separator ' ' "$DB" "
		SELECT count, detail FROM losses WHERE what = 'programs without accesses'")"
	"$MEMDB" record --sampler exact -o "$DB.alone" -- "$T/privileged" >"$T/stdout" 2>"$T/stderr" || fail "exit code $?"
	assert_match "rights of a set-user-ID program in the emulator" 'without the rights' "$(cat "$T/stderr")"
	assert_eq "programs without the tracker" "0 0" "$(grep -c 'not tracked' "$T/stderr") $(sqlite3 "$DB.alone" "SELECT count(*) FROM losses")"
fi

echo "== a program in no file, which the emulator cannot be started for"
rm -rf "$DB"
"$MEMDB" record -q --sampler exact -c 1 -o "$DB" -- "$PROGRAMS/accesses" memfd >"$T/stdout" 2>"$T/stderr" || fail "exit code $?"
assert_match "the program that nobody saw" '^1 [^:]*: .* no file with a name [(]memfd' "$(sqlite3 -separator ' ' "$DB" "
	SELECT count, detail FROM losses WHERE what = 'programs without accesses'")"

echo "== a deleted program, and another one with the name that /proc shows for it"
cat >"$T/deleted.c" <<'EOS'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char *const command[] = { argv[0], "deleted", NULL }, *const nothing[] = { NULL };
	const int file = open(argv[0], O_RDONLY | O_CLOEXEC);

	if (argc > 1)
		return puts("right") < 0;
	unlink(argv[0]);
	fexecve(file, command, nothing);
	return 1;
}
EOS
gcc -w -o "$T/deleted" "$T/deleted.c"
cp /bin/false "$T/deleted (deleted)"
"$MEMDB" record -q --sampler exact -o "$DB.deleted" -- "$T/deleted" >"$T/stdout" 2>"$T/stderr" || fail "exit code $?"
assert_match "the deleted program ran" right "$(cat "$T/stdout")"

# allocations: prints what the tracker saw of the program's blocks. Removes frames below start_thread: they differ in
# the emulator, which has no clone3(), so libc calls clone() there.
allocations()
{
	sed 's/ < start_thread.*//' < <(sqlite3 "$DB" "
		SELECT f.name, b.size_bytes, b.end_reason, b.end_thread_id <> b.thread_id, b.previous_id IS NOT NULL, c.stack, count(*)
		FROM allocations b JOIN allocation_functions f ON f.id = b.function JOIN call_stacks c USING (call_path_id)
		WHERE c.stack LIKE '%count_blocks.c%' GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 7") | sort
}
if command -v perf >/dev/null && perf stat -e cpu-clock:u -o "$T/probe" true 2>"$T/refusal"; then
	echo "== the tracker sees the same blocks as natively"
	for sampler in timer exact; do
		rm -rf "$DB"
		"$MEMDB" record -q --all-blocks --sampler $sampler -o "$DB" -- "$PROGRAMS/count_blocks" >"$T/stdout" 2>"$T/stderr" || fail "exit code $?"
		allocations >"$T/$sampler"
		assert_eq "losses" 0 "$(sqlite3 "$DB" "SELECT count(*) FROM losses WHERE source = 'tracker' AND what LIKE 'lost%'")"
	done
	assert_ge "kinds of blocks" 5 "$(wc -l <"$T/timer")"
	assert_eq "difference" "" "$(diff "$T/timer" "$T/exact")"
fi

echo "== a static program: nothing tracks its blocks, but the sampler knows its heap and its other memory"
cat >"$T/static.c" <<C
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	volatile int *little = malloc(4000), *big = malloc(400000);
	for (int i = 0; i < 1000; i++)
		little[i] = big[100 * i] = i;
	printf("%d\\n", little[3] + big[100]);
	return 0;
}
C
if gcc -static -O1 -g -o "$T/static" "$T/static.c" 2>"$T/why"; then
	rm -rf "$DB"
	"$MEMDB" record -q --sampler exact -c 1 -o "$DB" -- "$T/static" >"$T/stdout" 2>"$T/stderr" || fail "exit code $?"
	assert_eq "accesses of main by object" "[heap outside blocks] 1001|[mappings outside blocks] 1001" "$(sqlite3 "$DB" "
		SELECT group_concat(x, '|') FROM (SELECT o.name || ' ' || sum(s.period) AS x FROM samples s JOIN objects o ON o.id = s.object_id
		JOIN symbols y ON y.id = s.symbol_id AND y.name = 'main' WHERE o.name LIKE '%outside%' GROUP BY o.name ORDER BY 1)")"
	assert_eq "losses" "tracker programs not tracked 1 it is statically linked" "$(sqlite3 -separator ' ' "$DB" "SELECT source, what, count, substr(detail, 1, instr(detail, ';') - 1) FROM losses")"
fi

echo "== variables of shared libraries, with and without initial values, also if much precedes the code in the file"
cat >"$T/library.c" <<C
enum { N = $N };
static volatile int in_data[N] = { 1 }, in_bss[N];
/* 6000 relocations, which precede the code */
volatile int *pointers[6000] = { [0 ... 5999] = in_data };
void NAME(void);
void NAME(void)
{
	for (int i = 0; i < N; i++)
		in_data[i] = in_bss[i] = i;
}
C
cat >"$T/loads.c" <<C
#include <dlfcn.h>
void linked(void);
int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW);
	void (*opened)(void) = library ? (void (*)(void))dlsym(library, "opened") : 0;

	linked();
	if (!opened)
		return 1;
	opened();
	return 0;
}
C
for layout in -z,separate-code -z,noseparate-code; do
	for name in linked opened; do
		gcc -O1 -g -shared -fPIC "-Wl,$layout" -DNAME=$name -o "$T/lib$name.so" "$T/library.c"
	done
	gcc -O1 -g -o "$T/loads" "$T/loads.c" "$T/liblinked.so" "-Wl,-rpath,$T" -ldl
	exact -c 1 "$T/loads" "$T/libopened.so"
	assert_eq "stores, with $layout" "linked in_bss $N|linked in_data $N|opened in_bss $N|opened in_data $N" "$(sqlite3 "$DB" "
		SELECT group_concat(x, '|') FROM (SELECT y.name || ' ' || o.name || ' ' || sum(s.period) AS x FROM samples s
		JOIN symbols y ON y.id = s.symbol_id AND y.name IN ('linked', 'opened') JOIN objects o ON o.id = s.object_id AND o.name LIKE 'in_%'
		WHERE s.memory_opcode = 2 GROUP BY y.name, o.name ORDER BY 1)")"
done

echo "== a program that reads the file of a library which it has loaded: this maps data, no second libc"
cat >"$T/reads.c" <<C
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
static void __attribute__((noinline)) read_file(const volatile char *bytes)
{
	for (int i = 0; i < 5000; i++)
		(void)bytes[i];
}
int main(void)
{
	Dl_info libc;
	void *bytes;

	if (!dladdr(dlsym(RTLD_DEFAULT, "getpid"), &libc))
		return 1;
	bytes = mmap(NULL, 5000, PROT_READ, MAP_PRIVATE, open(libc.dli_fname, O_RDONLY), 0);
	if (bytes == MAP_FAILED)
		return 1;
	read_file(bytes);
	return 0;
}
C
gcc -O1 -g -o "$T/reads" "$T/reads.c" -ldl
exact -c 1 "$T/reads" ""
assert_eq "loads of the file" "mapping 5000" "$(sqlite3 -separator ' ' "$DB" "
	SELECT object_kind, sum(estimate) FROM access_samples WHERE function = 'read_file' AND is_load AND object_kind <> 'stack' GROUP BY 1")"
assert_eq "losses" "" "$(sqlite3 "$DB" "SELECT what FROM losses")"

echo "== build-ids prove at the import which file ran"
cp "$PROGRAMS/accesses" "$T/copy"
exact --keep -c 1 "$T/copy" threads
assert_eq "build-id of the program" "$(readelf -n "$T/copy" | sed -n "s/.*Build ID: //p")" "$(sqlite3 "$DB" "SELECT CAST(build_id AS TEXT) FROM dsos WHERE long_name = '$T/copy'")"
ln "$T/copy" "$T/link" # changes the inode's time, as perf does when it stores a file in its cache
"$MEMDB" import -q --force -o "$DB" "$DB.capture" 2>"$T/stderr" || fail "import: $(cat "$T/stderr")"
assert_eq "losses of a file that has one more link" "" "$(sqlite3 "$DB" "SELECT what, detail FROM losses")"
rm "$T/copy"
cp "$PROGRAMS/hot" "$T/copy"
"$MEMDB" import -q --force -o "$DB" "$DB.capture" 2>"$T/stderr" || fail "import: $(cat "$T/stderr")"
assert_eq "state of a file that was replaced" replaced "$(sqlite3 "$DB" "SELECT state FROM dsos WHERE long_name = '$T/copy'")"

echo "== another thread writes its counts when the process exits"
# the thread stops counting calls while it writes a million cells. If main never sees that, it ends after some seconds
cat >"$T/race.c" <<C
#include <pthread.h>
#include <unistd.h>
enum { N = 1000000 };
static volatile long cells[N][2];
static volatile long calls;
static void *work(void *unused)
{
	for (int i = 0; i < N; i++)
		cells[i][0] = i;
	for (;; calls++)
		getppid();
	return unused;
}
int main(void)
{
	long before;
	pthread_t t;

	pthread_create(&t, 0, work, 0);
	while (calls < 10)
		usleep(1000);
	for (int polls = 0; polls < 1000; polls++) {
		before = calls;
		usleep(5000);
		if (calls == before)
			break;
	}
	return 0;
}
C
gcc -O1 -g -pthread -o "$T/race" "$T/race.c"
"$MEMDB" record -q --sampler exact -c 1 -o "$DB" --force -- "$T/race" >"$T/stdout" 2>"$T/stderr" || fail "record: $(cat "$T/stderr")"
assert_eq "stores to the cells" 1000000 "$(sqlite3 "$DB" "SELECT sum(c.stores) FROM object_costs c JOIN objects o ON o.id = c.object_id WHERE o.name = 'cells'")"
assert_eq "losses" "" "$(losses)"

echo "== the first thread ends, and then the process is killed"
cat >"$T/first.c" <<C
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static void *work(void *unused)
{
	sleep(1);
	raise(SIGKILL);
	return unused;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, work, 0);
	pthread_exit(0);
}
C
gcc -pthread -o "$T/first" "$T/first.c"
"$MEMDB" record -q --sampler exact -c 1 -o "$DB" --force -- "$T/first" >"$T/stdout" 2>"$T/stderr" && fail "a program that was killed has no exit code"
assert_eq "losses" "sampler processes without an end 1 $T/first" "$(losses)"
"$MEMDB" report --no-pager "$DB" >"$T/stdout"
assert_eq "claims that all accesses are counted" 0 "$(grep -c 'all .* accesses counted' "$T/stdout")"

echo "== what it cannot do"
for bad in "-F 100" "-c 0" "--model-caches=8k,4k" "--model-caches=4k,4k,4k,4k"; do
	# shellcheck disable=SC2086
	"$MEMDB" record -q --sampler exact $bad -o "$DB" -- "$PROGRAMS/accesses" fork 2>"$T/stderr" && fail "$bad is taken"
done
printf 'no program' >"$T/text"
chmod +x "$T/text"
"$MEMDB" record -q --sampler exact -o "$DB" -- "$T/text" 2>"$T/stderr" && fail "a text is taken"
assert_match "the sentence about it" 'neither an x86-64 program nor a script' "$(cat "$T/stderr")"
code=0
"$MEMDB" record --sampler exact -o "$DB" -- sh -c 'kill -ILL $$' >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code of a program with an unknown instruction" 132 $code
assert_match "the sentence about it" 'may have instructions newer than AVX2' "$(cat "$T/stdout" "$T/stderr")"
cat >"$T/unknown.c" <<C
int main(void)
{
	/* vpaddq %zmm0, %zmm0, %zmm0, of AVX-512 */
	__asm__ volatile(".byte 0x62, 0xf1, 0xfd, 0x48, 0xd4, 0xc0");
	return 0;
}
C
gcc -o "$T/unknown" "$T/unknown.c"
cat >"$T/waits.c" <<C
#include <spawn.h>
#include <sys/wait.h>
int main(int argc, char **argv, char **envp)
{
	siginfo_t info;
	pid_t child;

	return posix_spawn(&child, argv[1], 0, 0, argv + 1, envp) || waitid(P_PID, (id_t)child, &info, WEXITED);
}
C
gcc -o "$T/waits" "$T/waits.c"
for parent in "sh -c '$T/unknown'; true" "exec $T/unknown" "$T/waits $T/unknown; true"; do
	"$MEMDB" record -q --sampler exact -o "$DB" --force -- sh -c "$parent" >"$T/stdout" 2>"$T/stderr" || true
	assert_eq "losses with $parent" "emulator processes without an end 1 $T/unknown" "$(losses)"
	assert_match "why" 'SIGILL: it may have instructions newer than AVX2' "$(sqlite3 "$DB" "SELECT detail FROM losses")"
done
code=0
"$MEMDB" record --sampler exact -o "$DB" --force -- sh -c 'exit 132' >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code of a program that ends with that number" 132 $code
assert_eq "sentences about instructions" 0 "$(cat "$T/stdout" "$T/stderr" | grep -c 'SIGILL\|AVX')"
