/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds arguments and environment on the initial stack. libc's own copies may not be set yet when
 * the tracker starts. */
#include "initial.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "rawcall.h"
#include "text.h"

enum {
	START_TEXT = 128 << 10, /* maximum number of bytes of the environment that are read from
				 * /proc */
	/* maximum number of pointers read from argv; the kernel permits fewer, because all
	 * pointers and texts together have at most 6 MiB */
	MOST_WORDS = 1 << 22,
};

/* A pointer into the initial stack as the kernel has built it: argc, argv, NULL, envp, NULL. */
extern void *__libc_stack_end __attribute__((weak));

static char *const *initial_stack(void)
{
	char *const *words = &__libc_stack_end ? __libc_stack_end : NULL;
	size_t argc = words ? (size_t)words[0] : 0;

	return words && argc <= MOST_WORDS && !words[1 + argc] ? words : NULL;
}

/*
 * Finds the tracker's variables on the initial stack, even if the environment is very large.
 * /proc/self/environ is a worse source: /proc may be missing, and the file is empty if the user may
 * not read the executable. Returns false if there is no initial stack.
 */
static bool find_variables(const char **dir, const char **options)
{
	char *const *words = initial_stack();

	if (!words)
		return false;
	for (char *const *envp = words + (size_t)words[0] + 2; *envp; envp++) {
		const char *value = text_value(*envp, TRACK_ENV_DIR);

		*dir = value && !*dir ? value : *dir;
		value = text_value(*envp, TRACK_ENV_OPTIONS);
		*options = value && !*options ? value : *options;
	}
	return true;
}

/* Only glibc's loader exports the address of the initial stack; with other loaders, this function
 * reads the variables from /proc. */
bool initial_variables(bool keep(const char *dir, const char *options))
{
	const char *dir = NULL, *options = NULL;
	bool ok = false;
	long p, len;

	if (find_variables(&dir, &options))
		return keep(dir, options);
	p = rawcall6(SYS_mmap, 0, START_TEXT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (rawcall_failed(p))
		return false;
	len = text_read_file("/proc/self/environ", (char *)p, START_TEXT);
	if (len > 0)
		ok = keep(text_variable((char *)p, (size_t)len, TRACK_ENV_DIR),
			  text_variable((char *)p, (size_t)len, TRACK_ENV_OPTIONS));
	rawcall4(SYS_munmap, p, START_TEXT, 0, 0);
	return ok;
}

/* Stores the words of argv, joined by blanks, in h->command. Returns false if the initial stack,
 * from which they are read, is unknown. */
static bool join_arguments(struct track_header *h)
{
	char *const *words = initial_stack();
	size_t n = 0;

	h->command[0] = 0;
	for (char *const *argv = words + 1; words && *argv; argv++) {
		if (argv != words + 1)
			text_add(h->command, sizeof(h->command), &n, " ");
		text_add(h->command, sizeof(h->command), &n, *argv);
	}
	return words;
}

void initial_names(struct track_header *h)
{
	const char *path = (const char *)getauxval(AT_EXECFN);
	size_t length = 0;
	long n;

	text_add(h->exe, sizeof(h->exe), &length, path ? path : "");
	if (join_arguments(h))
		return;
	n = text_read_file("/proc/self/cmdline", h->command, sizeof(h->command));
	for (long i = 0; i + 1 < n; i++)
		if (!h->command[i])
			h->command[i] = ' ';
}
