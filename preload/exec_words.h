/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defines the exec functions that only pass their arguments on to execve() or execvpe(): execv,
 * execvp, execl, execlp and execle. The tracker and the library of the sampler soft replace all
 * exec functions. Each of the two includes this file once, after defining EXPORT (the attributes of
 * a function that replaces libc's), execve() and execvpe(). */
#ifndef MEMDB_EXEC_WORDS_H
#define MEMDB_EXEC_WORDS_H

#include <alloca.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

EXPORT int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

EXPORT int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

/* Stores the arguments of execl() and similar functions, up to the NULL, in an array on the stack.
 * Afterwards, ap points after the NULL. */
#define WORDS(argv, first, ap)                           \
	do {                                             \
		va_list words;                           \
		size_t n = 1;                            \
                                                         \
		va_copy(words, ap);                      \
		while (n && va_arg(words, char *))       \
			n++;                             \
		va_end(words);                           \
		argv = alloca((n + 1) * sizeof(char *)); \
		argv[0] = (char *)(uintptr_t)first;      \
		for (size_t i = 1; i <= n; i++)          \
			argv[i] = va_arg(ap, char *);    \
	} while (0)

EXPORT int execl(const char *path, const char *first, ...)
{
	char **argv;
	va_list ap;

	va_start(ap, first);
	WORDS(argv, first, ap);
	va_end(ap);
	return execve(path, argv, environ);
}

EXPORT int execlp(const char *file, const char *first, ...)
{
	char **argv;
	va_list ap;

	va_start(ap, first);
	WORDS(argv, first, ap);
	va_end(ap);
	return execvpe(file, argv, environ);
}

EXPORT int execle(const char *path, const char *first, ...)
{
	char **argv, **envp;
	va_list ap;

	va_start(ap, first);
	WORDS(argv, first, ap);
	envp = va_arg(ap, char **);
	va_end(ap);
	return execve(path, argv, envp);
}

#undef WORDS

#endif
