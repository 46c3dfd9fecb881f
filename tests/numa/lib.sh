# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Helpers of the tests on an emulated NUMA machine, in addition to tests/e2e/lib.sh. A test calls on_guest, which boots
# the machine and records there into $T. Then it checks the databases on the host.

set -eu
# shellcheck source=tests/e2e/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../e2e/lib.sh"

# on_guest [OPTION of tests/numa/guest]...: runs the bash script from stdin on the emulated machine. The script can
# use the functions of guest_functions and the shared folder $T.
on_guest()
{
	local code=0 tsc=()

	[ ! -x "$PROGRAMS/tsc" ] || tsc=(--tsc "$("$PROGRAMS/tsc")")
	{
		printf '%s=%q\n' T "$T" MEMDB "$MEMDB" PROGRAMS "$PROGRAMS" SRC "$SRC"
		guest_functions
		cat
	} >"$T/script"
	"$SRC/tests/numa/guest" --out "$T" "${tsc[@]}" "$@" -- bash -eu "$T/script" \
		>"$T/guest.out" 2>"$T/guest.err" || code=$?
	[ "$code" != 77 ] || skip "$(sed -n 's/^skip: //p' "$T/guest.out")"
	[ "$code" = 0 ] || fail "the guest's exit code is $code: $(tail -n 1 "$T/guest.err")
$(tail -n 20 "$T/guest.out" "$T/guest.err")"
}

# guest_functions: prints the functions that a script on the guest can use.
guest_functions()
{
	cat <<'END'
as=(env)

# the command that runs another as an unprivileged user
user=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# need_user: skips the test if this user cannot run the built programs
need_user()
{
	"${user[@]}" test -x "$MEMDB" || { echo "skip: an ordinary user cannot reach $MEMDB"; exit 77; }
}

# as_user COMMAND...: runs it as this user, who sees no physical addresses
as_user()
{
	local as=("${user[@]}")

	echo 2 >/proc/sys/kernel/perf_event_paranoid
	"$@"
}

# run NAME [OPTION of memdb record]... -- PROGRAM...: records PROGRAM and imports into $T/NAME.db. Keeps the capture
# in $T/NAME and the program's output in $T/NAME.out.
run()
{
	local name=$1

	shift
	"${as[@]}" "$MEMDB" record -q --keep -F 1000 --sampler=timer -o "/var/tmp/$name.db" "$@" \
		>"$T/$name.out" 2>"$T/$name.err" || { cat "$T/$name.err" >&2; return 1; }
	cp "/var/tmp/$name.db" "$T/"
	cp -r "/var/tmp/$name.db.capture" "$T/$name"
}
END
}

# use NAME: selects the recording for the checks that follow. Imports it here, too, and checks that the result is the
# same as on the guest. In addition to tests/e2e/lib.sh, the database `answers` then has
# answers.homes    for each page of the last array: the array, its pid, the page's address, and the node on which the
#     kernel said that it was at the end
use()
{
	DB=$T/$1.db
	cp "$T/$1.out" "$T/stdout"
	read_answers "$T/stdout"
	sqlite3 "$T/answers.db" "
		CREATE TABLE homes (array TEXT, pid INTEGER, address INTEGER, node INTEGER);
		CREATE INDEX homes_address ON homes (address)"
	awk '$1 == "array" { array = $2; pid = $5 } $1 == "home" { print array "|" pid "|" $2 "|" $3 }' \
		"$T/stdout" >"$T/homes"
	sqlite3 "$T/answers.db" ".import '$T/homes' homes"
	"$MEMDB" import -q -o "$T/$1.host.db" "$T/$1" 2>"$T/stderr" || fail "import of $1 on the host"
	assert_eq "what the import here and there say of '$1' differently" "" \
		"$(diff <(facts_of "$T/$1.db") <(facts_of "$T/$1.host.db") | awk 'NR <= 5')"
}

# facts_of DATABASE: prints every row of every table, to compare two databases.
facts_of()
{
	sqlite3 "$1" .dump
}

