# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Helpers of the end-to-end tests. A test is a script tNNN-topic.sh that begins with
#
#	. "$(dirname "$0")/lib.sh"
#
# Its caller (tests/e2e/meson.build) sets
#	MEMDB		the memdb to test
#	PROGRAMS	the folder of the built programs of tests/programs
#	SRC		the source tree
# This file makes $T: an empty folder for the test, removed at the end (kept with KEEP=1).
# A test passes by reaching its end, fails with `fail`, and skips with `skip REASON` if the machine cannot run it.

# The test runs with pipefail: if a reader in a pipe ends early (grep -q, head), the writer may be killed by SIGPIPE,
# and the test would sometimes fail. So no reader here may end early.
set -euo pipefail
export LC_ALL=C
export TZ=UTC
# meson sets this variable. It makes malloc write to all bytes of a block, so malloc would touch the
# pages of the test programs' blocks first.
unset MALLOC_PERTURB_

T=$(mktemp -d "${TMPDIR:-/tmp}/memdb-e2e.XXXXXX")
DB=$T/run.db

# A HOME for the test: perf stores copies of files there and finds the vdso only if HOME is set, and the user's
# own settings for perf, sqlite3 and debuginfod must not affect the tests.
export HOME=$T/.home
mkdir "$HOME"
unset XDG_CONFIG_HOME XDG_CACHE_HOME PERF_CONFIG PERF_BUILDID_DIR DEBUGINFOD_URLS

# Called at the end of a test, also of a failed one. A test may define it to undo changes outside
# of $T.
finish()
{
	:
}

cleanup()
{
	local code=$?

	trap - EXIT
	set +e
	[ $code = 0 ] || [ $code = 77 ] || show_failure
	finish
	if [ "${KEEP-}" ]; then
		echo "kept: $T" >&2
	else
		rm -rf --one-file-system "$T"
	fi
	exit $code
}

# Prints the end of the tested command's stderr, if the test stored it in $T/stderr, and what the database says of its
# losses and samples, because the next run may not fail in the same way.
show_failure()
{
	[ ! -s "$T/stderr" ] || sed 's/^/  stderr: /' "$T/stderr" | tail -n 20 >&2
	[ ! -s "$DB" ] || sqlite3 -readonly -separator ' ' "$DB" "
		SELECT '  losses:', source, what, count, coalesce(detail, '') FROM losses;
		SELECT '  coverage:', question, answer, samples FROM coverage" >&2
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM
newline=$'\n'
trap 'echo "FAIL: ${BASH_SOURCE[0]##*/}:$LINENO: ${BASH_COMMAND%%"$newline"*}" >&2' ERR
set -E

# fail REASON: fails the test. ./check shows the reason as one line, so a longer reason is also printed completely.
fail()
{
	trap - ERR
	echo "FAIL: ${*//$newline/ / }" >&2
	[[ "$*" != *$newline* ]] || printf '%s\n' "$*" >&2
	exit 1
}

skip()
{
	echo "skip: $*"
	exit 77
}

# only_in TEXT OTHER: prints the first four lines of TEXT that OTHER does not have, cut to 120 characters
only_in()
{
	{ diff <(echo "$1") <(echo "$2") || true; } | awk '/^< / && n++ < 4 { print substr($0, 3, 120) }'
}

# assert_eq WHAT EXPECTED ACTUAL: compares two texts. If they have several lines, it prints only the lines that
# differ.
assert_eq()
{
	[ "$2" = "$3" ] || case $2$3 in
	*$newline*)
		printf '%s\n' "expected of $1:" "$2" "got:" "$3" >&2
		fail "$1: expected '$(only_in "$2" "$3")', got '$(only_in "$3" "$2")'"
		;;
	*) fail "$1: expected '$2', got '$3'" ;;
	esac
	echo "ok: $1 = $3"
}

# assert_ge WHAT LEAST ACTUAL and assert_le WHAT MOST ACTUAL: compare two numbers, which need not be integers.
assert_ge()
{
	awk -v a="$3" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 >= b + 0) }' ||
		fail "$1: expected at least $2, got '$3'"
	echo "ok: $1 = $3 (>= $2)"
}

assert_le()
{
	awk -v a="$3" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 <= b + 0) }' ||
		fail "$1: expected at most $2, got '$3'"
	echo "ok: $1 = $3 (<= $2)"
}

