#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# import.sh BUILD [SAMPLES] [ROUNDS]: memdb import against perf's own export-to-sqlite.py and against perf script to
# /dev/null, on one recording of page faults with call chains. The sides take turns; medians of CPU seconds (user and
# system) and ratios are printed. The export needs perf's Python scripts with PySide2's QtSql (Debian: python3-pyside2.qtsql);
# without it the line is left out.
set -euo pipefail
build=$(realpath "${1:?usage: import.sh BUILD [SAMPLES] [ROUNDS]}")
samples=${2:-1000000}
rounds=${3:-3}
export_script=${EXPORT:-/usr/lib/perf-core/scripts/python/export-to-sqlite.py}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ninja -C "$build" bench/faultgen src/memdb >/dev/null

MALLOC_MMAP_THRESHOLD_=131072 perf record -o "$work/data" -e page-faults -c 1 -d -W --sample-cpu -g -k CLOCK_MONOTONIC \
	-m 16384 "$build/bench/faultgen" 2 $((samples * 43 / 100)) >/dev/null 2>&1
"$build/src/memdb" import -q -o "$work/m.db" "$work/data" # warms the page cache
n=$(sqlite3 "$work/m.db" 'select count(*) from page_faults')
echo "$n samples, $(stat -c %s "$work/data") bytes; database $(($(stat -c %s "$work/m.db") / n)) bytes per sample"

cpu() { # FILE COMMAND...: appends the CPU seconds and the peak memory
	local out=$1
	shift
	/usr/bin/time -a -o "$out" -f '%U %S %M' "$@" >/dev/null 2>"$work/err" || { cat "$work/err" >&2; return 1; }
}

for _ in $(seq "$rounds"); do
	cpu "$work/memdb" "$build/src/memdb" import -q -o "$work/m.db" "$work/data"
	cpu "$work/script" perf script -i "$work/data" --no-inline -F comm,pid,tid,time,cpu,event,addr,ip,sym,dso
	rm -f "$work/x.db"
	if [ -e "$export_script" ] && python3 -c 'import PySide2.QtSql' 2>/dev/null || /usr/bin/python3 -c 'import PySide2.QtSql' 2>/dev/null; then
		cpu "$work/export" perf script -i "$work/data" -s "$export_script" "$work/x.db" all calls callchains
	fi
done

median() { awk '{ print $1 + $2 }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
base=$(median "$work/memdb")
for side in memdb script export; do
	[ -e "$work/$side" ] || { echo "$side: not installed here"; continue; }
	awk -v s="$side" -v t="$(median "$work/$side")" -v b="$base" -v n="$n" -v m="$(awk '{ print $3 }' "$work/$side" | sort -n | tail -1)" \
		'BEGIN { printf "%-7s %7.2f CPU s  %6.3f M samples/s  %5.1f x memdb  peak %d MiB resident (file pages included)\n", s, t, n / t / 1e6, t / b, m / 1024 }'
done
