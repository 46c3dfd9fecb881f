/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prepares the environment of started programs. */
#ifndef MEMDB_PRELOAD_EXEC_H
#define MEMDB_PRELOAD_EXEC_H

#include "text.h"

/* Stores the image's variables, "NAME=value", which are borrowed. Call it once per image. */
void exec_init(char *dir, char *options);

/* Removes our library from LD_PRELOAD in the program's own environment, in place, because libc
 * itself starts programs with it, as in system(). */
void exec_leave_environment(void);

#endif
