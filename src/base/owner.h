/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides whose files memdb trusts. */
#ifndef MEMDB_BASE_OWNER_H
#define MEMDB_BASE_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Gets the user and group of sudo's caller. False if there is none, or if this process is not
 * root's, because sudo's variables are trusted only in root's environment.
 */
bool owner_sudo_caller(unsigned *uid, unsigned *gid);

/* Returns true for the files of this user, of root and of sudo's caller. */
bool owner_is_trusted(uid_t uid);

#endif
