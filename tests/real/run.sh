#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs real programs with and without `memdb record`. Their output and exit codes must be the same, the tracker must
# lose nothing, and the recording must be importable.
#
#   run.sh [-v] BUILD [PROGRAM…]
#
# Each program has a file PROGRAM.sh in this folder, which defines
#   needs    the commands that it needs and their packages, as COMMAND:PACKAGE …; root installs missing ones with apt
#   least    the least number of allocations in its recording
#   job      a function that does the work in an empty directory and prints what must be equal. Its arguments start a
#            recording, or are empty without one, so it runs: "$@" program arguments
# Prints one line per program (ok, FAIL with the reason, skip with the reason) and a summary. The exit code is 1 if a
# program failed. The seconds in the lines are of one run of the complete job; bench/track measures the tracker's cost.
set -u
verbose=
[ "${1:-}" = -v ] && verbose=1 && shift
build=$(realpath "${1:?usage: run.sh [-v] BUILD [PROGRAM…]}")
shift
here=$(dirname "$(realpath "$0")")
memdb=$build/src/memdb
passed=0 failed=0 skipped=0
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
unset MALLOC_PERTURB_
work=$(mktemp -d) || exit 1
chmod 755 "$work"
trap 'rm -rf --one-file-system "$work"' EXIT

# say VERDICT PROGRAM TEXT: prints a line of the result and counts it.
say() {
	printf '%-5s %-10s %s\n' "$1" "$2" "$3"
	case $1 in
	ok) passed=$((passed + 1)) ;;
	FAIL) failed=$((failed + 1)) ;;
	skip) skipped=$((skipped + 1)) ;;
	esac
}

# missing: installs the packages that the program needs. Prints the first need that is not available, or nothing.
missing() {
	local need packages=()

	for need in $needs; do
		command -v "${need%%:*}" >/dev/null || packages+=("${need#*:}")
	done
	if [ ${#packages[@]} -gt 0 ] && [ "$(id -u)" = 0 ]; then
		DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 install \
			--no-install-recommends "${packages[@]}" >"$work/apt.log" 2>&1 </dev/null
		hash -r
	fi
	for need in $needs; do
		command -v "${need%%:*}" >/dev/null || { echo "${need#*:}"; return; }
	done
}

# wait_for COMMAND…: repeats the command until it succeeds, for at most a minute.
wait_for() {
	local _

	for _ in $(seq 600); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	echo "never: $*"
	return 1
}

# stop SIGNAL PID: ends a server and prints its exit code. SIGNAL must not be INT or QUIT, because a shell starts
# background jobs with these ignored.
stop() {
	local code=0

	kill "-$1" "$2"
	wait "$2" || code=$?
	echo "exit code $code"
}

# as_user: before a command, runs a program that refuses to run as root. A function would not do: in the background, $!
# would be a shell and not the program.
# shellcheck disable=SC2034 # PROGRAM.sh uses it
as_user=(setpriv --reuid nobody --clear-groups)

run() { # native|tracked PREFIX…: runs the job; stores its output, exit code and seconds in files
	local kind=$1 begin

	shift
	mkdir "$work/$kind"
	chmod 777 "$work/$kind"
	begin=$(date +%s.%N)
	(cd "$work/$kind" && job "$@") >"$work/$kind.out" 2>"$work/$kind.err" </dev/null
	echo $? >"$work/$kind.rc"
	awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }' >"$work/$kind.seconds"
}

# judge: imports the recordings in capture* and checks that nothing was lost and that there are at
# least $least allocations. Prints what is wrong, or nothing. The recording may belong to another user (as_user), hence
# --force.
judge() {
	local capture count=0 n lost=

	for capture in "$work"/tracked/capture*; do
		[ -d "$capture" ] || { echo "no recording"; return; }
		"$memdb" import -q --force -o "$work/run.db" "$capture" 2>"$work/import.err" ||
			{ echo "import: $(tail -n 1 "$work/import.err")"; return; }
		n=$(sqlite3 "$work/run.db" 'SELECT sum(allocations) FROM objects')
		count=$((count + n))
		lost+=$(sqlite3 "$work/run.db" "SELECT what || ' ' || count || '; ' FROM losses
			WHERE source = 'tracker' AND what NOT LIKE '% in the tracker'")
	done
	echo "$count" >"$work/count"
	[ -z "$lost" ] || { echo "the tracker lost: $lost"; return; }
	[ "$count" -ge "$least" ] || echo "$count allocations, not $least"
}

# verdict PROGRAM: compares output and exit code of the run with and without memdb, calls judge,
# and prints the result.
verdict() {
	local what reason

	for what in rc out err; do
		cmp -s "$work/native.$what" "$work/tracked.$what" && continue
		say FAIL "$1" "not as native ($what)"
		diff "$work/native.$what" "$work/tracked.$what" | head -n 20 | sed 's/^/      /'
		return
	done
	reason=$(judge)
	[ -z "$reason" ] || { say FAIL "$1" "$reason"; return; }
	say ok "$1" "$(cat "$work/count") allocations; $(cat "$work/native.seconds") s native, $(
		)$(cat "$work/tracked.seconds") s recorded; exit code $(cat "$work/native.rc")"
}

# one PROGRAM: runs PROGRAM.sh with and without memdb record.
one() {
	local needs='' least=0 lacking

	# shellcheck source=/dev/null
	. "$here/$1.sh" || return
	lacking=$(missing)
	[ -z "$lacking" ] || { say skip "$1" "no $lacking"; return; }
	rm -rf --one-file-system "$work"/native* "$work"/tracked*
	run native
	run tracked "$memdb" record -q --raw capture --
	verdict "$1"
	[ -z "$verbose" ] || sed 's/^/      /' "$work/tracked.out" "$work/tracked.err"
}

if [ $# = 0 ]; then
	for file in "$here"/*.sh; do
		[ "$file" = "$here/run.sh" ] || set -- "$@" "$(basename "$file" .sh)"
	done
fi
for program; do
	one "$program"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
