#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The text of lines that cost is in the database, so that they can be read where the sources are not; --no-source leaves it out, and a
# source that is newer than the program is not shown as what it was made from.
. "$(dirname "$0")/lib.sh"
need_perf
cat >"$T/work.c" <<'EOF'
#include <stdlib.h>
struct item { long key; double price; char pad[48]; };
static double __attribute__((noinline, noclone)) total(struct item *items, long n)
{
	double sum = 0;
	for (long i = 0; i < n; i++)
		sum += items[i].price++; /* the line that costs */
	return sum;
}
int main(void)
{
	long n = 1 << 18;
	struct item *items = calloc(n, sizeof(*items));
	double sum = 0;
	for (int r = 0; r < 150; r++)
		sum += total(items, n);
	return sum < 0;
}
EOF
gcc -O2 -g -o "$T/work" "$T/work.c"
"$MEMDB" record -q -F 1000 --raw "$T/raw" -- "$T/work" >"$T/out" 2>&1 || fail "record: $(cat "$T/out")"
import() { "$MEMDB" import -q --force -o "$T/run.db" "$@" "$T/raw" >"$T/out" 2>&1 || fail "import: $(cat "$T/out")"; }
first() { "$MEMDB" query annotate "$T/run.db" function=total --format=csv top=1 | tail -n +2; }

texts() { sqlite3 "$T/run.db" "SELECT count(*) FROM source_lines WHERE text LIKE '%the line that costs%'"; }

import --no-source
assert_eq "text with --no-source" 0 "$(texts)"
import
cp -p "$T/work.c" "$T/kept.c"
rm "$T/work.c"
assert_match "the line that costs" 'work.c,7,.*items\[\].price,sum \+= items\[i\].price\+\+; /\* the line that costs \*/' "$(first)"
assert_eq "lines by their object" work.c:7 "$("$MEMDB" query annotate "$T/run.db" object=items file=work.c --format=csv top=1 | tail -n +2 |
	awk -F, '{ n = split($2, part, "/"); print part[n] ":" $3 }')"
import
assert_eq "text without the source" 0 "$(texts)"
cp "$T/kept.c" "$T/work.c"
touch -d '1 hour' "$T/work.c"
import
assert_eq "text of a newer source" 0 "$(texts)"
assert_eq "what is said of it" 1 "$(sqlite3 "$T/run.db" "SELECT count FROM losses WHERE what = 'newer than the program'")"
