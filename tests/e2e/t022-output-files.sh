#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The database appears whole, private and alone; an older one stays until then.
. "$(dirname "$0")/lib.sh"
need_perf

umask 022
mkdir "$T/here"
DB=$T/here/run.db
WANT=7 record ending exit 0.1
assert_eq "rights" 600 "$(stat -c %a "$DB")"
assert_eq "files beside it" run.db "$(ls -A "$T/here")"

echo "== a second recording replaces the first"
first=$(sql "SELECT start_ns FROM runs")
WANT=7 record ending exit 0.1
assert_ge "the second one's time" "$((first + 1))" "$(sql "SELECT start_ns FROM runs")"

echo "== what fails leaves the old one alone"
before=$(sha256sum <"$DB")
"$MEMDB" record -q -o "$DB" -- ./no-such-program 2>"$T/stderr" && fail "no error"
echo garbage >"$T/garbage"
"$MEMDB" import -o "$DB" "$T/garbage" 2>"$T/stderr" && fail "no error"
assert_eq "the old one" "$before" "$(sha256sum <"$DB")"
assert_eq "files beside it" run.db "$(ls -A "$T/here")"

echo "== the capture stays with --keep, private too"
WANT=7 record --keep ending exit 0.1
assert_eq "captures kept" 1 "$(find "$T/here" -name perf.data | wc -l)"
capture=$(dirname "$(find "$T/here" -name perf.data)")
assert_eq "its rights" 700 "$(stat -c %a "$capture")"
assert_eq "files in it that others may read" "" "$(find "$capture" -type f -perm /077)"

echo "== a database under a name with blanks and quotes"
"$MEMDB" record -q -o "$T/here/a 'b' \"c\".db" -- true
[ -s "$T/here/a 'b' \"c\".db" ] || fail "not there"
