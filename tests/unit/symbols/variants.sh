#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# variants.sh PROGRAM FOLDER: makes the variants of a program that distributions ship. Writes into FOLDER: stripped;
# linked and linked.debug, which .gnu_debuglink joins; bare, the same without a build-id; mini, with .gnu_debugdata
# (if xz is installed); and done, an empty file: the output that meson waits for.
set -eu
program=$(realpath "$1")
cd "$2"
rm -f 'done'
objcopy --strip-all "$program" stripped
objcopy --only-keep-debug "$program" linked.debug
objcopy --strip-all --add-gnu-debuglink=linked.debug "$program" linked
objcopy --remove-section .note.gnu.build-id "$program" whole
objcopy --only-keep-debug whole bare.debug
objcopy --strip-all --add-gnu-debuglink=bare.debug whole bare
if command -v xz >/dev/null; then
	objcopy --strip-debug "$program" mini.symbols
	xz -kf mini.symbols
	objcopy --strip-all --add-section .gnu_debugdata=mini.symbols.xz "$program" mini
fi
rm -f whole
touch 'done'
