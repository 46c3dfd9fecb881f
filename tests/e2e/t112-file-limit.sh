#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a limit on file sizes applies to the program, and that memdb and perf still write their files. Proves that
# --max-size ends the capture and not the program, and that what is missing is counted.
. "$(dirname "$0")/lib.sh"
need_perf
command -v cc >/dev/null || skip "no C compiler"

cat >"$T/writer.c" <<'SOURCE'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
	static char block[1 << 16];
	FILE *f = fopen("/proc/self/limits", "r");

	while (fgets(block, sizeof(block), f))
		if (!strncmp(block, "Max file size", 13))
			fputs(block, stdout);
	fclose(f);
	f = tmpfile();
	for (int i = 0; i < 1000; i++)
		free(malloc(1000));
	fflush(stdout);
	for (int i = 0; i < 64; i++)
		if (write(fileno(f), block, sizeof(block)) != sizeof(block))
			return 3;
	return 0;
}
SOURCE
cc -g -o "$T/writer" "$T/writer.c"

# limited SOFT HARD COMMAND...: runs the command with these soft and hard limits on the size of a
# file, in KiB.
limited()
{
	(
		ulimit -c 0
		ulimit -S -f "$1"
		ulimit -H -f "$2"
		shift 2
		exec "$@"
	)
}

native=0
limited 1024 unlimited "$T/writer" >"$T/native" || native=$?
assert_eq "natively the program ends by SIGXFSZ" 153 "$native"
code=0
limited 1024 unlimited "$MEMDB" record -q -o "$DB" -- "$T/writer" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code below a soft limit" "$native" "$code"
assert_eq "what the program said" "$(cat "$T/native")" "$(cat "$T/stdout")"
assert_ge "allocations" 1000 "$(sqlite3 "$DB" "SELECT sum(allocations) FROM objects")"

# memdb raises the limit for itself and perf, but only root can go beyond a hard limit. So another user's recording may
# be incomplete. The program must still end as it does without memdb.
limited 1024 1024 "$T/writer" >"$T/native" || native=$?
code=0
limited 1024 1024 "$MEMDB" record --raw "$T/c" -- "$T/writer" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code below a hard limit" "$native" "$code"
assert_eq "what the program said below a hard limit" "$(cat "$T/native")" "$(cat "$T/stdout")"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 711 "$T"
	mkdir -m 777 "$T/theirs"
	code=0
	limited 1024 1024 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$MEMDB" record --raw "$T/theirs/c" -- "$T/writer" >"$T/stdout" 2>"$T/stderr" || code=$?
	[ "$code" = "$native" ] || grep -q 'perf_event_paranoid\|cannot record\|Permission' "$T/stderr" ||
		fail "exit code $code below a hard limit as an ordinary user: $(cat "$T/stderr")"
	[ "$code" != "$native" ] ||
		assert_match "the warning" "no file may become larger than 1024 KiB" "$(cat "$T/stderr")"
fi

# SQLite writes the last part of a small database only at COMMIT, so that may be the first write that exceeds the
# limit.
"$MEMDB" record -q --raw "$T/small" -- true
for kib in 64 1024; do
	code=0
	limited $kib $kib "$MEMDB" import -q -o "$T/small.db" "$T/small" 2>"$T/stderr" || code=$?
	assert_eq "exit code of an import below $kib KiB" 1 "$code"
	assert_match "the message" "^memdb import: cannot write '.*small.db': File too large: the limit is $kib KiB" "$(cat "$T/stderr")"
done

echo "== --max-size: the program allocates until memdb says that the capture is full, and then 100,000 times more"
cat >"$T/greedy.c" <<'SOURCE'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static char *volatile block;
int main(int argc, char **argv)
{
	int left = 100000;

	while (left > 0) {
		for (int i = 0; i < 1000; i++) {
			block = malloc(100);
			free(block);
		}
		if (argc < 2 || !access(argv[1], F_OK))
			left -= 1000;
	}
	puts("done");
	return 5;
}
SOURCE
cc -O1 -g -fno-builtin -o "$T/greedy" "$T/greedy.c"
: >"$T/stderr"
{ for _ in {1..1000}; do if grep -q "max-size" "$T/stderr"; then break; fi; sleep 0.02; done; touch "$T/full"; } &
watcher=$!
code=0
"$MEMDB" record --keep --max-size=16M -o "$T/full.db" -- "$T/greedy" "$T/full" >"$T/stdout" 2>"$T/stderr" || code=$?
wait $watcher
assert_eq "exit code" 5 "$code"
assert_eq "what the program said" "done" "$(cat "$T/stdout")"
assert_match "the warning" "the capture takes [0-9]+ MB after .* it ends here \(--max-size\), and the program runs on" "$(cat "$T/stderr")"
assert_eq "other warnings" "" "$(grep 'perf did not end\|perf has ended\|cut short' "$T/stderr" || true)"
assert_ge "time that is missing" 1 "$(sqlite3 "$T/full.db" "SELECT count FROM losses WHERE source = 'recording' AND what = 'ms at the end'")"
assert_ge "lost events" 100000 "$(sqlite3 "$T/full.db" "SELECT sum(count) FROM losses WHERE source = 'tracker' AND what = 'lost events'")"
assert_ge "samples" 1 "$(sqlite3 "$T/full.db" "SELECT count(*) FROM samples")"
assert_ge "blocks" 10000 "$(sqlite3 "$T/full.db" "SELECT sum(allocations) FROM objects")"
