#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that code that is generated at run time gets its names from the program's /tmp/perf-PID.map.
. "$(dirname "$0")/lib.sh"
need_perf
container=
finish()
{
	local pid

	[ ! -s "$T/pids" ] || while read -r pid; do rm -f "/tmp/perf-$pid.map"; done <"$T/pids"
	[ ! "$container" ] || rm -rf "$container"
}

# note_pids: remembers the recorded processes, whose /tmp/perf-PID.map finish() removes.
note_pids()
{
	sqlite3 "$DB" "SELECT pid FROM processes" >>"$T/pids"
}

# share PID NAME: prints the percentage of the process's samples that are in the generated function NAME. Counts
# only samples after work_ns, when the program had generated its code.
share()
{
	sql "SELECT CAST(100.0 * sum(y.name IS '$2' AND d.kind = 'jit') / count(*) AS INTEGER)
		FROM samples s JOIN threads t ON t.id = s.thread_id
		LEFT JOIN symbols y ON y.id = s.symbol_id LEFT JOIN dsos d ON d.id = s.dso_id
		WHERE t.pid = $1 AND s.time >= $(value work_ns)"
}

record jit 0.3
note_pids
assert_ge "percent of samples in the code made" 80 "$(share "$(value worker)" "spin in a loop")"
assert_eq "the name of code that is gone" 0 \
	"$(sql "SELECT count(*) FROM symbols WHERE name = 'old::name'")"
assert_eq "whose names they are" "/tmp/perf-$(value worker).map" "$(sql "
	SELECT long_name FROM dsos WHERE kind = 'jit'")"
assert_sound

record jit 0.3 fork
note_pids
assert_ge "percent in a forked process" 80 "$(share "$(value worker)" "spin in a loop")"

record jit 0.2 none
assert_eq "names that nobody told" 0 "$(sql "SELECT count(*) FROM dsos WHERE kind = 'jit'")"
assert_eq "memory without a file is not a missing file" "anonymous|" "$(sql "SELECT DISTINCT kind, state FROM dsos WHERE short_name LIKE '%anon%'")"

# If perf made the recording and not memdb, the import reads the maps in /tmp that belong to this
# user.
perf record -q -e cpu-clock:u -F 1000 -g -k CLOCK_MONOTONIC -o "$T/perf.data" -- "$PROGRAMS/jit" 0.2 \
	>"$T/stdout" 2>"$T/stderr" || fail "perf record"
worker=$(value worker)
echo "$worker" >>"$T/pids"
"$MEMDB" import -q -o "$DB" "$T/perf.data" || fail "memdb import"
assert_ge "percent by hand" 80 "$(share "$worker" "spin in a loop")"
mv "/tmp/perf-$worker.map" "$T/map"
ln -s "$T/map" "/tmp/perf-$worker.map"
"$MEMDB" import -q -o "$DB" "$T/perf.data" || fail "memdb import"
assert_eq "names behind a link" 0 "$(sql "SELECT count(*) FROM dsos WHERE kind = 'jit'")"
rm "/tmp/perf-$worker.map"

# A container has its own /tmp and pids, and both are gone when the recording ends. memdb first sees the process before
# it has mounted that /tmp.
if unshare --mount --pid --fork true 2>/dev/null; then
	container=$(mktemp -d /var/tmp/memdb-e2e.XXXXXX) # not in /tmp, because the container has a different /tmp
	cp "$PROGRAMS/jit" "$container/jit"
	printf '#!/bin/sh\nsleep 0.5\nmount -t tmpfs none /tmp && exec %s/jit 1\n' "$container" >"$container/run"
	chmod +x "$container/run"
	"$MEMDB" record -q -F 1000 --follow-interval 0.1 --no-track -o "$DB" -- \
		unshare --mount --pid --fork "$container/run" >"$T/stdout" 2>"$T/stderr" ||
		fail "memdb record unshare"
	assert_eq "the pid inside" 1 "$(value worker)"
	assert_ge "percent of samples in a container" 50 "$(sql "
		SELECT CAST(100.0 * sum(y.name IS 'spin in a loop') / count(*) AS INTEGER) FROM samples s
		LEFT JOIN symbols y ON y.id = s.symbol_id WHERE s.time >= $(value work_ns)")"
else
	echo "skip: no namespaces here"
fi

# Node.js generates code at run time, too.
if command -v node >/dev/null; then
	cat >"$T/run.js" <<-EOF
		function sumOfSquares(a) { let s = 0; for (let i = 0; i < a.length; i++) s += a[i] * a[i]; return s; }
		const a = new Float64Array(10000).fill(2);
		console.log("value work_ns " + process.hrtime.bigint());
		const end = process.cpuUsage().user + 5e5;
		while (process.cpuUsage().user < end) for (let i = 0; i < 200; i++) sumOfSquares(a);
		console.log("value worker " + process.pid);
	EOF
	cd "$T" || exit 1 # node writes a log file into the current folder
	record "$(command -v node)" --perf-basic-prof "$T/run.js"
	note_pids
	assert_ge "percent of samples of node in code that it made" 50 "$(sql "
		SELECT CAST(100.0 * sum(d.kind IS 'jit' AND s.symbol_id IS NOT NULL) / count(*) AS INTEGER)
		FROM samples s LEFT JOIN dsos d ON d.id = s.dso_id WHERE s.time >= $(value work_ns)")"
	assert_ge "names of a function of JavaScript" 1 "$(sql "
		SELECT count(*) FROM symbols WHERE name LIKE '%sumOfSquares%run.js%'")"
else
	echo "skip: node is not installed"
fi
