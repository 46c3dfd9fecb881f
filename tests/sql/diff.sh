#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# diff.sh MEMDB SQLTOOL: tests the output of `memdb diff`.
# shellcheck source=tests/sql/cli.sh
. "$(dirname "$0")/cli.sh"

make_numa
# quiet ARGUMENT...: compares with the noise of a machine on which nothing else uses the CPUs. The threads of the tests' databases have
# pauses between samples, as if other threads had had them.
quiet() { "$memdb" diff --noise 20 "$@"; }
# again DATABASE COPY: makes a copy that counts as a different recording.
again() { cp "$1" "$2" && sqlite3 -batch "$2" "UPDATE runs SET started_realtime_ns = started_realtime_ns + 1"; }

# changes AFTER TEXT...: checks that the comparison of numa.db with AFTER contains each TEXT. AFTER is first an
# equal run, then a run without the waits for one object, then a run without half of the samples (of 1380 ms).
changes()
{
	local after=$1 text

	shift
	quiet numa.db "$after" >out 2>err || { echo "FAIL diff $after: $(cat err)"; failed=1; }
	for text; do
		tr -s ' ' <out | grep -qF -- "$text" || { echo "FAIL diff $after: no '$text' in:"; cat out; failed=1; }
	done
}
again numa.db after.db
changes after.db 'thread time: 1380.0 to 1380.0 ms (+0 %)' ': within chance' 'by object: nothing beyond chance' 'by line: nothing beyond chance'
sqlite3 -batch after.db "DELETE FROM sample_data WHERE object_id = 15" && derive after.db
changes after.db 'thread time: 1380.0 to 1320.0 ms (-4 %)' ': within chance' 'serial static 60.0 0.0 -60.0 -98.0 to -22.0 4.3 % 0.0 % less'
grep -q 'by thread: nothing beyond chance' out || { echo "FAIL diff: a thread"; failed=1; }
again numa.db after.db
sqlite3 -batch after.db "DELETE FROM sample_data WHERE id % 2" && derive after.db
changes after.db ' (-50 %)' ': less, beyond chance'
quiet -f csv numa.db after.db | grep -q '^object,serial,static,60.0,30.0,4.3,4.3,-30.0,' || { echo "FAIL diff -f csv: $(quiet -f csv numa.db after.db)"; failed=1; }
# Rows within chance are shown, too, if they are large, and the others together. So the changes of the threads and those of the
# objects add up to that of the run.
added_up() # OPTION...: the sums of the changes of threads and of objects, and the change of the thread time
{
	"$memdb" diff "$@" numa.db after.db >out 2>err
	"$memdb" diff -f csv "$@" numa.db after.db >all 2>/dev/null
	awk '/^by / { part = $2 } match($0, / +[0-9.]+ +[0-9.]+ +-?[0-9.]+ /) { split(substr($0, RSTART, RLENGTH), n, " "); sum[part] += n[3] }
		END { printf "%.1f %.1f ", sum["thread:"], sum["object:"] }' out
	awk -F, '$1 == "run" && $2 == "thread time" { printf "%.1f\n", $8 }' all
}
[ "$(added_up --noise 20)" = "-690.0 -690.0 -690.0" ] || { echo "FAIL diff: changes beyond chance do not add up: $(added_up --noise 20)"; cat out; failed=1; }
[ "$(added_up --noise 100)" = "-690.0 -690.0 -690.0" ] && grep -q '^by thread: nothing beyond chance; large changes within chance:$' out && grep -q ' within chance$' out &&
	grep -qE '^[0-9]+ others? ' out || { echo "FAIL diff: changes within chance do not add up: $(added_up --noise 100)"; cat out; failed=1; }
# helped BEFORE CHANGE TEXT...: copies the database BEFORE, applies the SQL statements CHANGE to the copy, and
# checks that the comparison of the two has a line like each TEXT. The changes are those that a report
# suggests.
helped()
{
	local before=$1 change=$2 text

	shift 2
	again "$before" helped.db
	sqlite3 -batch helped.db "$change" && derive helped.db
	quiet "$before" helped.db >out 2>err || { echo "FAIL diff $before: $(cat err)"; failed=1; }
	for text; do
		tr -s ' ' <out | grep -qE -- "$text" || { echo "FAIL diff $before: no '$text' in:"; cat out; failed=1; }
	done
}
# Padding: threads no longer wait for the shared cache line. The time that the atomic operations
# take by themselves remains.
fill sharing.db ".read report.sharing/rows.sql"
helped sharing.db "DELETE FROM sample_data WHERE kind_id IN (SELECT id FROM access_kinds WHERE time_kind = 10)" \
	'^thread time: 200.0 to 40.0 ms \(-80 %\), change -[0-9.]+ to -[0-9.]+: less, beyond chance' '^waits for memory: 160.0 to 0.0 ms' \
	'^sharing 160.0 0.0 -160.0 -[0-9.]+ to -[0-9.]+ less' '^hits static 160.0 0.0 -160.0 -[0-9.]+ to -[0-9.]+ 100.0 % less'
