#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh MEMDB SQLTOOL PROGRAMS: tests the HTML pages of several databases in a browser without a network, with
# browser.mjs.
#
#	nodes	nodes.sql: several nodes, a hardware sampler, names that look like markup
#	demo	the recording of a program, made here
#	many	more samples than a page holds
#	counted	every access counted, without its time
#	empty	no recording at all
#
# The browsers are Chromium and Firefox, or the program that $BROWSER names. Firefox opens all pages only in a long
# test (MEMDB_LONG); otherwise it opens "demo", "empty" and the page of a comparison. With SCREENSHOTS=FOLDER, Chromium stores the pictures
# for the documentation there.
set -eu
memdb=$(realpath "$1")
sqltool=$(realpath "$2")
programs=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "skip: $*"; exit 77; }

chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
firefox=$(command -v firefox-esr || command -v firefox || true)
browsers=${BROWSER:-$chromium $firefox}
[ -n "${browsers# }" ] || skip "there is neither Chromium nor Firefox"
packages=$("$here/../../tools/node-packages" "$here" 2>&1) || skip "$packages"
work=$(mktemp -d "${TMPDIR:-/tmp}/memdb-browser.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
export HOME=$work
unset XDG_CONFIG_HOME XDG_CACHE_HOME

"$memdb" report --html "$work/none.html" "$work/none.db" 2>"$work/said" || true
grep -q 'built without the page' "$work/said" && skip "this memdb was built without the page"
names="nodes many counted empty"
"$here/make-db" "$sqltool" "$here/nodes.sql" "$work/nodes.db"
"$here/make-db" "$sqltool" "$here/many.sql" "$work/many.db"
"$here/make-db" "$sqltool" "$here/counted.sql" "$work/counted.db"
"$sqltool" empty "$work/empty.db"
if (cd "$programs" && "$memdb" record -q -F 1000 -o "$work/demo.db" -- ./demo 1) >"$work/stdout" 2>"$work/stderr"; then
	names="$names demo"
else
	echo "no recording can be made here: $(tail -n 1 "$work/stderr")"
fi
for name in $names; do
	"$memdb" report --html "$work/$name.html" "$work/$name.db"
	"$memdb" report "$work/$name.db" >"$work/$name.txt"
done
# changes: the page of a comparison of `nodes` with a copy of it that has a quarter of the costs
# and another command.
cp "$work/nodes.db" "$work/fewer.db"
sqlite3 "$work/fewer.db" "UPDATE totals SET cost = cost / 4, lost_cost = lost_cost / 4, cost_sq = cost_sq / 4; UPDATE runs SET command = './other'"
"$memdb" diff --html "$work/changes.html" "$work/nodes.db" "$work/fewer.db"
"$memdb" diff --format csv "$work/nodes.db" "$work/fewer.db" >"$work/changes.csv"
failed=0
for browser in $browsers; do
	echo "in $browser"
	some=$names
	case $browser,${MEMDB_LONG:-} in *firefox*,) [ "${names%demo}" = "$names" ] || some="empty demo" ;; esac
	# shellcheck disable=SC2086 # a list of words
	BROWSER=$browser node "$here/browser.mjs" "$packages" "$work" $some || failed=1
done
exit "$failed"
