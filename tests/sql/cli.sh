#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# cli.sh MEMDB SQLTOOL: tests the output and the exit code of `memdb query`, and the advice of `memdb report`.
set -u
command -v sqlite3 >/dev/null || { echo "skip: there is no sqlite3 shell"; exit 77; }
memdb=$(realpath "$1") tool=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export HOME=$work LC_ALL=C # no settings of the user for sqlite3, and no locale with decimal commas
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

# expect CODE STREAM TEXT WORDS...: checks that `memdb query WORDS` exits with CODE, and that TEXT is in its output
# (STREAM 1) or in its single line of errors (STREAM 2).
expect() {
	local code=$1 stream=$2 text=$3 got
	shift 3
	"$memdb" query "$@" >out 2>err
	got=$?
	[ $got = "$code" ] || { echo "FAIL query $*: exit code $got, not $code"; failed=1; }
	if [ "$stream" = 2 ]; then
		[ ! -s out ] || { echo "FAIL query $*: something on stdout"; failed=1; }
		cp err out
	else
		[ ! -s err ] || { echo "FAIL query $*: something on stderr"; failed=1; }
	fi
	grep -qF -- "$text" out || { echo "FAIL query $*: no '$text' in: $(head -n 3 out | tr '\n' ' ')"; cat out; failed=1; }
}

"$tool" empty run.db && (cd "$here" && sqlite3 -batch -bail "$work/run.db" "PRAGMA synchronous=off" \
	".read data/insert.sql" ".read data/timer.sql" ".read data/derived.sql") && "$tool" totals run.db || exit 1

# no_rows TEXT WORDS...: checks that `memdb query WORDS` has no rows, and that TEXT is in the reason.
no_rows() {
	local text=$1
	shift
	"$memdb" query -f json "$@" >out 2>err || { echo "FAIL query $*: exit code $?"; failed=1; }
	[ "$(cat out)" = "[]" ] || { echo "FAIL query $*: there are rows"; failed=1; }
	grep -qF -- "no rows: $text" err || { echo "FAIL query $*: no '$text' in: $(cat err)"; failed=1; }
}

# A query without rows must say why on stderr, and which view answers instead.
no_rows 'the samples do not say which cache or memory served them' data_sources
no_rows 'nothing in the recording matches these parameters' moves kind=pages
"$tool" empty bare.db
for query in $("$memdb" query | awk '{ print $1 }'); do
	case $query in
	losses) no_rows 'nothing is known to be missing' $query bare.db ;;
	run) ;;
	*) no_rows '' $query bare.db ;;
	esac
done

expect 0 1 'access_matrix'
expect 0 1 '  name    default  meaning' --describe access_matrix
expect 0 1 '  object    (none)   only this object: its id or name' -d costs
expect 0 1 'its id or name; of several objects of that name, the one with the highest cost' -d call_stack
expect 0 1 'memdb query call_stack [run.db] [object=...] [allocation=...] [path=...] [end=...]' -d call_stack
expect 0 1 'gather  ' costs by=function
expect 0 1 'gather  ' costs run.db by=function top=1
expect 0 1 'gather  ' costs top=1 ./run.db by=function
expect 0 1 ',gather,worker,app,' --format csv costs by=function
expect 0 1 '"function": "gather"' costs by=function -f json
sqlite3 -batch :memory: "SELECT json_valid(CAST(readfile('out') AS TEXT)) || json_array_length(CAST(readfile('out') AS TEXT))" |
	grep -qx 15 || { echo "FAIL query -f json: not an array of 5 functions"; failed=1; }
expect 0 1 $'\tgather\tworker\tapp\t' --format tsv costs by=function
expect 0 1 '| gather | worker | app |' --format markdown costs by=function
# This name has characters that separate values in some formats. A reader of each format must get the same name
# back.
cp run.db odd.db
sqlite3 -batch odd.db "UPDATE objects SET name = 'a|b' || char(9) || '<i>' || char(10) || '\_x' WHERE id = 1"
"$memdb" query -f tsv costs by=object object=1 odd.db >out
[ "$(wc -l <out)" = 2 ] && [ "$(awk -F'\t' 'NR == 2 { print $2 }' out)" = 'a|b\t<i>\n\\_x' ] || { echo "FAIL query -f tsv: $(cat out)"; failed=1; }
"$memdb" query -f markdown costs by=object object=1 odd.db >out
[ "$(wc -l <out)" = 3 ] && grep -qF '| a\|b\\t\<i\>\\n\\\_x |' out || { echo "FAIL query -f markdown: $(cat out)"; failed=1; }
# The SQL that memdb prints must give the same rows in the sqlite3 shell, also if a parameter contains quotes.
sqlite3 -batch odd.db "UPDATE objects SET name = 'it''s \"\\ x' WHERE id = 1"
for words in 'costs by=line top=2' "costs by=object object=it's \"\\ x" 'costs by=thread'; do
	IFS=' ' read -r name by object <<<"$words"
	"$memdb" query --sql "$name" ${by:+"$by"} ${object:+"$object"} >statement.sql && "$memdb" sql odd.db <statement.sql >shell || failed=1
	sqlite3 -batch -csv -header odd.db <statement.sql | tr -d '\r' >shell
	"$memdb" query -f csv "$name" odd.db ${by:+"$by"} ${object:+"$object"} | tr -d '\r' >rows
	cmp rows shell && [ "$(wc -l <shell)" -gt 1 ] ||
		{ echo "FAIL query --sql $words: other rows than the query's"; diff rows shell; failed=1; }
done
expect 2 2 "parameter 'by' is one of" costs --sql by=nothing
[ "$("$memdb" sql run.db 'SELECT count(*) AS n, NULL AS x FROM objects' | tr -s ' \n' ' ')" = 'n x - - 3 - ' ] ||
	{ echo "FAIL sql: $("$memdb" sql run.db 'SELECT count(*) AS n, NULL AS x FROM objects')"; failed=1; }
"$memdb" sql run.db 'DELETE FROM objects' >out 2>&1 && { echo "FAIL sql: it writes"; failed=1; }
"$memdb" sql none.db >out 2>err; [ $? = 1 ] && grep -qx "memdb sql: cannot open 'none.db': No such file or directory" err ||
	{ echo "FAIL sql none.db: $(cat err)"; failed=1; }