grep -qE '(more|^atomic) ' out && { echo "FAIL diff sharing.db: something else changed"; cat out; failed=1; }
# The waits are gone, too, but now the threads took turns and never ran at the same time. So the scheduler may be the
# reason.
helped sharing.db "DELETE FROM sample_data WHERE kind_id IN (SELECT id FROM access_kinds WHERE time_kind = 10); UPDATE sample_data SET time = time / 16000000 * 16000000 + time % 8000000 + iif(thread_id = 1, 8000000, 0)" \
	'^thread time: 200.0 to 40.0 ms .*: within chance$' '^-> some time depends on which threads ran at the same time: they did so for 100 % of the time in which they could before and 0 % after;'
grep -qE ' (less|more)' out && { echo "FAIL diff of threads that took turns"; cat out; failed=1; }
# If the threads took turns in both runs, the scheduler explains nothing: each row with samples must have an interval.
again sharing.db turns.db && sqlite3 -batch turns.db "UPDATE sample_data SET time = time / 16000000 * 16000000 + time % 8000000 + iif(thread_id = 1, 8000000, 0)" && derive turns.db
helped turns.db "DELETE FROM sample_data WHERE kind_id IN (SELECT id FROM access_kinds WHERE time_kind = 10)" \
	'^thread time: 200.0 to 40.0 ms \(-80 %\), change -[0-9.]+ to -[0-9.]+: less, beyond chance'
quiet -f csv turns.db helped.db >out && sqlite3 -batch :memory: ".import --csv out c" "SELECT * FROM c WHERE (low = '' OR high = '') AND verdict <> 'not sampled'" >odd
[ ! -s odd ] && grep -q '^thread,.*,less,' out || { echo "FAIL diff of two runs whose threads took turns: $(cat odd out)"; failed=1; }
# The same threads ran together only three times in the first run and once in the second. Such a difference may be due
# to the scheduler, so no change may exceed chance.
sqlite3 -batch sharing.db "UPDATE threads SET start_ns = 1000000000, end_ns = 2000000000; UPDATE runs SET start_ns = 1000000000, end_ns = 2000000000" "UPDATE sample_data SET time = 1100000000 + 200000000 * (id % 3) + 1000 * id
	WHERE kind_id IN (SELECT id FROM access_kinds WHERE time_kind = 10)" "UPDATE sample_data SET time = 1100000000 + 4000000 * id WHERE kind_id NOT IN (SELECT id FROM access_kinds WHERE time_kind = 10)"
helped sharing.db "DELETE FROM sample_data WHERE time < 1400000000 AND kind_id IN (SELECT id FROM access_kinds WHERE time_kind = 10) OR id % 50 = 1" \
	'^thread time: .* within chance$' '^waits for memory: 160.0 to [0-9.]+ ms .*: within chance$'
grep -qE ' (less|more)' out && { echo "FAIL diff of runs whose threads ran together by chance"; cat out; failed=1; }
# Next to the wall time, diff must print for how much of their time the threads had no CPU, because a loaded machine
# makes a run longer.
grep -qE "^wall time: .*; of the threads' time [0-9.]+ % and [0-9.]+ % passed off the CPU$" out || { echo "FAIL diff: no time off the CPU"; cat out; failed=1; }
# Reuse of memory: nearly all page faults are gone.
fill reuse.db ".read object_hints.reuse/rows.sql" "UPDATE access_kinds SET time_kind = 8 WHERE addr_source = 5;
	INSERT INTO sample_data (id, time, thread_id, cpu, instruction_id, kind_id, object_id, period)
	SELECT 1000 * k.value + s.id, s.time, s.thread_id, s.cpu, s.instruction_id, s.kind_id, s.object_id, s.period
	FROM sample_data AS s, generate_series(1, 9) AS k WHERE s.id BETWEEN 1000 AND 1999"
helped reuse.db "DELETE FROM sample_data WHERE id >= 1000" \
	'^thread time: 217.0 to 17.0 ms .*: less, beyond chance' '^waits for memory: 10.0 to 10.0 ms .*: within chance' '^fault 204.0 4.0 -200.0 .* less'
# Placement: three of four waits for pages of the other node are gone, and all pages are local.
helped numa.db "DELETE FROM sample_data WHERE id % 4 AND kind_id IN (SELECT id FROM kind_measures WHERE remote); UPDATE access_kinds SET home_node_id = cpu_node_id" \
	'^thread time: 1380.0 to .*: less, beyond chance' '^waits for other nodes: 570.0 to 0.0 ms .*: less, beyond chance' '^serial static 60.0 15.0 -45.0 .* less'
