/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose files we trust. */
#ifndef MEMDB_BASE_OWNER_H
#define MEMDB_BASE_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

/* The user and group of sudo's caller. False if there is none, or if we are not root: sudo's
 * variables are trusted only in root's environment. */
bool owner_sudo_caller(unsigned *uid, unsigned *gid);

/* True for the files of this user, of root and of sudo's caller. */
bool owner_is_trusted(uid_t uid);

#endif