PATH=/nowhere "$memdb" sql run.db >out 2>err; [ $? = 1 ] && grep -q 'there is no sqlite3: install' err || { echo "FAIL sql without sqlite3: $(cat err)"; failed=1; }
expect 2 2 "there is no query 'acces_matrix'; did you mean 'access_matrix'?" acces_matrix
expect 2 2 "there is no query 'qqqqqqqqqq'; \`memdb query\` lists them" qqqqqqqqqq
expect 2 2 "'run.db' is a file, no query: which one? As: memdb query costs 'run.db'" run.db
expect 2 2 "the query's name comes first: memdb query losses './run.db'" ./run.db losses
expect 2 2 "there is no query '.'" .
expect 2 2 "parameter 'top' needs a whole number of at least 1, not '0'" costs top=0
expect 2 2 "query 'coverage' has no parameters" coverage top=1
expect 2 2 "parameter 'top' needs a whole number of at least 1, not 'all'" costs top=all
expect 2 2 "there is no object 'none'; \`memdb query costs\` lists those that cost most" bins object=none
expect 2 2 "there is no object '99999'" bins run.db object=99999
expect 2 2 "parameter 'by' is one of run, function, line, object, thread; not 'page'" pinning by=page
expect 2 2 "parameter 'kind' is one of heap, static, stack, mapping; not 'hepa'" costs kind=hepa
expect 2 2 "there is no sampled function 'zzz'; \`memdb query costs by=function\` lists those that cost most" costs function=zzz
expect 2 2 "there is no sampled function 'gathr'; did you mean 'gather'?" costs function=gathr
expect 2 2 "there is no object 'tabel'; did you mean 'table' (id 1)?" costs object=tabel
expect 2 2 "there is no type 'nosuch'; \`memdb query members by=type\` lists those that cost most" members type=nosuch
expect 2 2 "parameter 'bins' needs a whole number from 1 to 65536, not '0'" bins bins=0
expect 2 2 "parameter 'slices' needs a whole number from 1 to 65536, not '65537'" slices slices=65537
expect 2 2 "parameter 'end' needs a whole number from 0 to 1, not '2'" call_stack allocation=1 end=2
expect 2 2 "parameter 'top' needs a whole number of at least 1" --sql costs top=0
# Each parameter that is a number or a name must refuse 0 and a name that does not exist; no query may ignore such a
# value.
for query in $("$memdb" query | awk '{ print $1 }'); do
	for param in $("$memdb" query -d "$query" | sed -n 's/.*\[\([a-z]*\)=\.\.\.\].*/&/p' | grep -o '\[[a-z]*=' | tr -d '[='); do
		"$memdb" query "$query" "$param=no such value" >out 2>err
		[ $? = 2 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] || { echo "FAIL query $query $param='no such value': not refused: $(cat err)"; failed=1; }
	done
done
expect 2 2 "there is no thread '7'" access_matrix tid=7
expect 2 2 "there is no allocation '77'" call_stack allocation=77
expect 2 2 "there is no call path '77'" call_stack path=77
expect 2 2 "parameter 'top' is there twice" costs top=1 top=2
for by in run function line object thread; do expect 0 1 '---' numa by=$by; done
# Each filter works or is refused with a message. It never gives an empty table.
for by in object name function thread function_object object_thread allocation; do expect 0 1 'table' costs by=$by object=table; done
for by in name function_object object_thread allocation; do expect 0 1 'heap' costs by=$by kind=heap; done
for by in object function line function_object; do expect 0 1 'gather' costs by=$by function=gather; done
expect 2 2 "parameter 'object' means nothing with by=line: it goes with by=object, name, function, thread, function_object, object_thread, allocation" costs by=line object=table
expect 2 2 "parameter 'object' means nothing with by=run" costs object=table by=run
expect 2 2 "parameter 'function' means nothing with by=thread" costs by=thread function=gather
expect 2 2 "parameter 'kind' means nothing with by=line" costs by=line kind=heap
expect 2 2 "parameter 'object' means nothing with by=function" data_sources by=function object=table
expect 2 2 "parameters 'function' and 'object' exclude each other" data_sources object=table function=gather
expect 2 2 "parameters 'tid' and 'object' exclude each other" access_matrix object=table tid=101
expect 2 2 "parameters 'allocation' and 'object' exclude each other" call_stack object=table allocation=1
expect 2 2 "parameter 'end' means nothing without 'allocation'" call_stack object=table end=1

# notes TEXT WORDS...: checks that memdb query WORDS prints rows, and TEXT on stderr (nothing if TEXT is empty).
notes()
{
	local text=$1

	shift
	"$memdb" query "$@" >out 2>err && [ -s out ] && [ "$(cat err)" = "${text:+memdb query: $text}" ] ||
		{ echo "FAIL query $*: not '$text' on stderr, but:"; cat err; failed=1; }
}
cp run.db named.db
sqlite3 -batch named.db "UPDATE objects SET name = 'pool' WHERE id IN (1, 2)"
notes "2 objects are named 'pool' (1, 2): these rows are of the one that cost most, see object_id; object=ID asks for one" call_stack named.db object=pool
notes "2 objects are named 'pool' (1, 2): these rows are of the one that cost most, see object_id; object=ID asks for one" bins named.db object=pool
notes "2 objects are named 'pool' (1, 2): these rows are of all of them, see object_id; object=ID asks for one" costs named.db object=pool
notes '' costs named.db object=1
notes '' costs run.db object=table
sqlite3 -batch named.db "UPDATE objects SET name = 'pool'; INSERT INTO objects (id, name, kind, size_bytes, allocations, allocated_bytes)
	WITH RECURSIVE c (k) AS (SELECT 101 UNION ALL SELECT k + 1 FROM c WHERE k < 120) SELECT k, 'pool', 'heap', 1, 1, 1 FROM c"
notes "23 objects are named 'pool' (1, 2, 3, 101, 102, 103, 104, 105, …): these rows are of all of them, see object_id; object=ID asks for one" costs named.db object=pool

# Users may give names as tables shorten them, or only their begin or end, if just one object or function has
# such a name.
sqlite3 -batch named.db "UPDATE objects SET name = 'void sort<std::vector<int> >::held (sort.h:12)' WHERE id = 1; UPDATE objects SET name = 'void sort<std::vector<int> >::hold (sort.h:7)' WHERE id = 2;
	UPDATE locations SET function = 'ns::gather<float, double>(int)' WHERE function = 'gather'; UPDATE symbols SET name = 'ns::gather<float, double>(int)' WHERE name = 'gather'"
