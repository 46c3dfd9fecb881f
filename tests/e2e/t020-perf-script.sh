#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that every sample has the same time, process, thread, CPU, instruction, address and symbol as `perf script`
# prints for the same file.
. "$(dirname "$0")/lib.sh"
need_perf

record --sampler=timer --keep fork_arrays 0.3
capture=$(find "$T" -name perf.data -print -quit)
[ "$capture" ] || fail "no perf.data kept below $T"

# script FIELDS [FILE]: prints these fields of each sample in FILE, as perf sees them. perf is called once for the
# numbers and once for the names: if it is asked for symbols and addresses at once, it also prints symbols of data
# addresses. Below, samples that the database does not have are removed: those of perf and memdb before the program
# began, and those in the tracker.
script()
{
	perf script -i "${2:-$capture}" --ns -G -F "$1" 2>"$T/script.err" || fail "perf script -F $1"
}
script comm,pid,tid,cpu,time,event,addr,ip >"$T/numbers"
script ip,sym,dso | awk '{
	sub(/^ *[0-9a-f]+ /, "")
	if (/libmemdb-track[^(]*\)$/)
		print "tracker"
	else {
		sub(/ \([^(]*\)$/, "")
		sub(/@@?[A-Z][A-Za-z_]*_[0-9.]+$/, "") # the version of a symbol is not part of its name
		print "program " ($0 == "[unknown]" ? "" : $0)
	}
}' >"$T/names"
awk '{
	split($2, id, "/")
	print $1, substr($4, 1, length($4) - 1), id[1], id[2], substr($3, 2, length($3) - 2) + 0, $7,
		$5 ~ /fault/ ? $6 : "-"
}' "$T/numbers" | paste -d ' ' - "$T/names" | grep '^fork_arrays ' >"$T/ours"
# Lists the timer samples in the kernel that the database excludes: those in system calls of the tracker, and those in
# perf's own kernel code.
perf script -i "$capture" --ns -F comm,pid,tid,time,event,ip,sym,dso 2>"$T/script.err" | awk -v RS= -F '\n' '
	$1 ~ /^fork_arrays .*cpu-clock/ && $2 ~ /^[ \t]*ffff/ {
		what = ""
		for (i = 2; i <= NF && $i ~ /^[ \t]*ffff/; i++)
			if ($i ~ /^[ \t]*ffff[0-9a-f]+ _*perf_/) what = "perf"
		if ($i ~ /libmemdb-track/) what = "tracker"
		if (what) { split($1, w, " +"); print substr(w[3], 1, length(w[3]) - 1), w[2], what }
	}' | tr / ' ' >"$T/recorder"
sed -nE 's/^fork_arrays (([^ ]+ ){6})program ?/\1/p' "$T/ours" |
	awk 'NR == FNR { own[$1, $3]; next } !(($1, $3) in own && $6 == "-")' "$T/recorder" - | sort >"$T/perf.txt"
assert_eq "samples in perf" "$(grep -c ' perf$' "$T/recorder" || true)" "$(sql "
	SELECT coalesce(sum(count), 0) FROM losses WHERE what = 'samples in perf'")"
assert_eq "samples in the tracker" "$(cat "$T/ours" "$T/recorder" | grep -c ' tracker$' || true)" "$(sql "
	SELECT coalesce(sum(count), 0) FROM losses WHERE what = 'samples in the tracker'")"

sql "
	SELECT printf('%d.%09d %d %d %d %x - %s', s.time / 1000000000, s.time % 1000000000, t.pid, t.tid,
		s.cpu, s.ip, coalesce(y.name, ''))
	FROM samples s JOIN threads t ON t.id = s.thread_id LEFT JOIN symbols y ON y.id = s.symbol_id" | sort >"$T/memdb.txt"

# Some differences are not errors; there, awk replaces memdb's name by perf's. perf calls some stubs only "@plt",
# where memdb has the function's name or none. If a kernel address has several names, perf prints the last one in
# /proc/kallsyms (__pi_memcpy), and memdb the plain one (memcpy).
awk '
	function are_one(a, b,   n, i, places) {
		n = split(at[a], places)
		for (i = 1; i <= n; i++) if (index(" " at[b], " " places[i] " ")) return 1
	}
	FILENAME == ARGV[1] { if ($1 ~ /[1-9a-f]/) at[$3] = at[$3] $1 " "; next }
	FILENAME == ARGV[2] { name[$1 $2 $3 $4 $5] = $7; next }
	{
		perf = name[$1 $2 $3 $4 $5]
		if ((perf == "@plt" && ($7 == "" || $7 ~ /@plt$/)) || ($5 ~ /^ffff/ && are_one(perf, $7)))
			$0 = $1 " " $2 " " $3 " " $4 " " $5 " " $6 " " perf
		print
	}' /proc/kallsyms "$T/perf.txt" "$T/memdb.txt" | sort >"$T/compared.txt"

assert_ge "samples that perf prints" 1000 "$(wc -l <"$T/perf.txt")"
assert_eq "number of samples" "$(wc -l <"$T/perf.txt")" "$(wc -l <"$T/memdb.txt")"
if ! diff "$T/perf.txt" "$T/compared.txt" >"$T/diff"; then
	head -n 20 "$T/diff" >&2
	fail "$(grep -c '^<' "$T/diff") of $(wc -l <"$T/perf.txt") samples differ from perf script"
fi

# Only the numbers of page faults are compared: they are in a file of their own without mappings, so perf
# cannot print symbols for them.
sql "
	SELECT printf('%d.%09d %d %d %d %x %x', s.time / 1000000000, s.time % 1000000000, t.pid, t.tid, s.cpu, s.ip, s.address)
	FROM page_faults s JOIN threads t ON t.id = s.thread_id" | sort >"$T/memdb.faults"
script pid,tid,cpu,time,event,addr,ip "$(dirname "$capture")/faults.data" | tr / ' ' |
	awk '{ print substr($4, 1, length($4) - 1), $1, $2, substr($3, 2, length($3) - 2) + 0, $7, $6 }' | sort >"$T/perf.faults"
assert_ge "page faults that perf prints" 50 "$(wc -l <"$T/perf.faults")"
assert_eq "page faults that perf does not print" "" "$(comm -13 "$T/perf.faults" "$T/memdb.faults")"
assert_eq "page faults that only perf prints" "$(comm -23 "$T/perf.faults" "$T/memdb.faults" | wc -l)" "$(sql "
	SELECT coalesce(sum(count), 0) FROM losses WHERE what = 'page faults in the tracker'")"
