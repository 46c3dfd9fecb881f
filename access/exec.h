/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs programs that the program executes in the emulator too. */
#ifndef MEMDB_ACCESS_EXEC_H
#define MEMDB_ACCESS_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Notes how this emulator was started: the plugin's words and the library to skip. False when out
 * of memory.
 */
bool exec_begin(int argc, char **argv, const char *skip);

/* The arguments of execveat(directory, path, argv, envp), as addresses in the program. */
struct exec {
	int directory; /* AT_FDCWD: the working directory */
	uint64_t path, argv, envp;
};

/*
 * Call it before the program's exec. Replaces the process by an emulator that runs the new program,
 * and does not return on success. Returns false if there is no such program, so that the program
 * gets its error. Returns true if the emulator cannot run the file. Then name has the file's name,
 * and its accesses are not seen.
 */
bool exec_emulated(const struct exec *x, char *name, size_t room);

#endif
