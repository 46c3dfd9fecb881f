/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "maps.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { OWN_MOST = 1024 };

/* The emulator's own mappings. */
static struct {
	uint64_t start, end;
} own[OWN_MOST];
static unsigned nown;

/* False at the end. path has PATH_MAX + 1 bytes. */
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

void maps_begin(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char path[PATH_MAX + 1];
	struct stream_map m;

	while (f && nown < OWN_MOST && next_map(f, &m, path)) {
		own[nown].start = m.start;
		own[nown++].end = m.end;
	}
	if (f)
		fclose(f);
}

static bool is_own(const struct stream_map *m)
{
	for (unsigned i = 0; i < nown; i++)
		if (m->start < own[i].end && own[i].start < m->end)
			return true;
	return false;
}

void maps_write(struct stream *s, uint64_t start, uint64_t bytes)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char path[PATH_MAX + 1];
	struct stream_map m;

	while (f && next_map(f, &m, path)) {
		if (m.end <= start || m.start - start >= bytes || path[0] != '/' ||
		    (bytes == MAPS_ALL && is_own(&m)))
			continue;
		if (!(m.prot & PROT_WRITE))
			m.prot |= PROT_EXEC;
		stream_map(s, &m);
	}
	if (f)
		fclose(f);
}

void maps_find(const char *wanted, uint64_t *low, uint64_t *high)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char path[PATH_MAX + 1];
	struct stream_map m;
	bool found = false;

	while (f && next_map(f, &m, path)) {
		if (strcmp(path, wanted))
			continue;
		*low = found ? *low : m.start;
		*high = m.end;
		found = true;
	}
	if (f)
		fclose(f);
}

void maps_write_stack(struct stream *s, uint64_t address)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char path[PATH_MAX + 1];
	struct stream_map m;

	while (f && next_map(f, &m, path)) {
		if (address < m.start || address >= m.end)
			continue;
		m.path = "[stack]";
		stream_map(s, &m);
		break;
	}
	if (f)
		fclose(f);
}