# Two databases of the same recording do not show a change, however much they differ, because the import may have worked
# differently. They do not show how much runs differ by chance either.
cp numa.db twice.db && sqlite3 -batch twice.db "DELETE FROM sample_data WHERE id % 2" && derive twice.db
quiet numa.db twice.db >out && grep -q '^-> both databases are of one recording: ' out && ! grep -q 'compare later' out || { echo "FAIL diff of one recording: $(cat out)"; failed=1; }
quiet -f csv numa.db twice.db >out 2>err && grep -q '^memdb diff: both databases are of one recording: ' err && ! grep -q 'one recording' out && grep -q '^thread,' out || { echo "FAIL diff -f csv of one recording: $(cat err)"; failed=1; }
quiet -f csv numa.db after.db 2>&1 >/dev/null | grep . && { echo "FAIL diff -f csv of two recordings warns"; failed=1; }
sqlite3 -batch twice.db "UPDATE runs SET hostname = 'another'" && quiet numa.db twice.db >out && ! grep -q 'one recording' out && grep -q 'compare later' out || { echo "FAIL diff of two machines: $(cat out)"; failed=1; }
for db in numa twice; do cp $db.db $db.hand.db && sqlite3 -batch $db.hand.db "UPDATE runs SET started_realtime_ns = NULL, hostname = 'box'"; done
quiet numa.hand.db twice.hand.db | grep -q '^-> both databases are of one recording: ' || { echo "FAIL diff of one recording without wall clock"; failed=1; }
sqlite3 -batch twice.hand.db "UPDATE runs SET end_ns = end_ns + 1" && quiet numa.hand.db twice.hand.db | grep -q 'one recording' && { echo "FAIL diff of two recordings without wall clock"; failed=1; }
# If one kind of time grows by as much as another shrinks, time has only moved, and nothing is saved. If a
# kind only shrinks, nothing has moved.
again numa.db kinds.db && sqlite3 -batch kinds.db "UPDATE access_kinds SET time_kind = (SELECT id FROM time_kinds WHERE name = 'memory')" && derive kinds.db
helped kinds.db "UPDATE access_kinds SET time_kind = (SELECT id FROM time_kinds WHERE name = 'wait') WHERE id % 2" \
	'^-> time moved from one kind to another, so most of it is not saved: from memory \(-[0-9.]+ ms\) to wait \(\+[0-9.]+ ms\)$'
helped kinds.db "DELETE FROM sample_data WHERE id % 2" '^memory .* less$'
grep -q 'time moved' out && { echo "FAIL diff of less time: $(cat out)"; failed=1; }
# Whether accesses are expected in the cache is decided for each run, so in half of the samples the same time may count as a
# wait in one run and as computing in the other. Nothing has changed then, in no part.
again kinds.db cached.db && sqlite3 -batch cached.db "INSERT INTO types (id, name, kind, size_bytes) VALUES (900, 'struct pair', 'struct', 16); INSERT INTO members (id, type_id, name, type, offset, size_bytes) VALUES (9000, 900, 'a', 'long', 0, 8), (9001, 900, 'b', 'long', 8, 8);
	UPDATE objects SET type_id = 900, type_start = 0, type_repeats = 1, type_source = 'declared' WHERE id = 15" && derive cached.db
helped cached.db "UPDATE access_kinds SET missed = 0, time_kind = (SELECT id FROM time_kinds WHERE name = 'cached') WHERE id % 2 OR id = (SELECT kind_id FROM sample_data WHERE object_id = 15 LIMIT 1)" '^thread time: 1380.0 to 1380.0 ' '^by member: nothing'
grep -qE ' (less|more)' out && { echo "FAIL diff of accesses that count as cached: $(cat out)"; failed=1; }
"$memdb" diff -f csv --noise 20 cached.db helped.db | grep -q '^object,serial,static,60.0,30.0,.*,within chance,' || { echo "FAIL diff of accesses that count as cached: $("$memdb" diff -f csv cached.db helped.db)"; failed=1; }
# Threads that share the CPUs with others run at different speeds. Without --noise, the pauses in their time count.
again numa.db steady.db && sqlite3 -batch steady.db "UPDATE sample_data SET time = s.time FROM (SELECT id, 1000000000 + sum(period) OVER (PARTITION BY thread_id ORDER BY id) AS time FROM sample_data) AS s WHERE s.id = sample_data.id" && derive steady.db
again steady.db half.db && sqlite3 -batch half.db "DELETE FROM sample_data WHERE time > (SELECT (min(time) + max(time)) / 2 FROM sample_data)" && derive half.db
again half.db paused.db && sqlite3 -batch paused.db "UPDATE sample_data SET time = 4 * time"
"$memdb" diff steady.db half.db >out && grep -q 'sampling explains, and 20 % of the larger value, by which' out && grep -q '^thread time: .*: less, beyond chance$' out && ! grep -q 'off the CPUs' out || { echo "FAIL diff of threads without pauses: $(cat out)"; failed=1; }
"$memdb" diff steady.db paused.db >out && grep -q 'sampling explains, and 42 % of the larger value, by which' out && grep -q '^thread time: .*: within chance$' out && grep -q '^-> threads that computed were off the CPUs for 0 % of their time before and 75 % after: ' out || { echo "FAIL diff of threads with pauses: $(cat out)"; failed=1; }
"$memdb" diff --noise 20 steady.db paused.db | grep -q 'off the CPUs for' && { echo "FAIL diff --noise: explains what it does not use"; failed=1; }
# --noise is what the sentence says: a part of the larger value. All else of the interval is that of --noise 0.
for noise in 0 30; do "$memdb" diff --noise $noise -f csv numa.db half.db | sqlite3 -batch :memory: ".mode csv" ".import /dev/stdin c" "SELECT high - low, max(before + 0, after + 0) FROM c WHERE part = 'object' ORDER BY name" >width.$noise; done
paste -d, width.0 width.30 | awk -F, '{ n++; d = $3 - $1 - 0.6 * $2; if (d > 0.25 || d < -0.25) bad = 1 } END { exit !n || bad }' || { echo "FAIL diff --noise: the interval has another one: $(paste -d, width.0 width.30)"; failed=1; }
# Interval and verdict must agree: a change is beyond chance if and only if its interval does not
# contain 0.
for every in 5 7 9 12; do
	again numa.db fewer.db && sqlite3 -batch fewer.db "DELETE FROM sample_data WHERE id % $every = 0" && derive fewer.db
	for noise in 0 5; do
		"$memdb" diff --noise $noise -f csv numa.db fewer.db >out
		sqlite3 -batch :memory: ".mode csv" ".import out c" "SELECT * FROM c WHERE low <> '' AND verdict <> CASE WHEN low + 0 > 0 THEN 'more' WHEN high + 0 < 0 THEN 'less' ELSE 'within chance' END" >odd
		[ ! -s odd ] && grep -q ',within chance,' out || { echo "FAIL diff --noise $noise: interval and verdict differ: $(cat odd)"; failed=1; }
	done
