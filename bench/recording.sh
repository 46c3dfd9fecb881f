#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# recording.sh BUILD [ROUNDS] [STEPS]: measures by how much recording increases the CPU time of a memory-bound program
# with two threads, which runs for some ten seconds. The variants are: without recording, under perf record alone with
# the same events, and under memdb record --raw. They run in turn. The compared value is the program's own CPU time
# (user and system, without perf's), as the kernel accounts it to the program and its threads.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/usage.sh"
build=$(realpath "${1:?usage: recording.sh BUILD [ROUNDS] [STEPS]}")
rounds=${2:-3}
steps=${3:-100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ninja -C "$build" bench/membound src/memdb preload/libmemdb-track.so >/dev/null
cat >"$work/run" <<'IN'
#!/bin/sh
# Runs the program and appends its CPU seconds, without those of perf and memdb, to the file $1.
out=$1; shift
exec /usr/bin/time -a -o "$out" -f '%U %S' "$@"
IN
chmod +x "$work/run"
app=("$build/bench/membound" 2 64 "$steps")
regs=ax,bx,cx,dx,si,di,bp,sp,ip,r8,r9,r10,r11,r12,r13,r14,r15
[ "$(uname -m)" = x86_64 ] || regs=
for _ in $(seq "$rounds"); do
	"$work/run" "$work/plain" "${app[@]}" >/dev/null
	perf record -o "$work/d" -d -W -g --sample-cpu -k CLOCK_MONOTONIC ${regs:+--user-regs=$regs} -m 2048 \
		-e cpu-clock/period=1000000/ -e page-faults/period=1/ -- "$work/run" "$work/perf" "${app[@]}" >/dev/null 2>&1
	rm -rf "$work/raw"
	"$build/src/memdb" record -q --raw "$work/raw" -- "$work/run" "$work/memdb" "${app[@]}" >/dev/null
done
median() { awk '{ print $1 + $2 }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
base=$(median "$work/plain")
for side in plain perf memdb; do
	awk -v s="$side" -v t="$(median "$work/$side")" -v b="$base" \
		'BEGIN { printf "%-6s %7.2f CPU s  %+5.1f %%\n", s, t, 100 * (t / b - 1) }'
done
