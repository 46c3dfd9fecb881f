/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles the exec of a program in the emulator: runs the new program in the emulator, too. */
#ifndef MEMDB_ACCESS_EXEC_H
#define MEMDB_ACCESS_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stores how this emulator was started, so that the next one can be started in the same way: the
 * plugin's options (argv), and the library whose accesses are skipped. Returns false if the path of
 * the emulator or of the plugin is unknown, or when out of memory. */
bool exec_begin(int argc, char **argv, const char *skip);

/* The arguments of execveat(directory, path, argv, envp), as addresses in the program. */
struct exec {
	int directory; /* AT_FDCWD stands for the working directory */
	uint64_t path, argv, envp;
};

/* Called before the program's exec. Replaces this process with an emulator that runs the new
 * program; if that succeeds, it does not return. Returns false if the path leads to no executable
 * file: the program's own exec then fails with the right error. Returns true if the emulator cannot
 * run the file, or if its path cannot be found: if the program's own exec then succeeds, the new
 * program runs without the emulator, and its accesses are not recorded. `name` is set to the name
 * of the file. */
bool exec_emulated(const struct exec *x, char *name, size_t room);

#endif
