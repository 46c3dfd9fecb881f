#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a failed test prints its reason in the one line that ./check shows, and that its cleanup runs.
# shellcheck disable=SC2016 # the quoted $ belong to the scripts that said() runs
. "$(dirname "$0")/lib.sh"

# said SCRIPT: runs the lines of SCRIPT as a test of its own whose $T is below $T/inner. Prints its exit code and
# output.
said()
{
	local code=0

	mkdir -p "$T/inner"
	(
		TMPDIR=$T/inner
		printf '. "%s/tests/e2e/lib.sh"\n%s\n' "$SRC" "$1" >"$T/test.sh"
		bash "$T/test.sh" 2>&1
	) >"$T/said" || code=$?
	echo "$code: $(cat "$T/said")"
}

# shown RESULT FILE: prints the reason that ./check shows for a test with this result whose stderr
# is in FILE.
shown()
{
	sqlite3 :memory: "SELECT json_object('name', 'memdb:e2e / t', 'result', '$1', 'duration', 1, 'stdout', 'ok: before' || char(10),
		'stderr', CAST(readfile('$2') AS TEXT))" >"$T/testlog.json"
	"$SRC/tools/testlog" "$T/testlog.json" | cut -f 3-
}

assert_match "a passing test" '^0: ok: it = 1$' "$(said 'assert_eq it 1 1')"
assert_match "one line that differs" "^1: .*FAIL: it: expected '1', got '2'" "$(said 'assert_eq it 1 2')"
assert_eq "it is shown" "e2e t	it: expected '1', got '2'" "$(shown FAIL "$T/said")"

near="run 3 1.5625
to 2 -0.25"
assert_match "numbers that are near" "^0: ok" "$(said "assert_near it '$near' '${near/5625/5629}' 0.001")"
for far in "${near/5625/5725}" "${near/3/4}" "${near/run/ran}" "${near/-/}" "${near% *}" "run 3 1.5625" "$near
more" ""; do
	assert_match "others" "^1: .*FAIL: it: expected" "$(said "assert_near it '$near' '$far' 0.001" | tr '\n' ' ')"
done

said 'assert_eq rows "$(seq 50)" "$(seq 49; echo 51)"' >/dev/null
assert_eq "the lines that differ are shown" "e2e t	rows: expected '50', got '51'" "$(shown FAIL "$T/said")"

assert_match "a command that fails, and its words" "^1: FAIL: test.sh:3: false.*stderr: broken" \
	"$(said 'echo broken >"$T/stderr"
false' | tr '\n' ' ')"
said 'true &&
	[ 1 = 2 ]' >/dev/null || true
assert_eq "a command of several lines" "e2e t	test.sh:3: [ 1 = 2 ]" "$(shown FAIL "$T/said")"
assert_match "what is undone" "^1: FAIL: why undone" "$(said 'finish() { echo undone; true; }
fail why' | tr '\n' ' ')"
assert_eq "folders left behind" "" "$(ls "$T/inner")"
said 'skip "no such thing"' >/dev/null
assert_eq "why it is skipped is shown" "e2e t	no such thing" "$(shown SKIP "$T/said")"

printf 'Running suite(s): x\n50%%: Checks: 2, Failures: 1, Errors: 0\nx.c:12:F:case:name:0: Assertion failed: 1 == 2\n' >"$T/said"
assert_eq "a unit test" "e2e t	name:0: Assertion failed: 1 == 2" "$(shown FAIL "$T/said")"
printf '%s\n' 'FAIL  one  a' 'ok    two' 'FAIL  three  b' >"$T/said"
assert_eq "several reasons" "e2e t	one a; three b" "$(shown FAIL "$T/said")"
echo "killed by the weather" >"$T/said"
assert_eq "no reason: the last words" "e2e t	killed by the weather" "$(shown TIMEOUT "$T/said")"