for name in 'void sort<…>::held (sort.h:12)' 'void sor….h:12)' 'void sor...ld (sort.h:12)' '…held…' 'sort.h:12)'; do
	notes '' costs named.db "object=$name"
	grep -q '^ *1  void sort' out || { echo "FAIL query costs object=$name: $(cat out)"; failed=1; }
	"$memdb" report named.db --object "$name" | head -n 1 | grep -q 'held' || { echo "FAIL report --object $name"; failed=1; }
done
expect 2 2 "there is no object 'void so'; it may be one of 2: 'void sort<…>::h" costs named.db 'object=void so'
expect 2 2 "there is no object '…pool…pool…'" costs named.db 'object=…pool…pool…'
for name in gather ns::gather 'ns::gather<float, double>' 'ns::gather<…>' 'ns…(int)'; do
	expect 0 1 'ns::gather<float, double>(int)' costs named.db by=function "function=$name"
	"$memdb" report named.db --in "$name" >out 2>err && grep -q '^selected: in ' out || { echo "FAIL report --in $name: $(cat err)"; failed=1; }
done
"$memdb" report named.db --in gahter 2>err; [ $? = 2 ] && grep -q "there is no function 'gahter'; did you mean 'ns::gather<…>'?" err || { echo "FAIL report --in gahter: $(cat err)"; failed=1; }

expect 2 2 "there is no format 'xml'" costs --format xml
expect 2 2 "one database at a time: 'b.db' is a second one" costs run.db b.db
expect 1 2 "cannot open 'none.db': No such file or directory" costs none.db
expect 1 2 "cannot open 'err': it is empty" costs err
echo 'no database, but long enough to be looked at as one: the header alone has a hundred bytes, so here are some more' >text
expect 1 2 "cannot open 'text': not an SQLite database" costs text
[ "$("$memdb" query losses none.db 2>&1 | wc -l)" = 1 ] || { echo "FAIL: more than one line"; failed=1; }
"$memdb" query coverage >/dev/full 2>err
[ $? = 1 ] && grep -q 'No space left' err || { echo "FAIL: a full disk is no failure"; failed=1; }

# fill DATABASE SQL...: makes a database with rows of data/. Also computes the sums that the importer computes from
# such rows (data/derived.sql).
fill()
{
	local db=$work/$1

	shift
	"$tool" empty "$db" && (cd "$here" && sqlite3 -batch -bail "$db" "PRAGMA synchronous=off" ".read data/insert.sql" "$@" \
		".read data/derived.sql") && "$tool" totals "$db" || exit 1
}

derive() { (cd "$here" && sqlite3 -batch "$work/$1" ".read data/derived.sql") && "$tool" totals "$1"; }

# advises DATABASE TEXT: checks that TEXT is one of the sentences at the end of the report.
advises()
{
	"$memdb" report "$1" >out 2>err && grep -qxF -- "-> $2" out || { echo "FAIL report $1: no '-> $2' in: $(grep -h '^->' out err | tr '\n' ' ')"; cat out err; failed=1; }
}

# numa.db: the samples of data/numa.sql thirty times, and an object `serial` that thread 1 touches first and thread
# 2 reads 60 times. Of its 44 * 30 + 60 waits, 17 * 30 + 60 are for memory of the other node. For 16 * 30 of them,
# the scheduler may move the thread.
fill numa.db ".read data/numa.sql" "
	INSERT INTO sample_data
	SELECT id + 44 * k, time + 44000000 * k, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
		object_offset, period, weight, ins_lat, phys_address
	FROM sample_data, (WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 29) SELECT k FROM c)
	ORDER BY k, id;
	INSERT INTO objects (id, name, kind, address_start, size_bytes, allocations, allocated_bytes)
	VALUES (15, 'serial', 'static', 16777216, 40960, 0, 0);
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 60)
	INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, addr_source, period,
		memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
	SELECT 1320 + k, 1, 2, 1, 3000000000 + k, 4210, 3, 2, 1, 16777216 + k * 512, 2, 1000000, 1, 8, 15, k * 512, 1, 0, 2, 1 FROM c;
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 10)
	INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, object_id,
		object_offset, cpu_node_id, home_node_id, home_source, first)
	SELECT k, 2, 1, 0, 1100000000 + k, 4100, 1, 1, 1, 16777216 + k * 4096, 15, k * 4096, 0, 0, 3, 1 FROM c"
advises numa.db '38.7 to 43.9 % of the thread time waited for memory of other nodes: better placement is worth it'
advises numa.db 'serial: 100 % of its samples (60 of 60) are of another node; node 1 uses it and its pages are on node 0: run these threads there, or move the pages (mbind, migratepages)'
advises numa.db 'flags: threads write to different bytes of the same cache lines (1, by up to 2 threads) in 180 samples, 100.0 % of its samples: false sharing; keep what each thread writes 64 bytes apart'
advises numa.db '35 % of what was sampled, by period (480 samples), is of threads that the scheduler may move to another node: pin them (numactl, OMP_PROC_BIND) before comparing placements'
# If threads write to cache lines that they share, the report must not say that the code only computes.
sqlite3 -batch numa.db ".backup contended.db" && sqlite3 -batch contended.db "UPDATE access_kinds SET time_kind = 2, missed = 0" && derive contended.db
"$memdb" report contended.db >out && head -n 1 out | grep -qE '^cannot tell computing from sharing: 100 to 100 % .*, but 30 % of the samples are in cache lines that threads share while one of them writes, most in flags$' ||
	{ echo "FAIL report: the verdict of contended lines is $(head -n 1 out)"; failed=1; }
sqlite3 -batch contended.db "UPDATE access_kinds SET memory_opcode = 1" && derive contended.db
"$memdb" report contended.db >out && head -n 1 out | grep -q '^not memory: ' || { echo "FAIL report: the verdict without contended lines is $(head -n 1 out)"; failed=1; }
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
# The bars of an object of several blocks show all of them as one block. A block of few bytes has fewer bars
# than a line has columns.
"$memdb" report --object table run.db >out && grep -qF 'parts of a block, from its begin to its end, all 2 blocks of 4096 to 8192 bytes in one, by thread:' out || { echo "FAIL report --object table: $(grep parts out)"; failed=1; }
cp run.db small.db && sqlite3 -batch small.db "UPDATE allocations SET size_bytes = 48; UPDATE sample_data SET object_offset = object_offset % 48"
"$memdb" report --object table small.db >out && grep -q 'blocks of 48 bytes in one' out && [ "$(sed -n 's/[^ -~][^ -~][^ -~]/x/g; s/^     all |\(.*\)|$/\1/p' out | wc -c)" = 7 ] || { echo "FAIL report --object table: $(grep '|' out)"; failed=1; }
# annotate FUNCTION also shows functions that were inlined into it, even if it has no sample of its
# own.
for function in worker step; do
	"$memdb" annotate run.db $function 2>err | tr -s ' ' | grep -qF ' 6 | => gather app.c:5' || { echo "FAIL annotate $function: the inlined function is missing"; failed=1; }
