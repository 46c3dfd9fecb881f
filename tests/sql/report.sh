#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# report.sh MEMDB SQLTOOL: tests the output of `memdb report`, `memdb annotate` and `memdb export`.
# shellcheck source=tests/sql/cli.sh
. "$(dirname "$0")/cli.sh"

# read_out DATABASE: stores the report in `out`, without the blanks that align what follows a label, and the verdict in $verdict.
read_out()
{
	"$memdb" report "$1" >aligned || { echo "FAIL report $1"; failed=1; }
	sed 's/^\([a-z ]*:\)  */\1 /' aligned >out
	verdict=$(sed '1,/^$/d' aligned | head -n 1)
}

# advises DATABASE TEXT: checks that TEXT is one of the sentences at the end of the report.
advises()
{
	"$memdb" report "$1" >out 2>err && grep -qxF -- "-> $2" out || { echo "FAIL report $1: no '-> $2' in: $(grep -h '^->' out err | tr '\n' ' ')"; cat out err; failed=1; }
}

make_numa
advises numa.db '38.7 to 43.9 % of the thread time waited for memory of other nodes: better placement is worth it'
advises numa.db 'serial (id 15, 4.3 % of the cost): 100 % of its samples (60 of 60) are of another node; node 1 uses it and its pages are on node 0: run these threads there, or move the pages (mbind, migratepages)'
advises numa.db 'flags (id 12, 13.0 % of the cost): threads write to different bytes of the same cache lines (1, by up to 2 threads) in 180 samples, 100.0 % of its samples: false sharing; keep what each thread writes 64 bytes apart'
advises numa.db '35 % of what was sampled, by period (480 samples), is of threads that the scheduler may move to another node: pin them (numactl, OMP_PROC_BIND) before comparing placements'
# If threads write to cache lines that they share, the report must not say that the code only computes.
sqlite3 -batch numa.db ".backup contended.db" && sqlite3 -batch contended.db "UPDATE access_kinds SET time_kind = 2, missed = 0" && derive contended.db
read_out contended.db && grep -qE <<<"$verdict" '^cannot tell computing from sharing: 100 to 100 % .*, but 30 % of the samples are in cache lines that threads share while one of them writes, most in flags: `memdb query sharing` lists the lines$' ||
	{ echo "FAIL report: the verdict of contended lines is $verdict"; failed=1; }
sqlite3 -batch contended.db "UPDATE access_kinds SET memory_opcode = 1" && derive contended.db
read_out contended.db && grep -q '^not memory: ' <<<"$verdict" || { echo "FAIL report: the verdict without contended lines is $verdict"; failed=1; }
# A range that reaches 5 % has its reason and what to do. Two threads use the objects, so time that is not known counts for sharing, too.
sqlite3 -batch numa.db ".backup unclear.db" && sqlite3 -batch unclear.db "UPDATE access_kinds SET time_kind = 0, missed = 0 WHERE id % 2" && derive unclear.db
read_out unclear.db && grep -q '^sharing: cannot tell ([0-9.]*-[0-9.]* %),\( mostly\)\? because [0-9]* % .*: .*memdb \|^sharing: cannot tell ([0-9.]*-[0-9.]* %), because .*: run longer' out || { echo "FAIL report: no reason: $(cat out)"; failed=1; }
# Two threads fill a matrix, and then read it all over. Time that may be waiting cannot be for lines that another thread writes then, unless threads write the matrix while others read it.
written="INSERT INTO objects (id, name, kind, dso_id, process_id, address_start, size_bytes, allocations, allocated_bytes) VALUES (90, 'matrix', 'static', 1, 1, 1 << 30, 1 << 26, 0, 0);
	INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, call_path_id, address, addr_source, period, memory_opcode, access_bytes, object_id, object_offset, waited, missed, time_kind)
	SELECT value, 1, 1 + value % 2, value % 2, 1500000000 + 2000000 * value, 4210, 3, 2, 1, 3, (1 << 30) + at, 2, 1000000, iif(stores, 3, 1), 8, 90, at, 1, value % 3 > 0, iif(value % 3, 1, 0)
	FROM (SELECT value, (value * value * 2654435761 >> 9) % (1 << 20) * LINE AS at, value WHEN AS stores FROM generate_series(1, 900))"
fill filled.db ".read data/program.sql" "$(sed 's/WHEN/< 20/; s/LINE/64/' <<<"$written")"
read_out filled.db && grep -q '^sharing: not worth it (0.0-[0-9.]* %)$' out || { echo "FAIL report: sharing of a matrix that is only read: $(cat out)"; failed=1; }
fill updated.db ".read data/program.sql" "$(sed 's/WHEN/% 7 = 0/; s/LINE/64/' <<<"$written")"
read_out updated.db && grep -q '^sharing: cannot tell (0.0-[0-9.]* %)' out || { echo "FAIL report: sharing of a matrix that is written: $(cat out)"; failed=1; }
fill rare.db ".read data/program.sql" "$(sed 's/WHEN/% 150 < 2/; s/LINE/64/' <<<"$written")"
read_out rare.db && grep -q '^sharing: cannot tell (0.0-[0-9.]* %)' out || { echo "FAIL report: sharing of a matrix that is seldom seen written: $(cat out)"; failed=1; }
# A range ends at 100 %, also if the same time is in it for several reasons.
fill line.db ".read data/program.sql" "$(sed 's/WHEN/% 7 = 0/; s/LINE/0/' <<<"$written")"
read_out line.db && grep -q '^sharing: cannot tell (0.0-100.0 %)' out || { echo "FAIL report: sharing of one line: $(cat out)"; failed=1; }
# What recording cost is no loss.
read_out contended.db && grep -q '^losses: none$' out || { echo "FAIL report: no line of losses: $(head -n 6 out)"; failed=1; }
sqlite3 -batch contended.db "INSERT INTO losses (source, what, count) VALUES ('tracker', 'page faults in the tracker', 9), ('perf', 'samples in perf', 1)"
read_out contended.db && grep -q '^losses: none$' out || { echo "FAIL report: the cost of recording is a loss: $(head -n 6 out)"; failed=1; }
sqlite3 -batch contended.db "INSERT INTO losses (source, what, count) VALUES ('perf', 'lost samples', 9)"
read_out contended.db && grep -q '^losses: 9 lost samples (perf)$' out || { echo "FAIL report: a loss: $(head -n 6 out)"; failed=1; }
# Sources that were not used are no loss of samples: a sentence of its own says what follows.
sqlite3 -batch contended.db "DELETE FROM losses WHERE what = 'lost samples'; INSERT INTO losses (source, what, count, detail) VALUES ('sources', 'newer than the program', 1, '/src/app.c')"
read_out contended.db && grep -q '^losses: none$' out && grep -q '^sources: app.c is newer than the program: .*names of functions instead of variables; compile the program again$' out || { echo "FAIL report: a newer source: $(cat out)"; failed=1; }
sqlite3 -batch contended.db "UPDATE losses SET count = 3 WHERE source = 'sources'"
read_out contended.db && grep -q '^sources: 3 source files, such as app.c, are newer than the program: ' out || { echo "FAIL report: newer sources: $(cat out)"; failed=1; }
# page NAME TEXT...: checks that `memdb report --object NAME` of numa.db contains each TEXT.
page()
{
	local name=$1 text

	shift
	"$memdb" report --object "$name" numa.db >out 2>err || { echo "FAIL report --object $name: $(cat err)"; failed=1; }
	for text; do
		tr -s ' ' <out | grep -qF -- "$text" || { echo "FAIL report --object $name: no '$text' in:"; cat out; failed=1; }
	done
}
for name in serial 15; do
	page $name 'serial: static, 40.0 KiB' '60 samples (60 loads, 0 stores) of 1 thread' 'use: growing (100 % by one thread' 'homes: node 0 100 %; remote 100 % (94-100)' \
		'hint: 100 % of its samples (60 of 60) are of another node; node 1 uses it and its pages are on node 0' ' 101 |' '100 % 10 0 100 main app.c:10'
