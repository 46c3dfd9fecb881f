/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a perf.data from memory or from a path, and closes it. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mapfile.h"
#include "base/tempfile.h"
#include "perfdata/internal.h"

enum { WAIT_MS = 200 };

int pd_add_segment(struct pd_file *f, const struct pd_segment *segment)
{
	const struct pd_segment *last;
	struct pd_segment *p =
		reallocarray(f->segments, f->nsegments + 1, sizeof(struct pd_segment));
	uint64_t before = 0;

	if (!p)
		return MD_ENOMEM;
	last = f->nsegments ? &p[f->nsegments - 1] : NULL;
	/* `before` is the size of all earlier segments, for pd_position(), which counts the bytes
	 * of all segments */
	if (last)
		before = last->before + (uint64_t)(last->data_end - last->data);
	f->segments = p;
	f->segments[f->nsegments] = *segment;
	f->segments[f->nsegments].before = before;
	f->nsegments++;
	return 0;
}

int pd_open_mem(const void *buf, size_t len, struct pd_file **out, struct md_err *err)
{
	struct pd_file *f = calloc(1, sizeof(*f));
	int ret;

	*out = NULL;
	if (!f)
		return md_nomem(err);
	f->image = buf;
	f->len = len;
	ret = pd_read_header(f, err);
	if (!ret)
		ret = pd_scan(f, err);
	if (!ret)
		ret = pd_read_features(f, err);
	if (ret)
		goto out;
	ret = pd_add_segment(f, &(struct pd_segment){ .image = buf,
						      .len = len,
						      .data = f->data,
						      .data_end = f->data_end });
	if (ret) {
		md_nomem(err);
		goto out;
	}
	pd_rewind(f);
	*out = f;
	f = NULL;
out:
	pd_close(f);
	return ret;
}

static bool write_all(int fd, const char *buf, size_t n)
{
	while (n) {
		ssize_t done = write(fd, buf, n);

		if (done < 0)
			return false;
		buf += done;
		n -= (size_t)done;
	}
	return true;
}

static int spool_failed(const char *path, struct md_err *err)
{
	return md_fail_errno(err, MD_EIO,
			     "cannot copy '%s' into a temporary file in '%s' (set TMPDIR for "
			     "another folder)",
			     path, tempfile_folder());
}

/* Waits until `in` can be read. Returns false if *stop is set first. Waits in short steps: if a
 * signal handler sets *stop just before poll(), the signal does not interrupt poll(). */
static bool await_input(int in, const volatile int *stop)
{
	struct pollfd p = { .fd = in, .events = POLLIN };
	int n;

	do {
		if (stop && *stop)
			return false;
		n = poll(&p, 1, WAIT_MS);
	} while (n == 0 || (n < 0 && errno == EINTR));
	return true;
}

/* Copies all of `in` to `out`. `path` is named in error messages. Returns 0, MD_EIO or MD_EINTR. */
static int copy_input(int in, const char *path, const volatile int *stop, int out,
		      struct md_err *err)
{
	char buf[8192]; /* small, because the limit on the stack may be low */
	ssize_t n;

	do {
		if (!await_input(in, stop))
			return md_fail(err, MD_EINTR, "interrupted");
		n = read(in, buf, sizeof(buf));
		if (n > 0 && !write_all(out, buf, (size_t)n))
			return spool_failed(path, err);
	} while (n > 0);
	return n ? md_fail_errno(err, MD_EIO, "cannot read '%s'", path) : 0;
}

/* Copies a pipe to an unnamed temporary file, because the recording is read several times and may
 * not fit in memory. Returns the descriptor of the file, or an error of pd_open_path(). */