done
"$memdb" annotate run.db wroker 2>err; [ $? = 2 ] && grep -q "no source file 'wroker' has samples: there is no function 'wroker'; did you mean 'worker'?" err || { echo "FAIL annotate wroker: $(cat err)"; failed=1; }
# Without a function, annotate leaves out functions that have no sample, unless they first touched
# much memory.
fill twins.db ".read report.twins/rows.sql"
"$memdb" annotate twins.db >out 2>err && grep -q '^main  app.c' out && ! grep -q worker out || { echo "FAIL annotate without samples: $(cat out err)"; failed=1; }
"$memdb" annotate twins.db worker >out 2>err && grep -q '^worker  app.c: 0 samples' out || { echo "FAIL annotate worker: $(cat out err)"; failed=1; }
# Code whose function is not known is named by its line alone.
cp numa.db unnamed.db && sqlite3 -batch unnamed.db "UPDATE locations SET function = NULL, symbol_id = NULL, dso_id = NULL WHERE line IS NOT NULL"
"$memdb" report unnamed.db >out && grep -qE 'serial +app.c:10 ' out && ! grep -q unknown out || { echo "FAIL report: code without a function is placed by: $(grep serial out)"; failed=1; }
# One row for all objects of one name and place, or of one type, instead of one for each call path.
fill pool.db ".read object_name_costs/rows.sql"
for by in path site type wrapper; do "$memdb" report --by "$by" pool.db >"by.$by" 2>err || { echo "FAIL report --by $by: $(cat err)"; failed=1; }; done
[ "$(grep -c '^ *[0-9]\+ .* objects)' by.site)" -ge 1 ] && ! grep -q ' objects)' by.path || { echo "FAIL report --by site: $(cat by.site)"; failed=1; }
# A C++ name loses its namespaces, but neither its end nor the number of objects.
sqlite3 -batch pool.db ".backup names.db" && sqlite3 -batch names.db "UPDATE objects SET name = 'ns::box<int>::pool' WHERE name = 'pool'"
"$memdb" report --by site names.db >out && grep -qE '^ *[0-9]+ .* pool \([0-9]+ objects\)' out && ! grep -q box out || { echo "FAIL report --by site: a C++ name: $(cat out)"; failed=1; }
"$memdb" report --by nothing pool.db 2>err; [ $? = 2 ] && grep -q "\-\-by is one of path, site, type, wrapper; not 'nothing'" err || { echo "FAIL report --by nothing: $(cat err)"; failed=1; }
"$memdb" report --object nothing numa.db >out 2>err; [ $? = 2 ] && grep -q "there is no object 'nothing'; .memdb query costs. lists" err || { echo "FAIL report --object nothing: $(cat err)"; failed=1; }
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
# Call paths that differ only in what is not printed must be one line.
sqlite3 -batch paths.db "INSERT INTO call_paths SELECT 90, parent_id, location_id, symbol_id, depth, kind FROM call_paths WHERE id = 5;
	UPDATE sample_data SET call_path_id = 90 WHERE call_path_id = 5 AND id % 2"
for to in collapsed csv; do
	"$memdb" export --to $to paths.db | sed 's/[ ,][0-9]*\(,ns.\)*$//' | sort | uniq -d | grep -q . && { echo "FAIL export --to $to: a path twice"; failed=1; }
done
"$memdb" export --to collapsed -o - paths.db >out && "$memdb" export --to collapsed paths.db | cmp - out || { echo "FAIL export -o -"; failed=1; }
for words in paths.db '--to xml paths.db' '--to csv --by line paths.db' '--to csv paths.db run.db'; do
	# shellcheck disable=SC2086 # words
	"$memdb" export $words >out 2>&1; [ $? = 2 ] || { echo "FAIL export $words: is taken"; failed=1; }
done
# An export must not change the database or other files. If it fails, the old output must remain.
cp paths.db kept.db; echo text >notes; : >fresh; chmod 400 paths.db
for words in '-o paths.db' '-o paths.db --force' '-o notes' '-o kept.db'; do
	# shellcheck disable=SC2086 # words
	"$memdb" export --to csv $words paths.db >out 2>err; [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] || { echo "FAIL export $words: $(cat err)"; failed=1; }
