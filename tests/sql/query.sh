#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# query.sh MEMDB SQLTOOL: tests the output and the exit code of `memdb query`.
# shellcheck source=tests/sql/cli.sh
. "$(dirname "$0")/cli.sh"

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

# no_rows TEXT WORDS...: checks that `memdb query WORDS` has no rows, and that TEXT is in the reason.
no_rows() {
	local text=$1
	shift
	"$memdb" query -f json "$@" >out 2>err || { echo "FAIL query $*: exit code $?"; failed=1; }
	[ "$(cat out)" = "[]" ] || { echo "FAIL query $*: there are rows"; failed=1; }
	grep -qF -- "no rows: $text" err || { echo "FAIL query $*: no '$text' in: $(cat err)"; failed=1; }
}

# A member has a fixed cache line only if all elements start at the same position in a line, or if there is only
# one element.
fill typed.db ".read data/typed.sql" "UPDATE types SET size_bytes = 40 WHERE id = 1"
[ "$("$memdb" query -f csv members object=1 typed.db | cut -d, -f 9 | sort -u | xargs)" = 'cache_line' ] || { echo "FAIL query members: an array has $("$memdb" query members object=1 typed.db)"; failed=1; }
sqlite3 -batch typed.db "UPDATE objects SET type_repeats = 0 WHERE id = 1"
[ "$("$memdb" query -f csv members object=1 typed.db | cut -d, -f 9 | sort -u | xargs)" = '0 cache_line' ] || { echo "FAIL query members: a variable has $("$memdb" query members object=1 typed.db)"; failed=1; }
# If a query has no rows, it must say why on stderr, and which view to use instead.
no_rows 'the samples do not say which cache or memory served them' data_sources
no_rows 'nothing in the recording matches these parameters' moves kind=pages
no_rows 'no false sharing was seen' layout
no_rows 'no object has a hint' hints
sqlite3 run.db ".backup ordered.db"
sqlite3 -batch -bail ordered.db "DELETE FROM sample_data WHERE address IS NULL; UPDATE sample_data SET address = 8388608, object_id = 2, time = 1500000000 + thread_id,
	kind_id = (SELECT k.id FROM access_kinds AS k JOIN kind_measures AS m ON m.id = k.id WHERE m.stores LIMIT 1)"
no_rows 'no two threads were seen to use a cache line in overlapping periods' sharing ordered.db
[ "$(sqlite3 ordered.db 'SELECT count(*) > 0 FROM shared_lines')" = 1 ] || { echo "FAIL shared_lines: no lines that threads used one after another"; failed=1; }
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
expect 0 1 'its id or name; if several objects have that name, the object with the highest cost' -d call_stack
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
# The SQL that memdb prints must give the same rows in the sqlite3 shell, even if a parameter contains quotes.
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
"$memdb" sql none.db >out 2>err; [ $? = 1 ] && grep -q "^memdb sql: cannot open 'none.db': No such file or directory: " err ||
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
# Each parameter that expects a number or a name must refuse 0, and a name that does not exist. No query may ignore
# such a value.
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
# Each filter must work or be refused with a message. It must not lead to an empty table.
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

# Users may type names as tables shorten them, or only the beginning or end of a name, if only one object or
# function has such a name.
sqlite3 -batch named.db "UPDATE objects SET name = 'void sort<std::vector<int> >::held (sort.h:12)' WHERE id = 1; UPDATE objects SET name = 'void sort<std::vector<int> >::hold (sort.h:7)' WHERE id = 2;
	UPDATE locations SET function = 'ns::gather<float, double>(int)' WHERE function = 'gather'; UPDATE symbols SET name = 'ns::gather<float, double>(int)' WHERE name = 'gather'"
for name in 'void sort<…>::held (sort.h:12)' 'void sor….h:12)' 'void sor...ld (sort.h:12)' '…held…' 'sort.h:12)'; do
	notes '' costs named.db "object=$name"
	grep -q '^ *1  void sort' out || { echo "FAIL query costs object=$name: $(cat out)"; failed=1; }
	"$memdb" report named.db --object "$name" | head -n 1 | grep -q 'held' || { echo "FAIL report --object $name"; failed=1; }
