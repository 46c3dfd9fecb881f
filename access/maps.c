/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "maps.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { OWN_MOST = 1024 };

/* the mappings of the emulator itself, which are not reported as mappings of the program */
static struct {
	uint64_t start, end;
} own[OWN_MOST];
static unsigned nown;

/* Reads the next line of f, which is /proc/self/maps, into *m and `path`. Returns false at the end.
 * `path` has room for PATH_MAX + 1 bytes. */
static bool next_map(FILE *f, struct stream_map *m, char *path)
{
	char line[PATH_MAX + 256], rights[8];
	int n = 0;

	if (!fgets(line, sizeof(line), f))
		return false;
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %n", &m->start,
		   &m->end, rights, &m->offset, &m->major, &m->minor, &m->inode, &n) < 7)
		return false;
	m->prot = (rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0) |
		  (rights[2] == 'x' ? PROT_EXEC : 0);
	m->flags = rights[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	snprintf(path, PATH_MAX + 1, "%.*s", (int)strcspn(line + n, "\n"), line + n);
	m->path = path;
	return true;
}

/* Calls fn(m, arg) for each line of /proc/self/maps, until fn returns false. */
static void each_map(bool fn(const struct stream_map *m, void *arg), void *arg)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char path[PATH_MAX + 1];
	struct stream_map m;

	while (f && next_map(f, &m, path) && fn(&m, arg))
		;
	if (f)
		fclose(f);
}

static bool note_own(const struct stream_map *m, void *arg)
{
	own[nown].start = m->start;
	own[nown++].end = m->end;
	return nown < OWN_MOST;
}

void maps_begin(void)
{
	each_map(note_own, NULL);
}

static bool is_own(const struct stream_map *m)
{
	for (unsigned i = 0; i < nown; i++)
		if (m->start < own[i].end && own[i].start < m->end)
			return true;
	return false;
}

/* The `arg` of the callbacks of each_map(): write_map(), find_map() and write_stack(). Each uses
 * some of the members. */
struct asked {
	struct stream *stream;
	/* for write_map(), a range of addresses; for write_stack(), `start` is an address on the
	 * stack */
	uint64_t start, bytes;
	const char *path;
	uint64_t *low, *high;
	bool found;
};

static bool write_map(const struct stream_map *m, void *arg)
{
	const struct asked *a = arg;
	struct stream_map map = *m;

	if (m->end <= a->start || (m->start > a->start && m->start - a->start >= a->bytes) ||
	    m->path[0] != '/' || (a->bytes == MAPS_ALL && is_own(m)))
		return true;
	if (!(m->prot & PROT_WRITE))
		map.prot |= PROT_EXEC;
	stream_map(a->stream, &map);
	return true;
}

void maps_write(struct stream *s, uint64_t start, uint64_t bytes)
{
	each_map(write_map, &(struct asked){ .stream = s, .start = start, .bytes = bytes });
}

static bool find_map(const struct stream_map *m, void *arg)
{
	struct asked *a = arg;

	if (strcmp(m->path, a->path))
		return true;
	*a->low = a->found ? *a->low : m->start;
	*a->high = m->end;
	a->found = true;
	return true;
}

void maps_find(const char *path, uint64_t *low, uint64_t *high)
{
	each_map(find_map, &(struct asked){ .path = path, .low = low, .high = high });
}

static bool write_stack(const struct stream_map *m, void *arg)
{
	const struct asked *a = arg;
	struct stream_map map = *m;

	if (a->start < m->start || a->start >= m->end)
		return true;
	map.path = "[stack]";
	stream_map(a->stream, &map);
	return false;
}

void maps_write_stack(struct stream *s, uint64_t address)
{
	each_map(write_stack, &(struct asked){ .stream = s, .start = address });
}