done
page flags 'sharing: 1 cache line in 100 % of its samples (98-100), used by up to 2 threads and written by up to 2: false sharing'
# The bars of an object with several blocks show all blocks as one. If a block has fewer bytes than a line
# has columns, there are fewer bars.
"$memdb" report --object table run.db >out && grep -qF 'parts of a block, from its begin to its end, all 2 blocks of 4096 to 8192 bytes in one, by thread:' out || { echo "FAIL report --object table: $(grep parts out)"; failed=1; }
cp run.db small.db && sqlite3 -batch small.db "UPDATE allocations SET size_bytes = 48; UPDATE sample_data SET object_offset = object_offset % 48"
"$memdb" report --object table small.db >out && grep -q 'blocks of 48 bytes in one' out && [ "$(sed -n 's/[^ -~][^ -~][^ -~]/x/g; s/^     all |\(.*\)|$/\1/p' out | wc -c)" = 7 ] || { echo "FAIL report --object table: $(grep '|' out)"; failed=1; }
# A report must compile each view only once, because compiling takes most of the time of a small
# report.
size=$("$tool" compiled numa.db) && [ "$size" -lt 3600 ] || { echo "FAIL report: its statements have ${size:-no} KiB"; failed=1; }
size=$("$tool" compiled numa.db flags) && [ "$size" -lt 2800 ] || { echo "FAIL report --object: its statements have ${size:-no} KiB"; failed=1; }
# A database of another build may have views that lack columns which this build's views read. Then the database's own
# views must be used.
sqlite3 -batch numa.db ".backup older.db"
sqlite3 -batch older.db "SELECT replace(sql, 'shared_lines', 'older_lines') || ';' FROM sqlite_schema WHERE name IN ('shared_lines', 'object_sharing')" >older.sql
sqlite3 -batch older.db "DROP VIEW shared_lines; DROP VIEW object_sharing" ".read older.sql"
"$memdb" report older.db >out 2>err && grep -q '^10 .* interleaved ' out || { echo "FAIL report of another build's database: $(cat err)"; failed=1; }
# A system library may have the same name as a library of the program. The verdict must name the
# line in the program's library.
sqlite3 -batch numa.db ".backup names.db" && sqlite3 -batch names.db "UPDATE access_kinds SET time_kind = (SELECT id FROM time_kinds WHERE name = 'memory');
	UPDATE sample_data SET call_path_id = 3; UPDATE dsos SET short_name = 'libapp.so' WHERE id = 1; INSERT INTO dsos SELECT 90, short_name, '/usr/lib/' || short_name, 'f', kind, state, has_lines FROM dsos WHERE id = 1" && derive names.db
read_out names.db && grep -q 'most at gather app.c:5' <<<"$verdict" && ! grep -q 'called under' <<<"$verdict" || { echo "FAIL report: two files of one name: $verdict"; failed=1; }
sqlite3 -batch names.db "UPDATE instructions SET dso_id = 90" && derive names.db
read_out names.db && grep -q 'most at gather app.c:5, called under main app.c:10$' <<<"$verdict" || { echo "FAIL report: a line of a library: $verdict"; failed=1; }
# Time to return memory to the kernel is that of system calls on paths through the kernel's functions that free pages.
# Page faults may be on such paths, too, if the kernel touches memory there; they must not count.
fill freed.db ".read report.twins/rows.sql" "INSERT INTO symbols VALUES (70, 3, 'unmap_vmas', 'unmap_vmas', 1, 2), (71, 3, 'tlb_flush', 'tlb_flush', 3, 4)" \
	"INSERT INTO call_paths VALUES (70, 2, 5, 70, 2, 'kernel'), (71, 70, 5, 71, 3, 'kernel')" "UPDATE sample_data SET call_path_id = 71 WHERE id % 2 = 0" "UPDATE access_kinds SET time_kind = 9 WHERE addr_source = 5"
"$memdb" report freed.db >out; grep -q '^-> giving memory back .* took another 8.8 % of the thread time (6.3-12.3, 30 samples)' out || { echo "FAIL report of freed memory: $(cat out)"; failed=1; }
# If perf took much time and there are far more page faults than samples, the report names the option that leaves them out.
sqlite3 -batch freed.db "INSERT INTO losses (source, what, count) VALUES ('perf', 'samples in perf', 100)"
read_out freed.db && grep -q '^losses: none; perf took 100 samples (22.7 %) to record the rest, in no figure$' out || { echo "FAIL report of perf's time: $(cat out)"; failed=1; }
sqlite3 -batch freed.db "UPDATE fault_cells SET samples = 10 * samples"
read_out freed.db && grep -q '^losses: none; perf took 100 samples (22.7 %) .*; most of that for [0-9]* page faults: --no-faults does not record them' out || { echo "FAIL report of perf's time: $(cat out)"; failed=1; }
# If names would get less than 17 of the 100 columns, the report leaves out the number of samples, so that "[address is
# gone]" remains readable.
sqlite3 -batch numa.db ".backup gone.db" && sqlite3 -batch gone.db "UPDATE access_kinds SET addr_source = 0, waited = 1 WHERE id % 2; DELETE FROM node_distances; DELETE FROM nodes WHERE id = 1; DELETE FROM sample_data WHERE object_id = 12;
	UPDATE objects SET name = 'a_name_that_is_long_' || id, function = 'another_name_that_is_long'; UPDATE locations SET function = function || '_in_a_long_name'" && derive gone.db
