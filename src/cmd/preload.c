/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/preload.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/job.h"
#include "track_format.h"

/* Does this value of LD_PRELOAD contain only the tracker? It does in a memdb that is itself
 * recorded by memdb. */
static bool is_tracker_alone(const char *list)
{
	const char *slash = strrchr(list, '/');

	return slash && !strcmp(slash + 1, TRACK_LIBRARY) && !strpbrk(list, ": ");
}

/*
 * Renames the variable in this entry of the environment ("LD_PRELOAD=…") to JOB_PRELOAD. The entry
 * keeps its position, because a program may inspect the order of the environment. Returns false
 * when out of memory.
 */
static bool rename_variable(char **entry)
{
	char *other;

	if (asprintf(&other, JOB_PRELOAD "=%s", strchr(*entry, '=') + 1) < 0)
		return false;
	*entry = other;
	return true;
}

void preload_leave(char **argv)
{
	const char *list = getenv("LD_PRELOAD");
	char self[PATH_MAX];
	ssize_t n;

	if (!list || !*list || is_tracker_alone(list))
		return;
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (n < 0)
		return;
	self[n] = 0;
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "LD_PRELOAD=", strlen("LD_PRELOAD=")) && !rename_variable(e))
			return;
	execv(self, argv);
}
