#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves what memdb does if perf fails before, during or after the program's run, and what remains if memdb is killed.
. "$(dirname "$0")/lib.sh"
need_perf
real=$(command -v perf)

echo "== killed while the program runs: the program goes on, what there is gets imported"
cat >"$T/program" <<'SCRIPT'
: >"$1/began"
while [ ! -e "$1/go" ]; do sleep 0.05; done
sleep 2
echo end
exit 9
SCRIPT
cat >"$T/perf" <<SCRIPT
#!/bin/sh
[ "\$1" != record ] || echo "WARNING: The frobnicator is out of order." >&2
exec $real "\$@"
SCRIPT
chmod +x "$T/perf"
"$MEMDB" record --perf "$T/perf" -F 1000 --sampler=timer -o "$DB" -- sh "$T/program" "$T" >"$T/stdout" 2>"$T/stderr" &
memdb=$!
wait_until 60 [ -e "$T/began" ] || fail "the program has not begun"
perf=$(pgrep -P $memdb -x perf)
kill -KILL "$perf"
perf_has_ended() { [[ $(ps -o stat= -p "$perf") != [!Z]* ]]; }
wait_until 60 perf_has_ended || fail "perf does not end"
: >"$T/go"
code=0
wait $memdb || code=$?
assert_eq "exit code" 9 "$code"
assert_eq "what the program said" end "$(cat "$T/stdout")"
assert_match "the message" "perf has ended before the program" "$(cat "$T/stderr")"
assert_match "why" "cut short: a signal ended it \(Killed\)" "$(cat "$T/stderr")"
! grep -q frobnicator "$T/stderr" || fail "a warning of perf's is quoted as the reason: $(cat "$T/stderr")"
assert_sound
missing_end() { sqlite3 "$DB" "SELECT sum(count) FROM losses WHERE source = 'perf' AND what = 'ms at the end'"; }
assert_ge "time without a recording, ms" 2000 "$(missing_end)"

echo "== ended by SIGTERM: perf writes what it has, and waits for the program"
rm "$DB"
cat >"$T/program" <<'SCRIPT'
perf=$(ps -o ppid= -p $PPID)
kill -TERM $perf
sleep 3
SCRIPT
"$MEMDB" record --sampler=timer -o "$DB" -- sh "$T/program" 2>"$T/stderr"
assert_match "the message" "cut short: a signal ended it \(Terminated\)" "$(cat "$T/stderr")"
assert_ge "time without a recording, ms" 1 "$(missing_end)"

echo "== memdb is killed: the program and perf go on, what there is can be imported"
cat >"$T/program" <<'SCRIPT'
: >"$1/began"
while [ ! -e "$1/go" ]; do sleep 0.05; done
SCRIPT
rm -f "$T/began" "$T/go" "$DB"
"$MEMDB" record -q --sampler=timer --raw "$T/killed" -- sh "$T/program" "$T" 2>"$T/stderr" &
memdb=$!
wait_until 60 [ -e "$T/began" ] || fail "the program has not begun"
wait_until 60 grep -q '"pid"' "$T/killed/capture.json" || fail "capture.json has no pid while the program runs"
perf=$(pgrep -P $memdb -x perf)
kill -KILL $memdb
: >"$T/go"
wait_until 60 perf_has_ended || fail "perf does not end"
"$MEMDB" import -q -o "$DB" "$T/killed" 2>"$T/stderr"
assert_match "the message" "memdb was ended while it recorded" "$(sqlite3 "$DB" 'SELECT detail FROM losses')"
assert_eq "programs not tracked" "" "$(sqlite3 "$DB" "SELECT detail FROM losses WHERE what = 'programs not tracked'")"
rm "$DB"

echo "== not ended: nothing is missing"
"$MEMDB" record --force --sampler=timer -o "$DB" -- sh -c 'sleep 1' 2>"$T/stderr"
assert_eq "time without a recording, ms" "" "$(missing_end)"

echo "== it cannot record: its own words, nothing left behind"
cat >"$T/perf" <<SCRIPT
#!/bin/sh
[ "\$1" != --version ] || exec $real --version
echo "Error:" >&2
echo "The frobnicator is out of order." >&2
exit 129
SCRIPT
chmod +x "$T/perf"
code=0
"$MEMDB" record --perf "$T/perf" -o "$T/none.db" -- touch "$T/ran" 2>"$T/stderr" || code=$?
assert_eq "exit code" 125 "$code"
assert_match "the message" "frobnicator is out of order" "$(cat "$T/stderr")"
assert_eq "lines of it" 1 "$(wc -l <"$T/stderr")"
[ ! -e "$T/ran" ] || fail "the program ran"
assert_eq "left behind" "" "$(cd "$T" && ls -d none.db* 2>/dev/null || true)"

echo "== it wants smaller buffers: it gets them"
cat >"$T/perf" <<SCRIPT
#!/bin/sh
for word; do
	case \$word in
	-m*) [ "\${word#-m}" -le 32 ] || { echo "Permission error mapping pages." >&2; exit 255; } ;;
	esac
done
exec $real "\$@"
SCRIPT
assert_eq "exit code" 4 "$(
	"$MEMDB" record -q --perf "$T/perf" --raw "$T/c" -- sh -c 'exit 4' 2>"$T/stderr" || echo $?)"
assert_match "the command in the end" '"-m32"' "$(cat "$T/c/capture.json")"

echo "== what calls itself perf is not"
code=0
"$MEMDB" record --perf /bin/true -o "$T/none.db" -- true 2>"$T/stderr" || code=$?
assert_eq "exit code" 125 "$code"
assert_match "the message" "gives no version" "$(cat "$T/stderr")"