done
"$memdb" diff --noise 100 numa.db after.db | grep -q 'less' && { echo "FAIL diff --noise: no effect"; failed=1; }
for words in numa.db 'numa.db after.db run.db' '--noise x numa.db after.db' '-f xml numa.db after.db'; do
	# shellcheck disable=SC2086 # split into words
	"$memdb" diff $words >out 2>&1; [ $? = 2 ] || { echo "FAIL diff $words: is taken"; failed=1; }
done
# A sample may represent more time in one run than in the other. Then a small number of samples proves little: 60
# samples of 1 ms are as likely as 2 samples of 30 ms, and 0 samples are nearly as likely as 2. Each other row has about
# the same time in both runs.
again numa.db rare.db && sqlite3 -batch rare.db "DELETE FROM sample_data WHERE object_id = 15 OR id % 30; UPDATE sample_data SET period = 30 * period" && derive rare.db
quiet -f csv numa.db rare.db >out && grep -q '^object,serial,static,60.0,0.0,.*,within chance,ms.$' out && quiet -f csv rare.db numa.db | grep -q '^object,serial,static,0.0,60.0,.*,within chance,ms.$' ||
	{ echo "FAIL diff of runs with other periods: $(cat out)"; failed=1; }
# The noise that a comparison prints must be the smallest value that explains it.
noise=$(quiet numa.db after.db | sed -n 's/.* compare later ones with --noise //p')
"$memdb" diff --noise "${noise:-0}" -f csv numa.db after.db >out && ! grep -qE ',(less|more),' out && "$memdb" diff --noise $((noise - 1)) -f csv numa.db after.db | grep -qE ',(less|more),' ||
	{ echo "FAIL diff: noise '$noise'"; failed=1; }
# A noise that is not a whole number is rounded up. If the two runs are of different builds, no noise is suggested.
for share in 3 4 5 6 7 8 9; do
	again numa.db less.db && sqlite3 -batch less.db "DELETE FROM sample_data WHERE id % 10 < $share" && derive less.db
	noise=$(quiet numa.db less.db | sed -n 's/.* compare later ones with --noise //p')
	"$memdb" diff --noise "${noise:-0}" -f csv numa.db less.db | grep -E ',(less|more),' && { echo "FAIL diff: noise '$noise' is too small"; failed=1; }
done
sqlite3 -batch less.db "UPDATE dsos SET build_id = 'feed' WHERE id = 1" && quiet numa.db less.db >out && grep -q ': less, beyond chance' out && ! grep -q 'compare later' out ||
	{ echo "FAIL diff of two builds: $(cat out)"; failed=1; }
# Runs that were recorded without time are compared by their numbers of accesses.
for db in numa after; do
	sqlite3 -batch $db.db ".backup $db.counted.db" && sqlite3 -batch $db.counted.db "UPDATE selected_events SET role = 'access'; UPDATE access_kinds SET waited = NULL, time_kind = NULL" &&
		derive $db.counted.db
done
quiet numa.counted.db after.counted.db >out 2>err && grep -q '^accesses: 1380000000 to 690000000 (-50 %), change .*: less, beyond chance$' out &&
	grep -q '^-> counts of accesses;' out && ! grep -q 'ms\b' <(grep -v '^wall time' out) || { echo "FAIL diff of counts: $(cat out err)"; failed=1; }
quiet -f csv numa.counted.db after.counted.db | grep -q '^object,serial,static,60000000.0,30000000.0,.*,accesses.$' || { echo "FAIL diff -f csv of counts"; failed=1; }
# If both runs counted every access, the counts have no sampling error, and each interval is a
# single number.
for db in numa after; do
	again $db.counted.db $db.exact.db && sqlite3 -batch $db.exact.db "UPDATE selected_events SET sample_period = 1, sample_freq = NULL WHERE role = 'access'" && derive $db.exact.db
done
again numa.exact.db one.exact.db && sqlite3 -batch one.exact.db "UPDATE sample_data SET period = period + 1 WHERE id = (SELECT min(id) FROM sample_data WHERE object_id = 15)" && derive one.exact.db
"$memdb" diff numa.exact.db one.exact.db >out 2>err && grep -q '^accesses: 1380000000 to 1380000001 (+0 %), change +1: more$' out && tr -s ' ' <out | grep -q '^serial static 60000000 60000001 1 4.3 % 4.3 % more' &&
	grep -q '^by matrix:$' out && ! grep -q '^by member: no difference' out && grep -q '^-> counts of all accesses, without chance' out && ! grep -q '95 %' out || { echo "FAIL diff of counts of all accesses: $(cat out err)"; failed=1; }
