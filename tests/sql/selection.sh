#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# selection.sh MEMDB SQLTOOL: tests --from, --to and --in of `memdb report` and `memdb query`. A selection must give
# the same answers as a database that contains only the selected samples.
set -u
command -v sqlite3 >/dev/null || { echo "skip: there is no sqlite3 shell"; exit 77; }
memdb=$(realpath "$1") tool=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export HOME=$work LC_ALL=C
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "FAIL $*"; failed=1; }

# make DATABASE SQL: makes a database with the samples of data/timer.sql repeated a hundred times. The statements SQL
# change them before their sums are computed.
make()
{
	"$tool" empty "$1" && (cd "$here" && sqlite3 -batch -bail "$work/$1" "PRAGMA synchronous=off" ".read data/insert.sql" ".read data/timer.sql" "
		INSERT INTO sample_data
		SELECT id + 1000 * k, time + 10000000 * k, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
			object_offset, period, weight, ins_lat, phys_address
		FROM sample_data, (WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 99) SELECT k FROM c)
		ORDER BY k, id" "$2" ".read data/derived.sql") && "$tool" totals "$1" || exit 1
}
# same DATABASE OTHER WORDS...: checks that each query on DATABASE with the selection WORDS gives the same rows as
# on OTHER.
same()
{
	local db=$1 other=$2 query

	shift 2
	for query in $("$memdb" query | awk '{ print $1 }'); do
		case $query in
		annotate|call_stack) continue ;; # these two need a parameter
		run|losses) continue ;; # these two are about the complete run
		esac
		"$memdb" query -f csv "$query" "$db" "$@" >got 2>err && "$memdb" query -f csv "$query" "$other" >want 2>/dev/null ||
			{ fail "query $query $*: $(cat err)"; continue; }
		cmp -s got want || { fail "query $query $* is not that of $other:"; diff got want | head -n 6; }
		grep -q '^memdb query: selected: ' err || fail "query $query $* does not say what is selected: $(cat err)"
	done
}

make run.db ""
start=$(sqlite3 -batch run.db "SELECT start_ns FROM runs")
seconds() { sqlite3 -batch run.db "SELECT printf('%.9f', (time - $start) / 1e9) FROM sample_data ORDER BY id LIMIT 1 OFFSET $1"; }
all=$(sqlite3 -batch run.db "SELECT count(*) FROM samples")
[ "$all" -ge 1000 ] || fail "$all samples"
first=$(seconds $((all / 4))) last=$(seconds $((all / 2)))
where="time >= $start + 1e9 * $first AND time < $start + 1e9 * $last"

# A selection of all samples must give the same answers as no selection.
same run.db run.db --from 0
make window.db "DELETE FROM sample_data WHERE NOT ($where)"
part=$(sqlite3 -batch window.db "SELECT count(*) FROM samples")
[ "$part" -gt 100 ] && [ "$part" -lt "$all" ] || fail "the window has $part of $all samples"
# other_waits and operation_cells have sums of the complete run only, which no selection can divide. So they are removed.
for db in run.db window.db; do sqlite3 -batch $db "DELETE FROM other_waits; DELETE FROM operation_cells"; done
same run.db window.db --from "$first" --to "$last"
"$memdb" report --from "$first" --to "$last" run.db >out || fail "report"
head -n 1 out | grep -qE "^selected: [0-9.]+ to [0-9.]+ s: $part of $all samples \([0-9.]+ %, [0-9.]+ % of the cost\); shares are of these$" ||
	fail "the header of the report: $(head -n 1 out)"
[ "$(sqlite3 -batch run.db "SELECT count(*) FROM samples")" = "$all" ] || fail "the database was changed"

