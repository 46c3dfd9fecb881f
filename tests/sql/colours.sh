#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# colours.sh: tests that the HTML page gives clearly different colours to the kinds of time, on light and dark
# backgrounds. The distance of two colours, computed from their values of red, green and blue (0 to 255), must be at
# least 40.
set -u
web=$(cd "$(dirname "$0")/../../web/src" && pwd)
names=$(sed -n '/^const KINDS = {/,/^};/p' "$web/pages/overview.js" | grep -o "'--[a-z0-9]*'" | tr -d "'")
[ "$(wc -w <<<"$names")" -ge 10 ] || { echo "FAIL: the kinds are not found in overview.js: $names"; exit 1; }
failed=0
# The first definition of a colour is the light one, the last one the dark one.
for which in head tail; do
	rows=$(for name in $names; do
		hex=$(grep -o -- "$name: #[0-9a-f]*" "$web/style.css" | $which -n 1 | sed 's/.*#//')
		echo "$name $((16#${hex:0:2})) $((16#${hex:2:2})) $((16#${hex:4:2}))"
	done)
	near=$(awk '{ for (i = 1; i < NR; i++) if ((r[i] - $2) ^ 2 + (g[i] - $3) ^ 2 + (b[i] - $4) ^ 2 < 1600) print n[i], $1
		n[NR] = $1; r[NR] = $2; g[NR] = $3; b[NR] = $4 }' <<<"$rows")
	[ -z "$near" ] || { echo "FAIL: nearly the same colours ($which): $near"; failed=1; }
done
exit $failed
