#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# big.sh MEMDB PD_BIG DATABASE.SH PD_MAKE PD_DUMP DLFILTER: imports files larger than 4 GiB, and ten million samples
# with limited memory, and opens their page in Chromium. It needs 1.5 GB of disk and some minutes, so it runs only in check --long.
set -eu
memdb=$1
pd_big=$2
oracle=$3
shift 3
samples=${MEMDB_BIG_SAMPLES:-10000000}
hole=$((9 << 29)) # 4.5 GiB
# limit for the anonymous memory of an import, in KiB: twice what it needs, which does not depend on
# the number of samples
memory=$((160 << 10))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "FAIL: $*"
	exit 1
}

skip()
{
	echo "skip: $*"
	exit 77
}

[ "$(df -Pk "$work" | awk 'NR == 2 { print $4 }')" -ge 2500000 ] || skip "less than 2.5 GB free in $work"
"$pd_big" "$work/far.data" 20000 "$hole" || fail "no big files here"
[ "$(stat -c %s "$work/far.data")" -gt $((1 << 32)) ] || fail "the file is not big"

echo "== every sample before and behind 4 GiB, as perf has it"
code=0
bash "$oracle" "$memdb" "$@" "$work/far.data" || code=$?
[ $code = 0 ] || [ $code = 77 ] || fail "not what perf says"

echo "== cut behind 4 GiB: what is there gets in"
truncate -s -100000 "$work/far.data"
"$memdb" import -q -o "$work/cut.db" "$work/far.data"
kept=$(sqlite3 "$work/cut.db" "SELECT count(*) FROM samples")
[ "$kept" -gt 10000 ] && [ "$kept" -lt 20000 ] || fail "$kept of 20000 samples"
[ "$(sqlite3 "$work/cut.db" "SELECT count(*) FROM losses WHERE what = 'unread bytes'")" = 1 ] ||
	fail "nothing is said of what is missing"
rm "$work"/*

# import_many [norounds]: makes a file with $samples samples, imports it with limited memory, and
# checks the result.
import_many()
{
	echo "== $samples samples${1:+, $1}"
	"$pd_big" "$work/many.data" "$samples" 0 "$@"
	(ulimit -d "$memory" && time "$memdb" import -q -o "$work/run.db" "$work/many.data") ||
		fail "no import in $((memory >> 10)) MiB"
	have=$(sqlite3 "$work/run.db" "SELECT count(*), min(time), max(time), sum(weight),
		sum(address) - count(*) * 65536, sum(time - 999 <> id) FROM samples")
	want=$(awk -v n="$samples" 'BEGIN {
		for (i = 0; i < n; i++) {
			weight += i % 1000
			offset += i % 65536 * 8
		}
		printf "%.0f|1000|%.0f|%.0f|%.0f|0", n, 999 + n, weight, offset
	}')
	[ "$have" = "$want" ] || fail "$have in the database, $want recorded"
	[ "$(sqlite3 "$work/run.db" "PRAGMA quick_check")" = ok ] || fail "the database is damaged"
	echo "$(stat -c %s "$work/run.db") bytes of database"
}

import_many
import_many norounds

echo "== its page is small, and a browser opens it"
time "$memdb" report --html "$work/run.html" "$work/run.db" || fail "no page"
[ "$(stat -c %s "$work/run.html")" -le $((8 << 20)) ] || fail "the page has $(stat -c %s "$work/run.html") bytes"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ "$browser" ]; then
	HOME=$work timeout 300 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --virtual-time-budget=60000 \
		--dump-dom "file://$work/run.html" >"$work/dom" 2>"$work/said" && grep -q 'data-ready="true"' "$work/dom" ||
		fail "the page does not open: $(tail -n 3 "$work/said")"
fi
