#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that an ordinary user can record, and that files of a recording with sudo belong to the user who called sudo.
. "$(dirname "$0")/lib.sh"
need_perf
need_root "changes users"
command -v setpriv >/dev/null || skip "setpriv is not installed"
user=$(id -u nobody)
group=$(id -g nobody)
chmod 755 "$T"
mkdir "$T/own"
chown "$user:$group" "$T/own"

as_user()
{
	setpriv --reuid="$user" --regid="$group" --clear-groups "$@"
}

as_user test -x "$MEMDB" || skip "an ordinary user cannot reach $MEMDB"
as_user perf record -q -e cpu-clock:u -o "$T/own/probe" true 2>/dev/null ||
	skip "kernel.perf_event_paranoid forbids ordinary users to record"

echo "== an ordinary user"
code=0
as_user "$MEMDB" record -q -F 1000 -o "$T/own/run.db" -- sh -c 'exit 8' 2>"$T/stderr" || code=$?
assert_eq "exit code" 8 "$code"
DB=$T/own/run.db
assert_sound
assert_eq "owner" "$user" "$(stat -c %u "$DB")"

echo "== programs that he may run and not read, and those of another user"
cp /bin/true "$T/unreadable"
cp /bin/true "$T/privileged"
chmod 111 "$T/unreadable"
chmod 4755 "$T/privileged"
as_user "$MEMDB" record -q -o "$T/own/run.db" -- sh -c "'$T/unreadable'; exec '$T/privileged'" 2>"$T/stderr"
assert_sound
assert_eq "logs" "1|1" "$(sqlite3 "$DB" "
	SELECT count(*), sum(p.tracked) FROM processes AS p WHERE p.command = '$T/unreadable'")"
assert_match "losses" "^1.*not loaded" "$(sqlite3 "$DB" "
	SELECT count, detail FROM losses WHERE what = 'programs not tracked'")"

echo "== where he may not write"
code=0
as_user "$MEMDB" record -o "$T/run.db" -- touch "$T/own/ran" 2>"$T/stderr" || code=$?
assert_eq "exit code" 2 "$code"
assert_match "the message" "cannot write.*Permission denied" "$(cat "$T/stderr")"
[ ! -e "$T/own/ran" ] || fail "the program ran all the same"

echo "== root by sudo"
SUDO_UID=$user SUDO_GID=$group "$MEMDB" record -q --keep -o "$T/own/sudo.db" -- true 2>"$T/stderr"
assert_eq "files of others" "" "$(find "$T/own" -name 'sudo.db*' ! -uid "$user")"
assert_ge "files" 5 "$(find "$T/own/sudo.db.capture" | wc -l)"
