#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that damage in a recording costs only the damaged part. The import reports it in the table losses or as one
# message.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer --keep fork_arrays 0.2
capture=$(find "$T" -name perf.data -print -quit)
whole=$(sql "SELECT count(*) FROM samples")
size=$(stat -c %s "$capture")
# perf.data alone does not say which processes are memdb's own, so an import of it also stores their
# samples.
"$MEMDB" import -q -o "$T/alone.db" "$capture"
# alone: number of samples in perf.data itself. Samples in perf's own kernel code are not stored but counted in losses.
# (If the kernel's symbols are unknown, they are not recognised and are stored like others.)
alone=$(sqlite3 "$T/alone.db" "SELECT (SELECT count(*) FROM samples) +
	(SELECT coalesce(sum(count), 0) FROM losses WHERE what = 'samples in perf')")

# assert_damaged: checks that the database and stderr report the damage, even with -q.
assert_damaged()
{
	assert_ge "losses" 1 "$(sql "SELECT count(*) FROM losses")"
	assert_eq "damaged" 1 "$(sql "SELECT damaged FROM runs")"
	assert_match "what -q says" "not all of the recording is sound: ." "$(cat "$T/stderr")"
}

for percent in 0 1 10 50 90 99; do
	echo "== the first $percent percent"
	head -c $((size * percent / 100)) "$capture" >"$T/cut.data"
	rm -f "$DB" "$T/stderr"
	code=0
	timeout 60 "$MEMDB" import -q -o "$DB" "$T/cut.data" 2>"$T/stderr" || code=$?
	assert_le "exit code" 1 "$code"
	if [ "$code" = 0 ]; then
		assert_sound
		assert_le "samples" "$alone" "$(sql "SELECT count(*) FROM samples")"
		assert_damaged
	else
		assert_match "the message" "cut.data" "$(cat "$T/stderr")"
		[ ! -e "$DB" ] || fail "a database was left behind"
	fi
	[ "$percent" -lt 50 ] || assert_eq "half a recording is worth importing" 0 "$code"
done

echo "== bytes changed"
seed=1
for round in $(seq 20); do
	cp "$capture" "$T/bad.data"
	for _ in 1 2 3 4 5; do
		seed=$(((seed * 1103515245 + 12345) % 2147483648))
		printf '\xff' | dd of="$T/bad.data" bs=1 seek=$((seed % size)) conv=notrunc status=none
	done
	code=0
	rm -f "$DB"
	timeout 60 "$MEMDB" import -q -o "$DB" "$T/bad.data" 2>"$T/stderr" || code=$?
	[ "$code" -le 1 ] || fail "round $round: exit code $code"
	[ "$code" = 1 ] || assert_sound
done
echo "ok: 20 rounds"

echo "== other files of the capture that are something else"
capture=${capture%/perf.data}
log=$(cd "$capture" && ls track/*.log)
log=${log%%$'\n'*}
for what in "capture.json capture.json" "follow.log follow log" "$log tracker log"; do
	file=${what%% *}
	for how in fifo folder; do
		rm -rf --one-file-system "$T/odd"
		cp -r "$capture" "$T/odd"
		rm "$T/odd/$file"
		case $how in
		fifo) mkfifo "$T/odd/$file" ;; # nobody writes into this FIFO, so memdb must not wait for data
		folder) mkdir "$T/odd/$file" ;;
		esac
		timeout 60 "$MEMDB" import -q -o "$DB" "$T/odd" 2>"$T/stderr" || fail "$how for $file: exit code $?"
		assert_sound
		assert_damaged
		# >= and not =: capture.json tells which processes are memdb's own. Without it, their samples are
		# stored, too
		assert_ge "samples with a $how for $file" "$whole" "$(sql "SELECT count(*) FROM samples")"
		assert_match "the loss" "cannot read '.*$file': not a ${what#* }" "$(sql "SELECT detail FROM losses")"
	done
done

# import_changed WHAT: imports $T/odd, a copy of the capture that was changed, and checks that the
# damage is reported.
import_changed()
{
	echo "== $1"
	timeout 60 "$MEMDB" import -q -o "$DB" "$T/odd" 2>"$T/stderr" || fail "$1: exit code $?"
	assert_sound
	assert_damaged
}

copy()
{
	rm -rf --one-file-system "$T/odd"
	cp -r "$capture" "$T/odd"
}

# Whatever happens to a file of the capture (it is missing, empty, cut, or has other bytes), the import must
# report it.
copy
rm -r "$T/odd/track"
import_changed "no folder of logs"
assert_match "the loss" "track/.*: missing" "$(sql "SELECT detail FROM losses")"
"$MEMDB" record -q --raw "$T/small" -- true
for file in $(cd "$T/small" && find . -type f ! -name perf.data ! -name perf.log -printf '%P\n'); do
	bytes=$(stat -c %s "$T/small/$file")
	for how in missing empty half random; do
		rm -rf --one-file-system "$T/odd"
		cp -rl "$T/small" "$T/odd" # hard links: the test replaces the file, because writing to it would also change the original
		rm "$T/odd/$file"
		case $how in
		empty) : >"$T/odd/$file" ;;
		half) head -c $((bytes / 2)) "$T/small/$file" >"$T/odd/$file" ;;
		random) head -c "$bytes" /dev/urandom >"$T/odd/$file" ;;
		esac
		import_changed "$file: $how"
	done
done

copy
for file in "$T"/odd/track/*.log; do
	head -c 100000 /dev/urandom >"$file"
done
import_changed "logs of random bytes"
assert_match "the loss" "not a tracker log" "$(sql "SELECT detail FROM losses")"

copy
rm "$T/odd/capture.json"
import_changed "no capture.json"
assert_match "the loss" "not known without it" "$(sql "SELECT detail FROM losses WHERE what = 'missing capture.json'")"

copy
sed -i '/^node/d' "$T/odd/follow.log"
import_changed "no lines of nodes"

# A follow.log that names nodes, CPUs or threads which it does not describe must do no harm.
for word in node cpu thread; do
	copy
	printf '%s\n' "memdb-follow	1" "cpu	0	3	0	0" "distance	2	5	21" "memory	7	0	100000" >"$T/odd/follow.log"
	grep -v "^$word	" "$capture/follow.log" | tail -n +2 >>"$T/odd/follow.log"
	import_changed "follow.log with nodes that it does not describe, without its lines '$word'"
done
