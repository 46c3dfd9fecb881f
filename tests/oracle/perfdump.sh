#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares `perf script -D` with pd_dump: all fields of all kernel records, in time order. The test fails if there is
# a difference.
#
# perfdump.sh PD_DUMP PD_MAKE
# records a small command in several ways, writes files with each sample_type, and compares these
#
# perfdump.sh PD_DUMP FILE...
# compares these files; a file that perf cannot read is listed, and the test does not fail
#
# Not compared: perf's hex dumps, its own records (types from 64 on), the resolved thread and DSO, names of registers,
#     and branch flags.
set -u
pd_dump=$1
shift
work=$(mktemp -d)
export HOME=$work # perf stores copies of files there
trap 'rm -rf "$work"' EXIT

# normal: converts perf's output to the format of pd_dump. Removes perf's explanations after the fields of a sample ("
# ... thread:", the script line), and continuation lines of other records.
normal() {
	awk '
	BEGIN {
		stamp = "^(-?[0-9]+ )?(-?[0-9]+ )?(0x[0-9a-f]+|0) \\[0x[0-9a-f]+\\]: "
		own = "^(HEADER|ATTR|EVENT_TYPE|TRACING_DATA|BUILD_ID|FINISHED|ID_INDEX|AUXTRACE|" \
			"THREAD_MAP|CPU_MAP|STAT|EVENT_UPDATE|TIME_CONV|FEATURE|COMPRESSED)"
		compared = "^(MMAP2?|COMM|FORK|EXIT|LOST|KSYMBOL|CGROUP|AUX|SWITCH|SWITCH_CPU_WIDE|SAMPLE)$"
	}
	/^$/ || /^\. / || /^\.$/ || /^0x[0-9a-f]+@.*: event: / { next }
	/PERF_RECORD_/ {
		keep = match($0, stamp "PERF_RECORD_[A-Z0-9_]+")
		if (!keep)
			next
		head = substr($0, RSTART, RLENGTH)
		kind = head
		sub(/.*PERF_RECORD_/, "", kind)
		if (kind ~ own) {
			keep = 0
			next
		}
		if (kind == "KSYMBOL")
			sub(/ type [0-9]+ flags 0x[0-9a-f]+/, "")
		if (kind == "AUX")
			sub(/ \[[TOP]*\]$/, "")
		if (kind ~ /^SWITCH/) {
			gsub(/ +/, " ")
			sub(/ $/, "")
			gsub(/\/ +/, "/")
		}
		print kind ~ compared ? $0 : head
		next
	}
	!keep { next }
	/^\.\.\.\.\. +[0-9]+: [0-9a-f]+ -> / { print $1, sprintf("%2d:", $2), $3, $4, $5; next }
	/^\.\.\.\.\. +[0-9]+: / { print; next }
	/^\.\.\.\. [A-Za-z0-9]+ +0x/ { print "....", $3; next }
	/^\.\.\. (FP chain|branch stack|user regs|intr regs|weight|transaction): ?/ { print; next }
	/^\.\.\. ustack/ { sub(/, offset.*/, ""); print; next }
	/^\.\.\. (user|intr) regs:/ { print; next }
	/^ (\.|\.\.) (data_src|phys_addr|data page size|code page size): / { print; next }
	'
}

compare() {
	local file=$1 name
	name=$(basename "$file")
	if ! perf script --no-itrace -D -i "$file" >"$work/perf.raw" 2>"$work/perf.err"; then
		echo "perf cannot: $name ($(grep -v '^$' "$work/perf.err" | tail -1))"
		[ -z "${pd_make:-}" ] # files made by pd_make must be readable for perf, so for these this is a failure
		return
	fi
	normal <"$work/perf.raw" >"$work/perf.txt"
	if ! "$pd_dump" "$file" >"$work/ours.txt" 2>"$work/ours.err"; then
		echo "FAIL $name: $(cat "$work/ours.err")"
		return 1
	fi
	local n
	n=$(grep -c 'PERF_RECORD_SAMPLE' "$work/ours.txt")
	if [ "$n" = 0 ] && [ -n "${pd_make:-}" ]; then
		echo "FAIL $name: no samples, which proves nothing"
		return 1
	fi
	if cmp -s "$work/perf.txt" "$work/ours.txt"; then
		echo "same: $name ($n samples, $(wc -l <"$work/ours.txt") lines)"
		return 0
	fi
	diff "$work/perf.txt" "$work/ours.txt" >"$work/diff"
	echo "FAIL $name ($n samples): $(grep -m 1 '^<' "$work/diff") $(grep -m 1 '^>' "$work/diff")"
	head -"${LINES_SHOWN:-10}" "$work/diff"
	return 1
}

# shellcheck source=tests/oracle/recordings.sh
. "$(dirname "$0")/recordings.sh"

files=("$@")
if [ $# = 1 ] && [ -f "$1" ] && [ "$(head -c 4 "$1" | tail -c 3)" = ELF ]; then
	pd_make=$1
	files=()
	command -v perf >/dev/null || { echo "skip: perf is not installed"; exit 77; }
	make_recordings
	[ ${#files[@]} -gt 0 ] || { echo "skip: perf cannot record here"; exit 77; }
	make_files
fi
failed=0
for f in "${files[@]}"; do
	compare "$f" || failed=1
done
exit $failed
