#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh SQLTOOL [FOLDER...]: tests every view and every query, or those of the folders: inserts rows into a database and
# compares the printed CSV.
#
# The folder NAME/ or NAME.VARIANT/ is a test of the view NAME and the query NAME. Its files are:
#   rows.sql    inserts rows into an empty database; its paths are relative to tests/sql
#   view.csv    the expected output of the view, ordered by its first columns
#   query.csv   the expected output of the query, by memdb and by the sqlite3 shell
#   params.txt  parameters for the query, as words PARAM=VALUE; the query then runs by memdb alone
#   query.sql   a statement to test instead of a query with that name
# The folder report.VARIANT/ contains rows.sql and report.txt, the expected report.
# With ACCEPT=1, the script writes the expected files instead of comparing. Read them before you commit them.
set -u
command -v sqlite3 >/dev/null || { echo "skip: there is no sqlite3 shell"; exit 77; }
tool=$(realpath "$1")
shift
cd "$(dirname "$0")" || exit 1
root=../..
work=$(mktemp -d)
export HOME=$work LC_ALL=C # no settings of the user for sqlite3, and no locale with decimal commas
trap 'rm -rf "$work"' EXIT
failed=0
complain() { echo "FAIL $*"; failed=1; }

# plain: removes differences between writers of CSV and between versions of SQLite: line ends, optional quotes, and
# the last digits of real numbers.
plain() {
	awk -F, -v OFS=, '{ sub(/\r$/, "")
		while (match($0, /"[^",]*"/))
			$0 = substr($0, 1, RSTART - 1) substr($0, RSTART + 1, RLENGTH - 2) substr($0, RSTART + RLENGTH)
		for (i = 1; i <= NF; i++) if ($i ~ /^-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?$/) $i = sprintf("%.6g", $i);
		print }'
}

# compare FILE WHAT: checks that standard input is equal to FILE, except for what plain removes.
# WHAT names the test.
compare() {
	plain >"$work/got"
	if [ "${ACCEPT:-}" ]; then cp "$work/got" "$1"; return; fi
	diff "$1" "$work/got" >"$work/diff" || { complain "$2: $(grep -m 1 '^<' "$work/diff") $(grep -m 1 '^>' "$work/diff")"; diff -u "$1" "$work/got"; }
}

# fill DATABASE ROWS: makes a database with these rows. Also computes the sums that the importer computes from such
# rows (data/derived.sql).
fill() {
	cp "$work/empty.db" "$1" &&
	sqlite3 -batch -bail "$1" "PRAGMA synchronous=off" ".read data/insert.sql" ".read $2" ".read data/derived.sql" &&
	"$tool" totals "$1"
}

run_test() {
	local dir=${1%/} name params=()
	name=${dir%%.*}
	rm -f "$work/run.db"
	fill "$work/run.db" "$dir/rows.sql" || { complain "$dir: rows"; return; }
	if [ -f "$dir/query.sql" ]; then
		compare "$dir/query.csv" "$dir" < <(sqlite3 -batch -csv -header "$work/run.db" <"$dir/query.sql" 2>&1)
		return
	fi
	if [ "$name" = report ]; then
		compare "$dir/report.txt" "$dir" < <("$tool" report "$work/run.db" 2>&1)
		return
	fi
	if grep -qx "$name" "$work/views" && [ ! -f "$dir/params.txt" ]; then
		compare "$dir/view.csv" "$dir: view" < <(sqlite3 -batch -csv -header "$work/run.db" \
			"SELECT * FROM $name ORDER BY 1, 2, 3, 4, 5" 2>&1)
	fi
	[ -f "$root/queries/$name.sql" ] || return
	[ -f "$dir/params.txt" ] && read -ra params <"$dir/params.txt"
	compare "$dir/query.csv" "$dir: query by memdb" \
		< <("$tool" query "$name" "$work/run.db" "${params[@]}" 2>&1)
	[ -f "$dir/params.txt" ] ||
		compare "$dir/query.csv" "$dir: query by sqlite3" \
			< <(sqlite3 -batch -csv -header "$work/run.db" <"$root/queries/$name.sql" 2>&1)
}

# header FILE KEY: prints the text of the line "-- KEY: text" in a file.
header() { sed -n "s/^-- $2: *//p" "$1"; }

# lint_header FILE KEY NAME: checks that FILE has a line "-- KEY: NAME" and one summary, and that
# there is a test of NAME.
lint_header() {
	local name=$3
	[ "$(header "$1" "$2")" = "$name" ] || complain "$1: says '-- $2:' other than $name"
	[ "$(header "$1" summary | wc -l)" = 1 ] || complain "$1: needs one '-- summary:'"
	compgen -G "$name/rows.sql" >/dev/null || compgen -G "$name.*/rows.sql" >/dev/null || complain "$1: has no test"
}

