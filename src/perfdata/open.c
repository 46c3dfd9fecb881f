/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A perf.data from bytes in memory or from a path, and its end. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/internal.h"

int pd_open_mem(const void *buf, size_t len, struct pd_file **out, struct md_err *err)
{
	struct pd_file *f = calloc(1, sizeof(*f));
	int ret;

	*out = NULL;
	if (!f)
		return md_fail(err, MD_ENOMEM, "out of memory");
	f->image = buf;
	f->len = len;
	ret = pd_read_header(f, err);
	if (ret)
		goto out;
	pd_rewind(f);
	*out = f;
	f = NULL;
out:
	pd_close(f);
	return ret;
}

/* A copy in an unlinked file, so that a pipe can be walked twice and costs no memory. */
static int spool(int in, const char *path, struct md_err *err)
{
	FILE *tmp = tmpfile();
	char buf[65536];
	ssize_t n = 0;
	int fd = -1;

	if (!tmp)
		return md_fail_errno(err, MD_EIO, "cannot make a temporary file for '%s'", path);
	while ((n = read(in, buf, sizeof(buf))) > 0) {
		if (fwrite(buf, 1, (size_t)n, tmp) != (size_t)n)
			break;
	}
	if (n || fflush(tmp))
		md_fail_errno(err, MD_EIO, "cannot read '%s' into a temporary file", path);
	else if ((fd = dup(fileno(tmp))) < 0)
		md_fail_errno(err, MD_EIO, "cannot keep the temporary file for '%s'", path);
	fclose(tmp);
	return fd < 0 ? MD_EIO : fd;
}

/* The descriptor of a regular file with the bytes of path. */
static int open_regular(const char *path, size_t *size, struct md_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), copy;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		goto fail;
	if (S_ISDIR(st.st_mode)) {
		md_fail(err, MD_ENOTSUP, "'%s' is a directory, not a perf.data file", path);
		close(fd);
		return MD_ENOTSUP;
	}
	if (!S_ISREG(st.st_mode)) {
		copy = spool(fd, path, err);
		close(fd);
		if (copy < 0)
			return copy;
		fd = copy;
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

int pd_open_path(const char *path, struct pd_file **out, struct md_err *err)
{
	size_t size = 0;
	void *image = NULL;
	int ret, fd;

	*out = NULL;
	fd = open_regular(path, &size, err);
	if (fd < 0)
		return fd;
	if (size) {
		image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (image == MAP_FAILED) {
			ret = md_fail_errno(err, MD_EIO, "cannot map '%s'", path);
			goto out;
		}
		madvise(image, size, MADV_SEQUENTIAL);
	}
	ret = pd_open_mem(image, size, out, err);
	if (!ret)
		(*out)->mapped = true;
	else if (image)
		munmap(image, size);
	if (ret)
		md_wrap(err, "cannot read '%s'", path);
out:
	close(fd);
	return ret;
}

void pd_close(struct pd_file *f)
{
	if (!f)
		return;
	if (f->mapped)
		munmap((void *)(uintptr_t)f->image, f->len);
	pd_inflate_free(f->inflate);
	pd_free_evsels(f);
	free(f->build_ids);
	arena_release(&f->arena);
	free(f);
}
