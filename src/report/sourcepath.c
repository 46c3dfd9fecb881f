/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/sourcepath.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_readable(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, R_OK);
}

/* Returns the path if its file is readable. Otherwise frees it and returns NULL. */
static char *if_readable(char *path)
{
	if (path && is_readable(path))
		return path;
	free(path);
	return NULL;
}

static char *substitute_path(const char *rule, const char *recorded)
{
	const char *to = strchr(rule, '=');
	size_t len = to ? (size_t)(to - rule) : 0;
	char *path;

	while (len > 1 && rule[len - 1] == '/')
		len--;
	if (!to || !len || strncmp(recorded, rule, len) ||
	    (recorded[len] && recorded[len] != '/' && rule[len - 1] != '/'))
		return NULL;
	return asprintf(&path, "%s%s", to + 1, recorded + len) < 0 ? NULL : if_readable(path);
}

static char *find_below(const char *dir, const char *recorded)
{
	for (const char *part = recorded; part; part = strchr(part, '/')) {
		char *path;

		part += strspn(part, "/");
		if (asprintf(&path, "%s/%s", dir, part) < 0)
			return NULL;
		path = if_readable(path);
		if (path)
			return path;
	}
	return NULL;
}

char *source_path(const struct source_paths *p, const char *recorded)
{
	char *path = NULL;

	for (unsigned i = 0; !path && i < p->nsubstitutes; i++)
		path = substitute_path(p->substitutes[i], recorded);
	if (!path && p->dir)
		path = find_below(p->dir, recorded);
	return path ? path : if_readable(strdup(recorded));
}
