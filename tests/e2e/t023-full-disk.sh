#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that on a full disk the program still runs to its end, and that memdb keeps the data that it has captured.
. "$(dirname "$0")/lib.sh"
need_perf
need_root "mounts a small file system"
mkdir "$T/small"
mount -t tmpfs -o size=2m memdb-test "$T/small" 2>"$T/mount" || skip "cannot mount: $(cat "$T/mount")"
finish() { umount "$T/small"; }

echo "== where a pipe is kept"
for tmpdir in "$T/small" "$T/none"; do
	code=0
	head -c 4000000 /dev/zero | TMPDIR=$tmpdir "$MEMDB" import -o "$DB" - 2>"$T/stderr" || code=$?
	assert_eq "exit code" 1 "$code"
	assert_eq "lines said" 1 "$(wc -l <"$T/stderr")"
	assert_match "the message" "cannot copy '/dev/stdin' into .* '$tmpdir' \(set TMPDIR .*\): No " "$(cat "$T/stderr")"
	assert_eq "files left" "" "$(ls -A "$T/small")"
done

echo "== where the capture lies"

code=0
"$MEMDB" record -q -o "$T/small/run.db" -- "$PROGRAMS/fork_arrays" 0.5 >"$T/stdout" 2>"$T/stderr" ||
	code=$?
assert_eq "what the program says" 4 "$(grep -c '^array' "$T/stdout")"
assert_eq "exit code" 125 "$code"
assert_match "the message" "[Nn]o space|disk.*full|full.*disk" "$(cat "$T/stderr")"
assert_eq "half a database" "" "$(ls "$T/small/run.db" 2>/dev/null || true)"

echo "== a capture that nobody imports yet"
rm -rf "$T/small"/*
fallocate -l $((2048 - 40))K "$T/small/other"
"$MEMDB" record -q --raw "$T/small/c" -- true >"$T/stdout" 2>"$T/stderr" || :
assert_match "the message in spite of -q" "[Nn]o space left" "$(cat "$T/stderr")"

if command -v qemu-x86_64 >/dev/null && [ "$(uname -m)" = x86_64 ] && [ -e /etc/services ]; then
	echo "== in the emulator, which reports success for the advice that allocates blocks, and ignores it"
	rm -rf "$T/small"/*
	"$MEMDB" record --sampler exact -c 1 --raw "$T/small/c" -- sort /etc/services >"$T/stdout" 2>"$T/stderr" || fail "exit code $?: $(cat "$T/stderr")"
	assert_eq "what the program says" "$(LC_ALL=C sort /etc/services | cksum)" "$(LC_ALL=C sort "$T/stdout" | cksum)"
	assert_match "what memdb says" "records of accesses could not be written: the disk was full" "$(cat "$T/stderr")"
fi
