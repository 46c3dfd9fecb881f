/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/owner.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads a number from an environment variable that sudo sets. Returns false if it is missing or
 * invalid, or if this process does not run as root: then anybody may have set the variable. */
static bool sudo_number(const char *name, unsigned *out)
{
	const char *s = getenv(name);
	char *end = NULL;
	unsigned long v;

	if (geteuid() || !s || !*s)
		return false;
	errno = 0;
	v = strtoul(s, &end, 10);
	if (errno || *end || v >= UINT32_MAX)
		return false;
	*out = (unsigned)v;
	return true;
}

bool owner_sudo_caller(unsigned *uid, unsigned *gid)
{
	return sudo_number("SUDO_UID", uid) && sudo_number("SUDO_GID", gid) && *uid;
}

bool owner_is_trusted(uid_t uid)
{
	unsigned caller, group;

	return !uid || uid == geteuid() || (owner_sudo_caller(&caller, &group) && uid == caller);
}
