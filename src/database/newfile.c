/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a file under a temporary name in the same folder and renames it when it is complete. So no
 * program ever reads a partial database, and a failed import leaves the old file unchanged.
 *
 * Without --force, an existing file is replaced only if it is regular and writable, and empty or of
 * the same kind. Files that SQLite would read as parts of the database (journals) are checked and
 * removed too: SQLite would apply the journal of an older database to the new one.
 */
#include "database/newfile.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "base/doomed.h"
#include "database/version.h"

/* SQLite's file format: the size of the header, and the offset of the application id in the header.
 * The header begins with sqlite_magic. The application id distinguishes databases of memdb from
 * others. */
enum { HEADER = 100, APPLICATION_ID = 68 };
static const char sqlite_magic[] = "SQLite format 3";

/* The files that SQLite keeps next to a database, with their first bytes. Such a file may also
 * be empty or begin with zeros. */
static const struct beside {
	const char *suffix, *magic;
	size_t size; /* number of bytes of `magic` that are compared */
} besides[] = {
	{ "-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8 },
	/* the fourth byte of the magic may differ: it says in which byte order the checksums are */
	{ "-wal", "\x37\x7f\x06", 3 },
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	{ "-shm", "\x18\xe2\x2d\x00", 4 }, /* version 3007000, in the byte order of this machine */
#else
	{ "-shm", "\x00\x2d\xe2\x18", 4 },
#endif
};

enum { BESIDES = COUNT_OF(besides) };

/* Do these n bytes begin a database of memdb? Other programs' databases have SQLite's magic, too,
 * and must not be replaced. So the application id must be memdb's. */
static bool is_database(const uint8_t *head, size_t n)
{
	const uint8_t *id = head + APPLICATION_ID;

	return n == HEADER && !memcmp(head, sqlite_magic, sizeof(sqlite_magic)) &&
	       ((uint32_t)id[0] << 24 | id[1] << 16 | id[2] << 8 | id[3]) == DB_APPLICATION_ID;
}

static bool is_page(const uint8_t *head, size_t n)
{
	size_t len = strlen(NEWFILE_PAGE_START);

	return n >= len && !memcmp(head, NEWFILE_PAGE_START, len);
}

/* Always returns false: an exported file has no mark of memdb. So an export does not replace a file
 * with content unless --force is given. */
static bool is_export(const uint8_t *head, size_t n)
{
	return false;
}

static const struct kind {
	const char *name;
	/* returns whether a file that begins with these n bytes (at most HEADER) is of this kind */
	bool (*is)(const uint8_t *head, size_t n);
	int besides;
} kinds[] = {
	[NEWFILE_DATABASE] = { "a memdb database", is_database, BESIDES },
	[NEWFILE_PAGE] = { "a page that memdb wrote", is_page, 0 },
	[NEWFILE_EXPORT] = { "empty", is_export, 0 },
};

/* The first bytes of an existing file. */
struct head {
	uint8_t bytes[HEADER];
	ssize_t n; /* -1 means that they cannot be read, as `sys` (an errno) says */
	int sys;
};

/* Reads the first bytes of a regular file. Returns their number, or -1 with errno. */
static ssize_t read_head(const char *path, uint8_t *head, size_t size)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = pread(fd, head, size, 0);
	close(fd);
	return n;
}

/* Compares device and inode, because two different paths may lead to one file. */
int newfile_check_input(const char *input, const char *path, struct md_err *err)
{
	struct stat in, out;

	if (!stat(input, &in) && !stat(path, &out) && in.st_dev == out.st_dev &&
	    in.st_ino == out.st_ino)
		return md_fail(err, MD_EUSAGE, "cannot write '%s': it is the database", path);
	return 0;
}

/* The import uses this to recognize an older database in the folder of a capture. Such a database
 * is not a part of the recording. */
bool newfile_is_database(const char *path)
{
	uint8_t head[HEADER];

	return read_head(path, head, HEADER) == HEADER && is_database(head, HEADER);
}

/* Is this a file that SQLite keeps next to a database? Only then may it be removed without --force.
 * Such a file begins with the magic of *b, begins with zeros, or is empty. */
static bool is_beside(const struct beside *b, const uint8_t *head, size_t n)
{
	static const uint8_t zeros[8];

	if (n > b->size)
		n = b->size;
	return !memcmp(head, b->magic, n) || !memcmp(head, zeros, n);
}

