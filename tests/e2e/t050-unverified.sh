#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a file without a build-id is used only if the recording was made on this machine and the file did not
# change since. If the program was rebuilt later, its symbols must not be used for the samples as if it were the
# program that ran. Only the recording itself tells when it was made: the times of its file change when it is copied.
. "$(dirname "$0")/lib.sh"
need_perf
command -v cc >/dev/null || skip "no C compiler"

# build NAME: builds a program without a build-id that does nothing but call a function NAME.
build()
{
	printf '%s\n' '#include <stdlib.h>' 'volatile long sum;' \
		"__attribute__((noinline)) void $1(long n)" '{' 'while (n--) sum += n;' '}' \
		'int main(int argc, char **argv)' '{' "$1(atol(argv[1]));" 'return 0;' '}' >"$T/$1.c"
	cc -O1 -g -Wl,--build-id=none -o "$T/new" "$T/$1.c" && mv "$T/new" "$T/program"
}

import()
{
	rm -f "$DB"
	"$MEMDB" import -q -o "$DB" "$@" 2>"$T/stderr" || fail "memdb import: $(cat "$T/stderr")"
	read_answers /dev/null
	assert_sound
}

named()
{
	sql "SELECT count(*) > 0 FROM samples s JOIN symbols y ON y.id = s.symbol_id WHERE y.name = '$1'"
}

program()
{
	sql "SELECT coalesce($1, '-') FROM dsos WHERE long_name = '$T/program'"
}

report()
{
	"$MEMDB" report "$DB"
}

build hot
# -B and -N: perf stores no build-ids.
perf record -q -B -N -k CLOCK_MONOTONIC -e cpu-clock/period=1000000/ -o "$T/perf.data" "$T/program" 200000000 \
	>"$T/stdout" 2>&1 || skip "perf cannot record: $(tail -n 1 "$T/stdout")"

import "$T/perf.data"
assert_eq "state of the file that ran" ok "$(program state)"
assert_eq "its build-id, which was not recorded" - "$(program build_id)"
assert_eq "hot is named" 1 "$(named hot)"
assert_eq "files in doubt" 0 "$(sql "SELECT count(*) FROM losses WHERE what LIKE 'unverified%' AND detail LIKE '$T/%'")"

touch -d 2001-01-01 "$T/program" # sets an old modification time, but the time of change of the inode (ctime) is now
import "$T/perf.data"
assert_eq "state of a file that may have changed" unverified "$(program state)"
assert_eq "hot is named" 1 "$(named hot)"
assert_match "what the report says" "nothing proves that .*may be wrong" "$(report)"

build innocent
import "$T/perf.data"
assert_eq "state of a file that was made later" unverified "$(program state)"
assert_eq "innocent is named" 0 "$(named innocent)"
assert_match "losses" "$T/program: changed after the recording" "$(sql "
	SELECT detail FROM losses WHERE what = 'unverified files left out'")"
assert_match "what the report says" "left out.*--trust-files" "$(report)"

# A copy of the recorded program, in a folder that --symfs names, is used if the user gives --trust-files.
mkdir -p "$T/kept$T" && build hot && mv "$T/program" "$T/kept$T/program" && build innocent
import --symfs "$T/kept" --trust-files "$T/perf.data"
assert_eq "hot is named, from the copy" 1 "$(named hot)"
assert_eq "innocent is named" 0 "$(named innocent)"

import --trust-files "$T/perf.data"
assert_eq "state of a trusted file" unverified "$(program state)"
assert_eq "innocent is named, as asked for" 1 "$(named innocent)"
assert_match "what the report says" "nothing proves that .*may be wrong" "$(report)"

# Without -k, the recording does not tell when it was made. The program is rebuilt, and then the recording is copied, so
# the copy is newer than the rebuilt program. memdb must not conclude from this that the rebuilt program is the one that
# ran.
build hot
perf record -q -B -N -e cpu-clock/period=1000000/ -o "$T/perf.data" "$T/program" 200000000 >"$T/stdout" 2>&1 ||
	fail "perf record: $(tail -n 1 "$T/stdout")"
build innocent
touch -d 2001-01-01 "$T/program"
cp "$T/perf.data" "$T/copy.data"
touch -d 2030-01-01 "$T/copy.data"
import "$T/copy.data"
assert_eq "state of a program rebuilt before the recording was copied" unverified "$(program state)"
assert_match "losses" "$T/program: the recording does not say when it was made" "$(sql "
	SELECT detail FROM losses WHERE what = 'unverified files'")"
