/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prepares the environment of started programs. */
#ifndef MEMDB_PRELOAD_EXEC_H
#define MEMDB_PRELOAD_EXEC_H

#include "text.h"

/* Stores pointers to the texts of the tracker's two variables, "NAME=value". The texts must stay
 * valid. Must be called once in each image. */
void exec_init(char *dir, char *options);

/* Removes the library from LD_PRELOAD in the program's own environment, in place: libc itself
 * starts programs with that environment, for example in system(). */
void exec_leave_environment(void);

/* Does what syscall(nr, a[0], ...) does for SYS_execve or SYS_execveat. */
int exec_by_number(long nr, const long a[6]);

/* The libc of an old system does not declare this function (glibc before 2.34). */
int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags);

#endif