"$memdb" report gone.db >out; grep -q '[[]address is gone[]]' out && ! grep -q '^id .*samples' out || { echo "FAIL report of long names: $(grep -A6 '^id' out)"; failed=1; }
# annotate FUNCTION also shows functions that were inlined into it, even if it has no sample of its
# own.
for function in worker step; do
	"$memdb" annotate run.db $function 2>err | tr -s ' ' | grep -qF ' 6 | => gather app.c:5' || { echo "FAIL annotate $function: the inlined function is missing"; failed=1; }
done
"$memdb" annotate run.db wroker 2>err; [ $? = 2 ] && grep -q "no source file 'wroker' has samples: there is no function 'wroker'; did you mean 'worker'?" err || { echo "FAIL annotate wroker: $(cat err)"; failed=1; }
"$memdb" annotate run.db ap.c 2>err; [ $? = 2 ] && grep -q "did you mean 'app.c'?" err || { echo "FAIL annotate ap.c: $(cat err)"; failed=1; }
"$memdb" annotate run.db app 2>err | grep -q 'app.c:' || { echo "FAIL annotate app: $(cat err)"; failed=1; }
# A line that only placed memory names its function, without an arrow to objects.
cp run.db placed.db && sqlite3 -batch placed.db "INSERT INTO locations (id, dso_id, symbol_id, file_id, offset, line, function) SELECT (SELECT max(id) + 1 FROM locations), dso_id, symbol_id, file_id, 900, 900, function FROM locations WHERE function = 'gather' LIMIT 1;
	INSERT INTO instructions (id, ip, location_id, symbol_id, dso_id) SELECT (SELECT max(id) + 1 FROM instructions), 900, id, symbol_id, dso_id FROM locations WHERE line = 900;
	UPDATE fault_data SET instruction_id = (SELECT max(id) FROM instructions); UPDATE access_kinds SET first = 1 WHERE id IN (SELECT kind_id FROM fault_data)" && derive placed.db
"$memdb" annotate app.c:900 placed.db >out 2>err && grep -qE '^ *\| +\(in gather\)$' out || { echo "FAIL annotate of a line that placed memory: $(cat out err)"; failed=1; }
# Without a function, annotate leaves out functions that have no sample, unless they first touched
# much memory.
fill twins.db ".read report.twins/rows.sql"
"$memdb" annotate twins.db >out 2>err && grep -q '^main  app.c' out && ! grep -q worker out || { echo "FAIL annotate without samples: $(cat out err)"; failed=1; }
"$memdb" annotate twins.db worker >out 2>err && grep -q '^worker  app.c: 0 samples' out || { echo "FAIL annotate worker: $(cat out err)"; failed=1; }
# If call stacks are complete but contain only libraries, the report must not suggest another way of recording. A
# program may be in a folder whose path begins with /lib.
fill library.db ".read report.library/rows.sql" "UPDATE call_paths SET kind = 'root' WHERE id = 4"
"$memdb" report library.db >out && grep -q 'std::sort  stl_algo.h:1870  -$' out && ! grep -q 'call stacks end' out || { echo "FAIL report of complete stacks: $(cat out)"; failed=1; }
sqlite3 -batch library.db "UPDATE dsos SET long_name = '/library/libc.so.6' WHERE id = 2"
"$memdb" report library.db >out && grep -q 'memcpy.S:544$' out || { echo "FAIL report of a program in /library: $(cat out)"; failed=1; }
# Whatever is missing, the verdict comes after five lines: the command, its time, its samples, what the costs are shares of, and what
# is missing.
fill library.db ".read report.library/rows.sql" "INSERT INTO losses (source, what, count) VALUES ('perf', 'lost samples', 7), ('tracker', 'samples in the tracker', 500), ('perf', 'samples in perf', 500), ('tracker', 'lost events', 3), ('perf', 'late records', 2)" \
	"UPDATE runs SET tracked = 0, sample_every = 10, sample_bytes = 4096"
read_out library.db && [ "$(sed '/^$/q' out | wc -l)" = 6 ] &&
	sed -n 5p out | grep -q '^losses: 7 lost samples (perf), 3 lost events (tracker); 2 records were written too late to be sorted by time: what they say is in the figures, .*; the tracker itself took .*; perf took .*; of the heap blocks below 4096 bytes one in 10 was followed.*; allocations were not recorded' ||
	{ echo "FAIL report of losses: $(cat out)"; failed=1; }
# If the recording ended before the program, nobody knows what the threads did afterwards.
fill library.db ".read report.library/rows.sql" "INSERT INTO losses (source, what, count) VALUES ('perf', 'ms at the end', 2000)"
read_out library.db && grep -q '^time: .*; the thread lived 0.50 s, 60 % of it off the CPU (waiting, or not scheduled)$' out || { echo "FAIL report after the end: $(grep lived out)"; failed=1; }
# Three objects have the same name, and each must get a text that distinguishes it: two have the same place, and two
# have the same size. An object without a place differs from one with a place. report --object and annotate --object
# must list all objects of the name, and say which one they show. If the user gives an id, they must not list them.
fill same.db ".read report.same_names/rows.sql"
"$memdb" report --object cells same.db >out 2>err && grep -q "^3 objects are named 'cells'; the following is about 80, --object ID asks for another:$" out &&
	tr -s ' ' <out | grep -q '^ *80 11.4 % 32 heap 8.0K via main app.c:11$' && tr -s ' ' <out | grep -q '^ *82 11.1 % 31 heap 8.0K via worker$' &&
	grep -q '^cells: heap' out || { echo "FAIL report --object of several: $(cat out err)"; failed=1; }
