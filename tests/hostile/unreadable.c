/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that starts others with paths, arguments and environments that cannot be read, or only
 * in part. The kernel refuses them with EFAULT. posix_spawn() does so in a child that shares the
 * program's memory.
 * run.sh checks this (the notation is in hostile.h):
 * expect: births 200 deaths 200 */
#include <spawn.h>
#include <sys/syscall.h>

#include "hostile.h"

int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags);

static char program[] = "/bin/true", loader[] = LOADER, word[] = "A=1";
static char *const words[] = { word, NULL };
static char *edge; /* the end of readable memory */

static void show(const char *how, const char *what, int error)
{
	printf("%s %s: %s\n", how, what, error ? strerror(error) : "no error");
}

/* Tries all functions that only pass their arguments to the kernel. */
static void try_all(const char *what, const char *path, char *const *argv, char *const *envp)
{
	int fd = open(program, O_RDONLY | O_CLOEXEC);
	pid_t pid = 0;

	pairs(10);
	show("execve", what, execve(path, argv, envp) ? errno : 0);
	show("execveat", what, execveat(AT_FDCWD, path, argv, envp, 0) ? errno : 0);
	if (path == program)
		show("fexecve", what, fexecve(fd, argv, envp) ? errno : 0);
	pid = vfork();
	if (!pid) {
		execve(path, argv, envp);
		_exit(errno == EFAULT ? 0 : 1);
	}
	wait_for(pid);
	if (argv == words) /* libc itself counts the arguments */
		show("posix_spawn", what, posix_spawn(&pid, path, NULL, NULL, argv, envp));
	close(fd);
}

/* Returns an array of pointers whose last one is before the edge, and which has no end. */
static char **endless(void)
{
	char **array = (char **)edge - 3;

	for (int i = 0; i < 3; i++)
		array[i] = word;
	return array;
}

int main(void)
{
	char *const bad_words[] = { word, (char *)8, NULL };
	char *const text_at_edge[] = { word, NULL, NULL };

	edge = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(edge != MAP_FAILED && !mprotect(edge + 4096, 4096, PROT_NONE), "there is an edge");
	edge += 4096;
	setvbuf(stdout, NULL, _IONBF, 0);
	try_all("no path", NULL, words, words);
	try_all("bad path", (char *)8, words, words);
	memcpy(edge - 4, "/bin", 4);
	try_all("path without end", edge - 4, words, words);
	try_all("bad argv", program, (char **)8, words);
	try_all("bad envp", program, words, (char **)8);
	try_all("bad arguments", program, bad_words, words);
	try_all("bad variables", program, words, bad_words);
	try_all("bad words of a loader", loader, bad_words, bad_words);
	((char **)text_at_edge)[1] = edge - 4;
	try_all("variable without end", program, words, text_at_edge);
	try_all("variables without end", program, words, endless());
	try_all("arguments without end", program, endless(), words);
	try_all("arguments of a loader without end", loader, endless(), words);
	pairs(80);
	return 0;
}
