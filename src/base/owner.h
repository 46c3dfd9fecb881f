/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decides which users' files memdb trusts. */
#ifndef MEMDB_BASE_OWNER_H
#define MEMDB_BASE_OWNER_H

#include <stdbool.h>
#include <sys/types.h>

/* Gets the uid and the gid of the user who called sudo. Returns false if sudo was not used, if root
 * called it, or if this process does not run as root: other users can set sudo's variables
 * themselves. */
bool owner_sudo_caller(unsigned *uid, unsigned *gid);

/* Are files of this owner trusted? They are if the owner is the user of this process, root, or the
 * user who called sudo. */
bool owner_is_trusted(uid_t uid);

#endif
