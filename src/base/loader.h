/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the arguments of a dynamic loader that is executed like a program: LOADER [OPTION]… PROGRAM
 * [ARGUMENT]…. */
#ifndef MEMDB_BASE_LOADER_H
#define MEMDB_BASE_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/count.h"

/* Is the next argument the value of this option? glibc's loader expects all values there, musl's
 * accepts them also after "=". */
static inline bool loader_option_has_value(const char *option)
{
	static const char *const names[] = {
		"library-path",         "inhibit-rpath",    "audit", "preload", "argv0",
		"glibc-hwcaps-prepend", "glibc-hwcaps-mask"
	};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(option + 2, names[i]))
			return true;
	return false;
}

/* Returns the path of the program that the loader will load; NULL if the arguments name none. Sets
 * *lists to whether the loader will print a list instead of running the program: of the libraries,
 * the tunables or the environment. argv[0] is the loader. */
static inline const char *loader_program(char *const *argv, bool *lists)
{
	*lists = false;
	if (!argv || !argv[0])
		return NULL;
	for (argv++; *argv && !strncmp(*argv, "--", 2); argv++) {
		if (!strncmp(*argv, "--list", strlen("--list")))
			*lists = true;
		if (loader_option_has_value(*argv) && argv[1])
			argv++;
	}
	return *argv;
}

#endif