bool newfile_is_beside(const char *path)
{
	const size_t len = strlen(path);

	for (int i = 0; i < BESIDES; i++) {
		const size_t end = strlen(besides[i].suffix);
		uint8_t head[8];
		ssize_t n;

		if (len <= end || strcmp(path + len - end, besides[i].suffix))
			continue;
		n = read_head(path, head, sizeof(head));
		return n >= 0 && is_beside(&besides[i], head, (size_t)n);
	}
	return false;
}

/* Returns the path of file *b next to the database `path`; the caller frees it. NULL means out of
 * memory. */
static char *beside_path(const char *path, const struct beside *b)
{
	char *p;

	return asprintf(&p, "%s%s", path, b->suffix) < 0 ? NULL : p;
}

void newfile_doom(const char *path)
{
	doomed_add(path);
	for (int i = 0; i < BESIDES; i++) {
		char *name = beside_path(path, &besides[i]);

		if (name)
			doomed_add(name);
		free(name);
	}
}

/* Is the file write-protected? Its mode is checked first, because faccessat() lets root write every
 * file. */
static bool is_read_only(const char *path, const struct stat *st)
{
	return !(st->st_mode & 0222) || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS);
}

/* Fails with MD_EUSAGE if the file must not be replaced even with --force. One case is a database
 * of memdb, unless the new file is one, too. The other is a program, a library or a file of debug
 * information: a recording may refer to such a file, and memdb does not always know whether the
 * import has read it, because libdw does not report which debug files (.dwo, .dwp, dwz) it
 * opened. */
static int check_precious(enum newfile_kind kind, const char *path, const struct head *h,
			  struct md_err *err)
{
	if (h->n >= SELFMAG && !memcmp(h->bytes, ELFMAG, SELFMAG))
		return md_fail(err, MD_EUSAGE,
			       "cannot write '%s': it is a program or its debug information, "
			       "which --force does not replace",
			       path);
	if (kind != NEWFILE_DATABASE && h->n > 0 && is_database(h->bytes, (size_t)h->n))
		return md_fail(err, MD_EUSAGE,
			       "cannot write '%s': it is a database of memdb; name another file",
			       path);
	return 0;
}

/* Checks that an existing file may be replaced by a file of this kind without --force. Returns 0 or
 * MD_EUSAGE. */
static int check_file(const struct kind *kind, const char *path, const struct stat *st,
		      const struct head *h, struct md_err *err)
{
	if (h->n < 0)
		return md_fail(err, MD_EUSAGE,
			       "cannot write '%s': it exists and cannot be read: %s (--force "
			       "replaces it)",
			       path, strerror(h->sys));
	if (h->n && !kind->is(h->bytes, (size_t)h->n))
		return md_fail(err, MD_EUSAGE,
			       "cannot write '%s': it exists and is not %s (--force replaces it)",
			       path, kind->name);
	if (is_read_only(path, st))
		return md_fail(err, MD_EUSAGE,
			       "cannot write '%s': it is read-only (--force replaces it)", path);
	return 0;
}

/* Checks that file *b next to the database may be removed. A link or a folder of that name is an
 * error even with --force. */
static int check_beside(const char *path, const struct beside *b, bool force, struct md_err *err)
{
	char *name = beside_path(path, b);
	uint8_t head[8];
	struct stat st;
	ssize_t n;
	int ret = 0;

	if (!name)
		return md_nomem(err);
	if (lstat(name, &st)) {
		if (errno != ENOENT)
			ret = md_fail_errno(err, MD_EIO, "cannot write '%s'", path);
	} else if (!S_ISREG(st.st_mode)) {
		ret = md_fail(err, MD_EIO,
			      "cannot write '%s': '%s', which SQLite reads as a part of the "
			      "database, is not a regular file",
			      path, name);
	} else if (!force) {
		n = read_head(name, head, sizeof(head));
		if (n < 0 || !is_beside(b, head, (size_t)n))
			ret = md_fail(
				err, MD_EUSAGE,
				"cannot write '%s': SQLite would read '%s' as a part of the "
				"database, which it is not: move it away (--force removes it)",
				path, name);
	}
	free(name);
	return ret;
}

/* Checks that the effective user may create files in the folder of `path`; access() would check the
 * real user. */
static int check_folder(const char *path, struct md_err *err)
{
	char *copy = strdup(path);
	const char *folder;
	int ret = 0;

	if (!copy)
		return md_nomem(err);
	folder = dirname(copy);
	if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS)) {
		ret = md_fail_errno(err, MD_EIO, "cannot write '%s'", path);
		if (errno == ENOENT)
			md_advise(err, "make the folder '%s' first", folder);
	}
	free(copy);
	return ret;
}

