/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Manages the folder of a recording. The folder is always new, and only its owner can read it.
 * Files are opened relative to the folder's descriptor and never through a link: if root records
 * into a folder that others can write to, they may have put a link there.
 */
#include "record/capture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"
#include "track_format.h"

#define MAX_BESIDE 1000 /* names "OUTPUT.capture.N" are tried with N below this number */

/* Removes a file or an empty folder, for nftw(). It is not an error if another process has removed
 * the file in the meantime. */
static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path) && errno != ENOENT;
}

/* Removes a folder and everything in it. A link is removed and not followed. */
static int remove_tree(const char *dir)
{
	return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Is there a folder with a capture.json at this path? memdb never removes other folders, because
 * they may belong to the user. */
static bool is_capture(const char *path)
{
	char name[PATH_MAX];
	struct stat st;

	if (lstat(path, &st) || !S_ISDIR(st.st_mode))
		return false;
	return (size_t)snprintf(name, sizeof(name), "%s/capture.json", path) < sizeof(name) &&
	       !lstat(name, &st) && S_ISREG(st.st_mode);
}

/* Creates the folder. Replaces an existing folder only if it is a capture and `force` is set. */
static int make_dir(const char *path, bool force, struct md_err *err)
{
	bool old;

	if (!mkdir(path, 0700))
		return 0;
	if (errno != EEXIST)
		return md_fail_errno(err, MD_EIO, "cannot make the directory '%s'", path);
	old = is_capture(path);
	if (!old || !force)
		return md_fail(err, MD_EUSAGE, "'%s' exists already%s", path,
			       old ? " (--force replaces it)" : "");
	if (remove_tree(path) || mkdir(path, 0700))
		return md_fail_errno(err, MD_EIO, "cannot replace the old capture '%s'", path);
	return 0;
}

/* If the folder cannot be opened, or track/ cannot be created in it, the folder is removed
 * again. */
int capture_create(struct capture *c, const char *path, bool force, struct md_err *err)
{
	int ret;

	c->fd = -1;
	ret = make_dir(path, force, err);
	if (ret)
		return ret;
	if (!realpath(path, c->dir))
		return md_fail_errno(err, MD_EIO, "cannot find '%s' again", path);
	c->fd = open(c->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (c->fd < 0 || mkdirat(c->fd, "track", 0700)) {
		ret = md_fail_errno(err, MD_EIO, "cannot write into '%s'", path);
		capture_close(c);
		remove_tree(c->dir);
	}
	return ret;
}

/* Tries one name after the other until one is free, so an older capture is kept. */
int capture_create_beside(struct capture *c, const char *output, struct md_err *err)
{
	char path[PATH_MAX];
	int ret = MD_EUSAGE;

	c->fd = -1;
	for (int i = 1; ret == MD_EUSAGE && i < MAX_BESIDE; i++) {
		int n = i == 1 ? snprintf(path, sizeof(path), "%s.capture", output)
			       : snprintf(path, sizeof(path), "%s.capture.%d", output, i);

		if ((size_t)n >= sizeof(path))
			return md_fail(err, MD_EIO, "the output's name is too long");
		ret = capture_create(c, path, false, err);
	}
	return ret == MD_EUSAGE ? md_fail(err, MD_EIO, "too many captures beside '%s'", output)
				: ret;
}

int capture_open(const struct capture *c, const char *name, int flags)
{
	return openat(c->fd, name, flags | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

DIR *capture_folder(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

	if (!d && fd >= 0)
		close(fd);
	return d;
}

uint64_t capture_bytes(int dir_fd, const char *name)
{
	DIR *d = capture_folder(dir_fd, name);
	struct dirent *e;
	uint64_t n = 0;
	struct stat st;

	if (!d)
		return 0;
	while ((e = readdir(d)))
		if (!fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode))
			n += (uint64_t)st.st_blocks * 512;
	closedir(d);
	return n;
}

/* The file gets its name only when it is complete. Does nothing if file sizes are limited, because
 * then the tracker does not use the file. */
void capture_open_logs(const struct capture *c, uint64_t recording)
{
	static const char name[] = "track/" TRACK_SHARED, unnamed[] = "track/new";
	struct track_shared s = { .magic = TRACK_SHARED_MAGIC,
				  .bytes = TRACK_SHARED_BYTES,
				  .next = TRACK_CHUNK,
				  .recording = recording };
	struct rlimit limit;
	bool ok;
	int fd;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur != RLIM_INFINITY)
		return;
	fd = capture_open(c, unnamed, O_WRONLY | O_EXCL);
	if (fd < 0)
		return;
	while (s.bytes > TRACK_CHUNK && ftruncate(fd, (off_t)s.bytes))
		s.bytes /= 2;
	ok = pwrite(fd, &s, sizeof(s), 0) == sizeof(s);
	close(fd);
	if (!ok || renameat(c->fd, unnamed, c->fd, name))
		unlinkat(c->fd, unnamed, 0);
}

/* Writes a word of struct track_shared, at this offset in the first page of the file that all logs
 * share. The tracker has mapped that page, so it sees the change at once. Returns 0 or MD_EIO. If
 * the file does not exist, does nothing and returns 0. */
static int write_shared(const struct capture *c, size_t offset, uint64_t value, struct md_err *err)
{
	struct track_shared s = { 0 };
	int ret = 0, fd = openat(c->fd, "track/" TRACK_SHARED, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || pread(fd, &s, sizeof(s), 0) != sizeof(s) ||
	    memcmp(s.magic, TRACK_SHARED_MAGIC, sizeof(s.magic)) ||
	    pwrite(fd, &value, sizeof(value), (off_t)offset) != sizeof(value))
		ret = md_fail_errno(err, MD_EIO, "cannot close or thin the logs in '%s/track'",
				    c->dir);
	if (fd >= 0)
		close(fd);
	return ret;
}

int capture_close_logs(const struct capture *c, struct md_err *err)
{
	return write_shared(c, offsetof(struct track_shared, closed), 1, err);
}

int capture_thin_logs(const struct capture *c, uint64_t every, struct md_err *err)
{
	return write_shared(c, offsetof(struct track_shared, every), every, err);
}

void capture_close(struct capture *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

int capture_remove(struct capture *c, struct md_err *err)
{
	capture_close(c);
	if (remove_tree(c->dir))
		return md_fail_errno(err, MD_EIO, "cannot remove the capture '%s'", c->dir);
	return 0;
}

/* file-scope variables, because nftw() passes no argument to its callback */
static unsigned give_uid, give_gid;

/* Changes the owner of one file, for nftw(). For a link, changes the owner of the link itself, not
 * of its target. */
static int give_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return lchown(path, give_uid, give_gid) && errno != ENOENT;
}

void capture_give_to_caller(const struct capture *c)
{
	if (owner_sudo_caller(&give_uid, &give_gid))
		nftw(c->dir, give_one, 16, FTW_PHYS);
}
