#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves what memdb report --html writes and which files it replaces. The page itself is tested in tests/browser.
. "$(dirname "$0")/lib.sh"
need_perf

record demo 0.4
echo "== what docs/sql.md asks, of a recording of the program that it asks about"
bash "$SRC/tests/sql/docs.sh" "$MEMDB" "$DB" rows || fail "docs/sql.md shows what is not there"
cd "$T" || exit

# html WORD...: runs memdb report --html and prints its exit code.
html()
{
	local code=0

	"$MEMDB" report "$@" "$DB" >"$T/stdout" 2>"$T/stderr" || code=$?
	echo $code
}

code=$(html --html page.html)
if grep -q 'built without the page' "$T/stderr"; then
	assert_eq "exit code without the page" 1 "$code"
	[ ! -e page.html ] || fail "a page of nothing"
	skip "this memdb was built without the page"
fi
assert_eq "exit code" 0 "$code"
assert_eq "its mode" 600 "$(stat -c %a page.html)"
assert_le "bytes of the page" $((8 << 20)) "$(stat -c %s page.html)"
assert_eq "what it may load" "default-src 'none'" "$(grep -o "default-src 'none'" page.html)"
assert_eq "addresses of other hosts that it would load from" "" "$(grep -oE '(src|href)="?[a-z]+://[^" ]*' page.html)"

echo "== what it replaces"
assert_eq "its own page" 0 "$(html --html page.html)"
echo notes >notes.html
assert_eq "another file" 2 "$(html --html notes.html)"
assert_eq "that file" notes "$(cat notes.html)"
assert_eq "another file, by force" 0 "$(html --force --html notes.html)"
assert_eq "the database, by force" 2 "$(html --force --html "$DB")"
assert_eq "the database" ok "$(sqlite3 "$DB" 'PRAGMA integrity_check')"
assert_eq "a folder" 1 "$(html --html .)"
assert_eq "no folder" 1 "$(html --html no/page.html)"
assert_eq "what is left" "notes.html page.html" "$(echo ./*.html | sed 's|\./||g')"
assert_eq "unfinished files" "" "$(find . -name '*memdb-tmp*')"