done
"$memdb" export --to csv -o notes --force none.db 2>err && { echo "FAIL export of what is not there"; failed=1; }
[ "$(cat notes)" = text ] && cmp -s paths.db kept.db || { echo "FAIL export: what was there is gone"; failed=1; }
"$memdb" export --to csv --by object -o fresh paths.db && "$memdb" export --to csv --by object -o notes --force paths.db && "$memdb" export --to csv --by object -o /dev/stdout paths.db >out || failed=1
ln -s /proc/self/fd/1 stdout
"$memdb" export --to csv --by object -o stdout paths.db >linked && cmp csv linked && [ -L stdout ] || { echo "FAIL export -o of a link to standard output"; failed=1; }
for file in fresh notes out; do cmp csv $file || { echo "FAIL export -o $file"; failed=1; }; done
# changes AFTER TEXT...: checks that the comparison of numa.db with AFTER contains each TEXT. AFTER is first an
# equal run, then a run without the waits for one object, then a run without half of the samples (of 1380 ms).
changes()
{
	local after=$1 text

	shift
	"$memdb" diff numa.db "$after" >out 2>err || { echo "FAIL diff $after: $(cat err)"; failed=1; }
	for text; do
		tr -s ' ' <out | grep -qF -- "$text" || { echo "FAIL diff $after: no '$text' in:"; cat out; failed=1; }
	done
}
cp numa.db after.db
changes after.db 'thread time: 1380.0 to 1380.0 ms (+0 %)' ': within chance' 'by object: nothing beyond chance' 'by line: nothing beyond chance'
sqlite3 -batch after.db "DELETE FROM sample_data WHERE object_id = 15" && derive after.db
changes after.db 'thread time: 1380.0 to 1320.0 ms (-4 %)' ': within chance' 'serial static 60.0 0.0 -60.0 -85.7 to -34.3 4.3 % 0.0 % less'
grep -q 'by thread: nothing beyond chance' out || { echo "FAIL diff: a thread"; failed=1; }
cp numa.db after.db
sqlite3 -batch after.db "DELETE FROM sample_data WHERE id % 2" && derive after.db
changes after.db ' (-50 %)' ': less, beyond chance'
"$memdb" diff -f csv numa.db after.db | grep -q '^object,serial,static,60.0,30.0,4.3,4.3,-30.0,' || { echo "FAIL diff -f csv: $("$memdb" diff -f csv numa.db after.db)"; failed=1; }
# helped BEFORE CHANGE TEXT...: copies the database BEFORE, applies the SQL statements CHANGE to the copy, and
# checks that the comparison of the two has a line like each TEXT. The changes are those that a report
# suggests.
helped()
{
	local before=$1 change=$2 text

	shift 2
	cp "$before" helped.db
	sqlite3 -batch helped.db "$change" && derive helped.db
	"$memdb" diff "$before" helped.db >out 2>err || { echo "FAIL diff $before: $(cat err)"; failed=1; }
	for text; do
		tr -s ' ' <out | grep -qE -- "$text" || { echo "FAIL diff $before: no '$text' in:"; cat out; failed=1; }
	done
}
# Padding: threads no longer wait for the shared cache line. The time of the atomic operations
# themselves remains.
fill sharing.db ".read report.sharing/rows.sql"
helped sharing.db "DELETE FROM sample_data WHERE kind_id IN (SELECT id FROM access_kinds WHERE time_kind = 10)" \
	'^thread time: 200.0 to 40.0 ms \(-80 %\), change -[0-9.]+ to -[0-9.]+: less, beyond chance' '^waits for memory: 160.0 to 0.0 ms' \
	'^sharing 160.0 0.0 -160.0 -[0-9.]+ to -[0-9.]+ less' '^hits static 160.0 0.0 -160.0 -[0-9.]+ to -[0-9.]+ 100.0 % less'
grep -qE '(more|^atomic) ' out && { echo "FAIL diff sharing.db: something else changed"; cat out; failed=1; }
# The same threads, but they ran together only three times before and once after: that may be the scheduler's doing, so
# no change is beyond chance.
sqlite3 -batch sharing.db "UPDATE threads SET start_ns = 1000000000, end_ns = 2000000000; UPDATE runs SET start_ns = 1000000000, end_ns = 2000000000" "UPDATE sample_data SET time = 1100000000 + 200000000 * (id % 3) + 1000 * id
	WHERE kind_id IN (SELECT id FROM access_kinds WHERE time_kind = 10)" "UPDATE sample_data SET time = 1100000000 + 4000000 * id WHERE kind_id NOT IN (SELECT id FROM access_kinds WHERE time_kind = 10)"
helped sharing.db "DELETE FROM sample_data WHERE time < 1400000000 AND kind_id IN (SELECT id FROM access_kinds WHERE time_kind = 10) OR id % 50 = 1" \
	'^thread time: .* within chance$' '^waits for memory: 160.0 to [0-9.]+ ms .*: within chance$'
grep -qE ' (less|more)' out && { echo "FAIL diff of runs whose threads ran together by chance"; cat out; failed=1; }
# Beside the wall time, diff must say how much of the threads' time they had no CPU, because a
# loaded machine makes a run longer.
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
# Interval and verdict must agree: a change is beyond chance if and only if its interval does not
# contain 0.
for every in 5 7 9 12; do
	cp numa.db fewer.db && sqlite3 -batch fewer.db "DELETE FROM sample_data WHERE id % $every = 0" && derive fewer.db
	for noise in 0 5; do
		"$memdb" diff --noise $noise -f csv numa.db fewer.db >out
		sqlite3 -batch :memory: ".mode csv" ".import out c" "SELECT * FROM c WHERE low <> '' AND verdict <> CASE WHEN low + 0 > 0 THEN 'more' WHEN high + 0 < 0 THEN 'less' ELSE 'within chance' END" >odd
		[ ! -s odd ] && grep -q ',within chance,' out || { echo "FAIL diff --noise $noise: interval and verdict differ: $(cat odd)"; failed=1; }
	done
done
"$memdb" diff --noise 100 numa.db after.db | grep -q 'less' && { echo "FAIL diff --noise: no effect"; failed=1; }
for words in numa.db 'numa.db after.db run.db' '--noise x numa.db after.db' '-f xml numa.db after.db'; do
	# shellcheck disable=SC2086 # words
	"$memdb" diff $words >out 2>&1; [ $? = 2 ] || { echo "FAIL diff $words: is taken"; failed=1; }
done
# Runs that were recorded without time are compared by their numbers of accesses.
for db in numa after; do
	sqlite3 -batch $db.db ".backup $db.counted.db" && sqlite3 -batch $db.counted.db "UPDATE selected_events SET role = 'access'; UPDATE access_kinds SET waited = NULL, time_kind = NULL" &&
		derive $db.counted.db
done
"$memdb" diff numa.counted.db after.counted.db >out 2>err && grep -q '^accesses: 1380000000 to 690000000 (-50 %), change .*: less, beyond chance$' out &&
	grep -q '^-> counts of accesses;' out && ! grep -q 'ms\b' <(grep -v '^wall time' out) || { echo "FAIL diff of counts: $(cat out err)"; failed=1; }
"$memdb" diff -f csv numa.counted.db after.counted.db | grep -q '^object,serial,static,60000000.0,30000000.0,.*,accesses.$' || { echo "FAIL diff -f csv of counts"; failed=1; }
"$memdb" diff numa.db numa.counted.db >out 2>err; [ $? = 1 ] && grep -q 'one run counts ms, the other accesses' err && grep -q '^wall time' out || { echo "FAIL diff of time and counts: $(cat out err)"; failed=1; }
# After a change, the program may have another name, lines may have moved, and a name with the number of a line has another number.
cp numa.db old.db && sqlite3 -batch old.db "UPDATE runs SET command = './old -n 3'; UPDATE processes SET exe = '/tmp/old'; UPDATE threads SET comm = 'old' WHERE id = 1;
	UPDATE objects SET name = 'make (app.c:7)' WHERE id = 15; DELETE FROM source_lines; INSERT INTO source_lines (file_id, line, text)
	SELECT DISTINCT l.file_id, l.line, char(9) || 'x' || l.line || '++;' FROM locations AS l WHERE l.line IS NOT NULL AND l.file_id IS NOT NULL"
