#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that if an input file shrinks during the import, memdb names it in one message, returns 1 and leaves no file.
. "$(dirname "$0")/lib.sh"
need_perf
shrink=$PROGRAMS/libshrink.so
[ -f "$shrink" ] || skip "no $shrink in this build"

# The test runs memdb through the loader's option --preload, because LD_PRELOAD would put the library into the recorded
# program and not into memdb.
loader=$(readelf -l "$MEMDB" | sed -n 's/.*program interpreter: \(.*\)]/\1/p')

cp "$PROGRAMS/fork_arrays" "$T/app"
record --sampler=timer --keep "$BASH" -c '"$0" 0.1; for ((i = 0; i < 40000; i++)); do a[i]=x$i; done' "$T/app"
mv "$DB.capture" "$T/whole"
log=$(cd "$T/whole/track" && ls [0-9]*.log) || fail "no program has a log of its own"
mkdir "$T/out"

# import_shrinking FILE BYTES: imports while the library $shrink cuts FILE to BYTES. Sets $code to
# the exit code.
import_shrinking()
{
	code=0
	rm -rf --one-file-system "$T/cap"
	cp -r "$T/whole" "$T/cap"
	SHRINK=$1 SHRINK_TO=$2 timeout 60 "$loader" --preload "$shrink" "$MEMDB" import -q -o "$T/out/run.db" "$T/cap" \
		2>"$T/stderr" || code=$?
	assert_eq "bytes of ${1##*/}" "$2" "$(stat -c %s "$1")"
}

# refused FILE BYTES: checks that an import during which FILE shrinks to BYTES fails with a message
# that names FILE.
refused()
{
	import_shrinking "$1" "$2"
	assert_eq "exit code" 1 "$code"
	assert_eq "lines said" 1 "$(wc -l <"$T/stderr")"
	assert_match "the message" "cannot read '.*${1##*/}': it became shorter" "$(cat "$T/stderr")"
	assert_eq "files left" "" "$(ls -A "$T/out")"
}

size=$(stat -c %s "$T/whole/perf.data")
for percent in 0 20 50 80; do
	refused "$T/cap/perf.data" $((size * percent / 100))
done
refused "$T/cap/capture.json" 0
refused "$T/cap/follow.log" 0
for bytes in 0 4096; do
	refused "$T/cap/track/$log" $bytes
	refused "$T/cap/track/shared.log" $bytes
done
cp "$T/app" "$T/app.whole"
for bytes in 0 4096; do
	refused "$T/app" $bytes
	cp "$T/app.whole" "$T/app"
done

echo "== what is cut before it is read is damage, as ever"
cp -r "$T/whole" "$T/cut"
truncate -s $((size / 2)) "$T/cut/perf.data"
"$MEMDB" import -q -o "$DB" "$T/cut" 2>"$T/stderr" || fail "exit code $?"
assert_ge "damaged" 1 "$(sql "SELECT damaged FROM runs")"
