#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Proves that a library that the user preloads is loaded into the program, but not into memdb's own processes or perf.
. "$(dirname "$0")/lib.sh"
need_perf
command -v cc >/dev/null || skip "no C compiler"

# A library that writes the name of the process to the file $LOUD when it is loaded. A forked child of any process
# not named "program" then waits for ever, as may happen with an allocator whose descriptors were closed.
cat >"$T/loud.c" <<'SOURCE'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void stay(void)
{
	if (!strstr(program_invocation_short_name, "program"))
		for (;;)
			pause();
}

__attribute__((constructor)) static void begin(void)
{
	int fd = open(getenv("LOUD"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	dprintf(fd, "%s\n", program_invocation_short_name);
	close(fd);
	pthread_atfork(NULL, NULL, stay);
}
SOURCE
cc -shared -fPIC -o "$T/libloud.so" "$T/loud.c"
cat >"$T/program.c" <<'SOURCE'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;
int main(void)
{
	free(malloc(100));
	printf("%s\n", getenv("LD_PRELOAD"));
	for (char **e = environ; *e; e++)
		if (strstr(*e, "MEMDB_LD"))
			puts(*e);
	return 6;
}
SOURCE
cc -g -o "$T/program" "$T/program.c"
export LOUD=$T/loaded

# preloaded COMMAND...: runs the command with $T/libloud.so preloaded, and with a time limit.
preloaded()
{
	: >"$LOUD"
	timeout -k 5 120 env "LD_PRELOAD=$T/libloud.so" "$@"
}

code=0
preloaded "$MEMDB" record -q --raw "$T/c" -- "$T/program" >"$T/stdout" 2>"$T/stderr" || code=$?
assert_eq "exit code" 6 "$code"
assert_match "the program's LD_PRELOAD" "libmemdb-track.so:$T/libloud.so\$" "$(cat "$T/stdout")"
assert_eq "lines that the program said" 1 "$(wc -l <"$T/stdout")"
assert_eq "processes with the library" "memdb program" "$(sort "$LOUD" | xargs)"
preloaded "$MEMDB" import -o "$DB" "$T/c" 2>"$T/stderr" >&2
assert_eq "processes of import with the library" "memdb" "$(sort "$LOUD" | xargs)"
assert_eq "lines of the program" 1 "$(sqlite3 "$DB" "SELECT count(*) > 0 FROM objects WHERE line > 0")"

# tcmalloc opens a pipe and waits for ever in a forked process that has closed it. memdb's own child processes close
# all descriptors, so the library must be only in the program.
tcmalloc=$(find /usr/lib -name libtcmalloc.so.4 2>/dev/null | head -1)
if [ "$tcmalloc" ]; then
	code=0
	timeout -k 5 120 env "LD_PRELOAD=$tcmalloc" "$MEMDB" record -q -o "$DB" -- "$T/program" >"$T/stdout" 2>"$T/stderr" ||
		code=$?
	assert_eq "exit code with tcmalloc" 6 "$code"
fi