cp old.db new.db && sqlite3 -batch new.db "UPDATE runs SET command = '/tmp/new -n 3'; UPDATE processes SET exe = '/tmp/new'; UPDATE threads SET comm = 'new' WHERE id = 1; UPDATE objects SET name = 'make (app.c:9)' WHERE id = 15;
	UPDATE locations SET line = line + 2 WHERE line IS NOT NULL; UPDATE source_lines SET line = line + 1000; UPDATE source_lines SET line = line - 998; UPDATE files SET path = '/tmp/new.c' WHERE path LIKE '%app.c'"
"$memdb" diff -f csv old.db new.db >out 2>err && ! grep -qE ',(less|more),' out || { echo "FAIL diff of a renamed program: $(cat err; grep -E 'less|more' out)"; failed=1; }
for row in '^thread,old → new,' '^object,make (app.c:7) → make (app.c:9),static,60.0,60.0,' '^line,gather,app.c:5 → new.c:7,1380.0,1380.0,'; do
	grep -q "$row" out || { echo "FAIL diff of a renamed program: no $row in: $(cat out)"; failed=1; }
done
# The same if a launcher started the program, with the program's name in the name of an object, a file and a function, and with a main thread that
# renamed itself. A launcher of another name is no other program.
for n in old new; do
	cp $n.db $n.run.db && sqlite3 -batch $n.run.db "UPDATE runs SET command = 'env X=$n ./$n -n 3'; UPDATE objects SET name = '$n' WHERE id = 15; UPDATE threads SET comm = '$n main' WHERE id = 1;
	UPDATE dsos SET short_name = '$n' WHERE id = 1; UPDATE locations SET function = NULL; UPDATE symbols SET name = '$n+0x' || id"
done
"$memdb" diff -f csv old.run.db new.run.db >out 2>err && ! awk -F, 'NR > 1 && $(NF - 4) != 0' out | grep . || { echo "FAIL diff of a renamed program with a launcher: $(cat err)"; failed=1; } # the fifth field from the end: the change
for row in '^thread,old main → new main,' '^object,old → new,static,60.0,60.0,'; do
	grep -q "$row" out || { echo "FAIL diff of a renamed program with a launcher: no $row in: $(cat out)"; failed=1; }
done
cp old.db launched.db && sqlite3 -batch launched.db "UPDATE runs SET command = 'mpirun -n 2 ./old'; INSERT INTO processes (id, pid, exe, tracked) VALUES (50, 99, '/usr/bin/mpirun', 1)"
"$memdb" diff -f csv old.db launched.db | grep -q '^thread,old,' || { echo "FAIL diff of a run with a launcher and one without: $("$memdb" diff -f csv old.db launched.db | grep '^thread')"; failed=1; }
# But if both runs have an object of the old name, it is the same object, and not one whose line
# moved.
sqlite3 -batch new.db "UPDATE objects SET name = 'make (app.c:7)' WHERE id = 15" && "$memdb" diff -f csv old.db new.db | grep -q '^object,make (app.c:7),static,60.0,60.0,' || { echo "FAIL diff of equal names"; failed=1; }
# If the text of source lines is not known, lines match by file and number.
sqlite3 -batch new.db "DELETE FROM source_lines" && "$memdb" diff -f csv old.db new.db | grep -q '^line,gather,new.c:7,0.0,' || { echo "FAIL diff of lines without text"; failed=1; }
# Part `matrix` (pairs of nodes): its sum must be that of all waits. Part `member`: has the members
# of both runs.
"$memdb" diff -f csv numa.db after.db >out
sqlite3 -batch :memory: ".mode csv" ".import out c" "SELECT (SELECT round(sum(before)) || ' ' || round(sum(after)) FROM c WHERE part = 'matrix') = (SELECT round(before) || ' ' || round(after) FROM c WHERE name = 'waits for memory')" |
	grep -qx 1 || { echo "FAIL diff by matrix: $(grep matrix out)"; failed=1; }
cp numa.db member.db && sqlite3 -batch member.db "INSERT INTO types (id, name, kind, size_bytes) VALUES (900, 'struct pair', 'struct', 16); INSERT INTO members (id, type_id, name, type, offset, size_bytes) VALUES (9000, 900, 'a', 'long', 0, 8), (9001, 900, 'b', 'long', 8, 8);
	UPDATE objects SET type_id = 900, type_start = 0, type_repeats = 1, type_source = 'declared' WHERE id = 15" && derive member.db
cp member.db fewer.db && sqlite3 -batch fewer.db "DELETE FROM sample_data WHERE object_id = 15" && derive fewer.db
"$memdb" diff member.db fewer.db >out && tr -s ' ' <out | grep -q '^serial\[\].a struct pair 60.0 0.0 -60.0 .* less' || { echo "FAIL diff by member: $(cat out)"; failed=1; }
# diff --html writes one file. A memdb that was built without npm has no page, and must say so.
if "$memdb" diff --html changes.html numa.db after.db 2>err; then
	head -c 100 changes.html | grep -q '<!-- memdb page -->' || { echo "FAIL diff --html: not a page"; failed=1; }
	"$memdb" diff --html changes.html numa.db after.db 2>err || { echo "FAIL diff --html: replaces no page: $(cat err)"; failed=1; }
	"$memdb" diff --html numa.db numa.db after.db 2>err; [ $? = 2 ] && grep -q "'numa.db'" err || { echo "FAIL diff --html numa.db: $(cat err)"; failed=1; }
	"$memdb" diff --html none.html numa.db numa.counted.db 2>err; [ $? = 1 ] && [ ! -e none.html ] && grep -q 'one run counts ms' err || { echo "FAIL diff --html of other units: $(cat err)"; failed=1; }
else
	grep -q 'built without the page' err || { echo "FAIL diff --html: $(cat err)"; failed=1; }
fi
for words in '--html x.html -f csv' '--html -' '--force'; do
	# shellcheck disable=SC2086 # words
	"$memdb" diff $words numa.db after.db >out 2>&1; [ $? = 2 ] || { echo "FAIL diff $words: is taken"; failed=1; }
done
# diff must compare the stacks of all threads as one object: their names contain thread ids, which differ between runs.
for tid in 101 202; do
	cp numa.db stack.$tid.db && sqlite3 -batch stack.$tid.db "UPDATE objects SET kind = 'stack', name = '[stack of thread $tid]' WHERE id = 15"