"$memdb" diff -f csv numa.exact.db one.exact.db | grep '^thread' | grep -q ',equal,' || { echo "FAIL diff of equal counts"; failed=1; }
"$memdb" diff --noise 20 numa.exact.db one.exact.db | grep -q '^by object: nothing beyond chance' || { echo "FAIL diff --noise of counts of all accesses"; failed=1; }
# One run counted every access, the other sampled some of them. That the latter sampled none of 900
# accesses may be chance.
again numa.exact.db few.exact.db && sqlite3 -batch few.exact.db "UPDATE sample_data SET period = iif(id = (SELECT min(id) FROM sample_data WHERE object_id = 15), 900, 0) WHERE object_id = 15" && derive few.exact.db
again numa.counted.db none.counted.db && sqlite3 -batch none.counted.db "DELETE FROM sample_data WHERE object_id = 15" && derive none.counted.db
for pair in "few.exact.db none.counted.db" "none.counted.db few.exact.db"; do
	# shellcheck disable=SC2086 # two names
	"$memdb" diff --noise 0 -f csv $pair >out && grep -q '^object,serial,.*,within chance,' out || { echo "FAIL diff of all accesses and drawn ones: $(grep serial out)"; failed=1; }
done
quiet numa.db numa.counted.db >out 2>err; [ $? = 1 ] && grep -q 'one run counts ms, the other accesses' err && grep -q '^wall time' out || { echo "FAIL diff of time and counts: $(cat out err)"; failed=1; }
# A change of the program may change its name, the lines of its code, and names of objects that contain line numbers.
# These must still match.
again numa.db old.db && sqlite3 -batch old.db "UPDATE runs SET command = './old -n 3'; UPDATE processes SET exe = '/tmp/old'; UPDATE threads SET comm = 'old' WHERE id = 1;
	UPDATE objects SET name = 'make (app.c:7)' WHERE id = 15; DELETE FROM source_lines; INSERT INTO source_lines (file_id, line, text)
	SELECT DISTINCT l.file_id, l.line, char(9) || 'x' || l.line || '++;' FROM locations AS l WHERE l.line IS NOT NULL AND l.file_id IS NOT NULL"
again old.db new.db && sqlite3 -batch new.db "UPDATE runs SET command = '/tmp/new -n 3'; UPDATE processes SET exe = '/tmp/new'; UPDATE threads SET comm = 'new' WHERE id = 1; UPDATE objects SET name = 'make (app.c:9)' WHERE id = 15;
	UPDATE locations SET line = line + 2 WHERE line IS NOT NULL; UPDATE source_lines SET line = line + 1000; UPDATE source_lines SET line = line - 998; UPDATE files SET path = '/tmp/new.c' WHERE path LIKE '%app.c'"
quiet -f csv old.db new.db >out 2>err && ! grep -qE ',(less|more),' out || { echo "FAIL diff of a renamed program: $(cat err; grep -E 'less|more' out)"; failed=1; }
for row in '^thread,old → new,' '^object,make (app.c:7) → make (app.c:9),static,60.0,60.0,' '^line,gather,app.c:5 → new.c:7,1380.0,1380.0,'; do
	grep -q "$row" out || { echo "FAIL diff of a renamed program: no $row in: $(cat out)"; failed=1; }
done
# The same if a launcher started the program, if the program's name is in the name of an object, a file and a function,
# and if the main thread renamed itself. A launcher with another name does not count as another program.
for n in old new; do
	cp $n.db $n.run.db && sqlite3 -batch $n.run.db "UPDATE runs SET command = 'env X=$n ./$n -n 3'; UPDATE objects SET name = '$n' WHERE id = 15; UPDATE threads SET comm = '$n main' WHERE id = 1;
	UPDATE dsos SET short_name = '$n' WHERE id = 1; UPDATE locations SET function = NULL; UPDATE symbols SET name = '$n+0x' || id"
done
quiet -f csv old.run.db new.run.db >out 2>err && ! awk -F, 'NR > 1 && $(NF - 5) != 0' out | grep . || { echo "FAIL diff of a renamed program with a launcher: $(cat err)"; failed=1; } # the sixth field from the end: the change
for row in '^thread,old main → new main,' '^object,old → new,static,60.0,60.0,'; do
	grep -q "$row" out || { echo "FAIL diff of a renamed program with a launcher: no $row in: $(cat out)"; failed=1; }
done
# A function whose parameters have changed is the same one, and so are its lines and the objects that it allocates. It is not
# if one of the runs has several functions of this name: nothing tells which of them it is.
for n in old new; do
	again $n.db $n.type.db && sqlite3 -batch $n.type.db "DELETE FROM inlined_frames; UPDATE locations SET function = 'gather(std::vector<$n, std::allocator<$n> >&) [clone ._omp_fn.0]' WHERE function = 'gather';
	UPDATE objects SET kind = 'heap', function = (SELECT function FROM locations WHERE function LIKE 'gather(%'), name = 'grid' WHERE id = 15"
done
quiet old.type.db new.type.db >out 2>err && ! grep -q 'little in common' out || { echo "FAIL diff of changed parameters: $(cat err out)"; failed=1; }
quiet -f csv old.type.db new.type.db >out 2>err && ! grep -qE ',(less|more),' out || { echo "FAIL diff of changed parameters: $(cat err; grep -E 'less|more' out)"; failed=1; }
for row in '^object,grid,"heap in gather(.*<old,.* → heap in gather(.*<new,.*",60.0,60.0,' '^function,"gather(.*<old,.* → gather(.*<new,.*",,1380.0,1380.0,' '^line,"gather(.* → gather(.*",app.c:5 → new.c:7,1380.0,1380.0,'; do
	grep -q "$row" out || { echo "FAIL diff of changed parameters: no $row in: $(cat out)"; failed=1; }
