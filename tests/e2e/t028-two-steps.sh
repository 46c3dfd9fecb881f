#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a capture that is imported later, on another machine, gives the same database as a recording that
# imports at once.
. "$(dirname "$0")/lib.sh"
need_perf

"$MEMDB" record -q -F 1000 --sampler=timer --raw="$T/raw" -- "$PROGRAMS/hot" 0.7 \
	>"$T/stdout" 2>"$T/stderr"
read_answers "$T/stdout"
[ ! -e "$DB" ] || fail "--raw made a database"
mv "$T/raw" "$T/elsewhere"
"$MEMDB" import -q -o "$DB" "$T/elsewhere" 2>"$T/stderr"
[ -d "$T/elsewhere" ] || fail "import removed a capture that it did not make"
assert_addresses hot_loop 300
assert_hits_joined
assert_sound

echo "== importing again gives the same rows"
sqlite3 "$DB" .dump | grep -v 'PRAGMA' | sort >"$T/first.dump"
"$MEMDB" import -q -o "$DB" "$T/elsewhere" 2>"$T/stderr"
sqlite3 "$DB" .dump | grep -v 'PRAGMA' | sort >"$T/second.dump"
cmp "$T/first.dump" "$T/second.dump" || fail "two imports of one capture differ"
