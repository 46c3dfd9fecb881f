/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the kernel on which nodes the pages of another process are: move_pages(2) without target
 * nodes moves nothing and returns the nodes.
 *
 * A query of every page of a large program takes too long. So a large mapping is divided into parts
 * of equal size (steps, see track_homes_step()). A round is one call of homes_write(): it queries
 * one page of each step, and the next round a different page of each. The largest mappings come
 * first, because they contain the memory that matters. Policies come from numa_maps. The kernel
 * produces this file slowly for large processes, so only few rounds read it.
 */
#include "record/homes.h"

#include <inttypes.h>
#include <numaif.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/monotonic.h"
#include "track_format.h"

/* One mapping of /proc/PID/maps. */
struct mapping {
	uint64_t start, end;
};

struct mappings {
	struct mapping *v;
	size_t n, cap;
};

/* Adds a mapping. Returns false when out of memory. */
static bool add_mapping(struct mappings *m, uint64_t start, uint64_t end)
{
	if (m->n == m->cap) {
		size_t cap = 2 * m->cap + 64;
		struct mapping *v = realloc(m->v, cap * sizeof(*v));

		if (!v)
			return false;
		m->v = v;
		m->cap = cap;
	}
	m->v[m->n++] = (struct mapping){ start, end };
	return true;
}

/* Opens /proc/PID/FILE. Returns NULL if the file cannot be opened, for example because the process
 * has ended or belongs to another user. */
static FILE *open_of(uint32_t pid, const char *file)
{
	char name[64];

	snprintf(name, sizeof(name), "/proc/%u/%s", pid, file);
	return fopen(name, "re");
}

/* Is the mapped file a log of the tracker? It is not memory of the program. */
static bool is_own(const struct homes_options *o, const char *name)
{
	size_t n = o->track_dir ? strlen(o->track_dir) : 0;

	return n && !strncmp(name, o->track_dir, n) && name[n] == '/';
}

/* Reads the writable mappings, except small ones and logs of the tracker. Most read-only mappings
 * are files, whose pages are on the node of the process that read them first. */
static void read_mappings(const struct homes_options *o, uint32_t pid, struct mappings *m)
{
	FILE *f = open_of(pid, "maps");
	char *line = NULL;
	size_t cap = 0;

	while (f && getline(&line, &cap, f) > 0) {
		uint64_t start, end;
		char rights[5] = "";
		int name = 0;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &start, &end, rights,
			   &name) != 3 ||
		    rights[1] != 'w' || end - start < o->smallest_bytes || is_own(o, line + name))
			continue;
		if (!add_mapping(m, start, end))
			break;
	}
	free(line);
	if (f)
		fclose(f);
}

/* Compares by size, the largest first. Mappings of equal size are compared by address, because
 * qsort() may order equal elements differently on each system. */
static int larger_first(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;
	uint64_t sx = x->end - x->start, sy = y->end - y->start;

	return sx < sy ? 1 : sx > sy ? -1 : x->start < y->start ? -1 : x->start > y->start;
}

uint64_t homes_step(const struct homes_options *o, uint64_t bytes)
{
	return o->page_bytes * track_homes_step(bytes / o->page_bytes, o->pages_per_mapping);
}

/* Writes runs of pages on one node as "NODExCOUNT". The node "-" stands for pages that are not
 * present. */
