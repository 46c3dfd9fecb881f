/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What started programs find in their environment. */
#ifndef MEMDB_PRELOAD_EXEC_H
#define MEMDB_PRELOAD_EXEC_H

#include "text.h"

/* Stores the variables that the environment had, "NAME=value", which are borrowed. Call once per
 * image. */
void exec_init(char *dir, char *options);

/* Removes our library from LD_PRELOAD in the program's own environment, in place, for programs that
 * libc starts itself, as system() does. */
void exec_leave_environment(void);

#endif