# Objects with the same name and place have one row in the report. The page of one of them must repeat what that row says, and why its own figures differ.
row=$("$memdb" report same.db | tr -s ' ' | sed -n 's/^ *80 \([0-9.]* %\) \([0-9.]*-[0-9.]*\) \([0-9.]* %\) \([0-9.]* %\) .*(\([0-9]*\) objects).*/\1 (\2); \3 of the thread time, at most \4 \5/p')
"$memdb" report --object 80 same.db >out 2>err && [ "${row% *}" ] && grep -qxF "in the report: ${row% *}; in one row with $((${row##* } - 1)) other objects of this name and place" out || { echo "FAIL report --object 80: the report has '$row': $(cat out err)"; failed=1; }
"$memdb" report --object flags numa.db >out 2>err && ! grep -q '^in the report:' out || { echo "FAIL report --object flags: a row of several: $(cat out err)"; failed=1; }
"$memdb" report --object 82 same.db >out 2>err && ! grep -q 'are named' out && grep -q '^cells: heap' out || { echo "FAIL report --object ID: $(cat out err)"; failed=1; }
cp same.db many.db && sqlite3 -batch many.db "UPDATE objects SET name = 'cells'" && n=$(sqlite3 -batch many.db "SELECT count(*) FROM objects") && [ "$n" -gt 10 ] &&
	"$memdb" report --object cells many.db >out 2>err && grep -q "^$n objects are named 'cells', those that cost most are listed; the following is" out || { echo "FAIL report --object of $n: $(cat out err)"; failed=1; }
"$memdb" annotate --object count same.db >out 2>err && grep -q "^2 objects are named 'count'; the following is about 83," out && grep -q 'liba.so$' out || { echo "FAIL annotate --object of several: $(cat out err)"; failed=1; }
"$memdb" report --by path same.db >out || failed=1
for text in '^80 .* 8.0K cells via main app.c:11$' '^81 .* 8.0K cells via main app.c:12$' '^82 .* 8.0K cells via worker$' '^83 .* 8 count liba.so$' '^84 .* 8 count libb.so$' '^85 .* buf 4096 B$' '^88 .* data_ allocated no. 2$'; do
	sed 's/^ *//' out | tr -s ' ' | grep -qE "$text" || { echo "FAIL report --by path of objects with one name: no '$text' in: $(cat out)"; failed=1; }
done
fill named.db ".read report.same_names/rows.sql" "UPDATE objects SET call_path_id = NULL, function = iif(id = 82, 'b', 'a'), size_bytes = iif(id = 80, 8192, 4096) WHERE id BETWEEN 80 AND 82;
	UPDATE objects SET size_bytes = 4096, function = iif(id = 85, 'f', NULL) WHERE id IN (85, 86)"
"$memdb" report --by path named.db >out || failed=1
for text in '^80 .* 8192 B\b' '^81 .* a app.c:3, 4096 B\b' '^82 .* b app.c:3\b' '^85 .* f\b' '^86 .* buf -$'; do
	sed 's/^ *//' out | tr -s ' ' | grep -qE "$text" || { echo "FAIL report of objects with one name: no '$text' in: $(cat out)"; failed=1; }
done
# An object has too few samples for a pattern. The printed number must be that of the samples with an
# address.
fill vague.db ".read report.sharing/rows.sql" "UPDATE sample_data SET address = NULL WHERE id > 6; DELETE FROM sample_data WHERE id > 30"
"$memdb" report --object hits vague.db >out && grep -q '^use: cannot tell, 6 samples with an address are too few$' out || { echo "FAIL report --object: $(cat out)"; failed=1; }
# If the function of code is not known, the code is named only by its line.
cp numa.db unnamed.db && sqlite3 -batch unnamed.db "UPDATE locations SET function = NULL, symbol_id = NULL, dso_id = NULL WHERE line IS NOT NULL"
"$memdb" report unnamed.db >out && grep -qE 'serial +app.c:10 ' out && ! grep -q unknown out || { echo "FAIL report: code without a function is placed by: $(grep serial out)"; failed=1; }
# There must be one row for all objects of one name and place, or of one type, instead of one row
# for each call path.
fill pool.db ".read object_name_costs/rows.sql"
for by in path site type wrapper; do "$memdb" report --by "$by" pool.db >"by.$by" 2>err || { echo "FAIL report --by $by: $(cat err)"; failed=1; }; done
[ "$(grep -c '^ *[0-9]\+ .* objects)' by.site)" -ge 1 ] && ! grep -q ' objects)' by.path && "$memdb" report pool.db | cmp -s - by.site || { echo "FAIL report --by site: $(cat by.site)"; failed=1; }
# A C++ name is printed without its namespaces, but with its last part and with the number of objects.
sqlite3 -batch pool.db ".backup names.db" && sqlite3 -batch names.db "UPDATE objects SET name = 'ns::box<int>::pool' WHERE name = 'pool'"
"$memdb" report names.db >out && grep -qE '^ *[0-9]+ .* pool \([0-9]+ objects\)' out && ! grep -q box out || { echo "FAIL report: a C++ name: $(cat out)"; failed=1; }
# A type keeps its full name, because the last part of a C++ name may be only "*". A type without a name is shown by its
# kind and size.
fill typed.db ".read data/typed.sql" "UPDATE types SET name = 'ns::node<int> *' WHERE id = 1; UPDATE types SET name = '(unnamed)' WHERE id = 2"
"$memdb" report --by type typed.db >out && grep -qF '  ns::node<int> *' out && grep -qF '(unnamed scalar of 8 bytes)' out || { echo "FAIL report --by type: $(cat out)"; failed=1; }
"$memdb" report --by nothing pool.db 2>err; [ $? = 2 ] && grep -q "\-\-by is one of site, path, type, wrapper; not 'nothing'" err || { echo "FAIL report --by nothing: $(cat err)"; failed=1; }
# For an object without samples, the report says what else is known.
cp numa.db unhit.db && sqlite3 -batch unhit.db "INSERT INTO objects (id, name, kind, size_bytes, allocations, allocated_bytes, function, line) VALUES (900, 'unhit', 'heap', 4096, 2, 8192, 'prepare', 7);
	INSERT INTO allocations (id, object_id, time, end_time, address_start, address_end, size_bytes) SELECT 90000 + value, 900, start_ns + value * 250000000, iif(value = 1, start_ns + 500000000, NULL), 0, 4096, 4096 FROM runs, generate_series(1, 2)"
