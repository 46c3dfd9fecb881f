#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that with --call-graph dwarf, each sample has the call path that `perf script` prints for the same file. Both
# unwind the same copy of the user's stack.
. "$(dirname "$0")/lib.sh"
need_perf

# perf_chains FILE: prints "tid seconds.nanoseconds;function;function…" for each sample of the program, the
# innermost function first. A function that perf prints as [unknown] or "@plt" has an empty name. The frame at
# address -1 that perf prints where the copied stack ends is left out. The two names that perf and memdb use for a
# system call's entry become one.
perf_chains()
{
	perf script -i "$1" --no-inline --max-stack 600 --ns -F comm,tid,time,event,ip,sym \
		2>"$T/script.err" >"$T/script" || fail "perf script: $(cat "$T/script.err")"
	awk '/^[^ \t]/ {
		if (line != "")
			print line
		line = $1 == "deep" ? $2 " " substr($3, 1, length($3) - 1) : ""
		next
	}
	$1 == "ffffffffffffffff" { next }
	/^[ \t]+[0-9a-f]+ / && line != "" {
		sub(/^[ \t]+[0-9a-f]+ /, "")
		sub(/@@?[A-Z][A-Za-z_]*_[0-9.]+$/, "") # the version of a symbol is not part of its name
		line = line ";" ($0 == "[unknown]" || $0 == "@plt" ? "" : $0)
	}
	END { if (line != "") print line }' "$T/script" | sed 's/;__x64_sys_/;__ia32_sys_/g' | sort
}

# CHAINS: SQL that defines a table `chains` with a row for each call path of a sample: its id, its recorded functions as
# ";function;function…", and `root`, the kind of its outermost row.
CHAINS="WITH RECURSIVE walk(path, id, functions, inferred) AS (
		SELECT id, id, '', 0 FROM call_paths WHERE id IN (SELECT call_path_id FROM samples)
		UNION ALL
		SELECT w.path, p.parent_id,
			w.functions || iif(p.kind = 'inferred', '', ';' || coalesce((SELECT name FROM symbols WHERE id = p.symbol_id), '')),
			w.inferred OR p.kind = 'inferred'
		FROM walk w JOIN call_paths p ON p.id = w.id WHERE p.parent_id IS NOT NULL),
	chains(id, root, functions) AS MATERIALIZED (
		SELECT w.path, iif(w.inferred, 'truncated', p.kind), w.functions || ';' FROM walk w JOIN call_paths p ON p.id = w.id
		WHERE p.parent_id IS NULL)"

# memdb_chains: prints the same lines as perf_chains, from the database.
memdb_chains()
{
	sql "$CHAINS
		SELECT printf('%d %d.%09d', t.tid, s.time / 1000000000, s.time % 1000000000)
			|| coalesce(substr(h.functions, 1, length(h.functions) - 1), '')
		FROM samples s JOIN threads t ON t.id = s.thread_id
		LEFT JOIN chains h ON h.id = s.call_path_id
		WHERE (SELECT c.comm FROM comms c WHERE c.thread_id = t.id AND c.time <= s.time
			ORDER BY c.time DESC LIMIT 1) = 'deep'" |
		sed 's/;__x64_sys_/;__ia32_sys_/g' | sort
}

# compare WHAT LEAST [begin]: checks that memdb has the same samples as perf, and that at least LEAST percent of the
# call chains are equal. If a chain of perf ends early, memdb's only needs to begin with the same functions and to go on
# to _start; with `begin`, it may end anywhere.
compare()
{
	local all same lost

	all=$(wc -l <"$T/perf.txt")
	assert_ge "samples of $1" 300 "$all"
	# `lost`: samples in perf's own kernel code, which memdb counts but does not store.
	lost=$(sql "SELECT coalesce(sum(count), 0) FROM losses WHERE what = 'samples in perf'")
	assert_eq "number of samples of $1" "$all" $(($(wc -l <"$T/memdb.txt") + lost))
	awk '{ key = $1 " " $2; sub(/;.*/, "", key) } NR == FNR { stored[key]; next } key in stored' \
		"$T/memdb.txt" "$T/perf.txt" >"$T/stored.txt"
	assert_eq "of these stored" "$((all - lost))" "$(wc -l <"$T/stored.txt")"
	same=$(paste -d '|' "$T/stored.txt" "$T/memdb.txt" | awk -F '|' -v how="${3-}" '
		$1 == $2 || (index($2 ";", $1 ";") == 1 && (how == "begin" || $2 ~ /;_start$/)) {
			n++
			next
		}
		shown++ < 5 { print "perf:  " $1 "\nmemdb: " $2 >"/dev/stderr" }
		END { print n + 0 }')
	assert_ge "percent of chains of $1 that are those of perf script" "$2" \
		"$(awk -v n="$same" -v of="$((all - lost))" 'BEGIN { print 100 * n / of }')"
}

# roots CONDITION: prints the kinds of the outermost rows (root) of the chains for which the SQL
# condition is true.
roots()
{
	sql "$CHAINS SELECT group_concat(DISTINCT root) FROM chains WHERE $1"
}

check()
{
	compare "$@"
	assert_eq "$1: chains that reach main begin at" root "$(roots "functions LIKE '%;main;%'")"
	assert_eq "$1: chains beyond the copy of the stack begin at" truncated \
		"$(roots "functions LIKE '%;spin;big_frame;%'")"
	assert_ge "$1: samples with a copy too short" 20 "$(sqlite3 "$DB" "
		SELECT count FROM losses WHERE what = 'call chains beyond the stack copy'")"
	assert_ge "$1: deepest chain" 60 "$(sqlite3 "$DB" "
		SELECT max(p.depth) FROM samples s JOIN call_paths p ON p.id = s.call_path_id")"
}

echo "== perf record"
perf record -q -e cpu-clock -c 1000000 --call-graph dwarf,16384 -k CLOCK_MONOTONIC \
	-o "$T/perf.data" "$PROGRAMS/deep" 1 2>"$T/stderr" </dev/null || fail "perf record"
"$MEMDB" import -q -o "$DB" "$T/perf.data" 2>"$T/stderr" || fail "memdb import"
read_answers /dev/null
perf_chains "$T/perf.data" >"$T/perf.txt"
memdb_chains >"$T/memdb.txt"
check "perf record" 99
assert_sound
rm "$T/perf.data" "$DB"

echo "== memdb record"
record --sampler=timer --no-faults --no-track --keep --call-graph=dwarf deep 1
capture=$(find "$T" -name perf.data -print -quit)
[ "$capture" ] || fail "no perf.data kept below $T"
perf_chains "$capture" >"$T/perf.txt"
memdb_chains >"$T/memdb.txt"
# If a file is recorded with -d and --buildid-mmap, perf 6.1 finds no unwind rules for the C library. Then perf's
# chains end there or continue with a wrong frame.
check "memdb record" 99 begin
assert_sound
