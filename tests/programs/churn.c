/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for which the kernel must provide new pages again and again. mallopt() sets the behaviour
 * of malloc, so that the answer does not depend on its defaults. `trim` frees memory at the top of
 * the heap, so the heap shrinks each time. `map` frees blocks that are mappings of their own.
 * `keep` is like `trim`, but malloc keeps the memory. `small` allocates many small blocks and frees
 * none: malloc touches their pages first, because it writes the size of the remaining memory after
 * each block. `vfork` and `spawn` are like `trim`, and start a process in each round, with vfork()
 * or posix_spawn(). `killed` is like `keep`, and forks a process in each round, which is killed
 * before it does anything.
 */
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "answer.h"

enum { ROUNDS = 40, BLOCKS = 4, BLOCK_PAGES = 1024, ROWS = 40000, ROW_BYTES = 248 };

static size_t page;

NOINLINE static char *make_buffer(void)
{
	return must_have(malloc(BLOCK_PAGES * page));
}

NOINLINE static char *make_row(void)
{
	return must_have(malloc(ROW_BYTES));
}

NOINLINE static void fill(char *p)
{
	for (size_t i = 0; i < BLOCK_PAGES; i++)
		*(volatile char *)(p + i * page) = 1;
}

NOINLINE static void churn(void)
{
	char *buffers[BLOCKS];

	for (int i = 0; i < BLOCKS; i++) {
		buffers[i] = make_buffer();
		fill(buffers[i]);
	}
	for (int i = BLOCKS; i-- > 0;)
		free(buffers[i]);
}

static pid_t start_killed(void)
{
	pid_t pid = fork();

	while (!pid)
		pause();
	if (kill(pid, SIGKILL))
		abort();
	return pid;
}

/* Starts a process in the given way, and waits for its end. Few start in a second, so that memdb
 * records page faults all the time. */
static void start_process(const char *how)
{
	char name[] = "true", *const args[] = { name, NULL };
	volatile pid_t pid = 0;
	pid_t spawned = 0;

	if (strcmp(how, "vfork") != 0 && strcmp(how, "spawn") != 0 && strcmp(how, "killed") != 0)
		return;
	usleep(20000);
	if (!strcmp(how, "killed")) {
		pid = start_killed();
	} else if (!strcmp(how, "spawn")) {
		if (posix_spawn(&spawned, "/bin/true", NULL, NULL, args, environ))
			abort();
		pid = spawned;
	} else {
		pid = vfork();
		if (!pid) {
			execv("/bin/true", args);
			_exit(1);
		}
	}
	if (waitpid(pid, NULL, 0) != pid)
		abort();
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "trim";
	const int keep = !strcmp(what, "keep") || !strcmp(what, "killed");

	page = (size_t)sysconf(_SC_PAGESIZE);
	mallopt(M_MMAP_THRESHOLD, strcmp(what, "map") ? 1 << 30 : 1 << 17);
	mallopt(M_TRIM_THRESHOLD, keep ? 1 << 30 : 1 << 17);
	if (!strcmp(what, "small"))
		for (int i = 0; i < ROWS; i++)
			*make_row() = 1;
	else
		for (int i = 0; i < ROUNDS; i++) {
			start_process(what);
			churn();
		}
	tell_value("rounds", ROUNDS);
	tell_value("pages", BLOCKS * BLOCK_PAGES);
	tell_value("row_pages", (int64_t)(ROWS * (ROW_BYTES + 8) / page));
	return 0;
}