static int spool_input(int in, const char *path, const volatile int *stop, struct md_err *err)
{
	int fd = tempfile_nameless(), ret;

	if (fd < 0)
		return spool_failed(path, err);
	ret = copy_input(in, path, stop, fd, err);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/* Opens the file at `path`. Standard input is open already. Opening it once more would fail if it
 * is a socket, as under sshd, or a pipe of another user, as under sudo. */
static int open_input(const char *path)
{
	if (!strcmp(path, "/dev/stdin"))
		return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Opens the file at `path`, or a copy if it is not a regular file. Returns the descriptor, or an
 * error of pd_open_path(). */
static int open_regular(const char *path, const volatile int *stop, size_t *size,
			struct md_err *err)
{
	int fd = open_input(path), spooled;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		goto fail;
	if (!S_ISREG(st.st_mode)) {
		spooled = spool_input(fd, path, stop, err);
		close(fd);
		if (spooled < 0)
			return spooled;
		fd = spooled;
		if (fstat(fd, &st))
			goto fail;
	}
	*size = (size_t)st.st_size;
	return fd;
fail:
	md_fail_errno(err, MD_EIO, "cannot open '%s'", path);
	if (fd >= 0)
		close(fd);
	return MD_EIO;
}

/* Maps the file at `path`. The caller unmaps *image, which is NULL if the file is empty. Returns
 * 0, or an error of pd_open_path(). */
static int map_file(const char *path, const volatile int *stop, const void **image, size_t *size,
		    struct md_err *err)
{
	int fd = open_regular(path, stop, size, err), ret = 0;

	*image = NULL;
	if (fd < 0)
		return fd;
	if (*size) {
		*image = mapfile_map(fd, 0, *size, path);
		if (*image)
			madvise((void *)(uintptr_t)*image, *size, MADV_SEQUENTIAL);
		else
			ret = md_fail_errno(err, MD_EIO, "cannot map '%s'", path);
	}
	close(fd);
	return ret;
}

static int open_file(const char *path, const volatile int *stop, struct pd_file **out,
		     struct md_err *err)
{
	size_t size;
	const void *image;
	int ret = map_file(path, stop, &image, &size, err);

	if (ret)
		return ret;
	ret = pd_open_mem(image, size, out, err);
	if (!ret) {
		(*out)->segments[0].mapped = true;
		return 0;
	}
	mapfile_unmap(image, size);
	return md_wrap(err, "cannot read '%s'", path);
}

/* Adds data.0, data.1 … of a directory as segments, up to the first one that is missing. Returns
 * 0, or an error of pd_open_path(). */
static int add_data_files(struct pd_file *f, const char *dir, const volatile int *stop,
			  struct md_err *err)
{
	for (unsigned n = 0;; n++) {
		struct pd_segment s = { .mapped = true };
		const void *image;
		char *path;
		int ret;

		if (asprintf(&path, "%s/data.%u", dir, n) < 0)
			return md_nomem(err);
		ret = access(path, F_OK) && errno == ENOENT;
		if (!ret)
			ret = map_file(path, stop, &image, &s.len, err);
		free(path);
		if (ret)
			return ret > 0 ? 0 : ret;
		if (!s.len)
			continue;
		s.image = s.data = image;
		s.data_end = s.data + s.len;
		if (pd_add_segment(f, &s)) {
			mapfile_unmap(image, s.len);
			return md_nomem(err);
		}
	}
}

/* Opens a directory that perf record --threads made. The file `data` contains the header and the
 * records that perf itself writes. The files data.N contain the kernel's records, one file for each
 * thread of perf. */
static int open_directory(const char *dir, const volatile int *stop, struct pd_file **out,
			  struct md_err *err)
{
	struct pd_file *f = NULL;
	char *path;
	int ret;

	if (asprintf(&path, "%s/data", dir) < 0)
		return md_nomem(err);
	ret = open_file(path, stop, &f, err);
	free(path);
	if (!ret)
		ret = add_data_files(f, dir, stop, err);
	if (!ret) {
		/* the array of segments may have been moved when one was added; this sets
		 * f->segment again */
		pd_rewind(f);
		*out = f;
		f = NULL;
	}
	pd_close(f);
	return ret;
}

int pd_open_path(const char *path, const volatile int *stop, struct pd_file **out,
		 struct md_err *err)
{
	struct stat st;

	*out = NULL;
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return open_directory(path, stop, out, err);
	return open_file(path, stop, out, err);
}

void pd_close(struct pd_file *f)
{
	if (!f)
		return;
	for (uint32_t i = 0; i < f->nsegments; i++) {
		if (f->segments[i].mapped)
			mapfile_unmap(f->segments[i].image, f->segments[i].len);
	}
	free(f->segments);
	pd_inflate_free(f->inflate);
	pd_free_evsels(f);
	free(f->build_ids);
	arena_release(&f->arena);
	free(f);
}
