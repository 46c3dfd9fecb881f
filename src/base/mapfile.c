/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mapfile.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int mapfile_open(const char *path, const char *kind, mapfile_used_fn *used, struct mapfile *f,
		 struct md_err *err)
{
	struct stat st;
	void *p;

	*f = (struct mapfile){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) };
	if (f->fd < 0 || fstat(f->fd, &st))
		return md_fail_errno(err, MD_EIO, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode) || st.st_size <= 0)
		return md_fail(err, MD_EFORMAT, "cannot read '%s': not a %s", path, kind);
	f->len = used ? (size_t)used(f->fd, (uint64_t)st.st_size) : (size_t)st.st_size;
	p = mmap(NULL, f->len, PROT_READ, MAP_SHARED, f->fd, 0);
	if (p == MAP_FAILED)
		return md_fail_errno(err, MD_EIO, "cannot map '%s'", path);
	f->bytes = p;
	return 0;
}

void mapfile_keep(struct mapfile *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

void mapfile_close(struct mapfile *f)
{
	mapfile_keep(f);
	if (f->bytes)
		munmap((void *)(uintptr_t)f->bytes, f->len);
	f->bytes = NULL;
}
