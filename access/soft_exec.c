/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces the exec functions of libc. An exec discards the memory of the process, so these
 * functions first write the counts and samples of the sampler soft.
 *
 * Then each function calls execve(), fexecve() or execveat() of the next library that has them: the
 * tracker or libc. If no next library has the function, as in a static program, it makes the system
 * call itself. All functions are weak, because a program may have its own.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <paths.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "soft.h"

#define EXPORT SOFT_EXPORT __attribute__((weak))

/* Static programs do not have dlsym(). */
extern __typeof__(dlsym) dlsym __attribute__((weak));

/* The functions of the next library; NULL if there is none. */
static struct {
	int (*execve)(const char *, char *const[], char *const[]);
	int (*fexecve)(int, char *const[], char *const[]);
	int (*execveat)(int, const char *, char *const[], char *const[], int);
} next;

void soft_exec_begin(void)
{
	if (!dlsym)
		return;
	*(void **)&next.execve = dlsym(RTLD_NEXT, "execve");
	*(void **)&next.fexecve = dlsym(RTLD_NEXT, "fexecve");
	*(void **)&next.execveat = dlsym(RTLD_NEXT, "execveat");
}

static void execute_image(const char *path, char *const argv[], char *const envp[])
{
	if (next.execve)
		next.execve(path, argv, envp);
	else
		syscall(SYS_execve, path, argv, envp);
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	const bool stopped = soft_before_exec();

	execute_image(path, argv, envp);
	soft_after_exec(stopped);
	return -1;
}

EXPORT int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	const bool stopped = soft_before_exec();

	if (next.execveat)
		next.execveat(fd, path, argv, envp, flags);
	else
		syscall(SYS_execveat, fd, path, argv, envp, flags);
	soft_after_exec(stopped);
	return -1;
}

EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	bool stopped;

	if (!next.fexecve)
		return execveat(fd, "", argv, envp, AT_EMPTY_PATH);
	stopped = soft_before_exec();
	next.fexecve(fd, argv, envp);
	soft_after_exec(stopped);
	return -1;
}

/* Executes `path`. A text file without #! is executed by the shell, as execvp() does. */
static void execute_or_interpret(const char *path, char *const argv[], char *const envp[])
{
	size_t n = 0;
	char **words;

	execute_image(path, argv, envp);
	if (errno != ENOEXEC)
		return;
	while (argv[n])
		n++;
	words = alloca((n + 3) * sizeof(words[0]));
	words[0] = (char[]){ _PATH_BSHELL };
	words[1] = strdupa(path);
	words[2] = NULL;
	if (n > 1)
		memcpy(words + 2, argv + 1, n * sizeof(words[0]));
	execute_image(words[0], words, envp);
}

/* Does the search continue after this error of an exec? It does for the same errors as in glibc. */
static bool is_passed_over(int error)
{
	return error == EACCES || error == ENOENT || error == ESTALE || error == ENOTDIR ||
	       error == ENODEV || error == ETIMEDOUT;
}

/* Tries to execute `file` in each folder of PATH. */
static void search_path(const char *file, char *const argv[], char *const envp[])
{
	const char *at = getenv("PATH") ? getenv("PATH") : _PATH_STDPATH;
	char path[PATH_MAX];
	bool refused = false;

	errno = ENOENT;
	for (bool more = *file; more; at++) {
		const size_t n = strcspn(at, ":");

		if (snprintf(path, sizeof(path), "%.*s%s%s", (int)n, at, n ? "/" : "", file) <
		    PATH_MAX)
			execute_or_interpret(path, argv, envp);
		if (!is_passed_over(errno))
			return;
		refused |= errno == EACCES;
		at += n;
		more = *at;
	}
	if (refused)
		errno = EACCES;
}

EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	const bool stopped = soft_before_exec();

	if (strchr(file, '/'))
		execute_or_interpret(file, argv, envp);
	else
		search_path(file, argv, envp);
	soft_after_exec(stopped);
	return -1;
}

#include "exec_words.h"