"$memdb" report --object unhit unhit.db >out 2>err && [ "$(cat out)" = 'unhit: heap, 4.0 KiB alive at most, 2 blocks, in prepare
lifetime: from 0.250 s to the end of the recording
no sample hit it: nothing is known of its cost' ] || { echo "FAIL report --object unhit: $(cat out err)"; failed=1; }
"$memdb" report --object nothing numa.db >out 2>err; [ $? = 2 ] && grep -q "there is no object 'nothing'; .memdb query costs. lists" err || { echo "FAIL report --object nothing: $(cat err)"; failed=1; }
# A row of the ranking that is not an object says what it is.
for row in '[address is gone]' '[no object there]' '5 more objects'; do "$memdb" report --object "$row" numa.db >out 2>err; [ $? = 2 ] && grep -q "is not an object: it stands for .*memdb query costs" err || { echo "FAIL report --object $row: $(cat err)"; failed=1; }; done
for id in $(sqlite3 -batch numa.db 'SELECT id FROM objects'); do "$memdb" report --object "$id" numa.db >out 2>err || { echo "FAIL report --object $id: $(cat err)"; failed=1; }; done
# Exports for flame graphs: the costs of all call paths must add up to the cost of the run, with --by wait and --by
# object. A ';' in a name must not separate frames.
cp numa.db paths.db
sqlite3 -batch paths.db "UPDATE objects SET name = 'a;b \"c\"' || char(10) WHERE id = 15;
	UPDATE sample_data SET call_path_id = 3 WHERE id % 3 = 0; UPDATE sample_data SET call_path_id = 5 WHERE id % 3 = 1"
whole=$(sqlite3 -batch paths.db "SELECT CAST(sum(cost + lost_cost) AS INTEGER) FROM totals WHERE scope = 'run'")
for by in wait object; do
	"$memdb" export --to collapsed --by $by paths.db >collapsed || failed=1
	"$memdb" export --to speedscope --by $by paths.db >speedscope || failed=1
	"$memdb" export --to csv --by $by paths.db >csv || failed=1
	[ "$(awk '{ s += $NF } END { printf "%.0f", s }' collapsed)" = "$whole" ] || { echo "FAIL export --by $by: not $whole in all:"; cat collapsed; failed=1; }
	[ "$(sqlite3 -batch :memory: "SELECT CAST(sum(w.value) AS INTEGER) || ' ' || (j ->> '$.profiles[0].endValue') || ' ' || json_array_length(j, '$.profiles[0].samples')
		FROM (SELECT CAST(readfile('speedscope') AS TEXT) AS j), json_each(j, '$.profiles[0].weights') AS w")" = "$whole $whole $(wc -l <collapsed)" ] ||
		{ echo "FAIL export --to speedscope --by $by"; cat speedscope; failed=1; }
	# prints the frames of both formats, outermost first
	sqlite3 -batch :memory: "SELECT (SELECT group_concat(replace(replace(j ->> ('$.shared.frames[' || f.value || '].name'), ';', ':'), char(10), '\n'), ';') FROM json_each(s.value) AS f)
		FROM (SELECT CAST(readfile('speedscope') AS TEXT) AS j), json_each(j, '$.profiles[0].samples') AS s" >frames
	sed 's/ [0-9]*$//' collapsed | diff - frames || { echo "FAIL export --by $by: frames differ"; failed=1; }
	sqlite3 -batch :memory: ".mode csv" ".import csv c" "SELECT CAST(sum(cost) AS INTEGER) || min(unit) || max(unit) FROM c" | grep -qx "${whole}nsns" ||
		{ echo "FAIL export --to csv --by $by:"; cat csv; failed=1; }
done
grep -q '^a:b "c"\\n 60000000$' collapsed || { echo "FAIL export: the object's name in:"; cat collapsed; failed=1; }
"$memdb" export --to collapsed paths.db | grep -q '^main;worker;step;gather [0-9]*$' || { echo "FAIL export: inlined frames"; "$memdb" export --to collapsed paths.db; failed=1; }
"$memdb" export --to collapsed none.db >out 2>&1; [ $? = 1 ] || { echo "FAIL export none.db"; failed=1; }
# Call paths that differ only in parts that are not printed must become one line.
sqlite3 -batch paths.db "INSERT INTO call_paths SELECT 90, parent_id, location_id, symbol_id, depth, kind FROM call_paths WHERE id = 5;
	UPDATE sample_data SET call_path_id = 90 WHERE call_path_id = 5 AND id % 2"
for to in collapsed csv; do
	"$memdb" export --to $to paths.db | sed 's/[ ,][0-9]*\(,ns.\)*$//' | sort | uniq -d | grep -q . && { echo "FAIL export --to $to: a path twice"; failed=1; }
done
"$memdb" export --to collapsed -o - paths.db >out && "$memdb" export --to collapsed paths.db | cmp - out || { echo "FAIL export -o -"; failed=1; }
for words in paths.db '--to xml paths.db' '--to csv --by line paths.db' '--to csv paths.db run.db'; do
	# shellcheck disable=SC2086 # split into words
	"$memdb" export $words >out 2>&1; [ $? = 2 ] || { echo "FAIL export $words: is taken"; failed=1; }
done
# An export must not change the database or other files. If it fails, the old output must remain.
cp paths.db kept.db; echo text >notes; : >fresh; chmod 400 paths.db
for words in '-o paths.db' '-o paths.db --force' '-o notes' '-o kept.db'; do
	# shellcheck disable=SC2086 # split into words
	"$memdb" export --to csv $words paths.db >out 2>err; [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] || { echo "FAIL export $words: $(cat err)"; failed=1; }
done
"$memdb" export --to csv -o notes --force none.db 2>err && { echo "FAIL export of what is not there"; failed=1; }
[ "$(cat notes)" = text ] && cmp -s paths.db kept.db || { echo "FAIL export: what was there is gone"; failed=1; }
"$memdb" export --to csv --by object -o fresh paths.db && "$memdb" export --to csv --by object -o notes --force paths.db && "$memdb" export --to csv --by object -o /dev/stdout paths.db >out || failed=1
ln -s /proc/self/fd/1 stdout
"$memdb" export --to csv --by object -o stdout paths.db >linked && cmp csv linked && [ -L stdout ] || { echo "FAIL export -o of a link to standard output"; failed=1; }
for file in fresh notes out; do cmp csv $file || { echo "FAIL export -o $file"; failed=1; }; done
# sixty ID: prints the statement that adds sixty copies of sample ID.
sixty()
{
	echo "WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 60)
	INSERT INTO sample_data
	SELECT id + 100 + k, time + k, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
		object_offset, period, weight, ins_lat, phys_address
	FROM sample_data, c
	WHERE id = $1"
}

# jit.db: sample 12, in code without a file, is there 61 times; there are 73 samples.
fill jit.db ".read data/timer.sql" "$(sixty 12);
	UPDATE dsos SET kind = 'anonymous', state = NULL WHERE short_name = 'libc.so.6'"
advises jit.db '84 % of the samples (61) are in code that no file holds, as that of a JIT compiler, 61 of them in [libc.so.6]: what they access is in no figure above; a perf map names its functions (node --perf-basic-prof, java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, python3 -X perf)'
fill missing.db ".read data/timer.sql" "$(sixty 12);
	UPDATE dsos SET state = 'missing' WHERE short_name = 'libc.so.6'"
advises missing.db '84 % of the samples (61) are in files that are not here, 61 of them in [libc.so.6]: what they access is in no figure above; `memdb import --symfs DIR` finds what ran below DIR'
sqlite3 -batch missing.db "UPDATE dsos SET state = 'unverified' WHERE short_name = 'libc.so.6'"
advises missing.db '84 % of the samples (61) are in files that were left out, because nothing proves that they are what ran, 61 of them in [libc.so.6]: what they access is in no figure above'
# doubts WHAT DETAIL TEXT: the report of a recording with this loss of symbols advises TEXT.
doubts()
{
	sqlite3 -batch missing.db "DELETE FROM losses; INSERT INTO losses (source, what, count, detail) VALUES ('symbols', '$1', 1, '$2')"
	advises missing.db "$3"
}
left_out='1 file of this machine was left out, because nothing proves that it is what ran'
below='put what ran below a folder DIR under the same path, and use `memdb import --symfs DIR --trust-files`'
doubts 'unverified files left out' '/p: changed after the recording' "$left_out (/p: changed after the recording): record again; if you have what ran, put it below a folder DIR under the same path, and use \`memdb import --symfs DIR --trust-files\`; without --symfs it takes the file that is here now"
doubts 'unverified files left out' '/p: recorded on another machine' "$left_out (/p: recorded on another machine): import where it was recorded, or $below; without --symfs it takes the file that is here now"
doubts 'unverified files left out' '/p: for another type of machine' "$left_out (/p: for another type of machine): import where it was recorded, or $below"
unproven='nothing proves that 1 file of this machine is what ran'
wrong='what they tell of functions, lines, objects and addresses may be wrong'
doubts 'unverified files' '/p: changed since the recording began' "$unproven (/p: changed since the recording began): $wrong; record again, and import before files change; a program that was linked with a build-id (-Wl,--build-id) stays known"
doubts 'unverified files' '/p: the recording does not say when it was made' "$unproven (/p: the recording does not say when it was made): $wrong; record with -k CLOCK_MONOTONIC, and import before files change; with build-ids (-Wl,--build-id in the link, perf record --buildid-mmap) files stay known"
doubts 'unverified files' '/p: recorded with another kernel' "$unproven (/p: recorded with another kernel): $wrong; files stay known by their build-ids: link with -Wl,--build-id, and record with perf record --buildid-mmap"
# kernel.db: sample 13, in the kernel, is there 61 times; there are 73 samples. Then the same for sample 1, in code
# without a name: 61 of 70 waits.
fill kernel.db ".read data/timer.sql" "$(sixty 13)"
advises kernel.db "84 % of the samples (61) are in the kernel, 61 of them in [kernel]: system calls and the like, not the program's own accesses"
fill nameless.db ".read data/timer.sql" "
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 60)
	INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, dso_id, address, addr_source, period, memory_opcode,
		access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
	SELECT 100 + k, 1, 1, 0, 3000000000 + k, 512, 4, 2, 65536, 2, 1000000, 1, 8, 2, 0, 0, 0, 2, 1 FROM c"