done
again new.type.db fewer.db && sqlite3 -batch fewer.db "DELETE FROM sample_data WHERE id % 2 OR object_id = 15" && derive fewer.db
quiet old.type.db fewer.db | tr -s ' ' >out && grep -q '^gather \[clone ._omp_fn.0\] 1380.0 660.0 .* less$' out && grep -q '^grid heap in .* 60.0 0.0 ' out || { echo "FAIL diff: the short names of changed parameters: $(cat out)"; failed=1; }
sqlite3 -batch new.type.db "INSERT INTO locations (id, offset, function) SELECT max(id) + 1, 0, 'gather(int) [clone ._omp_fn.0]' FROM locations"
quiet -f csv old.type.db new.type.db >out 2>err && grep -q '^function,"gather(std::vector<old,[^→]*",,1380.0,0.0,' out && grep -q 'little in common' err || { echo "FAIL diff of overloaded functions: $(cat err; grep function out)"; failed=1; }
# A variable and a function that have the name of the old program by chance keep this name.
for n in old new; do
	again $n.db $n.same.db && sqlite3 -batch $n.same.db "UPDATE objects SET name = 'old' WHERE id = 15; UPDATE locations SET function = 'old' WHERE function = 'gather'"
done
quiet -f csv old.same.db new.same.db >out 2>err && grep -q '^object,old,static,60.0,60.0,' out && grep -q '^function,old,,1380.0,1380.0,' out && grep -q '^line,old,app.c:5 → new.c:7,1380.0,1380.0,' out ||
	{ echo "FAIL diff of things that have the program's name: $(cat err; grep -E '^(object|function|line),' out)"; failed=1; }
again old.db launched.db && sqlite3 -batch launched.db "UPDATE runs SET command = 'mpirun -n 2 ./old'; INSERT INTO processes (id, pid, exe, tracked) VALUES (50, 99, '/usr/bin/mpirun', 1)"
quiet -f csv old.db launched.db | grep -q '^thread,old,' || { echo "FAIL diff of a run with a launcher and one without: $(quiet -f csv old.db launched.db | grep '^thread')"; failed=1; }
# A Fortran program whose PROGRAM unit has another name, too, in a file with the same name; objects that are sections
# of files; and objects of a library that this unit has called, one of them at another line.
line=20
for n in old new; do
	again $n.db $n.unit.db && sqlite3 -batch $n.unit.db "DELETE FROM inlined_frames; INSERT INTO symbols (id, name, sym_start, sym_end) SELECT max(id) + 1, 'MAIN__', 0, 1 FROM symbols; UPDATE locations SET function = 'u$n', symbol_id = (SELECT id FROM symbols WHERE name = 'MAIN__') WHERE function = 'gather';
	UPDATE objects SET kind = 'heap', function = 'u$n', name = 'u$n (u$n.f90:3)' WHERE id = 15; UPDATE objects SET kind = 'static', name = '[.rodata of $n]' WHERE name = 'local'; UPDATE objects SET kind = 'heap', function = 'u$n', name = '[libgomp.so.1] u$n (u$n.f90:12)' WHERE name = 'interleaved';
	UPDATE objects SET kind = 'heap', function = 'u$n', name = '[libgomp.so.1] u$n (u$n.f90:$line)' WHERE name = 'flags'"
	line=23
done
quiet -f csv old.unit.db new.unit.db >out 2>err && ! grep -qE ',(less|more),' out || { echo "FAIL diff of a renamed PROGRAM unit: $(cat err; grep -E 'less|more' out)"; failed=1; }
for row in '^object,uold (uold.f90:3) → unew (unew.f90:3),heap in uold → heap in unew,60.0,60.0,' '^object,\[.rodata of old\] → \[.rodata of new\],static,' \
	'^object,\[libgomp.so.1\] uold (uold.f90:12) → \[libgomp.so.1\] unew (unew.f90:12),heap in uold → heap in unew,' '^object,\[libgomp.so.1\] uold (uold.f90:20) → \[libgomp.so.1\] unew (unew.f90:23),' '^function,uold → unew,' '^line,uold → unew,'; do
	grep -q "$row" out || { echo "FAIL diff of a renamed PROGRAM unit: no $row in: $(cat out)"; failed=1; }
done
# If both runs have an object of the old name, it is the same object. It is not an object whose line
# has moved.
sqlite3 -batch new.db "UPDATE objects SET name = 'make (app.c:7)' WHERE id = 15" && quiet -f csv old.db new.db | grep -q '^object,make (app.c:7),static,60.0,60.0,' || { echo "FAIL diff of equal names"; failed=1; }
# If the text of source lines is not known, lines match by file and number.
sqlite3 -batch new.db "DELETE FROM source_lines" && quiet -f csv old.db new.db | grep -q '^line,gather,new.c:7,0.0,' || { echo "FAIL diff of lines without text"; failed=1; }
# Part `matrix` (pairs of nodes): its sum must be that of all waits. Part `member`: it must have the
# members of both runs.
quiet -f csv numa.db after.db >out
sqlite3 -batch :memory: ".mode csv" ".import out c" "SELECT (SELECT round(sum(before)) || ' ' || round(sum(after)) FROM c WHERE part = 'matrix') = (SELECT round(before) || ' ' || round(after) FROM c WHERE name = 'waits for memory')" |
	grep -qx 1 || { echo "FAIL diff by matrix: $(grep matrix out)"; failed=1; }