# --in FUNCTION selects the samples whose call path contains FUNCTION. A sample without a call path counts for the
# function of its own code.
function=$(sqlite3 -batch run.db "SELECT function FROM function_costs ORDER BY samples DESC LIMIT 1")
inside="call_path_id IN (WITH RECURSIVE i (id) AS (SELECT p.id FROM call_paths AS p JOIN locations AS l ON l.id = p.location_id WHERE l.function = '$function'
	UNION SELECT p.id FROM i JOIN call_paths AS p ON p.parent_id = i.id) SELECT id FROM i)
	OR instruction_id IN (SELECT i.id FROM instructions AS i JOIN locations AS l ON l.id = i.location_id WHERE l.function = '$function')"
make inside.db "DELETE FROM sample_data WHERE NOT coalesce($inside, 0)"
part=$(sqlite3 -batch inside.db "SELECT count(*) FROM samples")
[ "$part" -gt 100 ] && [ "$part" -lt "$all" ] || fail "$function has $part of $all samples"
sqlite3 -batch inside.db "DELETE FROM other_waits; DELETE FROM operation_cells"
same run.db inside.db --in "$function"
# All functions that have a call path were called by main, so --in main must select all samples
# with a call path.
"$memdb" query -f csv costs by=run run.db --in main >got 2>err || fail "--in main: $(cat err)"
paths=$(sqlite3 -batch run.db "SELECT count(*) FROM samples JOIN sample_data USING (id) WHERE sample_data.call_path_id IN (WITH RECURSIVE i (id) AS (SELECT p.id FROM call_paths AS p
	JOIN locations AS l ON l.id = p.location_id WHERE l.function = 'main' UNION SELECT p.id FROM i JOIN call_paths AS p ON p.parent_id = i.id) SELECT id FROM i)
	OR instruction_id IN (SELECT i.id FROM instructions AS i JOIN locations AS l ON l.id = i.location_id WHERE l.function = 'main')")
grep -q "selected: in 'main' and what it called: $paths of $all samples" err || fail "--in main is not $paths of $all: $(cat err)"
grep -q 'record with' err && fail "--in main names a remedy, though it selects most of the samples: $(cat err)"
cp run.db cut.db && sqlite3 -batch cut.db "UPDATE sample_data SET call_path_id = NULL WHERE id % 10 > 0"
"$memdb" query -f csv costs by=run cut.db --in main >got 2>err && grep -q 'their call stacks are not complete, so not all of their callers are known (record with --call-graph dwarf, or build with -fno-omit-frame-pointer)$' err || fail "--in main of paths that end early names no remedy: $(cat err)"
# Callers between two frames may be unknown: these samples may be in any function, and are in those that are known.
cp run.db hole.db && sqlite3 -batch hole.db "INSERT INTO call_paths VALUES (61, 2, NULL, NULL, 2, 'skipped'), (62, 61, 4, NULL, 3, 'user');
	UPDATE sample_data SET call_path_id = 62 WHERE id % 10 = 0"
holes=$(sqlite3 -batch hole.db "SELECT count(*) FROM samples JOIN sample_data USING (id) WHERE sample_data.call_path_id = 62")
uncertain() { "$memdb" query costs by=run "$1" --in "$2" 2>&1 >got | sed -n 's/.*; \([0-9]*\) of the other samples may be in that function.*/\1/p'; }
[ "$holes" -gt 50 ] && [ "$(uncertain hole.db "$function")" = $(($(uncertain run.db "$function") + holes)) ] ||
	fail "--in $function: $(uncertain hole.db "$function") samples are uncertain, with $holes whose callers are not known; $(uncertain run.db "$function") without them"
[ "$(uncertain hole.db main)" = "$(uncertain run.db main)" ] || fail "--in main counts samples as uncertain that are in it"