# lint_view NAME: checks that the stored definition of a view, which .schema prints, describes each of its columns.
lint_view() {
	local name=$1 columns told
	sqlite3 -batch "$work/empty.db" "SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = '$name'" >"$work/$name"
	lint_header "$work/$name" view "$name"
	[ "$(header "$work/$name" grain)" ] || complain "$name: no '-- grain:' inside the statement"
	columns=$(sqlite3 -batch "$work/empty.db" "SELECT name FROM pragma_table_info('$name')") ||
		complain "$name: cannot be read"
	sqlite3 -batch "$work/empty.db" "SELECT * FROM $name" >/dev/null || complain "$name: fails on an empty database"
	lint_plan "$name" < <(sqlite3 -batch "$work/empty.db" "EXPLAIN QUERY PLAN SELECT * FROM $name")
	# moving_lines() must not read samples if the recording has no counts. So a separate scan must decide whether to
	# read sample_data.
	sqlite3 -batch "$work/empty.db" "EXPLAIN QUERY PLAN SELECT * FROM $name" | grep -A 1 -E -e '--MATERIALIZE (moves|uses)$' |
		grep -q -e '--SCAN s$' && complain "$name: looks for moving lines in a recording without counts"
	told=$(sed -n 's/^  .* AS \([a-z_]*\),\{0,1\}  *-- .*/\1/p' "$work/$name")
	[ "$columns" = "$told" ] || complain "$name: columns are not those it tells:" $columns "|" $told
}

# lint_plan WHAT: reads a query plan from standard input and checks that the query does not read drawn_samples once for
# each row of another table, which would take minutes for a long recording. In the plan, drawn_samples is a scan of "s"
# and a search in "m" (kind_measures). A table "once" has one row at most. Must not run in a pipe, which would lose the failure.
lint_plan() {
	awk '{ split($0, part, "--"); indent = part[1] }
		inner && indent == before && /--(SEARCH|BLOOM FILTER ON) m / { bad = 1 }
		{ inner = /--SCAN s$/ && indent == before && scan; before = indent; scan = /--(SCAN|SEARCH) / && !/--SCAN once$/ }
		END { exit bad }' || complain "$1: reads all drawn samples once per row of another table"
}

lint_query() {
	local name columns told used param preset other list word
	name=$(basename "$1" .sql)
	lint_header "$1" query "$name"
	"$tool" query "$name" "$work/empty.db" >"$work/out" || complain "$1: fails on an empty database"
	lint_plan "$1" < <(sqlite3 -batch "$work/empty.db" "EXPLAIN QUERY PLAN $(grep -v '^--' "$1")")
	columns=$(head -1 "$work/out" | tr -d '\r' | tr , '\n')
	told=$(header "$1" column | awk '{ print $1 }')
	[ "$columns" = "$told" ] || complain "$1: columns are not those it tells:" $columns "|" $told
	used=$(grep -v '^--' "$1" | grep -o ':[a-z][a-z_]*' | sort -u | tr -d :)
	[ "$used" = "$(header "$1" param | awk '{ print $1 }' | sort)" ] ||
		complain "$1: parameters are not those it tells"
	while read -r param preset _; do
		[ "$preset" = - ] || [ -z "$param" ] || grep -q "coalesce(:$param, $preset)" "$1" ||
			complain "$1: the default of $param is not $preset"
	done < <(header "$1" param)
	while read -r param other list; do
		for word in $param $other; do
			grep -qxF "$word" <<<"$used" || complain "$1: '$word' is no parameter of a rule"
		done
		for word in ${list//,/}; do
			header "$1" values | grep -q "^$other .*\b$word\b" || complain "$1: $other is never '$word'"
		done
	done < <(header "$1" with; header "$1" without)
}

"$tool" empty "$work/empty.db" || exit 1
sqlite3 -batch "$work/empty.db" "SELECT name FROM sqlite_schema WHERE type = 'view'" >"$work/views"
# lint_all: checks all views, queries and tables.
lint_all() {
	while read -r name; do lint_view "$name"; done <"$work/views"
	for f in "$root"/queries/*.sql; do lint_query "$f"; done
	# The CREATE statement in the database must describe each column of each table.
	sqlite3 -batch "$work/empty.db" "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'" |
		awk '/^CREATE TABLE/ { table = $3; told = 0; next }
			/^\t--/ { told = 1; next }
			/^\t[a-z0-9_]+ / { if (!told) { print table ": no comment"; told = 1 }
				if ($0 !~ /-- ./ ) print table "." $1 ": no comment" }' >"$work/out"
	[ -s "$work/out" ] && complain "sql/schema: $(cat "$work/out")"
}

if [ $# = 0 ]; then
	lint_all
	set -- */rows.sql
fi
for d; do run_test "${d%/rows.sql}"; done
[ $failed = 0 ] && echo "all good"
exit $failed
