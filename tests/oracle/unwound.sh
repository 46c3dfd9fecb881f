#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares the tracker's stacks with libgcc's unwinder at every 17th allocation of real programs. No stack may be
# wrong, and at least 999 of 1,000 must be equal. Programs that are not installed are skipped.
#
#   unwound.sh LIBRARY
set -u
here=$(dirname "$(realpath "$0")")
library=$(realpath "$1")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 run=0

# one PROGRAM ARGUMENT...: compares the stacks of one program.
one() {
	command -v "$1" >/dev/null || return
	run=$((run + 1))
	UNWOUND_OUT=$work/out UNWOUND_EVERY=${UNWOUND_EVERY:-17} LD_PRELOAD=$library "$@" >/dev/null 2>"$work/err" </dev/null
}

seq 20000 | awk 'BEGIN { print "create table t (a integer primary key, b text);" }
	{ print "insert into t values (" $1 ", hex(" $1 * 7919 % 10007 "));" }
	END { print "create index i on t (b); select b, count(*) from t group by b order by 2 desc limit 5;" }' >big.sql
cat >big.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define F(n) int f##n(int a, char *s) { char b[64]; for (int i = 0; i < a; i++) { if (i % 3) snprintf(b, sizeof(b), "%d %s", i, s); else a += (int)strlen(b) * n; } return a ? f##n(a - 1, b) : n; }
#define G(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
G(1) G(2) G(3) G(4) G(5) G(6) G(7) G(8) G(9)
int main(int argc, char **argv) { return f10(argc, argv[0]); }
END
cat >big.py <<'END'
import json, re
class Node:
    def __init__(self, depth): self.children = [Node(depth - 1) for _ in range(3)] if depth else []
    def count(self): return 1 + sum(c.count() for c in self.children)
text = json.dumps([{"n": Node(6).count(), "k": [str(i) for i in range(50)]} for _ in range(40)])
print(len(re.findall(r"\d+", text)), sorted(json.loads(text)[0]["k"])[:3])
END
PYTHONMALLOC=malloc one /usr/bin/python3 big.py
one sqlite3 -init big.sql -batch :memory: .quit
one "$(gcc -print-prog-name=cc1)" -quiet -O2 big.c -o big.s
one git -C "$here" -c safe.directory='*' log --stat -n 300
# shellcheck disable=SC2016 # it is for perl
one perl -e 'my %h; $h{$_ % 977} .= "x$_" for 1 .. 50000; print join(",", sort keys %h)'
one gdb -q -batch -ex 'info functions main' /bin/ls

[ "$run" -gt 0 ] || { echo "skip: none of the programs is here"; exit 77; }
[ -s out ] || { echo "FAIL: nothing was compared"; cat err; exit 1; }
cat out
awk '$2 == "captures" { n += $3; same += $5; wrong += $9 }
	END { printf "all captures %d equal %d (%.3f %%) wrong %d\n", n, same, 100 * same / n, wrong
		exit wrong > 0 || same < 0.999 * n || n < 1000 }' out || { echo "FAIL: other stacks"; failed=1; }
exit $failed
