#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that memdb doctor names every sampler, and that a sampler works here if and only if the doctor says so.
. "$(dirname "$0")/lib.sh"

code=0
"$MEMDB" doctor >"$T/stdout" 2>"$T/stderr" || code=$?
assert_le "exit code" 1 "$code"
for sampler in pebs ibs spe timer exact; do
	assert_match "what it says" "\b$sampler\b" "$(cat "$T/stdout")"
done

need_perf
for sampler in pebs ibs spe timer exact; do
	works=yes
	"$MEMDB" record -q --sampler=$sampler -o "$DB" -- true >"$T/out" 2>"$T/stderr" || works=no
	line=$(grep -m 1 -w "$sampler" "$T/stdout")
	if [ $works = yes ]; then
		assert_eq "'$sampler' works and the doctor says no" "" \
			"$(grep -iE '\bno\b|\bnot\b|fail' <<<"$line" || true)"
	else
		assert_match "'$sampler' does not work and the doctor says so" \
			'\b([Nn]o|[Nn]ot|[Ff]ail)' "$line"
	fi
done

if command -v qemu-x86_64 >/dev/null && [ "$(uname -m)" = x86_64 ]; then
	assert_match "what the emulator can run" 'exact .*x86-64 programs.* up to AVX2' "$(cat "$T/stdout")"
fi

echo "== without perf"
mkdir "$T/bin"
code=0
PATH=$T/bin "$MEMDB" doctor >"$T/stdout" 2>&1 || code=$?
assert_match "it says that perf is missing" "perf" "$(cat "$T/stdout")"
assert_ge "exit code" 1 "$code"