void homes_write_nodes(const int *nodes, unsigned n, FILE *out)
{
	for (unsigned i = 0; i < n;) {
		unsigned run = 1;

		while (i + run < n &&
		       (nodes[i + run] == nodes[i] || (nodes[i] < 0 && nodes[i + run] < 0)))
			run++;
		if (i)
			fputc(',', out);
		if (nodes[i] < 0)
			fputc('-', out);
		else
			fprintf(out, "%d", nodes[i]);
		if (run > 1)
			fprintf(out, "x%u", run);
		i += run;
	}
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Returns the number of the page that this round queries in every step. After as many rounds as a
 * step has pages, every page has been queried. From one round to the next, the number grows by
 * about 0.618 of a step (the golden ratio), so the pages of the first rounds are far apart. */
static uint64_t page_of_round(unsigned round, uint64_t pages_per_step)
{
	uint64_t advance = pages_per_step / 1000 * 618 + pages_per_step % 1000 * 618 / 1000 + 1;

	while (common_divisor(advance, pages_per_step) > 1)
		advance++;
	return round % pages_per_step * advance % pages_per_step;
}

/* Writes a `homes` line: time and duration of the query, the process, and the nodes of n pages. The
 * first page is at `address`, the others follow at a distance of `step` bytes. */
static void write_look(uint64_t time, uint64_t took, uint32_t pid, uint64_t address, uint64_t step,
		       const int *nodes, unsigned n, FILE *out)
{
	fprintf(out, "homes\t%" PRIu64 "\t%" PRIu32 "\t%" PRIx64 "\t%" PRIu64 "\t", time, pid,
		address, step);
	homes_write_nodes(nodes, n, out);
	fprintf(out, "\t%" PRIu64 "\n", took);
}

/* Queries one page of each step, and also the first page of the mapping, because the queried page
 * of the first step may be far after it. The time in the line is the time before the query, so a
 * page that moves during the query counts as moved after it. Returns the number of queried
 * pages. */
static unsigned write_homes_of_mapping(const struct homes_options *o, uint32_t pid,
				       const struct mapping *m, unsigned round, FILE *out)
{
	uint64_t step = homes_step(o, m->end - m->start);
	uint64_t first = m->start + page_of_round(round, step / o->page_bytes) * o->page_bytes;
	unsigned head = first > m->start, most = o->pages_per_mapping + head, n = 0;
	bool alike;
	void **pages = calloc(most, sizeof(*pages));
	int *nodes = calloc(most, sizeof(*nodes));
	uint64_t time = monotonic_ns(), took;

	if (!pages || !nodes)
		goto out;
	if (head)
		pages[n++] = (void *)(uintptr_t)m->start;
	for (uint64_t a = first; a < m->end && n < most; a += step)
		pages[n++] = (void *)(uintptr_t)a;
	if (!n || move_pages((int)pid, n, pages, NULL, nodes, 0)) {
		n = 0;
		goto out;
	}
	took = monotonic_ns() - time;
	/* `alike`: the first three queried pages are on one node, so the pages are probably not
	 * interleaved. Then the line for the mapping's first page also covers the pages up to the
	 * next queried one */
	alike = n > 2 && nodes[0] == nodes[1] && nodes[1] == nodes[2];
	if (head)
		write_look(time, took, pid, m->start, alike ? first - m->start : o->page_bytes,
			   nodes, 1, out);
	if (n > head)
		write_look(time, took, pid, first, step, nodes + head, n - head, out);
out:
	free(pages);
	free(nodes);
	return n;
}

uint64_t homes_write(const struct homes_options *o, uint32_t pid, unsigned round, FILE *out)
{
	struct mappings m = { 0 };
	uint64_t asked = 0;

	read_mappings(o, pid, &m);
	if (m.n)
		qsort(m.v, m.n, sizeof(*m.v), larger_first);
	for (size_t i = 0; i < m.n && i < o->mappings; i++)
		asked += write_homes_of_mapping(o, pid, &m.v[i], round, out);
	free(m.v);
	return asked;
}

/* Compares by address, for qsort() and for the binary search in end_of(). */
static int by_start(const void *a, const void *b)
{
	const struct mapping *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Returns the end of the mapping that begins at `start`; 0 if there is no such mapping. Needed
 * because numa_maps contains only the start. m is sorted by address. */
static uint64_t end_of(const struct mappings *m, uint64_t start)
{
	const struct mapping key = { .start = start }, *found;

	found = m->n ? bsearch(&key, m->v, m->n, sizeof(*m->v), by_start) : NULL;
	return found ? found->end : 0;
}

/*
 * Writes a `numa_maps` line from `line`, a line of /proc/PID/numa_maps. Changes `line`. If the
 * mapping has pages larger than o->page_bytes, also writes a `hugepage` line. Skips small mappings,
 * except those of a stack.
 */
static void write_policy(const struct homes_options *o, uint32_t pid, const struct mappings *m,
			 char *line, FILE *out)
{
	static const char size_key[] = "kernelpagesize_kB=";
	char *policy, *text = NULL, *size;
	uint64_t start = strtoull(line, &policy, 16), end, kb;

	if (policy == line || *policy != ' ')
		return;
	policy++;
	text = policy + strcspn(policy, " \n");
	if (*text)
		*text++ = 0;
	text[strcspn(text, "\n")] = 0;
	end = end_of(m, start);
	if (!end || (end - start < o->smallest_bytes && !strstr(text, "stack")))
		return;
	fprintf(out, "numa_maps\t%" PRIu64 "\t%" PRIu32 "\t%" PRIx64 "\t%s\t", monotonic_ns(), pid,
		start, policy);
	for (const char *s = text; *s; s++) {
		if (*s == '\\' || *s == '\t')
			fputc('\\', out);
		fputc(*s == '\t' ? 't' : *s, out);
	}
	fputc('\n', out);
	size = strstr(text, size_key);
	kb = size ? strtoull(size + sizeof(size_key) - 1, NULL, 10) : 0;
	if (kb * 1024 > o->page_bytes)
		fprintf(out,
			"hugepage\t%" PRIu64 "\t%" PRIu32 "\t%" PRIx64 "\t%" PRIx64 "\t%" PRIu64
			"\n",
			monotonic_ns(), pid, start, end, kb * 1024);
}

/* Returns the size in kB of all huge pages of a process; 0 if the kernel has no smaps_rollup. */
static uint64_t huge_kilobytes(uint32_t pid)
{
	FILE *f = open_of(pid, "smaps_rollup");
	unsigned long long kb = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "AnonHugePages: %llu", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

/* The kernel does not report when it made the huge pages, but only their number. So the line
 * contains the times of this look and of the previous look (`since`). */
void homes_write_collapse(uint32_t pid, uint64_t since, FILE *out)
{
	const uint64_t now = monotonic_ns();

	if (huge_kilobytes(pid))
		fprintf(out, "collapse\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu64 "\n", now, pid, since);
}

/* Also reads the mappings (maps), because numa_maps does not show where they end. */
void homes_write_policies(const struct homes_options *o, uint32_t pid, FILE *out)
{
	FILE *f = open_of(pid, "numa_maps");
	struct homes_options all = *o;
	struct mappings m = { 0 };
	char *line = NULL;
	size_t cap = 0;

	/* also reads small mappings, because write_policy() needs the end of the stack's mapping,
	 * which is small: its line shows the policy of the process. write_policy() drops the other
	 * small mappings */
	all.smallest_bytes = 0;
	if (f)
		read_mappings(&all, pid, &m);
	while (f && getline(&line, &cap, f) > 0)
		write_policy(o, pid, &m, line, out);
	free(line);
	free(m.v);
	if (f)
		fclose(f);
}