done
"$memdb" diff -f csv stack.101.db stack.202.db | grep -q '^object,\[stacks\],stack,60.0,60.0,' || { echo "FAIL diff of stacks"; failed=1; }
"$memdb" diff numa.db none.db >out 2>err; [ $? = 1 ] && grep -q "cannot open 'none.db'" err || { echo "FAIL diff none.db"; failed=1; }
# jit.db: sample 12, in code of an unknown file, is there 61 times; there are 73 samples.
fill jit.db ".read data/timer.sql" "
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 60)
	INSERT INTO sample_data
	SELECT id + 100 + k, time + k, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
		object_offset, period, weight, ins_lat, phys_address
	FROM sample_data, c
	WHERE id = 12"
advises jit.db '84 % of the samples (61) are in code that no file holds, as that of a JIT compiler, 61 of them in [libc.so.6]: what they access is in no figure above'
fill missing.db ".read data/timer.sql" "
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 60)
	INSERT INTO sample_data
	SELECT id + 100 + k, time + k, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
		object_offset, period, weight, ins_lat, phys_address
	FROM sample_data, c
	WHERE id = 12;
	UPDATE dsos SET state = 'missing' WHERE short_name = 'libc.so.6'"
advises missing.db '84 % of the samples (61) are in files that are not here, 61 of them in [libc.so.6]: what they access is in no figure above; `memdb import --symfs DIR` finds them below DIR'
# kernel.db: sample 13, in the kernel, is there 61 times; there are 73 samples. Then the same for sample 1, in code
# without a name: 61 of 70 waits.
fill kernel.db ".read data/timer.sql" "
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 60)
	INSERT INTO sample_data
	SELECT id + 100 + k, time + k, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
		object_offset, period, weight, ins_lat, phys_address
	FROM sample_data, c
	WHERE id = 13"
advises kernel.db "84 % of the samples (61) are in the kernel, 61 of them in [kernel]: system calls and the like, not the program's own accesses"
fill nameless.db ".read data/timer.sql" "
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 60)
	INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, dso_id, address, addr_source, period, memory_opcode,
		access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
	SELECT 100 + k, 1, 1, 0, 3000000000 + k, 512, 4, 2, 65536, 2, 1000000, 1, 8, 2, 0, 0, 0, 2, 1 FROM c"
advises nameless.db '86 % of the cost (61 samples) is in code of libc.so.6 that has no names: the debug symbols of that file (a package as …-dbgsym, or debuginfod) would name its functions, lines and objects'
sqlite3 -batch jit.db "INSERT INTO losses (source, what, count, detail) VALUES ('perf', 'throttled', 7, NULL)"
advises jit.db 'the kernel stopped the sampling 7 times, because it was more frequent than kernel.perf_event_max_sample_rate: times are too short; take a lower -F'
# many_pebs TIMES: makes pebs.db with the samples of pebs.sql, repeated TIMES times. Ten times: of 70 samples with a
# latency, 10 are remote and of 10 it is unknown: 5000 to 5070 cycles for 40,000 instructions, but ten samples are too
# few for a verdict. A hundred times is enough; with twice as many instructions, the verdict is the opposite.
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
advises pebs.db 'remote accesses cost 0.068 to 0.232 cycles for each instruction (10 accesses, by what the hardware says) (known for 86 % of the accesses): cannot tell whether better placement is worth it, because there are too few samples'
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
# The five objects of numa.sql and counter of program.sql get the same name, so the report has one row for all 88
# waits (Wilson interval 95.8-100).
fill pool.db ".read data/numa.sql" "
	UPDATE objects SET name = 'pool', function = 'grow', line = 7 WHERE id >= 10 OR id = 2;
	INSERT INTO sample_data
	SELECT id + 44, time + 44000000, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
		object_offset, period, weight, ins_lat, phys_address
	FROM sample_data"
advises pool.db "6 objects are named pool (grow): together 100.0 % of the cost (95.8-100.0); \`memdb report --by site\` has one row for them"
# ranks_by_samples DATABASE SENTENCE HEADLINE: checks that the report shows no shares of cost and ranks by number
# of samples. It must do so if there are only a few waits, and if the CPU is emulated, which gives only the address
# of the next access.
ranks_by_samples()
{
	advises "$1" "$2"
	grep -qF -- "$3" out || { echo "FAIL report $1: no '$3' in:"; cat out; failed=1; }
	! grep -qE '^(id +)?cost|\.[0-9] %|thread time|gain|cost is' out || { echo "FAIL report $1: a claim in:"; cat out; failed=1; }
}
fill few.db ".read data/timer.sql"
ranks_by_samples few.db '10 waits for memory were seen: too few to tell what memory costs, so objects and lines are ranked by their samples' \
	': 13 samples, 11 with a data address, 11 in a known object'
# few.db has too few waits for a statement about cost, so no page may show one.
"$memdb" report --object table few.db >out 2>err && grep -q '^cost: not known' out && ! grep -qE 'its cost|  cost  |cost: [0-9]' out || { echo "FAIL report --object: a cost in: $(cat out err)"; failed=1; }
"$memdb" annotate gather few.db >out 2>err && ! grep -qE 'of the cost|^ +[0-9.]+ %' out || { echo "FAIL annotate: a cost in: $(cat out err)"; failed=1; }
# annotate prints a line's remote share as a range. In walk.db, 4 waits are local and the addresses of 996 are lost: 0
# to 100 %. In few.db, 2 of 3 samples are known to be remote: 21 to 100 %.
"$memdb" annotate gather walk.db >out 2>err && tr -s ' ' <out | grep -q '^ 100.0 % 1000 0-100 % 5 |' || { echo "FAIL annotate walk: $(cat out err)"; failed=1; }
"$memdb" annotate main few.db >out 2>err && tr -s ' ' <out | grep -q '^ 3 21-100 %' || { echo "FAIL annotate few: $(cat out err)"; failed=1; }
# If the sampler counted every access, the report has shares of the accesses, not of the rows of samples, and no
# cost.
fill counted.db ".read data/counted.sql"
"$memdb" report --object table counted.db >out 2>err && tr -s ' ' <out | grep -qF 'accesses: 99.9 % of all (99.9-99.9); 6 samples (2 loads, 4 stores) of 2 threads' &&
	tr -s ' ' <out | grep -qF '101 worker 50.2 % 50.2-50.2 4' && grep -q '^its accesses' out || { echo "FAIL report --object of counts: $(cat out err)"; failed=1; }
