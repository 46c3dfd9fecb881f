#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs programs for another machine in an emulator, with and without the tracker. Output and exit code must be the
# same. The logs must be complete and contain every marked block.
#
#   programs.sh DUMP LIBRARY PROGRAM...
#
# meson passes the emulator and its arguments in $MESON_EXE_WRAPPER.
set -u
export LC_ALL=C
dump=$(realpath "$1") library=$(realpath "$2")
shift 2
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
read -ra emulator <<<"${MESON_EXE_WRAPPER:-}"

emulated() { "${emulator[@]}" "$@"; }

# tracked COMMAND...: runs the command in the emulator with the tracker. QEMU_SET_ENV sets LD_PRELOAD for the
# program and not for the emulator itself. MEMDB_TRACK_DIR is set for both, because /proc shows the program the
# emulator's environment.
tracked() {
	MEMDB_TRACK_DIR=$work/track QEMU_SET_ENV="LD_PRELOAD=$library" emulated "$@"
}

# header NAME FIELD: prints what the first comment of hostile/NAME.c says about FIELD, such as
# "expect".
header() {
	sed -n "1,12s/^.*[* ]$2: \(.*[^ */]\) *\*\{0,1\}\/\{0,1\}\$/\1/p" "$here/../hostile/$1.c" | head -1
}

# what_is_wrong NAME: runs the program with and without the tracker and prints what differs or is missing.
what_is_wrong() {
	local want counts n got

	cmp -s "$work/native" "$work/tracked" || { echo "another output or exit code"; return; }
	[ -n "$(ls "$work/track")" ] || { echo "no log"; return; }
	counts=$(emulated "$dump" -c "$work"/track/*.log) || { echo "an unreadable log"; return; }
	for n in overlaps backward stackless damaged lost; do
		got=$(sed -n "s/.* $n \([0-9]*\).*/\1/p" <<<"$counts" | awk '{ sum += $1 } END { print sum + 0 }')
		[ "$got" = 0 ] || { echo "$n $got"; return; }
	done
	want=$(header "$1" expect)
	got=$(emulated "$dump" -m 1237 "$work"/track/*.log)
	case $want in
	program | *..*) ;; # not compared: only the program knows the number, or it is a range
	"$got"*) ;;
	*) [[ "$got" == "$want"* ]] || echo "$got, not $want" ;;
	esac
	# In the program coroutines, some stacks are cut. In all other programs, the stacks of
	# marked blocks must be complete.
	n=$(emulated "$dump" "$work"/track/*.log | awk '$4 == "birth" && $7 == 1237 && /\.\.\.]/' | wc -l)
	[ "$n" = 0 ] || [ "$1" = coroutines ] || echo "$n stacks are cut"
}

for program; do
	program=$(realpath "$program")
	name=$(basename "$program")
	rm -rf "$work/track"
	mkdir "$work/track"
	(cd "$work" && ulimit -c 0 && emulated "$program"; echo $?) >"$work/native" 2>/dev/null </dev/null
	(cd "$work" && ulimit -c 0 && tracked "$program"; echo $?) >"$work/tracked" 2>/dev/null </dev/null
	why=$(what_is_wrong "$name")
	echo "${why:+FAIL: }$name ${why:-ok: $(header "$name" expect)}"
	[ -z "$why" ] || failed=1
done
exit $failed