again numa.db member.db && sqlite3 -batch member.db "INSERT INTO types (id, name, kind, size_bytes) VALUES (900, 'struct pair', 'struct', 16); INSERT INTO members (id, type_id, name, type, offset, size_bytes) VALUES (9000, 900, 'a', 'long', 0, 8), (9001, 900, 'b', 'long', 8, 8);
	UPDATE objects SET type_id = 900, type_start = 0, type_repeats = 1, type_source = 'declared' WHERE id = 15" && derive member.db
again member.db fewer.db && sqlite3 -batch fewer.db "DELETE FROM sample_data WHERE object_id = 15" && derive fewer.db
quiet member.db fewer.db >out && tr -s ' ' <out | grep -q '^serial\[\].a struct pair 60.0 0.0 -60.0 .* less' || { echo "FAIL diff by member: $(cat out)"; failed=1; }
# A heap object that source text names in one run only has the name of a line in the other. It is matched by where it is
# allocated, if that is unique or its address is known, and diff says why names differ.
again numa.db text.db && sqlite3 -batch text.db "UPDATE objects SET kind = 'heap', function = 'make', name = 'grid', call_path_id = (SELECT max(id) FROM call_paths WHERE location_id IS NOT NULL) WHERE id = 15;
	UPDATE objects SET location_id = (SELECT location_id FROM call_paths AS c WHERE c.id = objects.call_path_id) WHERE id = 15; UPDATE dsos SET build_id = NULL"
again text.db line.db && sqlite3 -batch line.db "UPDATE objects SET name = 'make (app.c:7)' WHERE id = 15; INSERT INTO losses (source, what, count, detail) VALUES ('sources', 'newer than the program', 1, '/src/app.c')"
for pair in "text.db line.db" "line.db text.db"; do
	# shellcheck disable=SC2086 # two names
	quiet -f csv $pair >out 2>err && grep -qE '^object,(grid → make \(app.c:7\)|make \(app.c:7\) → grid),heap in make,60.0,60.0,' out && grep -qE '^memdb diff: in the run (before|after), source text was not used, because it was newer than the program: /src/app.c: ' err ||
		{ echo "FAIL diff of a run with source text and one without: $(cat err; grep '^object' out)"; failed=1; }
done
for db in text line; do sqlite3 -batch $db.db "UPDATE objects SET kind = 'heap', function = 'make', name = iif('$db' = 'text', 'mask', 'make (app.c:7)'), call_path_id = (SELECT call_path_id FROM objects WHERE id = 15), location_id = (SELECT max(id) FROM locations) WHERE name = 'local'"; done
quiet -f csv text.db line.db 2>/dev/null | grep -q '^object,grid,heap in make,60.0,0.0,' || { echo "FAIL diff of two objects of one path: $(quiet -f csv text.db line.db 2>&1 | grep '^object')"; failed=1; }
sqlite3 -batch text.db "SELECT count(*) FROM (SELECT DISTINCT l.offset FROM objects AS o JOIN locations AS l ON l.id = o.location_id WHERE o.name IN ('grid', 'mask'))" | grep -qx 2 || { echo "FAIL diff: two objects at one address"; failed=1; }
for db in text line; do sqlite3 -batch $db.db "UPDATE dsos SET build_id = 'feed'"; done
quiet -f csv text.db line.db >out 2>/dev/null && grep -q '^object,grid → make (app.c:7),heap in make,60.0,60.0,' out && grep -q '^object,mask → make (app.c:7),' out || { echo "FAIL diff of objects with known addresses: $(grep '^object' out)"; failed=1; }
# Programs with different names, and the same program with another command. A renamed program has the same functions.
quiet old.db new.db >out 2>err && grep -q '^-> the runs are of programs with different names, old and new: functions of the same name have 100 % of the samples$' out || { echo "FAIL diff of a renamed program: $(cat out)"; failed=1; }
again new.db unlike.db && sqlite3 -batch unlike.db "UPDATE locations SET function = 'other ' || function; UPDATE symbols SET name = 'other ' || name; UPDATE inlined_frames SET function = 'other ' || function"
quiet -f csv old.db unlike.db >out 2>err && grep -q '^memdb diff: the runs are of programs with different names, old and new: functions of the same name have 0 % of the samples, so the programs have little in common' err ||
	{ echo "FAIL diff of two programs: $(cat err)"; failed=1; }
