#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# man.sh MEMDB DIR: checks that each command of memdb has a manual page in DIR, that the page names all options of
# the command's help, and that troff reports no problem in it.
set -u
export LC_ALL=C
memdb=$(realpath "$1") dir=$2
failed=0
fail() { echo "FAIL $*"; failed=1; }

pages=$(cd "$dir" && echo *.[17])
commands=$("$memdb" help | awk '/^  [a-z]/ { print $1 }')
expected=$({ echo memdb.1; echo memdb-schema.7; for command in $commands; do echo "memdb-$command.1"; done; } | LC_ALL=C sort | xargs)
[ "$pages" = "$expected" ] || fail "the pages are $pages"
for command in $commands; do
	page=$dir/memdb-$command.1
	grep -q '^memdb\\-'"$command"' \\- .' "$page" || fail "$page: no name with what it is for"
	for option in $("$memdb" "$command" --help | grep -oE -- '^(  -[a-zA-Z?], |      )--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
		sed 's/\\-/-/g' "$page" | grep -qF -- "\\fB$option\\fR" || fail "$page: $option is missing"
	done
done
for query in $("$memdb" query | awk '{ print $1 }'); do grep -q "^.fB$query.fR" "$dir/memdb-query.1" || fail "memdb-query.1: $query is missing"; done
grep -q '^\.SS access_samples$' "$dir/memdb-schema.7" || fail "memdb-schema.7: a view is missing"
if command -v groff >/dev/null; then
	for page in $pages; do
		said=$(groff -ww -man -Tutf8 -Kutf8 -rLL=100n -z "$dir/$page" 2>&1) && [ ! "$said" ] || fail "$page: $said"
		groff -man -Tutf8 -Kutf8 "$dir/$page" | grep -q 'memdb' || fail "$page is empty"
	done
fi
if command -v mandoc >/dev/null; then
	for page in $pages; do mandoc -Tlint -Werror "$dir/$page" || fail "$page: mandoc"; done
fi
[ $failed = 0 ] && echo "all good"
exit $failed
