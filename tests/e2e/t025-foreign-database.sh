#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb refuses a database of another program or of a newer memdb, and says which of them it is.
. "$(dirname "$0")/lib.sh"
need_perf

"$MEMDB" record -q -o "$DB" -- true
cp "$DB" "$T/newer.db"
sqlite3 "$T/newer.db" "PRAGMA user_version = 9999"
sqlite3 "$T/other.db" "CREATE TABLE samples (id)"
: >"$T/empty.db"
head -c 5000 "$DB" >"$T/cut.db"

for case in "newer.db:9999|newer" "other.db:memdb" "empty.db:memdb" "cut.db:cut.db"; do
	code=0
	"$MEMDB" query coverage "$T/${case%%:*}" >"$T/stdout" 2>"$T/stderr" || code=$?
	assert_eq "exit code for ${case%%:*}" 1 "$code"
	assert_match "message for ${case%%:*}" "${case#*:}" "$(cat "$T/stderr")"
	assert_eq "rows for ${case%%:*}" "" "$(cat "$T/stdout")"
done
"$MEMDB" query coverage "$DB" >/dev/null
