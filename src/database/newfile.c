/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An existing file is replaced only if it is one that can be: no folder, device or socket. */
static int check_target(const char *path, struct md_err *err)
{
	struct stat st;

	if (lstat(path, &st)) {
		if (errno == ENOENT)
			return 0;
		return md_fail_errno(err, MD_EIO, "cannot write '%s'", path);
	}
	if (S_ISLNK(st.st_mode) && stat(path, &st))
		return 0;
	if (!S_ISREG(st.st_mode))
		return md_fail(err, MD_EIO, "cannot write '%s': it is there and no regular file",
			       path);
	return 0;
}

int newfile_create(const char *path, struct newfile *f, struct md_err *err)
{
	int ret, fd;

	*f = (struct newfile){ 0 };
	ret = check_target(path, err);
	if (ret)
		return ret;
	f->path = strdup(path);
	/* "./file:x" is a file to SQLite, "file:x" a URI. */
	if (!f->path || asprintf(&f->temp, "%s%s.XXXXXX", *path == '/' ? "" : "./", path) < 0) {
		f->temp = NULL;
		ret = md_fail(err, MD_ENOMEM, "out of memory");
		goto fail;
	}
	fd = mkostemp(f->temp, O_CLOEXEC); /* mode 0600, O_EXCL */
	if (fd < 0) {
		ret = md_fail_errno(err, MD_EIO, "cannot create '%s'", path);
		goto fail;
	}
	close(fd);
	return 0;
fail:
	newfile_release(f);
	return ret;
}

static int sync_path(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC), ret;

	if (fd < 0)
		return -1;
	ret = fsync(fd);
	close(fd);
	return ret;
}

int newfile_publish(const struct newfile *f, struct md_err *err)
{
	char *copy;

	if (sync_path(f->temp, O_RDWR | O_NOFOLLOW))
		return md_fail_errno(err, MD_EIO, "cannot write '%s'", f->path);
	if (rename(f->temp, f->path))
		return md_fail_errno(err, MD_EIO, "cannot create '%s'", f->path);
	/* The name is in place; a folder that cannot be synced is no failure any more. */
	copy = strdup(f->temp);
	if (copy)
		sync_path(dirname(copy), O_RDONLY | O_DIRECTORY);
	free(copy);
	return 0;
}

void newfile_remove(const struct newfile *f)
{
	if (f->temp)
		unlink(f->temp);
}

void newfile_release(struct newfile *f)
{
	free(f->path);
	free(f->temp);
	*f = (struct newfile){ 0 };
}
