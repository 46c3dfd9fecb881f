#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that the database contains the text of costly source lines, so that machines without the sources can show it.
# --no-source omits the text. If a source is newer than the program, its text is not shown. Sources of the tracker
# do not belong to the program, so neither text nor messages mention them; here a library with the tracker's name is
# used instead of the tracker.
. "$(dirname "$0")/lib.sh"
need_perf
cat >"$T/work.c" <<'EOF'
#include <stdlib.h>
struct item { long key; double price; char pad[48]; };
static double __attribute__((noinline, noclone)) total(struct item *items, long n)
{
	double sum = 0;
	for (long i = 0; i < n; i++)
		sum += items[i * 40503 % n].price++; /* the line that costs */
	return sum;
}
char *get(long n);
int main(void)
{
	long n = 1 << 20; /* not in order and more than a cache holds, so most samples are at the load */
	struct item *items = calloc(n, sizeof(*items));
	double sum = 0;
	for (long i = 0; i < n; i++)
		items[i].key = i; /* the page faults, so that they are not in total() */
	for (int r = 0; r < 20; r++)
		sum += total(items, n);
	return sum < *get(n);
}
EOF
cat >"$T/get.c" <<'EOF'
#include <stdlib.h>
char *get(long n)
{
	char *p = calloc(n, 1);
	if (!p)
		abort();
	p[n / 2] = 0; /* a page fault, so there is a row for the block */
	return p;
}
EOF
gcc -O2 -g -shared -fPIC -o "$T/libmemdb-tracked.so" "$T/get.c"
gcc -O2 -g -o "$T/work" "$T/work.c" "$T/libmemdb-tracked.so"
"$MEMDB" record -q -F 1000 --raw "$T/raw" -- "$T/work" >"$T/out" 2>&1 || fail "record: $(cat "$T/out")"
import() { "$MEMDB" import -q --force -o "$T/run.db" "$@" "$T/raw" >"$T/out" 2>&1 || fail "import: $(cat "$T/out")"; }
annotate() { "$MEMDB" annotate "$T/run.db" "$@" >"$T/out" 2>"$T/err" || fail "annotate: $(cat "$T/err")"; }
line=' +[0-9.]+ %.* 7 \| +sum \+= items\[i \* 40503 % n\]\.price\+\+; /\* the line that costs \*/'

texts() { sqlite3 "$T/run.db" "SELECT count(*) FROM source_lines WHERE text LIKE '%the line that costs%'"; }

import --no-source
assert_eq "text with --no-source" 0 "$(texts)"
annotate --source-dir "$T" total
assert_match "the source is here" "$line" "$(cat "$T/out")"
import
annotate total
assert_match "the line that costs" "$line" "$(cat "$T/out")"
assert_match "what it accesses" '\| +-> items\[\]\.price( |$)' "$(cat "$T/out")"
assert_match "a line around it" ' 6 \| +for \(long i = 0; i < n; i\+\+\)' "$(cat "$T/out")"
annotate work.c:17 --object items # shows the lines around 17, but none that is more than 3 lines before the first line with samples
assert_eq "lines around 17" "" "$(grep -E '^ .* [123] \|' "$T/out" || true)"
annotate total --asm
assert_match "the instruction that is waited for" '^ +[0-9.]+ % +[0-9]+ > +[0-9a-f]+: .*\(%r' "$(cat "$T/out")"
assert_match "what the instruction accesses" '^ +-> .*items\[\]\.price' "$(cat "$T/out")"
assert_match "its line" '^ +work\.c:7$' "$(cat "$T/out")"
annotate work.c:7 --asm
assert_match "the instruction of a line" '^ +[0-9.]+ % +[0-9]+ > +[0-9a-f]+: .*\(%r' "$(cat "$T/out")"
cp -p "$T/work.c" "$T/kept.c"
echo 'void later(void);' | cat - "$T/kept.c" >"$T/work.c"
annotate work.c
assert_match "a source that has changed" 'has changed since the import' "$(cat "$T/err")"
assert_match "the stored line" "$line" "$(cat "$T/out")"
assert_eq "lines that are not stored" "" "$(grep 'void later' "$T/out" || true)"
rm "$T/work.c"
annotate
assert_match "the source is gone" "$line" "$(cat "$T/out")"
mkdir -p "$T/moved/src"
cp -p "$T/kept.c" "$T/moved/src/work.c"
annotate total --substitute-path "$T=$T/moved/src"
assert_match "the source has moved" ' 6 \| +for ' "$(cat "$T/out")"
"$MEMDB" annotate "$T/run.db" nowhere >"$T/out" 2>&1 && fail "a function that is not there"
assert_match "what is not there" "no source file 'nowhere' has samples: there is no function 'nowhere'; " "$(cat "$T/out")"
import
assert_eq "text without the source" 0 "$(texts)"
cp "$T/kept.c" "$T/work.c"
touch -d '1 hour' "$T/work.c" "$T/get.c"
import
assert_eq "text of a newer source" 0 "$(texts)"
assert_eq "what is said of it" "1|$T/work.c" "$(sqlite3 "$T/run.db" "SELECT count, detail FROM losses WHERE what = 'newer than the program'")"
annotate total
assert_match "what annotate says of it" "is newer than '.*/work': its lines may not be those that ran" "$(cat "$T/err")"
