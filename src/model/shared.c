/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/shared.h"

#include <string.h>

/* Leaves *s empty. */
void shared_files_release(struct shared_files *s)
{
	free(s->files.at);
	index_release(&s->index);
	memset(s, 0, sizeof(*s));
}

/* Paths of the kernel have a fixed begin. */
static bool begins_with(const char *path, const char *with)
{
	return !strncmp(path, with, strlen(with));
}

/* The names are the kernel's. /dev/shm is where libc puts what shm_open() makes. */
static bool is_huge(const char *path)
{
	return begins_with(path, "/anon_hugepage") || begins_with(path, "/dev/hugepages/");
}

/* Files without a disk behind them: their pages are placed by policies. */
static bool is_memory(const char *path)
{
	return is_huge(path) || begins_with(path, "/dev/zero") || begins_with(path, "/SYSV") ||
	       begins_with(path, "/memfd:") || begins_with(path, "/dev/shm/");
}

/* The generation tells a file from an older one with the same inode number. */
static bool is_same(const struct shared_file *a, const struct shared_file *b)
{
	return a->inode == b->inode && a->generation == b->generation && a->major == b->major &&
	       a->minor == b->minor;
}

/* 0: not shared memory, or out of memory. */
uint32_t shared_file(struct shared_files *s, const struct shared_file *f, const char *path)
{
	uint32_t hash =
		index_hash(f->inode ^ f->generation << 32, (uint64_t)f->major << 32 | f->minor);
	uint32_t place = hash, id;

	if (!f->inode && !f->major && !f->minor) /* System V inode numbers start at 0 */
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
	return ++s->files.n;
}
