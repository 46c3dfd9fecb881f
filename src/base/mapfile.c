/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/mapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/index.h"

/* The mappings that exist. The SIGBUS handler searches this list when a read from a mapping fails.
 * So code that changes the list must not read a mapping meanwhile. */
static struct {
	struct mapping {
		const uint8_t *bytes;
		size_t len;
		char *path;
	} * at;
	uint32_t n, cap;
} mappings;

/* path of the first file that could not be read; "" means that all could be read */
static char failed[PATH_MAX];
static struct sigaction before;

static const struct mapping *mapping_of(const uint8_t *address)
{
	for (uint32_t i = 0; i < mappings.n; i++)
		if (address >= mappings.at[i].bytes &&
		    address < mappings.at[i].bytes + mappings.at[i].len)
			return &mappings.at[i];
	return NULL;
}

static void note_failed(const struct mapping *m)
{
	if (!failed[0])
		strncpy(failed, m->path, sizeof(failed) - 1);
}

/* Handles SIGBUS: replaces a mapping with zeros, from the failing page to its end. If that fails,
 * or if the address is in no mapping of the list, restores the old handler, so that the fault
 * occurs again and ends the process. */
static void on_bus(int sig, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uint8_t *address = info->si_addr;
	const struct mapping *m = mapping_of(address);
	int sys = errno;

	address -= (uintptr_t)address % page;
	if (!m ||
	    mmap(address, (size_t)(m->bytes + m->len - address), PROT_READ,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
		sigaction(SIGBUS, &before, NULL);
	else
		note_failed(m);
	errno = sys;
}

void mapfile_guard(void)
{
	struct sigaction a = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };

	failed[0] = 0;
	sigaction(SIGBUS, &a, &before);
}

void mapfile_unguard(void)
{
	sigaction(SIGBUS, &before, NULL);
}

int mapfile_failed(struct md_err *err)
{
	if (!failed[0])
		return 0;
	return md_fail(err, MD_EIO,
		       "cannot read '%s': it became shorter, or its disk failed, while it was read",
		       failed);
}

const void *mapfile_map(int fd, uint64_t offset, size_t len, const char *path)
{
	char *copy = strdup(path);
	void *p;

	if (!copy || !VEC_ROOM(&mappings)) {
		free(copy);
		errno = ENOMEM;
		return NULL;
	}
	p = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, (off_t)offset);
	if (p == MAP_FAILED) {
		free(copy);
		return NULL;
	}
	mappings.at[mappings.n++] = (struct mapping){ p, len, copy };
	return p;
}

void mapfile_unmap(const void *bytes, size_t len)
{
	struct mapping *m = bytes ? (struct mapping *)mapping_of(bytes) : NULL;

	if (!m)
		return;
	munmap((void *)(uintptr_t)bytes, len);
	free(m->path);
	*m = mappings.at[--mappings.n];
	if (mappings.n)
		return;
	free(mappings.at);
	mappings.at = NULL;
	mappings.cap = 0;
}

int mapfile_open(const char *path, const char *kind, mapfile_used_fn *used, struct mapfile *f,
		 struct md_err *err)
{
	struct stat st;

	*f = (struct mapfile){ .fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) };
	if (f->fd < 0 || fstat(f->fd, &st))
		return md_fail_errno(err, MD_EIO, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode) || st.st_size <= 0)
		return md_fail(err, MD_EFORMAT, "cannot read '%s': not a %s", path, kind);
	f->len = used ? (size_t)used(f->fd, (uint64_t)st.st_size) : (size_t)st.st_size;
	f->bytes = mapfile_map(f->fd, 0, f->len, path);
	return f->bytes ? 0 : md_fail_errno(err, MD_EIO, "cannot map '%s'", path);
}

void mapfile_check(int fd, const void *bytes, uint64_t end)
{
	const struct mapping *m = mapping_of(bytes);
	struct stat st;

	if (m && !fstat(fd, &st) && (uint64_t)st.st_size < end)
		note_failed(m);
}

void mapfile_keep(struct mapfile *f)
{
	if (f->fd >= 0 && f->bytes)
		mapfile_check(f->fd, f->bytes, f->len);
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

void mapfile_close(struct mapfile *f)
{
	mapfile_keep(f);
	mapfile_unmap(f->bytes, f->len);
	f->bytes = NULL;
}