advises nameless.db '86 % of the cost (61 samples) is in code of libc.so.6 that has no names: the debug symbols of that file (a package as …-dbgsym, or debuginfod) would name its functions, lines and objects'
sqlite3 -batch jit.db "INSERT INTO losses (source, what, count, detail) VALUES ('perf', 'throttled', 7, NULL)"
advises jit.db 'the kernel stopped the sampling 7 times, because it was more frequent than kernel.perf_event_max_sample_rate: times are too short; take a lower -F'
# many_pebs TIMES: makes pebs.db with the samples of pebs.sql, repeated TIMES times. With TIMES 10, 70 samples have a
# latency: 10 are remote, and for 10 it is not known. They take 5000 to 5070 cycles for 40,000 instructions, but ten
# samples are too few for a verdict. With TIMES 100 they are enough. With twice as many instructions, the verdict is
# the opposite.
many_pebs()
{
	fill pebs.db ".read data/pebs.sql" "
		INSERT INTO sample_data
		SELECT id + 200 * k, time, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
			object_offset, period, weight, ins_lat, phys_address
		FROM sample_data, (WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < $1 - 1) SELECT k FROM c)"
}
many_pebs 10
"$memdb" diff numa.db pebs.db >out 2>err; [ $? = 1 ] && grep -q 'one run counts ms, the other million cycles of latency' err &&
	[ "$(sed 's/: .*//' out)" = 'wall time' ] || { echo "FAIL diff of units: $(cat out err)"; failed=1; }
advises pebs.db 'remote accesses cost 0.068 to 0.232 cycles for each instruction (10 accesses, by what the hardware says) (known for 86 % of the accesses): cannot tell whether better placement is worth it, because 70 samples are too few: run longer, or sample faster'
many_pebs 100
advises pebs.db 'remote accesses cost 0.103 to 0.154 cycles for each instruction (100 accesses, by what the hardware says) (known for 86 % of the accesses): better placement is worth it'
sqlite3 -batch pebs.db "UPDATE kind_totals SET period = period * 2 WHERE kind_id IN (SELECT id FROM access_kinds WHERE evsel_id = 4)"
advises pebs.db 'remote accesses cost 0.051 to 0.077 cycles for each instruction (100 accesses, by what the hardware says) (known for 86 % of the accesses): better placement is not worth it'
# walk.db: a program follows a list, and the address of nearly all waits is lost.
fill walk.db ".read data/walk.sql"
advises walk.db '0.0 to 99.8 % of the thread time waited for memory of other nodes (known for 0 % of the waiting time): cannot tell whether better placement is worth it, because it is known for only 0 % whether they are remote'
fill few.db ".read data/walk.sql" "
	UPDATE sample_data SET kind_id = (SELECT min(kind_id) FROM sample_data WHERE address IS NOT NULL), address = 1048576 WHERE id <= 20;
	UPDATE access_kinds SET addr_source = 2, home_node_id = NULL, home_source = 0 WHERE addr_source = 0"
