#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a recorded program inherits the same signals, descriptors, limits and process group as without memdb.
. "$(dirname "$0")/lib.sh"
need_perf

cat >"$T/probe.sh" <<'SCRIPT'
#!/bin/bash
grep -E '^(Sig(Ign|Blk)|CapEff|Seccomp|NoNewPrivs):' /proc/self/status
cat /proc/self/limits
for fd in /proc/$$/fd/*; do
	echo "${fd##*/} $(readlink "$fd")"
done
echo "$PATH"
umask
nice
ps -o pgid= -p $$ | grep -qw "$GROUP" && echo "in the group"
[ -e /proc/$$/fd/0 ] || echo "no input"
SCRIPT
chmod +x "$T/probe.sh"
GROUP=$(ps -o pgid= -p $$ | tr -d ' ')
export GROUP

# both NAME: runs the probe with and without memdb, each with the redirections and signals of the caller, and
# checks that its output is the same.
both()
{
	"$T/probe.sh" >"$T/output" || true
	# These lines always differ: the numbers of pipes, and the descriptor that the shell opens to list
	# its descriptors.
	sed -E 's/(pipe|socket):.*/\1/; /^[0-9]+ $/d' "$T/output" >"$T/native"
	rm -rf "$T/c"
	"$MEMDB" record -q --no-track --raw "$T/c" -- "$T/probe.sh" >"$T/output"
	sed -E 's/(pipe|socket):.*/\1/; /^[0-9]+ $/d' "$T/output" >"$T/recorded"
	diff "$T/native" "$T/recorded" || fail "$1: it differs"
	echo "ok: $1: $(wc -l <"$T/recorded") lines alike"
}

both "as it is"
(
	ulimit -S -n 200
	ulimit -S -l 16
	both "with limits"
)
(
	# memdb itself needs more stack than this.
	ulimit -S -s 100
	both "with a small stack"
)
(
	trap '' HUP USR1
	both "with ignored signals"
)
(
	exec 7>"$T/seven" 9</dev/null
	both "with more descriptors"
)
(
	exec <&-
	both "without input"
)

setpriv --pdeathsig KILL true 2>/dev/null || exit 0
echo "== the signal that the program gets when its parent ends"
died() { setpriv --pdeathsig KILL "$@" setpriv --dump | grep -i 'death'; }
rm -rf "$T/c"
assert_eq "signal" "$(died)" "$(died "$MEMDB" record -q --no-track --raw "$T/c" --)"
# threads_of COMMAND…: records a program with this command before memdb, and prints the number of recorded threads.
threads_of() { "$@" "$MEMDB" record -q -o "$T/threads.memdb" -- sleep 0.1 && sqlite3 "$T/threads.memdb" "SELECT count(*) FROM threads"; }
assert_eq "recorded threads" "$(threads_of env)" "$(threads_of setpriv --pdeathsig KILL)"
rm -rf "$T/c"
# shellcheck disable=SC2016 # for bash
bash -c 'setpriv --pdeathsig KILL "$0" record -q --raw "$1/c" -- bash -c "echo \$\$ >$1/new; mv $1/new $1/pid; exec sleep 1000" &
	until [ -e "$1/pid" ]; do sleep 0.1; done
	kill -KILL $$' "$MEMDB" "$T" >"$T/output" 2>&1 || true
pid=$(cat "$T/pid")
# lives PID: is it neither gone nor a zombie?
lives() { grep -q '^State:[^Z]*$' "/proc/$1/status" 2>"$T/stderr"; }
for ((i = 0; i < 600; i++)); do
	lives "$pid" || break
	sleep 0.1
done
if lives "$pid"; then
	kill -KILL "$pid"
	fail "the program lives on when memdb and its parent were killed"
fi
echo "ok: the program ends with memdb's parent"
