/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/doomed.h"

#include <assert.h>

/* Maximum number of files. A database with SQLite's files next to it consists of four. */
enum { MOST = 8 };

static struct {
	struct {
		dev_t dev;
		ino_t ino;
	} at[MOST];
	unsigned n;
	bool was_read;
} doomed;

void doomed_clear(void)
{
	doomed.n = 0;
	doomed.was_read = false;
}

void doomed_add(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return;
	assert(doomed.n < MOST);
	doomed.at[doomed.n].dev = st.st_dev;
	doomed.at[doomed.n++].ino = st.st_ino;
}

bool doomed_any(void)
{
	return doomed.n;
}

bool doomed_is(const struct stat *st)
{
	for (unsigned i = 0; i < doomed.n; i++)
		if (doomed.at[i].dev == st->st_dev && doomed.at[i].ino == st->st_ino)
			return true;
	return false;
}

void doomed_saw(const struct stat *st)
{
	doomed.was_read |= doomed_is(st);
}

bool doomed_was_read(void)
{
	return doomed.was_read;
}
