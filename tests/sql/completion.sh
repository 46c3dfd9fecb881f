#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# completion.sh MEMDB SQLTOOL: tests that shells complete words of memdb's own lists and names in the database.
set -u
memdb=$(realpath "$1") tool=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$here/../../tools/memdb.bash"
failed=0

# completes WORDS... EXPECTED: checks that bash offers EXPECTED while the last of WORDS is being
# typed.
completes()
{
	local expected=${*: -1} got

	COMP_WORDS=("$memdb" "${@:1:$#-1}")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_memdb
	got=$(printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"})
	[ "$got" = "$expected" ] || { echo "FAIL: ${*:1:$#-1}: '$got', not '$expected'"; failed=1; }
}

completes que query
completes ex export
completes query --form --format
completes query --format mark markdown
completes query object_no ''
completes query access_ access_matrix
completes query costs ki kind=
completes query costs kind = he heap
completes query costs kind=he kind=heap
completes export --to s speedscope
completes export --by '' 'wait
object'
completes report --by '' 'site
path
type
wrapper'
completes report --by = w wrapper
completes report --obj --object
completes record --sampler ti timer
completes record --sampler = exa exact
completes diff --no '--noise
--no-pager'
completes report /nowhere/at/a ''
for query in $("$memdb" query | awk '{ print $1 }'); do
	COMP_WORDS=("$memdb" query "$query") COMP_CWORD=2
	_memdb
	[[ " ${COMPREPLY[*]} " == *" $query "* ]] || { echo "FAIL: query $query is not completed"; failed=1; }
done
# Names of objects and functions come from the database that the command line names, otherwise from
# run.db.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$tool" empty run.db && (cd "$here" && sqlite3 -batch -bail "$work/run.db" "PRAGMA synchronous=off" \
	".read data/insert.sql" ".read data/timer.sql" ".read data/derived.sql") && "$tool" totals run.db || exit 1
completes report --object ta table
completes query costs object=ta object=table
completes report --in gat gather
completes report --in ma main
completes annotate gat gather
completes annotate --asm gat gather
completes annotate ap app.c
completes annotate gather gat ''
completes annotate --object ta table
completes annotate --source-dir gat ''
completes annotate --object table gat gather
sqlite3 -batch run.db ".backup kinds.db"
sqlite3 -batch kinds.db "UPDATE locations SET function = 'box::gather(int, char*) [clone ._omp_fn.0]' WHERE function = 'gather'; UPDATE locations SET function = 'box::main(int)' WHERE function = 'main'"
completes report kinds.db --in box::ga gather
completes query costs kinds.db function=box::ma main
rm kinds.db
sqlite3 -batch run.db ".backup other.db"
sqlite3 -batch other.db "UPDATE objects SET name = 'tower' WHERE name = 'table'; UPDATE objects SET name = 'a; rm -r x' WHERE id = 2"
mv run.db gone.db
completes report other.db --object t tower
completes annotate other.db gat gather
completes report other.db --object a 'a\;\ rm\ -r\ x'
completes report other.db --object 'a\;\ r' 'a\;\ rm\ -r\ x'
completes report other.db --object "'a; r" 'a; rm -r x'
sqlite3 -batch other.db "UPDATE objects SET name = 'ns::box::pool (nodes)' WHERE id = 2"
completes report other.db --object ns 'ns::box::pool\ \(nodes\)'
completes report other.db --object ns :: box :: p 'pool\ \(nodes\)'
sqlite3 -batch other.db "UPDATE objects SET name = 'line' || char(10) || 'break' WHERE id = 2"
completes report other.db --object line ''
completes query bins bins= ''
completes report --object t ''
# The other shells read their own files, if they are installed. zsh completes only in a terminal, which its module zpty
# provides: the tab at the end must turn "t" into "tower", and list the words that can follow --by.
if command -v zsh >/dev/null; then
	got=$(cd "$work" && PATH=$(dirname "$memdb"):$PATH TERM=dumb timeout 40 zsh -f -c '
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; PS1=; echo rea""dy"
		zpty -r shell said "*ready*"
		zpty -wn shell "memdb report other.db --object t"$'"'\t'"'
		zpty -r shell said "*--object tower*" && echo tower
		zpty -wn shell $'"'\C-u'"'"memdb annotate other.db gath"$'"'\t'"'
		zpty -r shell said "*gather*" && echo gather
		zpty -wn shell $'"'\C-u'"'"memdb report --by "$'"'\t'"'
		zpty -r shell said "*wrapper*" && echo wrapper
		zpty -d shell' zsh "$here/../../tools")
	[ "$got" = $'tower\ngather\nwrapper' ] || { echo "FAIL: zsh: '$got'"; failed=1; }
fi
if command -v fish >/dev/null; then
	got=$(cd "$work" && PATH=$(dirname "$memdb"):$PATH fish --no-config -c "source '$here/../../tools/memdb.fish'; complete -C 'memdb report other.db --object t'")
	[ "$got" = tower ] || { echo "FAIL: fish: '$got'"; failed=1; }
	got=$(cd "$work" && PATH=$(dirname "$memdb"):$PATH fish --no-config -c "source '$here/../../tools/memdb.fish'; complete -C 'memdb annotate other.db gat'")
	[ "$got" = gather ] || { echo "FAIL: fish, annotate: '$got'"; failed=1; }
fi
[ $failed = 0 ] && echo "all good"
exit $failed
