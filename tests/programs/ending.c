/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Works on an array and ends in the requested way. No recorded data may be lost.
 *
 * ending exit|_exit|kill|segv|abort|daemon|wait [SECONDS]
 *
 * `exit` ends with code 7. `daemon` forks; the child closes its files, starts a session of its
 * own, and continues to work after the parent's end. `wait` does not end by itself.
 */
#include <fcntl.h>
#include <signal.h>

#include "work.h"

enum { COUNT = 1 << 20 };

NOINLINE static uint64_t *make_block(void)
{
	return must_have(calloc(COUNT, sizeof(uint64_t)));
}

static void become_daemon(void)
{
	if (fork())
		_exit(0);
	setsid();
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	for (int fd = 0; fd < 3; fd++)
		if (open("/dev/null", O_RDWR) != fd)
			_exit(2);
}

static void end(const char *how)
{
	if (!strcmp(how, "exit"))
		exit(7);
	if (!strcmp(how, "_exit"))
		_exit(7);
	if (!strcmp(how, "kill"))
		raise(SIGKILL);
	if (!strcmp(how, "segv"))
		raise(SIGSEGV);
	if (!strcmp(how, "abort"))
		abort();
	while (!strcmp(how, "wait"))
		pause();
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int64_t budget = work_ns(argc - 1, argv + 1, 1);

	if (!strcmp(how, "daemon"))
		become_daemon();
	work_on("block", make_block(), COUNT, budget);
	end(how);
	return strcmp(how, "daemon") ? 2 : 0;
}
