/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that executes itself without room for the tracker's library, which it preloads more
 * than once, or after a variable LD_PRELOAD that the loader ignores. The last images are not
 * tracked, and preload what they preload natively.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 6 deaths 0 */
#include <link.h>

#include "hostile.h"

extern char **environ;

static int count_libm(struct dl_phdr_info *info, size_t size, void *n)
{
	*(int *)n += info->dlpi_name && strstr(info->dlpi_name, "libm.so") != NULL;
	return 0;
}

/* Prints the first LD_PRELOAD, and whether libm is loaded. */
static void print_preloads(const char *what)
{
	const char *first = getenv("LD_PRELOAD");
	int n = 0;

	dl_iterate_phdr(count_libm, &n);
	printf("%s: %s, %d\n", what, first ? first : "none", n);
}

/* Executes the program for the last time, without room for the library. */
static void execute_small(const char *what, char **env)
{
	char *const args[] = { (char *)(uintptr_t)what, (char *)(uintptr_t)what, NULL };
	struct rlimit limit = { 20 << 20, 20 << 20 };

	must(!setrlimit(RLIMIT_DATA, &limit), "setrlimit");
	execve("/proc/self/exe", args, env);
	die("execve");
}

/* Its own LD_PRELOAD, natively none, in two variables and twice in one. */
static void execute_doubled(void)
{
	const char *own = getenv("LD_PRELOAD");
	char single[4096], twice[4096], *none[] = { NULL };
	char *env[] = { single, single, twice, NULL };

	if (!own)
		execute_small("doubled", none);
	snprintf(single, sizeof(single), "LD_PRELOAD=%s", own);
	snprintf(twice, sizeof(twice), "LD_PRELOAD=%s:%s", own, own);
	execute_small("doubled", env);
}

int main(int argc, char **argv)
{
	char libm[] = "LD_PRELOAD=libm.so.6",
	     empty[] = "LD_PRELOAD=", *env[] = { libm, empty, NULL };
	char masked[] = "masked", *const args[] = { argv[0], masked, NULL };

	births(3);
	if (argc > 1 && !strcmp(argv[1], "masked") && strcmp(argv[0], "masked") != 0)
		execute_small("masked", environ);
	if (argc > 1) {
		print_preloads(argv[1]);
		return 0;
	}
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();

		if (!pid && i)
			execute_doubled();
		if (!pid) {
			execve("/proc/self/exe", args, env);
			die("execve");
		}
		wait_for(pid);
	}
	return 0;
}
