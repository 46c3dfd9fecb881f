#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the tracker for AArch64 and runs its tests under emulation.
#
#   run.sh BUILD DIRECTORY
set -u
here=$(dirname "$(realpath "$0")")
build=$(realpath "$1")/cross

skip() { echo "skip: $*"; exit 77; }

for tool in aarch64-linux-gnu-gcc qemu-aarch64 meson ninja; do
	command -v $tool >/dev/null || skip "no $tool (tools/setup --cross gets it)"
done
[ -e /usr/aarch64-linux-gnu/include/stdio.h ] || skip "no libc for AArch64 (tools/setup --cross gets it)"

log=$build.log
if ! { [ -f "$build/build.ninja" ] || meson setup "$build" "$here/../.." --cross-file "$here/aarch64.ini" \
	-Dtracker_only=true; } >"$log" 2>&1 </dev/null || ! ninja -C "$build" >>"$log" 2>&1 </dev/null; then
	grep -E 'error|ERROR|warning' "$log" | head -20
	echo "FAIL: the tracker does not build"
	exit 1
fi
meson test -C "$build" --no-rebuild --print-errorlogs </dev/null
