/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose files are believed. */
#ifndef MEMDB_BASE_OWNER_H
#define MEMDB_BASE_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

/* The user and group of the caller of sudo; false where there is none, or this is not root, whose
 * word alone is trusted. */
bool owner_sudo_caller(unsigned *uid, unsigned *gid);

/* This user's own files, root's, and those of the caller of sudo. */
bool owner_is_trusted(uid_t uid);

#endif