/* /dev/stdout is a link into /proc. If standard output is a file, a rename to /dev/stdout would
 * replace the link instead of that file, so the link counts as a stream. */
bool newfile_is_stream(const char *path)
{
	char target[32];
	ssize_t n = readlink(path, target, sizeof(target));
	struct stat st;

	if (n > 6 && !memcmp(target, "/proc/", 6))
		return true;
	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Called before the file is written, so that a wrong path fails early, and again before the rename,
 * because another program may have created the file in the meantime. */
int newfile_check_kind(enum newfile_kind kind, const char *path, bool force, struct md_err *err)
{
	int ret = check_folder(path, err);
	struct head head;
	struct stat st;

	if (ret)
		return ret;
	if (!stat(path, &st)) {
		errno = EISDIR;
		if (S_ISDIR(st.st_mode))
			return md_fail_errno(err, MD_EIO, "cannot write '%s'", path);
		if (newfile_is_stream(path))
			return md_fail(err, MD_EIO, "cannot write '%s': it is not a regular file",
				       path);
		head.n = read_head(path, head.bytes, sizeof(head.bytes));
		head.sys = errno;
		ret = check_precious(kind, path, &head, err);
		if (!ret && !force)
			ret = check_file(&kinds[kind], path, &st, &head, err);
	} else if (errno != ENOENT) {
		ret = md_fail_errno(err, MD_EIO, "cannot write '%s'", path);
	}
	for (int i = 0; i < kinds[kind].besides && !ret; i++)
		ret = check_beside(path, &besides[i], force, err);
	return ret;
}

int newfile_check(const char *path, bool force, struct md_err *err)
{
	return newfile_check_kind(NEWFILE_DATABASE, path, force, err);
}

/* The temporary file is in the same folder as `path`, because rename() does not work across file
 * systems. */
int newfile_create_kind(enum newfile_kind kind, const char *path, bool force, struct newfile *f,
			struct md_err *err)
{
	int ret = newfile_check_kind(kind, path, force, err);

	*f = (struct newfile){ .kind = kind, .force = force };
	if (ret)
		return ret;
	f->path = strdup(path);
	ret = f->path ? tempfile_create(path, &f->temp, err) : md_nomem(err);
	if (ret)
		newfile_release(f);
	return ret;
}

int newfile_create(const char *path, bool force, struct newfile *f, struct md_err *err)
{
	return newfile_create_kind(NEWFILE_DATABASE, path, force, f, err);
}

/* Syncs the folder, so that a rename or a removal in it survives a crash of the machine. */
static void sync_folder(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0)
		fsync(fd);
	if (fd >= 0)
		close(fd);
	free(copy);
}

/* Removes SQLite's files next to the old database. They must be gone from the disk before the new
 * database gets the name, so the folder is synced. */
static int remove_besides(enum newfile_kind kind, const char *path, struct md_err *err)
{
	bool removed = false;
	int ret = 0;

	for (int i = 0; i < kinds[kind].besides && !ret; i++) {
		char *name = beside_path(path, &besides[i]);

		if (!name)
			return md_nomem(err);
		if (!unlink(name))
			removed = true;
		else if (errno != ENOENT)
			ret = md_fail_errno(err, MD_EIO, "cannot write '%s': cannot remove '%s'",
					    path, name);
		free(name);
	}
	if (removed)
		sync_folder(path);
	return ret;
}

/* The order matters. The new file must be complete on the disk, and the old journals must be gone,
 * before the new file gets the name. So after a crash at any point the name belongs to the old file
 * or to the complete new file. On failure the temporary file remains until newfile_release(). */
int newfile_publish(struct newfile *f, struct md_err *err)
{
	int ret = newfile_check_kind(f->kind, f->path, f->force, err);

	if (ret)
		return ret;
	if (fsync(f->temp.fd))
		return md_fail_errno(err, MD_EIO, "cannot write '%s'", f->path);
	ret = remove_besides(f->kind, f->path, err);
	if (ret)
		return ret;
	if (tempfile_publish(&f->temp, f->path))
		return md_fail_errno(err, MD_EIO, "cannot create '%s'", f->path);
	sync_folder(f->path); /* the file has its name by now, so a failed sync is not reported */
	return 0;
}

/* Does nothing after newfile_publish() has succeeded. */
void newfile_release(struct newfile *f)
{
	tempfile_remove(&f->temp);
	free(f->path);
	*f = (struct newfile){ 0 };
}