# least_of NUMBER PERCENT: each of NUMBER samples has a property with a probability of PERCENT. Prints a lower limit
# for how many of the samples have it: the expected number less five standard deviations. In practice, a correct
# result is never below it.
least_of() { awk -v n="$1" -v p="$2" 'BEGIN { p /= 100; print n * p - 5 * sqrt(n * p * (1 - p)) }'; }

# assert_near WHAT EXPECTED ACTUAL [TOLERANCE]: compares two texts word by word. Numbers with a decimal point may
# differ by TOLERANCE, because programs round the last digit differently.
assert_near()
{
	local by=${4:-0.00001}

	paste -d '\n' <(echo "$2") <(echo "$3") | awk -v by="$by" '
		function real(s) { return s ~ /^-?[0-9]+\.[0-9]+$/ }
		NR % 2 { n = split($0, want); next }
		NF != n { exit different = 1 }
		{
			for (i = 1; i <= n; i++) {
				d = real(want[i]) && real($i) ? $i - want[i] : by * 2
				if (want[i] "" != $i "" && (d > by || -d > by)) exit different = 1
			}
		}
		END { exit different }' || assert_eq "$1" "$2" "$3"
	echo "ok: $1 = $3 (each to $by)"
}

# assert_match WHAT REGEX TEXT: fails if no line of TEXT matches the extended regular expression REGEX. WHAT
# is the name of TEXT in the message.
assert_match()
{
	grep -qE -- "$2" <<<"$3" || fail "$1: no match of '$2' in '$3'"
	echo "ok: $1 matches '$2'"
}

# wait_until SECONDS COMMAND...: repeats the command until it succeeds; fails after SECONDS. Use it only for events
# that must happen, with a long time: a loaded machine may be slow.
wait_until()
{
	local end=$((SECONDS + $1 + 1))

	shift
	until "$@"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.05
	done
}

# Skips the test if perf cannot record here: it is not installed, a container forbids the system call, or
# kernel.perf_event_paranoid is too high.
need_perf()
{
	command -v perf >/dev/null || skip "perf is not installed"
	perf stat -e cpu-clock:u -o "$T/probe" true 2>"$T/refusal" ||
		skip "perf cannot record here: $(tr '\n' ' ' <"$T/refusal" | cut -c 1-200)"
	rm -f "$T/probe" "$T/refusal"
}

need_root()
{
	[ "$(id -u)" = 0 ] || skip "needs root: $*"
}

# read_answers: the test programs print the correct answers (tests/programs/answer.h) to $T/stdout. Stores them in
# the database $T/answers.db.
read_answers()
{
	rm -f "$T/answers.db"
	sqlite3 "$T/answers.db" "
		CREATE TABLE arrays (name, address INTEGER, bytes INTEGER, pid INTEGER,
				     tid INTEGER, start_ns INTEGER, end_ns INTEGER);
		CREATE TABLE facts (name, number INTEGER);"
	awk '$1 == "array" { print $2 "|" $3 "|" $4 "|" $5 "|" $6 "|" $7 "|" $8 }' "$1" >"$T/arrays"
	awk '$1 == "value" { print $2 "|" $3 }' "$1" >"$T/facts"
	sqlite3 "$T/answers.db" ".import '$T/arrays' arrays" ".import '$T/facts' facts" \
		"UPDATE arrays SET end_ns = 9000000000000000000 WHERE end_ns = 0"
}

# value NAME: prints a number that the test program printed under this name.
value()
{
	awk -v name="$1" '$1 == "value" && $2 == name { print $3 }' "$T/stdout"
}

# record [OPTION...] PROGRAM [ARGUMENT...]: records PROGRAM into $DB with 1,000 samples per second. PROGRAM is a name
# in tests/programs or a path. Stores its output in $T/stdout and $T/stderr, and the answers that it printed in the
# database `answers`. Fails unless the exit code is $WANT (default 0).
record()
{
	local options=() code=0 program

