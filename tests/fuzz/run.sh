#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh TARGET SECONDS SEED...: runs a libFuzzer target for this time. It starts with the seeds, which are files or
# folders of files. If an input fails, it is printed in base64 with the command that runs it again.
set -eu
target=$1
seconds=${MEMDB_FUZZ_SECONDS:-$2}
shift 2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/corpus" "$work/seeds"
for seed; do
	[ -d "$seed" ] && set -- "$seed"/* || set -- "$seed"
	cp "$@" "$work/seeds/"
done
if "$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -max_len=262144 \
	-malloc_limit_mb=1024 -print_final_stats=1 -verbosity=0 -artifact_prefix="$work/" \
	"$work/corpus" "$work/seeds" >"$work/log" 2>&1; then
	grep -E 'number_of_executed_units|peak_rss' "$work/log"
	exit 0
fi
tail -n 60 "$work/log"
for f in "$work"/crash-* "$work"/timeout-* "$work"/oom-* "$work"/leak-*; do
	[ -f "$f" ] || continue
	echo "base64 -d >input, then: $target input"
	base64 "$f" | head -n 200
done
exit 1
