#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb refuses a database of another program or of a newer memdb, and says which of them it is. If another
# build wrote it, with other tables, each command says that it must be imported again.
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

cp "$DB" "$T/older.db"
sqlite3 "$T/older.db" "PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = replace(sql, ' AS object_id', ' AS older_id') WHERE type = 'view';
	UPDATE sqlite_schema SET sql = replace(sql, 'state TEXT', 'older_state TEXT') WHERE name = 'dsos'; UPDATE sqlite_schema SET sql = replace(sql, 'comm TEXT', 'older_comm TEXT') WHERE name = 'threads'"
for command in "report" "query costs" "report --html $T/page.html" "diff $DB" "export --to parquet -o $T/parquet" annotate; do
	code=0
	"$MEMDB" $command "$T/older.db" >"$T/stdout" 2>"$T/stderr" || code=$?
	assert_eq "exit code of $command for an older build's database" 1 "$code"
	assert_match "message of $command for an older build's database" "another build of memdb wrote this database, .*no such column: .*import the capture again" "$(cat "$T/stderr")"
	assert_eq "$command: number of lines" 1 "$(wc -l <"$T/stderr")"
done