advises few.db '0.0 to 98.7 % of the thread time waited for memory of other nodes (known for 2 % of the waiting time): cannot tell whether better placement is worth it, because it is known for only 2 % whether they are remote'
# If only few addresses in an object are known, its cost is mainly an assumption, and the report
# must say so.
sqlite3 -batch numa.db ".backup lost.db" && sqlite3 -batch lost.db "UPDATE access_kinds SET addr_source = 9 WHERE id IN (SELECT kind_id FROM sample_data WHERE object_id = 15)" && derive lost.db
"$memdb" report lost.db | grep -q 'whose addresses are lost' && { echo "FAIL report lost.db: 60 of 1380 waits are called the most"; failed=1; }
sqlite3 -batch lost.db "UPDATE access_kinds SET addr_source = 9" && derive lost.db
"$memdb" report lost.db | grep -qE '^-> 100 % of the cost is at loads whose addresses are lost, most in [a-z]+: they are assumed to go all over the object;' || { echo "FAIL report lost.db: $("$memdb" report lost.db)"; failed=1; }
# The five objects of numa.sql and counter of program.sql get the same name, so the report has one row for all 88
# waits (Wilson interval 95.8-100).
fill pool.db ".read data/numa.sql" "
	UPDATE objects SET name = 'pool', function = 'grow', line = 7 WHERE id >= 10 OR id = 2;
	INSERT INTO sample_data
	SELECT id + 44, time + 44000000, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
		object_offset, period, weight, ins_lat, phys_address
	FROM sample_data"
advises pool.db "5 sampled objects are named pool (grow): together 100.0 % of the cost (95.8-100.0); \`memdb report --by path\` has one row for each"
# ranks_by_samples DATABASE SENTENCE HEADLINE: checks that the report shows no shares of cost and ranks rows by
# number of samples. It must do so if there are too few waits, and if the CPU is emulated: then samples do not show
# what the thread waited for.
ranks_by_samples()
{
	advises "$1" "$2"
	grep -qF -- "$3" out || { echo "FAIL report $1: no '$3' in:"; cat out; failed=1; }
	! grep -qE '^(id +)?cost|\.[0-9] %|thread time|gain|cost is' out || { echo "FAIL report $1: a claim in:"; cat out; failed=1; }
}
fill few.db ".read data/timer.sql"
ranks_by_samples few.db '10 waits for memory were seen: too few to tell what memory costs, so objects and lines are ranked by their samples' \
	', 13 samples, 11 with a data address, 11 in a known object'
# few.db has too few waits for a statement about cost, so no page may show one.
"$memdb" report --object table few.db >out 2>err && grep -q '^cost: not known' out && ! grep -qE 'its cost|  cost  |cost: [0-9]' out || { echo "FAIL report --object: a cost in: $(cat out err)"; failed=1; }
"$memdb" annotate gather few.db >out 2>err && ! grep -qE 'of the cost|^ +[0-9.]+ %' out || { echo "FAIL annotate: a cost in: $(cat out err)"; failed=1; }
# annotate prints a line's remote share as a range. In walk.db, 4 waits are local and the addresses of 996 are lost: 0
# to 100 %. In few.db, 2 of 3 samples are known to be remote: 21 to 100 %.
"$memdb" annotate gather walk.db >out 2>err && tr -s ' ' <out | grep -q '^ 100.0 % 1000 0-100 % 5 |' || { echo "FAIL annotate walk: $(cat out err)"; failed=1; }
"$memdb" annotate main few.db >out 2>err && tr -s ' ' <out | grep -q '^ 3 21-100 %' || { echo "FAIL annotate few: $(cat out err)"; failed=1; }
# annotate --asm takes FILE:LINE, too. Line 5 was inlined into worker; the program is not here.
"$memdb" annotate app.c:5 --asm few.db >out 2>err; grep -qF "no instructions of 'worker'" err || { echo "FAIL annotate --asm of a line: $(cat out err)"; failed=1; }
"$memdb" annotate app.c:999 --asm few.db >out 2>err; [ $? != 0 ] && grep -qF 'no instruction has samples there: --asm wants a function or FILE:LINE' err || { echo "FAIL annotate --asm of no line: $(cat out err)"; failed=1; }
# The kernel's code is in no file, so one sentence is for all of its functions.
cp few.db kernel.db && sqlite3 -batch kernel.db "UPDATE dsos SET long_name = '[kernel.kallsyms]'"
"$memdb" annotate --asm kernel.db >out 2>err; grep -qE '^memdb annotate: no instructions of [0-9]+ functions? of the kernel: ' err && [ "$(grep -c 'no instructions' err)" = 1 ] || { echo "FAIL annotate --asm of the kernel: $(cat out err)"; failed=1; }
# If the sampler counted every access, the report must show shares of the accesses, not of the rows of samples,
# and no cost.
fill counted.db ".read data/counted.sql"
"$memdb" report --object table counted.db >out 2>err && tr -s ' ' <out | grep -qF 'accesses: 99.9 % of all; 402k accesses (loads: 2000, stores: 400k) of 2 threads' &&
	tr -s ' ' <out | grep -qF '101 worker 50.2 % 202k 2000 200k' && grep -q '^its accesses' out || { echo "FAIL report --object of counts: $(cat out err)"; failed=1; }
"$memdb" annotate gather counted.db >out 2>err && tr -s ' ' <out | grep -qF ': 100.0 % of the accesses, 402250 counted' && grep -q '^accesses  counted' out ||
	{ echo "FAIL annotate of counts: $(cat out err)"; failed=1; }
fill tcg.db ".read data/numa.sql" "UPDATE runs SET cpudesc = 'QEMU TCG CPU version 2.5+'; UPDATE access_kinds SET addr_source = 3, waited = NULL"
ranks_by_samples tcg.db 'the CPU is emulated (QEMU TCG CPU version 2.5+): an interrupt comes where a block of translated code begins, which says nothing of waiting; objects and lines are ranked by their samples, and nothing here tells what memory costs' \
	', 44 samples, 44 with a data address'