done
expect 2 2 "there is no object 'void so'; it may be one of 2: 'sort<…>::h" costs named.db 'object=void so'
expect 2 2 "there is no object '…pool…pool…'" costs named.db 'object=…pool…pool…'
# So is a name as the report's table of objects has it: without scopes, or with the kind or the number of objects. If several
# objects have it, the message lists them.
cp run.db rows.db
sqlite3 -batch rows.db "UPDATE objects SET name = '*kernel::p', kind = 'stack' WHERE id = 1; UPDATE objects SET name = 'Cache<3>::slots' WHERE id = 2; UPDATE objects SET name = 'Cache<4>::slots' WHERE id = 3;
	INSERT INTO objects (id, name, kind, size_bytes, allocations, allocated_bytes) VALUES (101, 'rows', 'heap', 1, 1, 1), (102, 'rows', 'static', 1, 1, 1)"
for name in p '*kernel::p' 'p (stack)'; do
	"$memdb" report rows.db --object "$name" >out 2>err && grep -q '^\*kernel::p: ' out || { echo "FAIL report --object '$name': $(cat out err)"; failed=1; }
	"$memdb" annotate rows.db --object "$name" >out 2>err || ! grep -q 'there is no object' err || { echo "FAIL annotate --object '$name': $(cat err)"; failed=1; }
done
for kind in heap static; do
	"$memdb" report rows.db --object "rows ($kind)" >out 2>err && grep -q "^2 objects are named 'rows'; " out && grep -q "^rows: $kind" out || { echo "FAIL report --object 'rows ($kind)': $(cat out err)"; failed=1; }
done
expect 2 2 "there is no object 'slots'; it may be one of 2: 'Cache<3>::slots' (id 2), 'Cache<4>::slots' (id 3)" costs rows.db object=slots
expect 2 2 "there is no object 'rows (stack)'" costs rows.db 'object=rows (stack)'
# Each name that the report prints stands for an object of its row: also if the number of objects and the kind follow the name, or if
# an object in the row for the rest, or without a sample, has the same name in another scope.
# prints DATABASE NAME...: checks that the report has exactly these objects, and that --object accepts each of them.
prints() {
	local db=$1 at name
	shift
	"$memdb" report "$db" >ranking 2>&1
	at=$(awk '/^id  / { print index($0, " object") + 1; exit }' ranking)
	awk -v at="$at" '/^id  / { on = 1; next } !NF { on = 0 } on && /^[0-9]/ { t = substr($0, at); sub(/  .*/, "", t); print t }' ranking >names
	[ "$(cat names)" = "$(printf '%s\n' "$@")" ] || { echo "FAIL report $db: its objects are not $*, but:"; cat names; cat ranking; failed=1; }
	for name; do
		"$memdb" report "$db" --object "$name" >out 2>err || { echo "FAIL report $db --object '$name': $(cat err)"; failed=1; }
	done
}
fill groups.db ".read data/groups.sql"
prints groups.db 'rows (2 objects) (heap)' 'rows (static)' 'pool (3 objects)' a::data c::idle
for name in 'rows (2 objects) (heap)' 'rows (heap)' 'pool (3 objects)' 'ns::pool (3 objects)'; do
	"$memdb" report groups.db --object "$name" >out 2>err && grep -q "^3 objects are named '" out || { echo "FAIL report --object '$name': $(cat out err)"; failed=1; }
done
for name in 'rows (3 objects) (heap)' 'rows (77 objects)' 'rows (2 objects) (static)' 'rows (1 objects)' 'rows (02 objects)' 'data (static)'; do
	expect 2 2 "there is no object '$name'" costs groups.db "object=$name"
done

for name in gather ns::gather 'ns::gather<float, double>' 'ns::gather<…>' 'ns…(int)'; do
	expect 0 1 'ns::gather<…> ' costs named.db by=function "function=$name"
	expect 0 1 '"ns::gather<float, double>(int)"' costs named.db -f csv by=function "function=$name"
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
finish
