/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/tempfile.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"

/* A part of the name of every temporary file. Files with such names are removed as leftovers, so
 * users must not choose such a name for a file of their own. */
#define MARK   ".memdb-tmp-"
#define RANDOM "XXXXXX"

enum { MOST_ATTEMPTS = 100 };

/* The files that a signal handler must remove: at most four. If there are more, the next process
 * that looks for leftovers removes them. */
static struct {
	const char *volatile paths[4];
	/* the process that made the files; a forked child must not remove them */
	volatile pid_t owner;
} unfinished;

static void replace_noted(const char *old, const char *new)
{
	unfinished.owner = getpid();
	for (size_t i = 0; i < COUNT_OF(unfinished.paths); i++)
		if (unfinished.paths[i] == old) {
			unfinished.paths[i] = new;
			return;
		}
}

void tempfile_remove_all(void)
{
	if (unfinished.owner != getpid())
		return;
	for (size_t i = 0; i < COUNT_OF(unfinished.paths); i++)
		if (unfinished.paths[i])
			unlink(unfinished.paths[i]);
}

static bool is_temporary(const char *name)
{
	size_t tail = strlen(MARK RANDOM), len = strlen(name);

	if (len <= tail || strncmp(name + len - tail, MARK, strlen(MARK)))
		return false;
	for (const char *p = name + len - strlen(RANDOM); *p; p++)
		if (!isalnum((unsigned char)*p))
			return false;
	return true;
}

static bool is_same(int dir, const char *name, const struct stat *st)
{
	struct stat now;

	return !fstatat(dir, name, &now, AT_SYMLINK_NOFOLLOW) && now.st_dev == st->st_dev &&
	       now.st_ino == st->st_ino;
}

/* Removes a temporary file if it is not locked. Usually the process that made an unlocked file has
 * ended. But a process may also have just created the file and not locked it yet; that process will
 * notice the removal and create another file. If the file was renamed in the meantime, this name
 * does not exist any more, and nothing is removed. */
static void sweep_one(int dir, const char *name)
{
	struct stat st;
	int fd;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode) ||
	    st.st_uid != geteuid() || st.st_nlink != 1)
		return;
	fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB) && !fstat(fd, &st) && is_same(dir, name, &st))
		unlinkat(dir, name, 0);
	close(fd);
}

/* Removes the temporary files that ended processes have left in the folder of `path`, which must
 * contain a '/'. */
static void remove_leftovers(const char *path)
{
	char *folder = strndup(path, (size_t)(strrchr(path, '/') + 1 - path));
	DIR *d = folder ? opendir(folder) : NULL;
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (is_temporary(e->d_name))
			sweep_one(dirfd(d), e->d_name);
	if (d)
		closedir(d);
	free(folder);
}

/* Locks a file that this process has just created. Returns false and sets errno if another process
 * holds the lock, if the path no longer leads to the file, or if fstat() fails. On a file system
 * without locks, the file stays unlocked. */
static bool lock_file(int fd, const char *path)
{
	struct stat st;

	if ((flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) || fstat(fd, &st))
		return false;
	errno = ESTALE;
	return is_same(AT_FDCWD, path, &st);
}

/* Creates and locks a file. Replaces RANDOM, the end of `path`, with random characters. Returns the
 * descriptor, or -1 with errno. Gives up after some attempts: on a damaged disk, or on a file
 * system where the inode number of a file changes, lock_file() may never succeed. */
static int make_locked(char *path)
{
	char *random = path + strlen(path) - strlen(RANDOM);
	int fd, sys;

	for (int i = 0; i < MOST_ATTEMPTS; i++) {
		memcpy(random, RANDOM, strlen(RANDOM));
		fd = mkostemp(path, O_CLOEXEC); /* with mode 0600 and O_EXCL */
		if (fd < 0 || lock_file(fd, path))
			return fd;
		sys = errno;
		unlink(path);
		close(fd);
		errno = sys;
	}
	return -1;
}

int tempfile_create(const char *path, struct tempfile *t, struct md_err *err)
{
	*t = (struct tempfile){ .fd = -1 };
	if (asprintf(&t->path, "%s%s" MARK RANDOM, strchr(path, '/') ? "" : "./", path) < 0) {
		t->path = NULL;
		return md_nomem(err);
	}
	remove_leftovers(t->path);
	t->fd = make_locked(t->path);
	if (t->fd < 0) {
		free(t->path);
		t->path = NULL;
		return md_fail_errno(err, MD_EIO, "cannot create '%s'", path);
	}
	replace_noted(NULL, t->path);
	return 0;
}

/* Frees the members of *t when the file has been renamed or removed. Must not be called earlier:
 * closing the file also unlocks it, and then another process would remove it, if it still has its
 * temporary name. */
static void release(struct tempfile *t)
{
	replace_noted(t->path, NULL);
	close(t->fd);
	free(t->path);
	*t = (struct tempfile){ 0 };
}

int tempfile_publish(struct tempfile *t, const char *path)
{
	if (rename(t->path, path))
		return -1;
	release(t);
	return 0;
}

void tempfile_remove(struct tempfile *t)
{
	if (!t->path)
		return;
	unlink(t->path);
	release(t);
}

const char *tempfile_folder(void)
{
	const char *folder = secure_getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

int tempfile_nameless(void)
{
	const char *folder = tempfile_folder();
	int fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	char *path;

	/* these three mean that O_TMPFILE is not supported: EISDIR by the kernel, EOPNOTSUPP or, in
	 * old kernels, EINVAL by the file system */
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	if (asprintf(&path, "%s/memdb-" RANDOM, folder) < 0)
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}
