/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library that memdb preloads into perf, see kallsyms_format.h. It is not a part of the
 * tracker. */
#include "kallsyms_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The processes that perf starts do not need the library. But perf may be a script, which starts
 * the real perf: then the library stays for that. */
__attribute__((constructor)) static void leave_environment(void)
{
	if (!strncmp(program_invocation_short_name, "perf", strlen("perf")))
		unsetenv("LD_PRELOAD");
}

/* Waits until the other end of the pipe is closed. */
static void await_end(int fd)
{
	char byte;
	ssize_t n;

	do
		n = read(fd, &byte, 1);
	while (n > 0 || (n < 0 && errno == EINTR));
}

/* Opens the copy. Opening its descriptor again gives a position of its own, at the start. Returns
 * -1 if there is no copy. */
static int open_copy(int flags)
{
	const char *value = getenv(KALLSYMS_ENV);
	int copy, ready, fd;
	char path[64];
	struct stat st;

	if (!value || sscanf(value, "%d,%d", &copy, &ready) != 2)
		return -1;
	await_end(ready);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", copy);
	fd = openat(AT_FDCWD, path, flags);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static int open_file(const char *path, int flags, mode_t mode)
{
	int fd = -1;

	if ((flags & O_ACCMODE) == O_RDONLY && path && !strcmp(path, KALLSYMS_PATH))
		fd = open_copy(flags);
	return fd >= 0 ? fd : openat(AT_FDCWD, path, flags, mode);
}

/* The functions by which programs open files, under the names that libc has for them. */
int open_named(const char *path, int flags, ...) __asm__("open");
int open_named_64(const char *path, int flags, ...) __asm__("open64");
int open_checked(const char *path, int flags) __asm__("__open_2");
int open_checked_64(const char *path, int flags) __asm__("__open64_2");

#define OPEN_NAMED(name)                                                                   \
	EXPORT int name(const char *path, int flags, ...)                                  \
	{                                                                                  \
		const bool has_mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE; \
		mode_t mode = 0;                                                           \
		va_list args;                                                              \
                                                                                           \
		va_start(args, flags);                                                     \
		if (has_mode)                                                              \
			mode = va_arg(args, mode_t);                                       \
		va_end(args);                                                              \
		return open_file(path, flags, mode);                                       \
	}

OPEN_NAMED(open_named)
OPEN_NAMED(open_named_64)

EXPORT int open_checked(const char *path, int flags)
{
	return open_file(path, flags, 0);
}

EXPORT int open_checked_64(const char *path, int flags)
{
	return open_file(path, flags, 0);
}
