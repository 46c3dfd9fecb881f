# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Helpers of the tests of commands that read a database (query.sh, report.sh, diff.sh, options.sh). Each of these
# scripts is called with the paths of memdb and sqltool, runs in a temporary folder that contains run.db, counts its
# failures in `failed`, and ends with the function finish.
set -u
command -v sqlite3 >/dev/null || { echo "skip: there is no sqlite3 shell"; exit 77; }
memdb=$(realpath "$1") tool=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
export HOME=$work LC_ALL=C # no settings of the user for sqlite3, and no locale with decimal commas
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

"$tool" empty run.db && (cd "$here" && sqlite3 -batch -bail "$work/run.db" "PRAGMA synchronous=off" \
	".read data/insert.sql" ".read data/timer.sql" ".read data/derived.sql") && "$tool" totals run.db || exit 1

# fill DATABASE SQL...: makes a database with rows of data/. Also computes the sums that the importer computes from
# such rows (data/derived.sql).
fill()
{
	local db=$work/$1

	shift
	"$tool" empty "$db" && (cd "$here" && sqlite3 -batch -bail "$db" "PRAGMA synchronous=off" ".read data/insert.sql" "$@" \
		".read data/derived.sql") && "$tool" totals "$db" || exit 1
}

derive() { (cd "$here" && sqlite3 -batch "$work/$1" ".read data/derived.sql") && "$tool" totals "$1"; }

# make_numa: makes numa.db: the samples of data/numa.sql thirty times, and an object `serial` that thread 1 touches first and thread 2
# reads 60 times. The database has 44 * 30 + 60 waits, of which 17 * 30 + 60 are for memory of the other node. In 16 * 30 of the
# samples, the scheduler may move the thread to another node.
make_numa()
{
	fill numa.db ".read data/numa.sql" "
	INSERT INTO sample_data
	SELECT id + 44 * k, time + 44000000 * k, thread_id, cpu, instruction_id, kind_id, call_path_id, address, object_id, allocation_id,
		object_offset, period, weight, ins_lat, phys_address
	FROM sample_data, (WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 29) SELECT k FROM c)
	ORDER BY k, id;
	INSERT INTO objects (id, name, kind, address_start, size_bytes, allocations, allocated_bytes)
	VALUES (15, 'serial', 'static', 16777216, 40960, 0, 0);
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 60)
	INSERT INTO samples (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, addr_source, period,
		memory_opcode, access_bytes, object_id, object_offset, cpu_node_id, home_node_id, home_source, waited)
	SELECT 1320 + k, 1, 2, 1, 3000000000 + k, 4210, 3, 2, 1, 16777216 + k * 512, 2, 1000000, 1, 8, 15, k * 512, 1, 0, 2, 1 FROM c;
	WITH RECURSIVE c (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM c WHERE k < 10)
	INSERT INTO page_faults (id, evsel_id, thread_id, cpu, time, ip, location_id, symbol_id, dso_id, address, object_id,
		object_offset, cpu_node_id, home_node_id, home_source, first)
	SELECT k, 2, 1, 0, 1100000000 + k, 4100, 1, 1, 1, 16777216 + k * 4096, 15, k * 4096, 0, 0, 3, 1 FROM c"
}

# finish: ends the test.
finish()
{
	[ $failed = 0 ] && echo "all good"
	exit $failed
}
