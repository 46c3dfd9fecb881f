/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a tree of small files that one test uses in place of /proc and /sys. */
#ifndef MEMDB_TESTS_FAKE_ROOT_H
#define MEMDB_TESTS_FAKE_ROOT_H

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

#include "check_main.h"

struct fake_root {
	char dir[64];
};

static inline void fake_root_make(struct fake_root *r)
{
	strcpy(r->dir, "/tmp/memdb-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(r->dir));
}

/* Writes text and a newline into dir/path. Makes the folders of path. */
static inline void fake_root_add(const struct fake_root *r, const char *path, const char *text)
{
	char name[512];
	FILE *f;

	snprintf(name, sizeof(name), "%s%s", r->dir, path);
	for (char *p = name + strlen(r->dir) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(name, 0700);
		*p = '/';
	}
	f = fopen(name, "w");
	ck_assert_msg(f != NULL, "cannot write %s", name);
	fprintf(f, "%s\n", text);
	fclose(f);
}

static inline int fake_root_remove_one(const char *path, const struct stat *st, int type,
				       struct FTW *ftw)
{
	return remove(path);
}

static inline void fake_root_remove(struct fake_root *r)
{
	nftw(r->dir, fake_root_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
