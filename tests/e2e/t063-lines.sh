#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that counts of all accesses show which cache lines move between threads again and again. True and false
# sharing are listed, with advice for the objects and for the layouts of their members. Lines that one thread prepares
# for others, or that threads use one after another, are not listed. Tests the samplers exact and soft.
. "$(dirname "$0")/lib.sh"
soft=$(cd "$(dirname "$MEMDB")/../access" && pwd)
source=$SRC/tests/programs/lines.c
ROUNDS=2000 # the same value as in lines.c

# check SAMPLER PROGRAM: records PROGRAM and checks the answers.
check()
{
	rm -rf "$T"/run.db*
	"$MEMDB" record -q --sampler "$1" -c 1 -o "$DB" -- "$2" >"$T/stdout" 2>"$T/stderr" || fail "exit code $?"
	assert_eq "shared lines" "beside false sharing 2|counter true sharing 2|packed false sharing 2" "$(sqlite3 "$DB" "
		SELECT group_concat(x, '|') FROM (SELECT o.name || ' ' || l.sharing || ' ' || l.threads AS x FROM shared_lines l JOIN objects o ON o.id = l.object_id
		WHERE l.together AND o.name IN ('packed', 'beside', 'config', 'own', 'counter', 'phased', 'globals') ORDER BY 1)")"
	for name in packed beside counter; do
		assert_ge "movements of $name" $((ROUNDS / 2 - 1)) "$(sqlite3 "$DB" "
			SELECT sum(l.drawn_hitm) FROM shared_lines l JOIN objects o ON o.id = l.object_id WHERE o.name = '$name'")"
	done
	assert_eq "hints" "beside pad|packed pad" "$(sqlite3 "$DB" "
		SELECT group_concat(x, '|') FROM (SELECT object || ' ' || hint AS x FROM object_hints WHERE object <> 'phase' AND object NOT LIKE '[%' ORDER BY 1)")"
	assert_eq "layouts" "beside hot 0 1|beside limit 64 0|packed left 0 1|packed right 64 1" "$(sqlite3 "$DB" "
		SELECT group_concat(x, '|') FROM (SELECT object || ' ' || member || ' ' || new_offset || ' ' || (written_by IS NOT NULL) AS x
		FROM object_layouts WHERE object <> 'phase' AND object NOT LIKE '[%' ORDER BY 1)")"
	assert_eq "threads in the lines" 0 "$(sqlite3 "$DB" "
		SELECT count(*) FROM shared_members WHERE place LIKE 'packed%' AND written_by || ',' || read_by LIKE '%' || (SELECT min(tid) FROM threads) || '%'")"
}

tried=
if command -v qemu-x86_64 >/dev/null && [ "$(uname -m)" = x86_64 ]; then
	tried=exact
	echo "== exact"
	check exact "$PROGRAMS/lines"
fi
if gcc -fsanitize=thread -O2 -g -c -o "$T/calls.o" "$source" 2>"$T/why" && gcc -o "$T/calls" "$T/calls.o" -L"$soft" -lmemdb-soft -Wl,-rpath,"$soft" -pthread; then
	tried=calls
	echo "== soft, calls"
	check soft "$T/calls"
fi
if [ "$(uname -m)" = x86_64 ] && gcc -B"$soft/as/" -fno-omit-frame-pointer -O2 -g -o "$T/checks" "$source" "$soft/libmemdb-soft.a" -pthread -lm 2>"$T/why"; then
	tried=checks
	echo "== soft, checks"
	check soft "$T/checks"
fi
[ "$tried" ] || skip "neither qemu-x86_64 nor a compiler"
