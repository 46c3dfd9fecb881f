#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# docs.sh MEMDB SQLTOOL: tests that the examples in README.md and docs/*.md agree with the program.
# docs.sh MEMDB DATABASE rows: also tests, on a recording of tests/programs/demo.c, that the examples about its
# vector, objects and blocks have rows.
#
# For each SQL statement (a block ```sql, or `$ sqlite3 -box run.db "…"`), the columns must be those of the table that
# follows. For each `$ memdb query …`, the printed columns must be columns of the query in its order; a table omits
# columns without a value. Each answer that the view coverage may contain must be explained in docs/metrics.md.
set -u
command -v sqlite3 >/dev/null || { echo "skip: there is no sqlite3 shell"; exit 77; }
memdb=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export HOME=$work LC_ALL=C.UTF-8 # no settings of the user for sqlite3
trap 'rm -rf "$work"' EXIT
failed=0
complain() { echo "FAIL $*"; failed=1; }

if [ "${3-}" = rows ]; then
	db=$2
else
	db=$work/empty.db
	"$2" empty "$db" || exit 1
fi

# statements FILE: prints each statement with the header that follows it, as STATEMENT TAB WORDS.
statements()
{
	awk '
	function end_header(line) {
		gsub(/[│|]/, " ", line)
		gsub(/^ +| +$/, "", line)
		gsub(/ +/, " ", line)
		print text "\t" line
		text = ""
	}
	/^```sql$/ { inside = 1; text = ""; next }
	/^\$ sqlite3 -box run.db "/ { sub(/^[^"]*"/, ""); typed = 1; text = "" }
	typed { sub(/^> /, ""); done = sub(/"$/, ""); text = text $0 " "; if (done) typed = 0; next }
	inside && /^```$/ { inside = 0; next }
	inside { text = text $0 " "; next }
	text != "" && /^│/ { end_header($0) }' "$1"
}

# queries FILE: prints each `$ memdb query NAME …` with the header that follows it.
queries()
{
	awk '/^\$ memdb query / { name = $4; getline; gsub(/ +/, " "); print name "\t" $0 }' "$1"
}

for file in "$here"/../../README.md "$here"/../../docs/*.md; do
	shown=0
	while IFS=$'\t' read -r text header; do
		shown=$((shown + 1))
		text=${text%"${text##*[![:space:]]}"}
		columns=$(sqlite3 -readonly -batch "$db" "CREATE TEMP VIEW asked AS ${text%;}" "SELECT group_concat(name, ' ') FROM pragma_table_info('asked')" 2>&1)
		[[ "${text^^}" != *RECURSIVE* ]] || complain "${file##*/}: a recursive statement: $text"
		[ "$columns" = "$header" ] || complain "${file##*/}: columns are '$columns', not '$header', of: $text"
		rows=$(sqlite3 -readonly -batch "$db" "SELECT count(*) FROM (${text%;})" 2>&1)
		[[ "$rows" =~ ^[0-9]+$ ]] || complain "${file##*/}: $rows, of: $text"
		[ "${3-}" != rows ] || ! [[ "$text" =~ \'vector\'|'FROM objects'|'FROM allocations'|'FROM object_costs' ]] || [ "$rows" -gt 0 ] ||
			complain "${file##*/}: no rows, of: $text"
	done < <(statements "$file")
	while IFS=$'\t' read -r name header; do
		shown=$((shown + 1))
		left=" $("$memdb" query --describe "$name" | awk '/^columns/ { on = 1; next } on && NF { print $1 }' | tr '\n' ' ')"
		[ "$left" != " " ] || complain "${file##*/}: there is no query '$name'"
		for word in $header; do
			case $left in
			*" $word "*) left=" ${left#*" $word "}" ;;
			*) complain "${file##*/}: query $name has no column '$word' there" ;;
			esac
		done
	done < <(queries "$file")
	told=$(grep -cE '^```sql$|^\$ (sqlite3 -box run.db "|memdb query )' "$file")
	[ $shown = "$told" ] || complain "${file##*/}: $told statements and queries, $shown with what they print"
done
# The answers of coverage are names in tables of the schema, or texts in the view's definition.
for word in $(sqlite3 -batch "$db" "SELECT name FROM addr_sources WHERE id > 0 UNION SELECT name FROM addr_reasons UNION SELECT name FROM object_reasons UNION SELECT name FROM home_sources
	UNION SELECT name FROM time_kinds") $(grep -oE "'[a-z -]{4,}'" "$here/../../sql/views/coverage.sql" | sort -u | tr -d "'" | tr ' ' '~'); do
	# these words are questions of coverage, not answers
	case $word in address | wait | object | name | type | member | function | line | home) continue ;; esac
	grep -qF "\`${word//\~/ }\`" "$here/../../docs/metrics.md" || complain "metrics.md: nothing is said of '${word//\~/ }'"
done
[ $failed = 0 ] && echo "all good"
exit $failed
