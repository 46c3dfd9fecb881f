#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that many short processes are all tracked, that they need no log files of their own, and that each costs few
# bytes; that page faults are recorded again when few processes start, and that the time before that is a loss.
. "$(dirname "$0")/lib.sh"
need_perf

# capture FOLDER N: records N rounds. A round runs /bin/true, and forks a child that allocates and is then
# killed.
capture() {
	"$MEMDB" record -q --raw "$T/$1" -- bash -c '
		exec 2>/dev/null # hides messages about killed children
		for ((i = 0; i < $1; i++)); do
			/bin/true
			(x=$(printf %9000s); kill -KILL $BASHPID)
		done
		exit 0' bash "$2" 2>"$T/stderr" || fail "recording: $(cat "$T/stderr")"
}

# bytes FILE: prints how much disk space FILE needs per round: the capture `many` has 100 rounds more than `few`.
bytes() { echo $((($(du -sB1 "$T/many/$1" | cut -f1) - $(du -sB1 "$T/few/$1" | cut -f1)) / 100)); }

capture few 20
capture many 120
assert_eq "files of logs" 1 "$(find "$T/many/track" -type f | wc -l)"
"$MEMDB" import -q -o "$DB" "$T/many"
assert_sound
assert_eq "programs that were not tracked" 0 "$(sqlite3 "$DB" "SELECT count(*) FROM comms WHERE tracked = 0")"
assert_eq "programs" 120 "$(sqlite3 "$DB" "SELECT count(*) FROM comms WHERE exec AND comm = 'true' AND tracked")"
assert_ge "blocks of the children that were killed" 120 "$(sqlite3 "$DB" "
	SELECT count(DISTINCT process_id) FROM allocations WHERE size_bytes >= 9000")"
assert_eq "losses" "" "$(sqlite3 "$DB" "SELECT what FROM losses WHERE what NOT IN ('samples in perf', 'processes whose minor page faults were not recorded') AND what NOT LIKE '%in the tracker'")"
# In shared.log, each program that a process executes has a slot of 8192 bytes. A round has up to four: two for the
# process that becomes /bin/true, which may have allocated before that, and two for the other processes. 2048 bytes
# are for what the file system stores about the file.
assert_le "bytes of the logs of a round" $((4 * 8192 + 2048)) "$(bytes track/shared.log)"

echo "== page faults after many processes have started"
ldd "$PROGRAMS/churn" | grep -F libc.so.6 >/dev/null || skip "not the malloc of glibc"
"$MEMDB" record -q --raw "$T/calm" -- bash -c 'for ((i = 0; i < 500; i++)); do ( : ); done; sleep 2; exec "$@"' bash "$PROGRAMS/churn" keep \
	>"$T/stdout" 2>"$T/stderr" || fail "recording: $(cat "$T/stderr")"
"$MEMDB" import -q -o "$DB" "$T/calm"
assert_sound
pages=$(value pages)
[ "$(cat /sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null)" = "[always] madvise never" ] ||
	assert_ge "first touches of the program's buffers" "$((pages * 98 / 100))" "$(sqlite3 "$DB" "
		SELECT max(f.pages) FROM object_placement f JOIN objects o ON o.id = f.object_id WHERE o.kind = 'heap'")"

echo "== the time without minor page faults is a loss"
sed -i '/"storm"/,/}/d; 0,/{/s//{ "storm": { "ns": 2500000000, "processes": 30 },/' "$T/calm/capture.json"
"$MEMDB" import -q -o "$DB" "$T/calm" 2>"$T/stderr"
assert_match "what memdb says" "30 processes whose minor page faults were not recorded" "$(cat "$T/stderr")"
assert_eq "loss" 30 "$(sqlite3 "$DB" "SELECT count FROM losses
	WHERE what = 'processes whose minor page faults were not recorded' AND detail LIKE '% 2.5 s in all%'")"