"$memdb" annotate gather counted.db >out 2>err && tr -s ' ' <out | grep -qF ': 100.0 % of the accesses, 256 samples' && grep -q '^accesses' out ||
	{ echo "FAIL annotate of counts: $(cat out err)"; failed=1; }
fill tcg.db ".read data/numa.sql" "UPDATE runs SET cpudesc = 'QEMU TCG CPU version 2.5+'; UPDATE access_kinds SET addr_source = 3, waited = NULL"
ranks_by_samples tcg.db 'the CPU is emulated (QEMU TCG CPU version 2.5+): an interrupt comes where a block of translated code begins, which says nothing of waiting; objects and lines are ranked by their samples, and nothing here tells what memory costs' \
	': 44 samples, 44 with a data address'
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
	'there are 2 tracepoint events, 3 allocations'
sqlite3 -batch none.db "UPDATE runs SET sampler = NULL"
without none.db 'no samples: none of the events that perf sampled came to its period: record for longer, or with a shorter period' 'app -n 3: 2.5 s, no samples, exit code 0'
sqlite3 -batch none.db "DELETE FROM selected_events WHERE id <> 2; DELETE FROM tracepoints; DELETE FROM objects;
	INSERT INTO selected_events VALUES (5, 'a:b', 'tracepoint', 2, 1, 0, 1, NULL, NULL, NULL)"
without none.db 'no samples: perf recorded page-faults, a:b, which says nothing of time and memory accesses; `memdb record` records those as well, and `memdb import --help` shows how perf does' 'app -n 3: 2.5 s, no samples, exit code 0'
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
# An option that would have no effect is refused, with a sentence and exit code 2.
: >a.capture
refused() # refused TEXT COMMAND WORDS...: checks that memdb refuses the command with a message that contains TEXT
{
	local text=$1

	shift
	"$memdb" "$@" >out 2>err; [ $? = 2 ] && grep -qF -- "$text" err && [ ! -s out ] || { echo "FAIL $*: not refused with '$text': $(head -n 3 out err)"; failed=1; }
}
refused '--html and --object exclude each other' report --html page.html --object table numa.db
refused "'-' is not a file" report --html - numa.db
refused '--force is for the FILE of --html' report --force numa.db
for option in --call-graph=dwarf --trace=sched --max-size=1G --no-kernel --perf=/usr/bin/perf; do
	refused "${option%%=*} is for perf, which the sampler exact does not use" record --sampler exact $option -o x.db true
	refused "${option%%=*} is for perf, which the sampler soft does not use" record $option --sampler soft -o x.db true
done
for sampler in exact soft timer ibs; do refused "--ldlat is for pebs and spe: the sampler $sampler ignores it" record --sampler $sampler --ldlat 9 -o x.db true; done
# The same if --sampler auto (the default) chooses a sampler that ignores the option. memdb must refuse
# before it records.
if "$memdb" doctor 2>&1 | grep -qE 'auto.* timer'; then refused '--ldlat is for pebs and spe: the sampler timer ignores it' record --ldlat 9 -o x.db true; fi
for option in --min-size=4 --sample-small=10 --tracker=x --all-blocks; do refused "${option%%=*} is for the tracker: --no-track leaves it out" record $option --no-track -o x.db true; done
refused "'-' is not a file" record -o - true
refused "'-' is not a file" record --raw - true
refused '--all-blocks and --keep-blocks exclude each other' import --keep-blocks 64 --all-blocks a.capture
refused '-q and -v exclude each other' import -q -v a.capture
for option in --alloc --symfs --debug-dirs; do
	refused "$option: cannot open '/nonexistent': No such file or directory" import $option /nonexistent a.capture
	refused "$option: 'numa.db' is not a folder" import $option numa.db a.capture
done
refused "--debug-dirs: cannot open '/nonexistent': No" import --debug-dirs /usr:/nonexistent a.capture
refused "--source-dir: cannot open '/nonexistent': No" annotate --source-dir /nonexistent numa.db
refused "--substitute-path: cannot open '/nonexistent': No" annotate --substitute-path /a=/nonexistent numa.db
refused "there is no command 'repot'; did you mean 'report'?" repot
refused "there is no command 'zzzzzz'; \`memdb help\` lists them" help zzzzzz
"$memdb" help annotate >out 2>err && diff out <("$memdb" annotate --help) && grep -q -- --source-dir out || { echo "FAIL help annotate: $(cat err)"; failed=1; }
refused "'-' is not a file" import -o - a.capture
refused "'numa.db' is a database already: memdb report numa.db shows it" import numa.db
refused 'which query?' query --sql
refused 'which query?' query --format csv
refused 'which query?' query --in gather
refused '--describe and --sql exclude each other' query -d --sql costs
refused '--format is for rows: --sql prints none' query --sql -f csv costs
refused '--format is for rows: --describe prints none' query -d -f csv costs
refused '--describe says what can be asked' query -d costs by=line
refused '--to and --datasette-metadata exclude each other' export --to csv --datasette-metadata numa.db
refused '--by is for call paths' export --to parquet --by object -o dir numa.db
refused '--by is for call paths' export --datasette-metadata --by wait numa.db
refused '--force is for the FILE of -o' export --to csv --force numa.db
refused "'-' is not a file" export --to parquet -o - numa.db
(mkdir -p empty && cd empty && "$memdb" report 2>../err); [ $? = 1 ] && grep -q "'run.db': No such file or directory: .memdb record ./app. makes it" err || { echo "FAIL no run.db: $(cat err)"; failed=1; }
echo 'SELECT * FROM nothing' | "$memdb" sql run.db >out 2>&1; [ $? = 1 ] || { echo "FAIL sql: a failed statement is a success"; failed=1; }
"$memdb" sql run.db -- 'SELECT 41 + 1' | grep -q '^42' || { echo "FAIL sql --"; failed=1; }
# The noun of a count of 1 is singular: "1 sample".
sqlite3 -batch run.db ".backup single.db" && sqlite3 -batch single.db "DELETE FROM sample_data WHERE id > 1" && derive single.db
"$memdb" report single.db >out && "$memdb" report --object 1 single.db >>out && grep -q '1 sample' out && ! grep -qE '\b1 (sample|load|store|thread)s' out || { echo "FAIL one sample: $(cat out)"; failed=1; }
[ $failed = 0 ] && echo "all good"
exit $failed