# assert_topology NAME: checks the machine in $DB against the output of `numactl --hardware` in $T/hardware.
assert_topology()
{
	local name=$1

	assert_eq "$name: CPUs of the nodes" \
		"$(sed -n 's/^node \([0-9]*\) cpus: *\(.*\)$/\1:\2/p' "$T/hardware")" \
		"$(sqlite3 "$DB" "SELECT n.id || ':' || coalesce(group_concat(c.id, ' '), '')
			FROM nodes n LEFT JOIN cpus c ON c.node_id = n.id GROUP BY n.id")"
	assert_eq "$name: megabytes of the nodes" \
		"$(sed -n 's/^node \([0-9]*\) size: \([0-9]*\) MB/\1:\2/p' "$T/hardware")" \
		"$(sqlite3 "$DB" "SELECT id || ':' || (mem_total_bytes >> 20) FROM nodes")"
	assert_eq "$name: distances" \
		"$(sed -n 's/^ *\([0-9]*\): *\([0-9 ]*[0-9]\) *$/\1: \2/p' "$T/hardware" | tr -s ' ')" \
		"$(sqlite3 "$DB" "SELECT from_node_id || ': ' || group_concat(distance, ' ') FROM
			(SELECT * FROM node_distances ORDER BY 1, 2) GROUP BY from_node_id")"
	assert_eq "$name: nodes without CPUs" "$(grep -c 'cpus: *$' "$T/hardware" || true)" \
		"$(sqlite3 "$DB" "SELECT count(*) FROM nodes WHERE cpus = ''")"
}

# percent PART WHOLE: prints PART as a percentage of WHOLE.
percent()
{
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f\n", (b > 0 ? 100 * a / b : -1) }'
}

# matrix: counts the samples of the work on the array by the node of the CPU and the node of the page (home).
# Prints rows CPU_NODE|HOME|COUNT.
matrix()
{
	sql "SELECT cpu_node_id, home_node_id, count(*) FROM hits
		WHERE array = 'array' AND symbol_id IN
			(SELECT id FROM symbols WHERE name = 'work_on_part')
		GROUP BY 1, 2"
}

# count CONDITION: counts the samples of the work on the array for which the SQL condition is true.
count()
{
	sql "SELECT count(*) FROM hits WHERE array = 'array' AND ($1)
		AND symbol_id IN (SELECT id FROM symbols WHERE name = 'work_on_part')"
}

# assert_homes NAME PERCENT: checks that the home of each sample is the node that the kernel reported for its page,
# and that at least PERCENT of the samples have a home. Also checks the rows of page_homes that are from after the
# pages were moved; memdb got these by asking the kernel.
assert_homes()
{
	local name=$1 percent=$2

	assert_ge "$name: samples of the work" 60 "$(count 1)"
	assert_ge "$name: percent of them with a home" "$percent" \
		"$(percent "$(count 'home_node_id IS NOT NULL')" "$(count 1)")"
	assert_eq "$name: samples with a home that the kernel does not say" 0 "$(count "
		home_node_id <> (SELECT node FROM answers.homes k WHERE k.address = (hits.address & ~4095))")"
	assert_eq "$name: pages that were seen elsewhere than the kernel says" 0 "$(sql "
		SELECT count(*) FROM page_homes p JOIN answers.homes k ON k.address >= p.address_start
			AND k.address < p.address_end AND (k.address - p.address_start) % p.step_bytes = 0
		WHERE k.node <> p.node_id AND p.time > $(value moved_ns)")"
}

# assert_moved NAME NODE: checks that after a call moved the pages, each page has the home NODE as soon as memdb has
# asked the kernel for its node. The tracker asks right after the call. The follower asks now and then, for one
# piece of a mapping after the other; so the call may come between two pieces, and perhaps the follower does not ask
# again before the program ends.
assert_moved()
{
	local name=$1 node=$2 told

	assert_homes "$name" 0
	told="WITH told AS MATERIALIZED (
			SELECT k.address AS page, min(p.time) AS time
			FROM answers.homes k JOIN page_homes p ON (p.time > $(value moved_ns) OR p.source = 'tracker')
				AND k.address >= p.address_start AND k.address < p.address_end
			GROUP BY 1)
		SELECT %s FROM hits JOIN told ON told.page = (hits.address & ~4095)
		WHERE hits.array = 'array' AND hits.time > told.time"
	# shellcheck disable=SC2059
	assert_ge "$name: samples after their page was told" 10 "$(sql "$(printf "$told" 'count(*)')")"
	# shellcheck disable=SC2059
	assert_eq "$name: homes after that" "$node" \
		"$(sql "$(printf "$told" "DISTINCT coalesce(home_node_id, 'unknown')")")"
}

# assert_first_touches NAME LINE: checks that each page of the array has exactly one first touch, in the line that the
# program printed.
assert_first_touches()
{
	local name=$1 line

	line=$(grep -n 'the first touch' "$SRC/tests/numa/place.c" | cut -d : -f 1)
	assert_eq "$name: pages first touched" "$(sql "SELECT count(*) FROM answers.homes WHERE node >= 0")" \
		"$(sql "SELECT count(DISTINCT f.address / 4096) FROM page_faults f JOIN answers.arrays a
			ON f.address BETWEEN a.address AND a.address + a.bytes - 1
			WHERE a.name = 'array' AND f.first")"
	assert_eq "$name: where they are first touched" "job.array write_pages place.c:$line" "$(sql "
		SELECT DISTINCT v.object || ' ' || v.function || ' ' || replace(v.file, rtrim(v.file,
			replace(v.file, '/', '')), '') || ':' || v.line FROM first_touches v
		WHERE v.object_id = (SELECT object_id FROM hits WHERE array = 'array' LIMIT 1)")"
}

