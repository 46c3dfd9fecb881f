/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/shared_files.h"

#include <string.h>

#include "base/prefix.h"

void shared_files_release(struct shared_files *s)
{
	free(s->files.at);
	index_release(&s->index);
	memset(s, 0, sizeof(*s));
}

/* Does the path name a file that consists of huge pages? */
static bool is_huge(const char *path)
{
	return begins_with(path, "/anon_hugepage") || begins_with(path, "/dev/hugepages/");
}

/* Does the path name a file that exists only in memory? NUMA policies decide on which nodes the
 * pages of such a file are. */
static bool is_memory(const char *path)
{
	return is_huge(path) || begins_with(path, "/dev/zero") || begins_with(path, "/SYSV") ||
	       begins_with(path, "/memfd:") || begins_with(path, "/dev/shm/");
}

static bool is_named(const char *path)
{
	return begins_with(path, "/memfd:") || begins_with(path, "/dev/shm/") ||
	       begins_with(path, "/SYSV") || begins_with(path, "/dev/hugepages/");
}

/* Are a and b the same file? The number of a deleted inode can be used again; then the generation
 * differs. */
static bool is_same(const struct shared_file *a, const struct shared_file *b)
{
	return a->inode == b->inode && a->generation == b->generation && a->major == b->major &&
	       a->minor == b->minor;
}

uint32_t shared_file(struct shared_files *s, const struct shared_file *f, const char *path)
{
	uint32_t hash =
		index_hash(f->inode ^ f->generation << 32, (uint64_t)f->major << 32 | f->minor);
	uint32_t place = hash, id;

	/* inode 0 is valid for System V shared memory, whose inode numbers start at 0 */
	if (!f->inode && !f->major && !f->minor)
		return 0;
	while ((id = index_next(&s->index, hash, &place)))
		if (is_same(&AT_ID(s->files, id), f))
			return id;
	if (!VEC_ROOM(&s->files) || !index_add(&s->index, hash, s->files.n + 1)) {
		s->nomem = true;
		return 0;
	}
	s->files.at[s->files.n] = *f;
	s->files.at[s->files.n].memory = is_memory(path);
	s->files.at[s->files.n].huge = is_huge(path);
	s->files.at[s->files.n].named = is_named(path);
	return ++s->files.n;
}