# The path of a thread that helps with a parallel region (31 to 33), and a path that the runtime cuts (41), begin with the region. They are in the
# function in which all others run that region or the function that contains it (24), as far as there are others.
regions="
	INSERT INTO locations VALUES (11, 1, 1, 1, 4100, 4, 10, 3, 'solve'), (12, 1, 1, 1, 4100, 4, 10, 3, 'scale(int)'),
		(13, 1, 1, 1, 4100, 4, 10, 3, 'scale(int) [clone ._omp_fn.0]'), (14, 1, 1, 1, 4100, 4, 10, 3, 'pull._omp_fn.1'),
		(15, 1, 1, 1, 4100, 4, 10, 3, 'helped');
	INSERT INTO call_paths VALUES (21, 2, 11, 1, 2, 'user'), (22, 21, 12, 1, 3, 'user'), (23, 22, 4, NULL, 4, 'user'), (24, 23, 13, 1, 5, 'user'),
		(25, 2, 12, 1, 2, 'user'), (30, 1, 4, NULL, 1, 'user'), (31, 30, 13, 1, 2, 'user'), (32, 30, 14, 1, 2, 'user'), (33, 31, 15, 1, 3, 'user'),
		(40, 4, 4, NULL, 1, 'user'), (41, 40, 13, 1, 2, 'user');
	UPDATE sample_data SET call_path_id = CASE id / 1000 WHEN 1 THEN 24 WHEN 2 THEN 31 WHEN 3 THEN 32 WHEN 4 THEN 33 WHEN 5 THEN 41 ELSE 2 END;"
make regions.db "$regions"
make both.db "$regions UPDATE sample_data SET call_path_id = 25 WHERE id / 1000 = 6;"
make few.db "$regions UPDATE sample_data SET call_path_id = 2 WHERE call_path_id = 24 AND id % 1000 > 5;"
# counts DATABASE FUNCTION PATHS MAYBE: checks that --in FUNCTION selects the samples of these paths, and that those of MAYBE may belong there.
counts()
{
	local in maybe text

	in=$(sqlite3 -batch "$1" "SELECT count(*) FROM samples WHERE id IN (SELECT id FROM sample_data WHERE call_path_id IN ($3))")
	maybe=$(sqlite3 -batch "$1" "SELECT count(*) FROM samples WHERE id IN (SELECT id FROM sample_data WHERE call_path_id IN ($4))")
	text="selected: in '$2' and what it called: $in of"
	"$memdb" query -f csv costs by=run "$1" --in "$2" >got 2>err
	grep -qF "$text" err || fail "$1: --in $2 is not '$text': $(cat err)"
	[ "$(sed -n 's/.*; \([0-9]*\) of the other samples may be in that function or what it called, too: it is not known which function started their parallel region.*/\1/p' err)" = "${maybe#0}" ] ||
		fail "$1: --in $2 is not sure about $maybe samples: $(cat err)"
	grep -q 'functions have that name' err && fail "$1: a region of $2 counts as another function: $(cat err)"
}
counts regions.db solve 24,31,33,41 32
counts regions.db scale 24,31,33,41 32
counts regions.db pull 32 ""
counts regions.db helped 33 32
counts both.db solve 24 31,32,33,41
counts few.db solve 24 31,32,33,41

# refuses TEXT WORDS...: checks that memdb refuses the words with this message.
refuses()
{
	local text=$1 code

	shift
	"$memdb" "$@" >out 2>err
	code=$?
	[ $code = 2 ] && [ ! -s out ] && grep -qF -- "$text" err || fail "$*: code $code, $(cat out err)"
}
refuses "there is no function 'nothing'; " report --in nothing run.db
refuses "none of the $all samples is in the selected part (from 1000 s): the recording is 2.500 s long" report --from 1000 run.db
refuses '--from 2 is not before --to 1' query costs --from 2 --to 1 run.db
refuses '--from 1 is not before --to 1' query costs --from 1 --to 1 run.db
refuses "--to is a number of seconds, such as 1.5; not '1s'" report --to 1s run.db
refuses "--from is a number of seconds, such as 1.5; not '-1'" report --from=-1 run.db
refuses "--sql prints the statement alone" query costs --sql --from 1 run.db
[ $failed = 0 ] && echo "all good"
exit $failed
