#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs each hostile program with and without the tracker. Output and exit code must be the same, and the logs must
# show every marked block.
#
#   run.sh [-v] [BUILD DIRECTORY [PROGRAM…]]
#
# Prints one line per program (ok, FAIL with the reason, skip with the reason) and a summary. The exit code is 1 if a
# program failed.
set -u
export LC_ALL=C
verbose=
[ "${1:-}" = -v ] && verbose=1 && shift
build=$(realpath "${1:-build}")
[ $# -gt 0 ] && shift
here=$(dirname "$(realpath "$0")")
library=$build/preload/libmemdb-track.so
programs=$build/tests/hostile
work=$(mktemp -d) || exit 1
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
export HOSTILE_PLUGIN=$programs/libplugin.so

# say VERDICT PROGRAM REASON: prints a line with the result (ok, FAIL or skip) and counts it.
say() {
	printf '%-5s %-14s %s\n' "$1" "${libc-}$2" "$3"
	case $1 in
	ok) passed=$((passed + 1)) ;;
	FAIL) failed=$((failed + 1)) ;;
	skip) skipped=$((skipped + 1)) ;;
	esac
}

# header NAME FIELD: prints what the first comment of the program says about FIELD.
header() {
	sed -n "1,12s/^.*[* ]$2: \(.*[^ */]\) *\*\{0,1\}\/\{0,1\}\$/\1/p" "$here/$1.c" | head -1
}

# run native|tracked NAME: runs the program and stores its output and exit code.
run() {
	local env=(env -u HOSTILE_EXPECT)

	[ "$1" = tracked ] && env=(env MEMDB_TRACK_OPTIONS="$(header "$2" options)" HOSTILE_EXPECT="$work/expect" HOSTILE_TIMES="$work/times" MEMDB_TRACK_DIR="$work/track"
		LD_PRELOAD="$library")
	(ulimit -c 0; cd "$work" && exec timeout -k 10 300 "${env[@]}" "$programs/$2") \
		>"$work/$1.out" 2>"$work/$1.err" </dev/null
	echo $? >"$work/$1.rc"
}

# in_range NUMBER RANGE: succeeds if NUMBER is in RANGE, which is LOW..HIGH or a number.
in_range() {
	[ "$1" -ge "${2%..*}" ] && [ "$1" -le "${2#*..}" ]
}