again numa.db larger.db && sqlite3 -batch larger.db "UPDATE runs SET command = command || ' --large'"
quiet numa.db larger.db >out && grep -q '^-> the commands differ, ' out || { echo "FAIL diff of two commands: $(cat out)"; failed=1; }
quiet numa.db after.db | grep -qE 'the commands differ|different names|source text' && { echo "FAIL diff: two runs of one command"; failed=1; }
# diff --html writes one file. A memdb that was built without npm has no page, and must say so.
if "$memdb" diff --html changes.html numa.db after.db 2>err; then
	head -c 100 changes.html | grep -q '<!-- memdb page -->' || { echo "FAIL diff --html: not a page"; failed=1; }
	"$memdb" diff --html changes.html numa.db after.db 2>err || { echo "FAIL diff --html: replaces no page: $(cat err)"; failed=1; }
	"$memdb" diff --html numa.db numa.db after.db 2>err; [ $? = 2 ] && grep -q "'numa.db'" err || { echo "FAIL diff --html numa.db: $(cat err)"; failed=1; }
	"$memdb" diff --html none.html numa.db numa.counted.db 2>err; [ $? = 1 ] && [ ! -e none.html ] && grep -q 'one run counts ms' err || { echo "FAIL diff --html of other units: $(cat err)"; failed=1; }
	# All SQL statements of the page must run on the pages' databases: of this comparison, and of comparisons of
	# runs with and without time.
	for db in numa numa.counted; do
		"$memdb" report --html $db.html $db.db 2>err || { echo "FAIL report --html of $db.db: $(cat err)"; failed=1; }
	done
	if command -v node >/dev/null; then
		"$memdb" report --html part.html --in gather --to 5 numa.db 2>err || { echo "FAIL report --html --in: $(cat err)"; failed=1; }
		node "$here/page.mjs" numa.html numa.counted.html part.html changes.html >out 2>&1 || { echo "FAIL pages: $(cat out)"; failed=1; }
	fi
else
	grep -q 'built without the page' err || { echo "FAIL diff --html: $(cat err)"; failed=1; }
fi
for words in '--html x.html -f csv' '--html -' '--force'; do
	# shellcheck disable=SC2086 # split into words
	"$memdb" diff $words numa.db after.db >out 2>&1; [ $? = 2 ] || { echo "FAIL diff $words: is taken"; failed=1; }
done
# diff must compare the stacks of all threads as one object: their names contain thread ids, which differ between runs.
for tid in 101 202; do
	again numa.db stack.$tid.db && sqlite3 -batch stack.$tid.db "UPDATE objects SET kind = 'stack', name = '[stack of thread $tid]' WHERE id = 15"
done
quiet -f csv stack.101.db stack.202.db | grep -q '^object,\[stacks\],stack,60.0,60.0,' || { echo "FAIL diff of stacks"; failed=1; }
quiet numa.db none.db >out 2>err; [ $? = 1 ] && grep -q "cannot open 'none.db'" err || { echo "FAIL diff none.db"; failed=1; }
# Of several runs, the means are compared: 1380, 1380 and 1320 ms before, 690 ms three times after. The standard error of the change is
# 20 ms, and Student's t for three totals is 3.961. Other rows have a narrower interval than in one pair.
for i in 1 2 3; do
	again numa.db "before$i.db" && sqlite3 -batch "before$i.db" "UPDATE runs SET started_realtime_ns = started_realtime_ns + $i"
	[ $i = 3 ] && sqlite3 -batch before3.db "DELETE FROM sample_data WHERE object_id = 15" && derive before3.db
	cp "before$i.db" "after$i.db"
	sqlite3 -batch "after$i.db" "UPDATE runs SET started_realtime_ns = started_realtime_ns + 10; DELETE FROM sample_data"
	sqlite3 -batch "after$i.db" "ATTACH 'numa.db' AS numa; INSERT INTO sample_data SELECT * FROM numa.sample_data WHERE id % 2 = 0" && derive "after$i.db"
done
quiet before?.db after?.db >out 2>err || { echo "FAIL diff of three pairs: $(cat err)"; failed=1; }
for text in 'thread time: 1360.0 to 690.0 ms (-49 %), change -749.2 to -590.8: less, beyond chance' '-> values are means of 3 runs before and 3 after; the totals are judged by how much these runs differ among each other, all other rows by'; do
	grep -qF -- "$text" out || { echo "FAIL diff of three pairs: no '$text' in:"; cat out; failed=1; }
done
grep -q '^wall time: .*no verdict' out && { echo "FAIL diff of three pairs: $(grep '^wall' out)"; failed=1; }
width() { awk -F, '/^function,gather,/ { print $10 - $9 }' "$1"; }
quiet -f csv before1.db after1.db >one 2>/dev/null && quiet -f csv before?.db after?.db >three 2>/dev/null
[ "$(width one)" ] && awk -v a="$(width one)" -v b="$(width three)" 'BEGIN { exit !(b > 0.5 * a && b < 0.7 * a) }' || { echo "FAIL diff of three pairs: an interval of $(width three), one pair has $(width one)"; failed=1; }
# Two pairs give no verdict on wall time, and a run must not count twice.
quiet before1.db before2.db after1.db after2.db 2>err | grep -q '^wall time: .*: no verdict, which takes three runs of each' || { echo "FAIL diff of two pairs: $(cat err)"; failed=1; }
quiet before1.db before1.db after1.db after2.db >out 2>err && { echo "FAIL diff: a run counts twice"; failed=1; }
grep -q "'before1.db' and 'before1.db' are of one recording" err || { echo "FAIL diff of one run twice: $(cat err)"; failed=1; }
quiet before1.db before2.db after1.db >out 2>err && { echo "FAIL diff: three runs"; failed=1; }
grep -q 'as many runs after as before are compared, and these are 3' err || { echo "FAIL diff of three runs: $(cat err)"; failed=1; }
finish