# matrix_of_kernel: like matrix, but with the node that the kernel reported for the page instead of memdb's home;
# only for samples with a home. Prints rows CPU_NODE|NODE|COUNT. Each node has one CPU with the same number.
matrix_of_kernel()
{
	sql "SELECT s.cpu, k.node, count(*) FROM samples s JOIN threads t ON t.id = s.thread_id
		JOIN answers.homes k ON k.address = (s.address & ~4095) AND k.pid = t.pid
		WHERE s.home_node_id IS NOT NULL AND s.addr_source <> 5 GROUP BY 1, 2 -- page faults are no accesses"
}

# metrics UNKNOWN: computes the metrics that memdb should show from rows "CPU_NODE|HOME|COUNT" on stdin and from numactl's
# distances. UNKNOWN is the number of further samples whose home is unknown. Prints:
#   run    local accesses, remote accesses, the remote share in percent and its lower and upper limit
#   to     for each node: accesses to it, their share in percent, and the imbalance (most loaded node / mean)
#   delta  by how much the distance of the accesses exceeds the local one, in parts of the sum over all pairs of nodes
metrics()
{
	{
		sed -n 's/^ *\([0-9]*\): *\([0-9 ]*[0-9]\) *$/d \1 \2/p' "$T/hardware"
		tr '|' ' '
	} | awk -v unknown="$1" '
		function end(k, n, z,   p, half) {
			p = k / n
			half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
			return 100 * (p + z * z / (2 * n) + half) / (1 + z * z / n)
		}
		$1 == "d" { for (j = 3; j <= NF; j++) d[$2, j - 3] = $j; n++; next }
		{
			if ($1 == $2) own += $3; else other += $3
			to[$2] += $3
			far += $3 * (d[$1, $2] - d[$1, $1])
		}
		END {
			all = own + other
			low = 100 - end(own + unknown, all + unknown, 1.96)
			high = end(other + unknown, all + unknown, 1.96)
			printf "run %d %d %.6f %.6f %.6f\n", own, other, 100 * other / all, (low > 1e-9 ? low : 0), high
			for (j = 0; j < n; j++) if (to[j] > most) most = to[j]
			for (j = 0; j < n; j++) if (to[j])
				printf "to %d %d %.6f %.6f\n", j, to[j], 100 * to[j] / all, n * most / all
			for (i = 0; i < n; i++)
				for (j = 0; j < n; j++) q += d[i, j] - d[i, i]
			printf "delta %.6f\n", far / all / q
		}'
}

# assert_metrics NAME UNKNOWN: checks that the views of the array have the values that follow from the kernel's homes
# and numactl's distances.
assert_metrics()
{
	local name=$1 unknown array="(SELECT id FROM objects WHERE name = 'job.array')"

	matrix_of_kernel >"$T/matrix"
	unknown=$(sql "SELECT unknown FROM object_costs WHERE object_id = $array")
	assert_eq "$name: access_matrix" "$(cat "$T/matrix")" "$(sql "
		SELECT cpu_node_id, home_node_id, samples FROM access_matrix
		WHERE scope = 'object' AND object_id = $array ORDER BY 1, 2")"
	metrics "$unknown" <"$T/matrix" >"$T/metrics"
	assert_near "$name: object_costs, numa_distance" "$(grep -v '^to' "$T/metrics")" "$(sql "
		SELECT printf('run %d %d %.6f %.6f %.6f', local, remote, remote_pct, remote_low_pct, remote_high_pct)
			FROM object_costs WHERE object_id = $array;
		SELECT printf('delta %.6f', delta) FROM numa_distance WHERE scope = 'object' AND object_id = $array")"
	assert_near "$name: access_matrix by=home" "$(grep '^to' "$T/metrics")" "$("$MEMDB" query access_matrix "$DB" by=home \
		object=job.array --format=csv | awk -F, 'NR > 1 { printf "to %d %d %.6f %.6f\n", $5, $7, $8, $12 }')" 0.051
	assert_eq "$name: places" "$(sql "
		SELECT (s.address - a.address) * 5 / a.bytes, count(*) FROM samples s JOIN answers.arrays a
			ON a.name = 'array' AND s.address >= a.address AND s.address < a.address + a.bytes
		WHERE s.addr_source <> 5 GROUP BY 1")" "$(sql "SELECT CAST(5 * place AS INTEGER), count(*) FROM drawn_samples WHERE object_id = $array GROUP BY 1")"
}
