/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the parts of a log that are in the file that all logs share. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracklog/internal.h"

/* Returns the path of the shared file in the folder of `path`; the caller frees it. NULL means
 * out of memory. */
static char *shared_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *file;

	if (asprintf(&file, "%.*s" TRACK_SHARED, slash ? (int)(slash + 1 - path) : 0, path) < 0)
		return NULL;
	return file;
}

/* Maps a block of the shared file. If the file was cut, maps the part of the block that is left.
 * Returns false if there is nothing to map, or if mmap() fails. */
static bool map_block(struct tl_parts *p, uint64_t offset, uint64_t bytes, const char *file)
{
	struct tl_block *b = &p->blocks[p->nblocks];
	struct stat st;

	if (offset < TRACK_CHUNK || fstat(p->fd, &st) || !S_ISREG(st.st_mode) ||
	    offset >= (uint64_t)st.st_size)
		return false;
	if (bytes > (uint64_t)st.st_size - offset)
		bytes = (uint64_t)st.st_size - offset;
	*b = (struct tl_block){ mapfile_map(p->fd, offset, (size_t)bytes, file), (size_t)bytes,
				offset };
	p->nblocks += b->bytes != NULL;
	return b->bytes;
}

static void map_blocks(struct tl_parts *p, const char *file)
{
	struct track_header h;

	memcpy(&h, p->slot, sizeof(h));
	for (unsigned i = 0; i < TRACK_BLOCKS && h.blocks[i]; i++)
		if (!map_block(p, (uint64_t)h.blocks[i] * TRACK_CHUNK, track_block_bytes(i), file))
			p->missing += track_block_bytes(i);
}

static int read_slot(struct tl_parts *p, uint64_t number, const char *file, struct md_err *err)
{
	ssize_t n;

	p->fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	n = p->fd < 0 ? -1 : pread(p->fd, p->slot, TRACK_SLOT, (off_t)(number * TRACK_SLOT));
	return n == TRACK_SLOT
		       ? 0
		       : md_fail(err, MD_EIO, "cannot read slot %" PRIu64 " of '%s'", number, file);
}

int tl_parts_open(const char *path, uint64_t number, struct tl_parts *p, struct md_err *err)
{
	char *file = shared_path(path);
	int ret;

	*p = (struct tl_parts){ .fd = -1, .slot = malloc(TRACK_SLOT) };
	if (!file || !p->slot)
		ret = md_nomem(err);
	else
		ret = read_slot(p, number, file, err);
	if (!ret)
		map_blocks(p, file);
	else
		tl_parts_close(p);
	free(file);
	return ret;
}

void tl_parts_keep(struct tl_parts *p)
{
	for (unsigned i = 0; i < p->nblocks && p->fd >= 0; i++)
		mapfile_check(p->fd, p->blocks[i].bytes, p->blocks[i].offset + p->blocks[i].len);
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

void tl_parts_close(struct tl_parts *p)
{
	tl_parts_keep(p);
	for (unsigned i = 0; i < p->nblocks; i++)
		mapfile_unmap(p->blocks[i].bytes, p->blocks[i].len);
	free(p->slot);
	*p = (struct tl_parts){ .fd = -1 };
}
