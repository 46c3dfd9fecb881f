/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What programs that are started find in their environment. */
#ifndef MEMDB_PRELOAD_EXEC_H
#define MEMDB_PRELOAD_EXEC_H

#include "text.h"

/* Once per image: the values that the environment had. */
void exec_init(const char *dir, const char *options);

/* Takes our library out of LD_PRELOAD in the program's own environment, in place: for programs
 * that libc starts by itself, as system() does. */
void exec_leave_environment(void);

#endif
