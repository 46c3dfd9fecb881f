/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program executes runs in the emulator too. */
#ifndef MEMDB_ACCESS_EXEC_H
#define MEMDB_ACCESS_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Notes how this emulator was started: the plugin's words and the library to skip. False: no
 * memory. */
bool exec_begin(int argc, char **argv, const char *skip);

/* execveat(directory, path, argv, envp), all of the program's own addresses. */
struct exec {
	int directory; /* AT_FDCWD: the working directory */
	uint64_t path, argv, envp;
};

/*
 * Called before the program's exec. Replaces the process by an emulator that runs the new program,
 * and does not return. It returns where there is no such program, so that the program gets its
 * error; or where the emulator cannot run it: then name has its file's name and the call true, and
 * nobody sees its accesses.
 */
bool exec_emulated(const struct exec *x, char *name, size_t room);

#endif
