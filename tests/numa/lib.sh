# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the tests on an emulated NUMA machine share, beside all that tests/e2e/lib.sh has. A test
# boots a machine with on_guest, which records there into $T, and then looks at the databases here.

# shellcheck source=tests/e2e/lib.sh
. "$(dirname "$0")/../e2e/lib.sh"

# on_guest [OPTION of tests/numa/guest]...: runs the bash script on stdin on the machine. It has the
# functions of guest_functions and the folder $T, which is shared.
on_guest()
{
	local code=0

	{
		printf '%s=%q\n' T "$T" MEMDB "$MEMDB" PROGRAMS "$PROGRAMS" SRC "$SRC"
		guest_functions
		cat
	} >"$T/script"
	"$SRC/tests/numa/guest" --out "$T" --timeout 240 "$@" -- bash -eu "$T/script" \
		>"$T/guest.out" 2>"$T/guest.err" || code=$?
	[ "$code" != 77 ] || skip "$(sed -n 's/^skip: //p' "$T/guest.out")"
	[ "$code" = 0 ] || fail "the guest's exit code is $code:
$(tail -n 20 "$T/guest.out" "$T/guest.err")"
}

# What scripts on the guest have.
guest_functions()
{
	cat <<'END'
# run NAME [OPTION of memdb record]... -- PROGRAM...: recorded into $T/NAME.db, imported there; the
# capture is kept in $T/NAME, what the program said in $T/NAME.out.
run()
{
	local name=$1

	shift
	"$MEMDB" record -q --keep -F 1000 --sampler=timer -o "/var/tmp/$name.db" "$@" \
		>"$T/$name.out" 2>"$T/$name.err" || { cat "$T/$name.err" >&2; return 1; }
	cp "/var/tmp/$name.db" "$T/"
	cp -r "/var/tmp/$name.db.capture" "$T/$name"
}
END
}

# use NAME: what follows asks about this recording. Imports it here too, which must say the same.
# The database `answers` (see tests/e2e/lib.sh) also has
#	answers.homes	process pid, address, node of each page of the arrays, as the kernel said at the end
use()
{
	DB=$T/$1.db
	cp "$T/$1.out" "$T/stdout"
	read_answers "$T/stdout"
	sqlite3 "$T/answers.db" "CREATE TABLE homes (address INTEGER PRIMARY KEY, node INTEGER)"
	awk '$1 == "home" { print $2 "|" $3 }' "$T/stdout" >"$T/homes"
	sqlite3 "$T/answers.db" ".import $T/homes homes"
	"$MEMDB" import -q -o "$T/$1.host.db" "$T/$1" 2>"$T/stderr" || fail "import of $1 on the host"
	assert_eq "what the import here and there say of '$1' differently" "" \
		"$(diff <(facts_of "$T/$1.db") <(facts_of "$T/$1.host.db") | head -n 5)"
}

# Every row of every table; of the kernel's symbols only as many as the guest could see.
facts_of()
{
	sqlite3 "$1" .dump
}

# percent PART WHOLE
percent()
{
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f\n", b > 0 ? 100 * a / b : -1 }'
}