# Checks the log of timed.c, which stores in $work/times when each call began and returned: the time in the log must be
# between the two, or at most 1 µs outside. Prints what is wrong, or nothing.
check_times() {
	"$programs/tracklog-dump" "$work"/track/*.log | awk -v marked=1237 '
		NR == FNR { for (i = 1; i <= 4; i++) t[NR, i] = $i; rows = NR; next }
		$4 == "birth" && $7 == marked { n++; off($1, t[n, 1], t[n, 2]); address = $6 }
		$4 == "death" && $6 == address && n { off($1, t[n, 3], t[n, 4]); address = "" }
		function off(x, low, high) {
			if (low - x > worst) worst = low - x
			if (x - high > worst) worst = x - high
		}
		END { if (n != rows) print n " timed births of " rows
			else if (worst > 1000) print "a time is off by " worst " ns" }' "$work/times" -
}

# check_number_of FIELD [NAME NUMBER]...: checks that NUMBER events (a number or a range) have NAME as word FIELD of
# their line in the dump.
check_number_of() {
	local field=$1 n

	shift
	while [ $# -gt 1 ]; do
		n=$("$programs/tracklog-dump" "$work"/track/*.log | awk -v f="$1" -v i="$field" '$i == f' | wc -l)
		in_range "$n" "$2" || { echo "$1 $n, not $2"; return; }
		shift 2
	done
}

# check_log NAME: compares the tracker's log with what the first comment of NAME.c expects: the marked blocks, losses
# and other events. Prints the first difference, or nothing.
check_log() {
	local name=$1 want counts births deaths n got

	[ -n "$(ls "$work/track")" ] || { echo "no log"; return; }
	counts=$("$programs/tracklog-dump" -c "$work"/track/*.log 2>&1) || { echo "unreadable: $counts"; return; }
	for n in overlaps backward stackless damaged lost; do
		got=$(sed -n "s/.* $n \([0-9]*\).*/\1/p" <<<"$counts" | awk '{ sum += $1 } END { print sum + 0 }')
		want=$([[ $n =~ ^(lost|stackless)$ ]] && header "$name" "$n")
		in_range "$got" "${want:-0}" || { echo "$n $got"; return; }
	done
	want=$(header "$name" expect)
	[ "$want" = program ] && want=$(cat "$work/expect")
	read -r _ births _ deaths <<<"$("$programs/tracklog-dump" -m 1237 "$work"/track/*.log)"
	set -- $want
	[ $# -ge 2 ] || { echo "its first comment does not say what to expect"; return; }
	in_range "$births" "$2" || { echo "births $births, not $2"; return; }
	[ $# -lt 4 ] || in_range "$deaths" "$4" || { echo "deaths $deaths, not $4"; return; }
	[ ! -f "$work/times" ] || check_times
	want=$(header "$name" homes)
	n=$("$programs/tracklog-dump" "$work"/track/*.log | grep -c '^[0-9]* [0-9]* cpu[-0-9]* homes .* 0\(,0\)*$')
	[ -z "$want" ] || [ "$n" = "$want" ] || { echo "homes of $n blocks, not $want"; return; }
	want=$(header "$name" unknown)
	got=$(sed -n "s/.* unknown \([0-9]*\).*/\1/p" <<<"$counts" | awk '{ sum += $1 } END { print sum + 0 }')
	[ -z "$want" ] || [ "$got" = "$want" ] || { echo "ends of $got unknown blocks, not $want"; return; }
	want=$(header "$name" exact) # BYTES NUMBER: births and deaths of blocks of BYTES bytes
	[ -z "$want" ] || [ "$("$programs/tracklog-dump" -m "${want% *}" "$work"/track/*.log)" = "births ${want#* } deaths ${want#* }" ] ||
		{ echo "blocks of ${want% *} bytes: not ${want#* }"; return; }
	want=$(header "$name" log)
	n=$(du -sk "$work/track" | cut -f 1)
	[ -z "$want" ] || [ "$n" -le "$want" ] || { echo "a log of $n KiB, more than $want"; return; }
	# shellcheck disable=SC2046 # not quoted, so that it is split into the words NAME NUMBER NAME NUMBER …
	check_number_of 5 $(header "$name" events)
	# shellcheck disable=SC2046
	check_number_of 4 $(header "$name" kinds)
}

# one NAME: runs one program with and without the tracker, and prints the verdict.
one() {
	local name=$1 why=

	if [ "$(header "$name" needs)" = root ] && [ "$(id -u)" != 0 ]; then
		say skip "$name" "needs root"
		return
	fi
	if [ ! -x "$programs/$name" ]; then
		say FAIL "$name" "not built"
		return
	fi
	rm -rf "$work/track" "$work/expect" "$work/times"
	mkdir -m 700 "$work/track"
	run native "$name"
	if [ "$(cat "$work/native.rc")" = 99 ]; then # the exit code of die() in hostile.h: the program cannot run here
		say skip "$name" "not even natively: $(head -1 "$work/native.err")"
		return
	fi
	run tracked "$name"
	cmp -s "$work/native.rc" "$work/tracked.rc" ||
		why="exit code $(cat "$work/tracked.rc"), natively $(cat "$work/native.rc")"
	[ -n "$why" ] || cmp -s "$work/native.out" "$work/tracked.out" || why="another output"
	[ -n "$why" ] || [ ! -s "$work/tracked.err" ] || cmp -s "$work/native.err" "$work/tracked.err" ||
		why="stderr: $(head -1 "$work/tracked.err")"
	[ -n "$why" ] || why=$(check_log "$name")
	[ -z "$verbose" ] || cat "$work/tracked.out" "$work/tracked.err"
	if [ -n "$why" ]; then say FAIL "$name" "$why"; else say ok "$name" "$(header "$name" expect)"; fi
}

# Runs a program whose log is on a disk that becomes full: the program must continue, its log must be
# readable, and the loss must be counted.
full_disk() {
	local counts lost

	mkdir -p "$work/small"
	if ! mount -t tmpfs -o size=2m tmpfs "$work/small" 2>/dev/null; then
		say skip full_disk "cannot mount a small file system"
		return
	fi
	"$programs/many" >"$work/native.out"
	MEMDB_TRACK_DIR=$work/small LD_PRELOAD=$library "$programs/many" >"$work/tracked.out" 2>"$work/tracked.err"
	echo $? >"$work/tracked.rc"
	counts=$("$programs/tracklog-dump" -c "$work"/small/*.log)
	lost=$(sed -n 's/.* lost \([0-9]*\).*/\1/p' <<<"$counts")
	if [ "$(cat "$work/tracked.rc")" != 0 ] || [ -s "$work/tracked.err" ]; then
		say FAIL full_disk "exit code $(cat "$work/tracked.rc") $(head -1 "$work/tracked.err")"
	elif [ "${lost:-0}" -lt 1000 ] || ! grep -q 'damaged 0' <<<"$counts"; then
		say FAIL full_disk "$counts"
	else
		say ok full_disk "$lost events lost and counted"
	fi
	rm -rf "$work/small"/*
	HOSTILE_FILL=$work/small/other MEMDB_TRACK_DIR=$work/small LD_PRELOAD=$library "$programs/full_forks" >"$work/tracked.out" 2>&1
	counts="exit code $? $(grep -v '^full forks$' "$work/tracked.out") $("$programs/tracklog-dump" -c "$work"/small/*.log)"
	case $counts in
	"exit code 0 "*"damaged 0"*) say ok full_forks "on a full disk: $counts" ;;
	*) say FAIL full_forks "on a full disk: $counts" ;;
	esac
	umount "$work/small"
}

# Preloads another allocator after the tracker. The tracker must see the allocator's blocks, because it defines the
# same functions and comes first, so the program's calls reach it.
other_allocators() {
	local name file why

	for name in jemalloc tcmalloc_minimal mimalloc; do
		file=$(ls /usr/lib/*/lib$name.so* 2>/dev/null | head -1)
		if [ -z "$file" ]; then
			say skip "$name" "it is not installed"
			continue
		fi
		rm -rf "$work/track" "$work/expect" "$work/times"
		mkdir -m 700 "$work/track"
		LD_PRELOAD=$file "$programs/handed_over" >"$work/native.out" 2>"$work/native.err"
		echo $? >"$work/native.rc"
		MEMDB_TRACK_DIR=$work/track LD_PRELOAD=$library:$file "$programs/handed_over" \
			>"$work/tracked.out" 2>"$work/tracked.err"
		echo $? >"$work/tracked.rc"
		why=
		for file in rc out err; do
			cmp -s "$work/native.$file" "$work/tracked.$file" || why="another $file"
		done
		[ -n "$why" ] || why=$(check_log handed_over)
		if [ -n "$why" ]; then say FAIL "$name" "$why"; else say ok "$name" "$(header handed_over expect)"; fi
	done
}

# Tests the same tracker library in programs that use musl instead of glibc.
musl() {
	local programs=$work/musl libc="musl " name uapi=$work/musl/include

	if ! command -v musl-gcc >/dev/null; then
		say skip "" "musl-gcc is not installed"
		return
	fi
	mkdir -p "$uapi"
	ln -s /usr/include/linux /usr/include/asm-generic "/usr/include/$(gcc -print-multiarch)/asm" "$uapi"
	ln -s "$build/tests/hostile/tracklog-dump" "$programs"
	for name in atfork canceled chain cloned close_all destructors forker handed_over killed many_threads named \
		overflown sealed_attempts small_files small_space spawner thread_row untouched vforker; do
		if musl-gcc -D_GNU_SOURCE -O1 -fno-builtin -w -I"$uapi" -o "$programs/$name" "$here/$name.c" \
			2>"$work/native.err"; then
			one "$name"
		else
			say FAIL "$name" "$(grep -m 1 error "$work/native.err")"
		fi
	done
}

# exports: checks that the tracker's library exports only what exports.txt lists: the functions that it replaces, and
# one whose name the importer needs.
exports() {
	local extra

	extra=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort |
		comm -23 - <(sort "$here/exports.txt"))
	if [ -n "$extra" ]; then say FAIL exports "$(echo $extra)"; else say ok exports "nothing else is visible"; fi
	extra=$(objdump -T "$library" | grep -o 'GLIBC_[0-9.]*' | sort -uV |
		awk -F'[_.]' '$3 > 31 || $2 > 2')
	if [ -n "$extra" ]; then say FAIL symbols "$(echo $extra)"; else say ok symbols "glibc 2.31 has them all"; fi
}

if [ $# -gt 0 ]; then
	for name; do one "$name"; done
else
	for source in "$here"/*.c; do
		name=$(basename "$source" .c)
		[ "$name" != tracklog-dump ] && grep -q '^int main' "$source" && one "$name"
	done
	full_disk
	other_allocators
	musl
	exports
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
