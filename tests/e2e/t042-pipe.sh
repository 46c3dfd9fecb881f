#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a recording through a pipe gives the same database as a recording in a file. A pipe stores header
# features as records.
. "$(dirname "$0")/lib.sh"
need_perf

tracker=$("$MEMDB" doctor | awk '$1 == "tracker" { print $2 }')
registers=$("$MEMDB" import --help | grep -o 'user-regs=[a-z0-9,]*' | sort -u)
mkdir "$T/track"

# by_hand OUTPUT: records realloc_reuse with perf and the tracker into OUTPUT, with the command that
# memdb's help shows.
by_hand()
{
	perf record -q -d -W -g --sample-cpu -k CLOCK_MONOTONIC "--$registers" \
		-e cpu-clock/period=1000000/ -e page-faults/period=1/ -o "$1" \
		sh -c "exec env MEMDB_TRACK_DIR=\"$T/track\" LD_PRELOAD=\"$tracker\" \
			\"$PROGRAMS/realloc_reuse\" 0.2 >\"$T/stdout\"" 2>"$T/stderr"
}

# without_caches FILE: takes the sizes of the caches (feature 20) out of a perf.data. perf does not write them into a
# pipe, and the import uses them to find out for which object a sample waited.
without_caches()
{
	python3 - "$1" <<-'EOF'
		import struct, sys
		CACHE, FEATURES = 20, 72
		f = open(sys.argv[1], "r+b")
		head = f.read(FEATURES + 8)
		start, size = struct.unpack_from("<QQ", head, 40)  # of the data; the table of features is behind it
		bits, = struct.unpack_from("<Q", head, FEATURES)
		place = start + size + 16 * (bits & ((1 << CACHE) - 1)).bit_count()
		if not bits >> CACHE & 1:
		    sys.exit("no sizes of caches")
		f.seek(place + 16)
		rest = f.read(16 * (bits >> CACHE + 1).bit_count())
		f.seek(place)
		f.write(rest)
		f.seek(FEATURES)
		f.write(struct.pack("<Q", bits & ~(1 << CACHE)))
	EOF
}

# facts DATABASE: prints what both databases must have in common. Omits perf's command line, build-ids (and the
# code of the vdso, which needs one), and the size of the memory, which perf inject reads only when it runs.
facts()
{
	sqlite3 "$1" "
		SELECT hostname, osrelease, arch, cpudesc, perf_version, clock, start_ns, end_ns, tracked, caches FROM runs;
		SELECT 'node', id, cpus FROM nodes;
		SELECT 'cpu', * FROM cpus;
		SELECT 'event', * FROM selected_events;
		SELECT 'thread', pid, tid, comm, start_ns, end_ns FROM threads;
		SELECT 'allocation', time, end_time, address_start, size_bytes, cpu, end_reason FROM allocations;
		SELECT 'sample', s.time, s.evsel_id, s.cpu, s.ip, s.period, s.address, s.access_bytes,
			s.allocation_id, s.object_offset, o.name, y.name, s.home_node_id
		FROM samples s LEFT JOIN objects o ON o.id = s.object_id
			LEFT JOIN symbols y ON y.id = s.symbol_id
		WHERE s.dso_id IS NULL OR s.dso_id NOT IN (SELECT id FROM dsos WHERE kind = 'vdso');
		SELECT 'fault', f.time, f.cpu, f.ip, f.address, f.allocation_id, f.object_offset, f.first
		FROM page_faults f;
		SELECT 'loss', source, what, count FROM losses WHERE source IN ('perf', 'tracker');" >"$2"
}

echo "== one recording as a file and turned into a pipe"
by_hand "$T/perf.data"
read_answers "$T/stdout"
perf inject -i "$T/perf.data" -o - >"$T/pipe.data" 2>"$T/stderr" || skip "this perf makes no pipe of a file"
without_caches "$T/perf.data"
"$MEMDB" import -q --alloc "$T/track" -o "$DB" "$T/perf.data"
assert_sound
assert_hits_joined
assert_all_hit
facts "$DB" "$T/file.facts"
assert_eq "memory of the nodes, as perf reads it" \
	"$(perf report -I --header-only -i "$T/perf.data" 2>/dev/null |
		sed -n 's/^# node\([0-9]*\) meminfo *: total = \([0-9]*\) kB.*/\1|\2/p')" \
	"$(sql "SELECT id, mem_total_bytes / 1024 FROM nodes")"
"$MEMDB" import -q --alloc "$T/track" -o "$T/pipe.db" "$T/pipe.data"
facts "$T/pipe.db" "$T/pipe.facts"
assert_ge "facts" 1000 "$(wc -l <"$T/file.facts")"
assert_ge "the least memory of a node" 1 "$(sqlite3 "$T/pipe.db" "SELECT min(mem_total_bytes) FROM nodes")"
diff "$T/file.facts" "$T/pipe.facts" >"$T/stderr" || fail "the databases differ"

echo "== from standard input, while perf records"
rm -rf "$T/track"
mkdir "$T/track"
by_hand - | "$MEMDB" import -q --alloc "$T/track" -o "$DB" -
read_answers "$T/stdout"
assert_sound
assert_hits_joined
assert_all_hit
assert_eq "nodes" "$(sqlite3 "$T/pipe.db" "SELECT id, cpus FROM nodes")" "$(sql "SELECT id, cpus FROM nodes")"
