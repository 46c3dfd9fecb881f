#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Counts the accesses of a program of another machine that was built for the sampler soft.
#
#   soft.sh PROGRAM
set -eu
read -ra emulator <<<"${MESON_EXE_WRAPPER:-}"
stream=$(mktemp)
trap 'rm -f "$stream"' EXIT
MEMDB_ACCESS_STREAM=$stream MEMDB_ACCESS_OPTIONS=period=1,seed=1 "${emulator[@]}" "$1" work
got=$("${emulator[@]}" "$1" count "$stream")
[ "$got" = "10000 loads, 5000 stores" ] || { echo "FAIL: $got"; exit 1; }
echo "ok: $got"
