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
"$memdb" query -f csv costs by=run cut.db --in main >got 2>err && grep -q 'their call path ends early (record with --call-graph dwarf, or build with -fno-omit-frame-pointer)$' err || fail "--in main of paths that end early names no remedy: $(cat err)"

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
refuses "none of the $all samples is from 1000 s: the recording is 2.500 s long" report --from 1000 run.db
refuses '--from 2 is not before --to 1' query costs --from 2 --to 1 run.db
refuses '--from 1 is not before --to 1' query costs --from 1 --to 1 run.db
refuses "--to is a number of seconds, such as 1.5; not '1s'" report --to 1s run.db
refuses "--from is a number of seconds, such as 1.5; not '-1'" report --from=-1 run.db
refuses "--sql prints the statement alone" query costs --sql --from 1 run.db
[ $failed = 0 ] && echo "all good"
exit $failed