	while [[ ${1-} == -* ]]; do
		options+=("$1")
		shift
	done
	program=$1
	shift
	[[ $program == */* ]] || program=$PROGRAMS/$program
	[ -x "$program" ] || skip "no program $program in this build"
	"$MEMDB" record -q -F 1000 "${options[@]}" -o "$DB" -- "$program" "$@" \
		>"$T/stdout" 2>"$T/stderr" || code=$?
	[ "$code" = "${WANT:-0}" ] || fail "memdb record $program: exit code $code, not ${WANT:-0}"
	[ -f "$DB" ] || fail "memdb record $program: no database"
	read_answers "$T/stdout"
}

# sql QUERY: prints the rows of $DB; columns are separated by |. The query may also use
# answers.arrays, answers.facts    what the test program printed
# hits    a view of the samples whose address is in an array while the program worked on that array. It has the columns
#         of samples, and array, array_address, array_bytes, pid, tid.
sql()
{
	sqlite3 -batch -bail -noheader -separator '|' "file:$DB?mode=ro" "
		ATTACH 'file:$T/answers.db?mode=ro' AS answers;
		CREATE TEMP VIEW hits AS
		SELECT s.*, a.name AS array, a.address AS array_address, a.bytes AS array_bytes,
			t.pid AS pid, t.tid AS tid
		FROM samples s JOIN threads t ON t.id = s.thread_id
		JOIN answers.arrays a ON t.pid = a.pid AND s.address >= a.address
			AND s.address < a.address + a.bytes
			AND s.time BETWEEN a.start_ns AND a.end_ns
			AND (a.tid = 0 OR a.tid = t.tid);
		$1"
}

# Checks that each sample that hit an array belongs to the right block (allocation_id): the block contains the array and
# was alive at the time of the sample.
assert_hits_joined()
{
	assert_eq "samples joined to the wrong block" 0 "$(sql "
		SELECT count(*) FROM hits h LEFT JOIN allocations b ON b.id = h.allocation_id
		WHERE b.id IS NULL OR b.address_start > h.array_address
			OR b.address_end < h.array_address + h.array_bytes
			OR b.time > h.time OR b.end_time < h.time
			OR h.object_offset IS NOT h.address - b.address_start")"
}

# Checks that every array has samples.
assert_all_hit()
{
	assert_eq "arrays without a sample" "" "$(sql "
		SELECT a.name FROM answers.arrays a
		WHERE NOT EXISTS (SELECT 1 FROM hits h WHERE h.array = a.name AND h.pid = a.pid)")"
}

# assert_addresses FUNCTION LEAST [PERCENT]: checks that there are at least LEAST samples in FUNCTION, that at least
# PERCENT of them have an address (default 80, because some instructions do not access memory), and that each address is
# in an array that the program printed, in its static variables or in its stack.
assert_addresses()
{
	local function=$1 least=$2 percent=${3:-80} total known in_function

	in_function="s.symbol_id IN (SELECT id FROM symbols WHERE name = '$function')"
	total=$(sql "SELECT count(*) FROM samples s WHERE $in_function")
	known=$(sql "SELECT count(*) FROM samples s WHERE s.address IS NOT NULL AND $in_function")
	assert_ge "samples in $function" "$least" "$total"
	assert_ge "percent of them with an address" "$percent" \
		"$(awk -v n="$known" -v of="$total" 'BEGIN { print 100 * n / of }')"
	assert_eq "of them in nothing of the program's own" "" "$(sql "
		SELECT printf('sample %d: ip %x, address %x by source %d, object %s', s.id, s.ip, s.address, s.addr_source,
			coalesce(o.kind, s.object_reason))
		FROM samples s JOIN threads t ON t.id = s.thread_id
		LEFT JOIN objects o ON o.id = s.object_id
		WHERE s.address IS NOT NULL AND $in_function
			AND NOT EXISTS (SELECT 1 FROM answers.arrays a WHERE a.pid = t.pid
				AND s.address >= a.address AND s.address < a.address + a.bytes)
			AND coalesce(o.kind, '') NOT IN ('static', 'stack')")"
}

# assert_sound: checks what must be true in every database: integrity, references, and a reason for
# each value that is missing.
assert_sound()
{
	assert_eq "integrity" ok "$(sqlite3 "$DB" "PRAGMA integrity_check")"
	assert_eq "broken references" "" "$(sqlite3 "$DB" "SELECT * FROM pragma_foreign_key_check LIMIT 5")"
	assert_eq "samples with neither object nor reason, or both" 0 "$(sqlite3 "$DB" "
		SELECT count(*) FROM samples WHERE (object_id IS NULL) = (object_reason IS NULL)")"
	assert_eq "samples with neither address nor reason, or both" 0 "$(sqlite3 "$DB" "
		SELECT count(*) FROM samples WHERE (address IS NULL) = (addr_reason IS NULL)")"
}
