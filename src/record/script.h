/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the first line of a script, as the kernel does: "#!INTERPRETER [ARGUMENT]", see execve(2).
 * The file is linked into memdb and into the emulator's plugin, so it depends only on libc.
 */
#ifndef MEMDB_RECORD_SCRIPT_H
#define MEMDB_RECORD_SCRIPT_H

#include <stdbool.h>

enum {
	SCRIPT_HEAD = 256, /* the kernel reads this many bytes of a file to find its interpreter */
	/* maximum number of scripts in a chain in which each is the interpreter of the previous
	 * one; the kernel has a similar limit */
	SCRIPTS_MOST = 4,
};

/* Reads the first bytes of a file; bytes after its end are 0. Returns false if it cannot be read.
 */
bool script_read_head(const char *path, char head[SCRIPT_HEAD + 1]);

/* Returns the interpreter that the first line of a script names; "" if the line names none; NULL if
 * the file is not a script. *argument is the rest of the line, which is one argument even if it
 * contains blanks; "" if there is none. Both point into `head`, which is changed. */
const char *script_interpreter(char head[SCRIPT_HEAD + 1], const char **argument);

#endif