# without DATABASE ADVICE HEADLINE: checks the report of a run without samples: it says in one sentence what to do
# and what the database has instead, and prints no empty tables.
without()
{
	advises "$1" "$2"
	[ "$(grep -c '^->' out)" = 1 ] && ! grep -q 'no rows' out && grep -qxF "$3" out ||
		{ echo "FAIL report $1: more than that, or not '$3', in:"; cat out; failed=1; }
}
fill none.db ".read data/program.sql" "INSERT INTO tracepoints (id, evsel_id, time, name) VALUES (1, 1, 0, 'a:b'), (2, 1, 0, 'a:b')"
without none.db 'no samples: the program ended before one was due, or hardly used the CPU: let it work for longer, or sample more often (-F 10000); if it did work for long, `memdb doctor` says what is wrong' \
	'recorded:    2 tracepoint events, 3 allocations'
sqlite3 -batch none.db "INSERT INTO losses (source, what, count) VALUES ('perf', 'ms at the end', 2000)"
advises none.db 'no samples: perf ended before the program, and had written none: record again'
sqlite3 -batch none.db "DELETE FROM losses WHERE what = 'ms at the end'; UPDATE runs SET sampler = NULL"
without none.db 'no samples: none of the events that perf sampled came to its period: record for longer, or with a shorter period' 'time:        2.5 s, no samples, exit code 0'
sqlite3 -batch none.db "DELETE FROM selected_events WHERE id <> 2; DELETE FROM tracepoints; DELETE FROM objects;
	INSERT INTO selected_events VALUES (5, 'a:b', 'tracepoint', 2, 1, 0, 1, NULL, NULL, NULL)"
without none.db 'no samples: perf recorded page-faults, a:b, which says nothing of time and memory accesses; `memdb record` records those as well, and `memdb import --help` shows how perf does' 'time:        2.5 s, no samples, exit code 0'
sqlite3 -batch none.db "UPDATE runs SET sampler = 'soft'; DELETE FROM comms"
without none.db 'no samples: nothing that ran was built with the flags of `pkg-config memdb-checks` or `memdb-soft`, see docs/exact-sampling.md; `memdb record --sampler exact` runs programs as they are' 'time:        2.5 s, no samples, exit code 0'
sqlite3 -batch none.db "INSERT INTO comms (id, thread_id, time, comm, exec) VALUES (1, 1, 0, 'app', 1)"
without none.db 'no samples: the program made fewer accesses than one sample stands for: take more of them (-c 1 counts all)' 'time:        2.5 s, no samples, exit code 0'
sqlite3 -batch none.db "INSERT INTO selected_events VALUES (6, 'access', 'access', 1, 1, 0, 1, NULL, NULL, NULL)"
without none.db 'no samples: all accesses were to be counted, and the program made none that the sampler sees' 'time:        2.5 s, no samples, exit code 0'
sqlite3 -batch none.db "INSERT INTO losses (id, source, what, count) VALUES (100, 'emulator', 'programs without accesses', 1); UPDATE runs SET sampler = 'exact'"
without none.db 'no samples: a program ran outside the emulator, where none of its accesses is seen: `memdb query losses` says which, and why' 'time:        2.5 s, no samples, exit code 0'
sqlite3 -batch none.db "DELETE FROM losses WHERE id = 100; DELETE FROM selected_events WHERE id = 6"
sqlite3 -batch none.db "INSERT INTO losses (id, source, what, count) VALUES (100, 'sampler', 'lost events', 7)"
without none.db 'no samples: the disk was full, or no file may become as large (ulimit -f): `memdb query losses` has how many were lost' 'time:        2.5 s, no samples, exit code 0'
sqlite3 -batch none.db "UPDATE losses SET what = 'processes without an end' WHERE id = 100;
	UPDATE runs SET sampler = 'exact', exit_code = NULL, exit_signal = 4"
without none.db 'no samples: a signal ended the program, or it ended by the system call itself, and what was not written yet is lost then: up to a tenth of a second, with -c 1 up to a second' 'time:        2.5 s, no samples, ended by signal 4'
# Object 1 has 600,000 allocations in 13 ms of thread time: 46.2 million a second. Those of object 3 do not count
# as small: each has a million bytes.
sqlite3 -batch timer.db ".restore run.db" "UPDATE objects SET allocations = 600000, allocated_bytes = 600000 * 100 WHERE id = 1;
	UPDATE objects SET allocations = 9000000, allocated_bytes = 9000000 * 1000000 WHERE id = 3"
blocks='that slowed the program down, and the database has a row for each; --sample-small 100 follows one in 100 of them and keeps their names, --min-size leaves small ones out'
advises timer.db "0.6 million small blocks were followed, 46.2 million a second: $blocks"
sqlite3 -batch timer.db "UPDATE objects SET allocations = 400000 WHERE id = 1"
"$memdb" report timer.db | grep -q 'were followed,' && { echo "FAIL report: advises on few blocks"; failed=1; }
sqlite3 -batch timer.db "UPDATE totals SET thread_time = thread_time * 10000; UPDATE objects SET allocations = 5200000, allocated_bytes = 5200000 * 100 WHERE id = 1"
advises timer.db "5.2 million small blocks were followed, 0.0 million a second: $blocks"
sqlite3 -batch timer.db "UPDATE runs SET sample_every = 100, sample_bytes = 4096"
"$memdb" report timer.db | grep -q 'were followed,' && { echo "FAIL report: advises what was done"; failed=1; }
# The noun of a count of 1 is singular: "1 sample".
sqlite3 -batch run.db ".backup single.db" && sqlite3 -batch single.db "DELETE FROM sample_data WHERE id > 1" && derive single.db
"$memdb" report single.db >out && "$memdb" report --object 1 single.db >>out && grep -q '1 sample' out && ! grep -qE '\b1 (sample|load|store|thread)s' out || { echo "FAIL one sample: $(cat out)"; failed=1; }
# In a narrow table, no number is cut, and what tells how certain a cost is goes last.
fill narrow.db ".read report.gone/rows.sql" "UPDATE objects SET name = 'a long name of an object: ' || name"
for columns in 30 45 60 80; do
	COLUMNS=$columns "$memdb" report narrow.db >out
	head=$(grep '^ *id ' out)
	sed -n '/^ *id /,$p' out | grep -qE '[0-9.]…|…[0-9.]+( |$)' && { echo "FAIL report: cuts a number at $columns columns: $(cat out)"; failed=1; }
	[[ $head == *' cost '* ]] && [[ $head == *'95 %'*'at most'* || $head != *' threads'* && $head != *' size'* ]] || { echo "FAIL report: leaves out the interval before the size at $columns columns: $head"; failed=1; }
done
finish
