#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Compares the database of a recording with `perf script` of the same file, field by field: samples, tracepoints and
# all other records. The test fails if there is a difference that exceptions.py does not explain.
#
# database.sh MEMDB PD_MAKE PD_DUMP DLFILTER
# records a small command in several ways, writes files with all kinds of samples, and compares these
#
# database.sh MEMDB PD_MAKE PD_DUMP DLFILTER FILE...
# compares these files or those in these folders. If perf cannot read a file, the numbers of records are compared with
# the folder's README.md.
#
# DLFILTER is the library built from dlfilter.c. If it is "", the fields that need it are not compared.
set -u
memdb=$1
# shellcheck disable=SC2034 # for make_files
pd_make=$2
pd_dump=$3
dlfilter=$4
shift 4
ORACLE=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ORACLE PYTHONDONTWRITEBYTECODE=1 ORACLE_DB=$work/run.db ORACLE_RECORDS=$work/records
export ORACLE_FIELDS=${dlfilter:+$work/fields}
export HOME=$work # perf stores copies of files there, and finds the vdso only if HOME is set

# shellcheck source=tests/oracle/recordings.sh
. "$ORACLE/recordings.sh"

skip()
{
	echo "skip: $*"
	exit 77
}

# said_by_readme NAME FILE: prints the numbers of records, "TYPE number", that the row NAME of the README.md next
# to FILE states: `| name | … | {TYPE: number, …} | …`. For a compressed file, they are those of the records
# inside.
said_by_readme()
{
	local row

	row=$(grep -F "| $1 |" "$(dirname "$2")/README.md" 2>/dev/null) || return
	case $row in
	*COMPRESSED*) grep -oE '[0-9]+ samples[^=]' <<<"$row" | sed -n 's/\([0-9]*\) .*/SAMPLE \1/p' | head -n 1 ;;
	*) grep -oE '\{[A-Z0-9_]+: [^}]*\}' <<<"$row" | tr -d '{} ' | tr ',:' '\n ' |
		grep -E '^(SAMPLE|MMAP2?|COMM|FORK|EXIT|KSYMBOL|LOST|SWITCH|AUX) ' ;;
	esac
}

# count NAME FILE: checks the numbers of records in a file that perf cannot read against those in
# its README.md.
count()
{
	local name=$1 file=$2 type n have failed=0 words=

	"$pd_dump" "$file" >"$work/ours.txt" 2>"$work/err" || { echo "FAIL $name: $(cat "$work/err")"; return 1; }
	while read -r type n; do
		have=$(grep -c "PERF_RECORD_$type\\b" "$work/ours.txt")
		[ "$type" != SAMPLE ] || [ "$n" = "$(sqlite3 "$ORACLE_DB" "SELECT count(*) +
			(SELECT count(*) FROM fault_data) + (SELECT count(*) FROM tracepoints) FROM sample_data")" ] ||
			have="$have, and another number in the database"
		[ "$have" = "$n" ] || { echo "FAIL $name: $type: $n recorded, $have read" && failed=1; }
		words="$words $type $n"
	done < <(said_by_readme "${name%.perf.data}" "$file")
	[ $failed != 0 ] || echo "same: $name: perf cannot read it; numbers:${words:- none known}"
	return $failed
}

compare()
{
	local file=$1 name

	name=$(basename "$file")
	rm -f "$ORACLE_DB" "$work/fields"
	if ! "$memdb" import -o "$ORACLE_DB" "$file" >/dev/null 2>"$work/err"; then
		echo "FAIL $name: $(cat "$work/err")"
		return 1
	fi
	if ! perf script --no-itrace -D -i "$file" >"$work/dump" 2>"$work/err"; then
		count "$name" "$file"
		return
	fi
	grep -aE 'PERF_RECORD_(MMAP2?|COMM|FORK|EXIT|LOST|LOST_SAMPLES|THROTTLE|KSYMBOL)\b' "$work/dump" >"$work/records"
	perf script --no-itrace --no-inline --max-stack 8192 ${dlfilter:+--dlfilter "$dlfilter"} -i "$file" \
		-s "$ORACLE/database.py" >"$work/out" 2>"$work/err"
	if grep -q '^samples: [0-9]* same, 0 differ, 0 only' "$work/out" && grep -q '^records: [0-9]* same, 0 differ' "$work/out"; then
		echo "same: $name: $(grep -E '^(samples|records):' "$work/out" | tr '\n' ' ')"
		sed -n 's/^excused:/      excused:/p' "$work/out"
		return 0
	fi
	echo "FAIL $name: $(grep -E '^(samples|records):' "$work/out" | tr '\n' ' ') $(grep -m 1 '^differs' "$work/out" ||
		tail -n 1 "$work/err")" | cut -c 1-400
	grep -vE '^(samples|records):' "$work/out" | cut -c 1-1000 | head -n 30
	tail -n 5 "$work/err"
	return 1
}

command -v perf >/dev/null || skip "perf is not installed"
command -v sqlite3 >/dev/null || skip "there is no sqlite3 shell"
perf version --build-options 2>/dev/null | grep -q 'libpython: \[ on' || skip "perf has no Python"
for given; do
	if [ -d "$given" ] && ! [ -f "$given/data" ]; then
		files+=("$given"/*.data)
	else
		files+=("$given")
	fi
done
if [ $# = 0 ]; then
	make_recordings
	[ ${#files[@]} -gt 0 ] || skip "perf cannot record here"
	make_tracepoints
	make_files
	make_single "${MEMDB_ORACLE_STEP:-$([ "${MEMDB_LONG:-}" ] && echo 1 || echo 10)}"
fi
failed=0
for f in "${files[@]}"; do
	[ -e "$f" ] || skip "no recordings of others in $(dirname "$f")"
	compare "$f" || failed=1
done
exit $failed
