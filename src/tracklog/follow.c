/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracklog/follow.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mapfile.h"

enum {
	FIELDS = 8,
	NODES_MOST = 1 << 22, /* maximum number of pages in one record; 16 GiB of small pages */
	LINE_MOST = 1 << 24,
};

static const char magic[] = "memdb-follow";

struct fl_log {
	const char *p, *end; /* the part that is not read yet */
	struct mapfile file; /* the mapping of the log; unused if the caller owns the bytes */
	char *line;          /* copy of the current line, split into fields */
	size_t line_cap;
	int32_t *nodes;
	uint32_t nodes_cap;
	uint64_t skipped;
};

/* Reads the next line without its newline. Returns false at the end. */
static bool take_line(struct fl_log *l, const char **line, size_t *len)
{
	const char *nl;

	if (l->p == l->end)
		return false;
	nl = memchr(l->p, '\n', (size_t)(l->end - l->p));
	*line = l->p;
	*len = (size_t)((nl ? nl : l->end) - l->p);
	l->p = nl ? nl + 1 : l->end;
	return true;
}

/* Replaces \t, \n and \\ in a field with the characters that they represent. */
static void unescape_text(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '\\' && s[1]) {
			s++;
			*to++ = (char)(*s == 't' ? '\t' : *s == 'n' ? '\n' : *s);
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

/* Copies the line to l->line and splits the copy at tabs. The last field gets the rest of the line,
 * with its tabs. Returns the number of fields, 0 if the line contains a NUL, or MD_ENOMEM. */
static int split_fields(struct fl_log *l, const char *line, size_t len, char *field[FIELDS])
{
	int n = 0;
	char *p;

	if (len >= l->line_cap) {
		p = realloc(l->line, len + 1);
		if (!p)
			return MD_ENOMEM;
		l->line = p;
		l->line_cap = len + 1;
	}
	memcpy(l->line, line, len);
	l->line[len] = 0;
	if (strlen(l->line) != len)
		return 0; /* the line contains a NUL */
	for (p = l->line; p && n < FIELDS; n++) {
		field[n] = p;
		p = strchr(p, '\t');
		if (p && n < FIELDS - 1)
			*p++ = 0;
	}
	for (int i = 0; i < n; i++)
		unescape_text(field[i]);
	return n;
}

static bool parse_number(const char *s, int base, uint64_t *out)
{
	char *end;

	if (!((*s >= '0' && *s <= '9') || (base == 16 && *s >= 'a' && *s <= 'f')))
		return false;
	errno = 0;
	*out = strtoull(s, &end, base);
	return !errno && !*end;
}

static bool parse_number32(const char *s, uint32_t *out)
{
	uint64_t v;

	if (!parse_number(s, 10, &v) || v > UINT32_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

/* Reads the number of a CPU's core or socket; "-1" means unknown. */
static bool number_or_none(const char *s, int32_t *out)
{
	uint32_t v = 0;

	if (!strcmp(s, "-1")) {
		*out = -1;
		return true;
	}
	if (!parse_number32(s, &v) || v > INT32_MAX)
		return false;
	*out = (int32_t)v;
	return true;
}

/* Appends `node` n times to the array l->nodes. Returns false if the array would have more than
 * NODES_MOST elements or, with *nomem set, when out of memory. */
static bool add_nodes(struct fl_log *l, uint32_t *count, int32_t node, uint64_t n, bool *nomem)
{
	uint32_t cap = l->nodes_cap ? l->nodes_cap : 256;
	int32_t *p;

	if (n > NODES_MOST - *count)
		return false;
	while (cap < *count + n)
		cap *= 2;
	if (cap > l->nodes_cap) {
		p = realloc(l->nodes, cap * sizeof(*p));
		if (!p) {
			*nomem = true;
			return false;
		}
		l->nodes = p;
		l->nodes_cap = cap;
	}
	for (uint64_t i = 0; i < n; i++)
		l->nodes[(*count)++] = node;
	return true;
}

/* Reads nodes with repetitions, such as "0x16,-,1", into l->nodes. Returns false if they are
 * invalid or, with *nomem set, when out of memory. */
static bool parse_nodes(struct fl_log *l, char *s, uint32_t *count, bool *nomem)
{
	char *save = NULL;

	*count = 0;
	for (char *item = strtok_r(s, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		char *times = strchr(item, 'x');
		uint64_t n = 1;
		uint32_t node = 0;
		bool none;

		if (times) {
			*times++ = 0;
			if (!parse_number(times, 10, &n))
				return false;
		}
		none = !strcmp(item, "-");
		if (!none && (!parse_number32(item, &node) || node > INT32_MAX))
			return false;
		if (!add_nodes(l, count, none ? -1 : (int32_t)node, n, nomem))
			return false;
	}
	return true;
}

static bool parse_topology(struct fl_record *r, char **f, int n)
{
	if (!strcmp(f[0], "node") && n >= 5) {
		r->kind = FL_NODE;
		r->more = f[2];
		return parse_number32(f[1], &r->node) && parse_number(f[3], 10, &r->bytes) &&
		       parse_number(f[4], 10, &r->free_bytes);
	}
	if (!strcmp(f[0], "distance") && n >= 4) {
		r->kind = FL_DISTANCE;
		return parse_number32(f[1], &r->node) && parse_number32(f[2], &r->to) &&
		       parse_number32(f[3], &r->distance);
	}
	if (!strcmp(f[0], "cpu") && n >= 5) {
		r->kind = FL_CPU;
		return parse_number32(f[1], &r->cpu) && parse_number32(f[2], &r->node) &&
		       number_or_none(f[3], &r->core) && number_or_none(f[4], &r->socket);
	}
	if (!strcmp(f[0], "memory") && n >= 4) {
		r->kind = FL_MEMORY;
		return parse_number32(f[1], &r->node) && parse_number(f[2], 16, &r->address) &&
		       parse_number(f[3], 16, &r->end);
	}
	if (!strcmp(f[0], "page") && n >= 2) {
		r->kind = FL_PAGE;
		return parse_number(f[1], 10, &r->bytes);
	}
	if (!strcmp(f[0], "policy") && n >= 2) {
		r->kind = FL_POLICY;
		r->text = f[1];
		return true;
	}
	if (!strcmp(f[0], "affinity") && n >= 2) {
		r->kind = FL_AFFINITY;
		r->more = f[1];
		return true;
	}
	if (!strcmp(f[0], "mems") && n >= 2) {
		r->kind = FL_MEMS;
		r->more = f[1];
		return true;
	}
	if (!strcmp(f[0], "balancing") && n >= 2) {
		r->kind = FL_BALANCING;
		return parse_number(f[1], 10, &r->bytes);
	}
	return false;
}

/* Reads a record whose fields begin with a time, and then a pid or a node. Returns false if the
 * record is invalid or of another kind or, with *nomem set, when out of memory. */
static bool parse_timed(struct fl_log *l, struct fl_record *r, char **f, int n, bool *nomem)
{
	if (n < 4 || !parse_number(f[1], 10, &r->time) || !parse_number32(f[2], &r->pid))
		return false;
	if (!strcmp(f[0], "foreign") && n >= 5) {
		r->kind = FL_FOREIGN;
		r->node = r->pid;
		return parse_number(f[3], 10, &r->pages) && parse_number(f[4], 10, &r->took);
	}
	if (!strcmp(f[0], "collapse")) {
		r->kind = FL_COLLAPSE;
		return parse_number(f[3], 10, &r->since);
	}
	if (!strcmp(f[0], "process") && n >= 6) {
		r->kind = FL_PROCESS;
		r->text = f[5];
		return parse_number(f[3], 10, &r->start_ticks) && parse_number32(f[4], &r->ppid);
	}
	if (!strcmp(f[0], "thread") && n >= 6) {
		r->kind = FL_THREAD;
		r->text = f[4];
		r->more = f[5];
		return parse_number32(f[3], &r->tid);
	}
	if (!strcmp(f[0], "homes") && n >= 6) {
		r->kind = FL_HOMES;
		if (!parse_number(f[3], 16, &r->address) || !parse_number(f[4], 10, &r->bytes) ||
		    !parse_nodes(l, f[5], &r->count, nomem) ||
		    (n > 6 && !parse_number(f[6], 10, &r->took)))
			return false;
		r->nodes = l->nodes;
		return true;
	}
	if (!strcmp(f[0], "numa_maps") && n >= 6) {
		r->kind = FL_NUMA_MAPS;
		r->text = f[4];
		r->more = f[5];
		return parse_number(f[3], 16, &r->address);
	}
	if (!strcmp(f[0], "hugepage") && n >= 6) {
		r->kind = FL_HUGEPAGE;
		return parse_number(f[3], 16, &r->address) && parse_number(f[4], 16, &r->end) &&
		       parse_number(f[5], 10, &r->bytes);
	}
	return false;
}

int fl_next(struct fl_log *l, struct fl_record *r, struct md_err *err)
{
	char *field[FIELDS];
	bool nomem = false;
	const char *line;
	size_t len;

	while (take_line(l, &line, &len)) {
		int n = len < LINE_MOST ? split_fields(l, line, len, field) : 0;

		memset(r, 0, sizeof(*r));
		r->text = r->more = "";
		if (n > 0 && (parse_topology(r, field, n) || parse_timed(l, r, field, n, &nomem)))
			return 1;
		if (n < 0 || nomem)
			return md_nomem(err);
		l->skipped++;
	}
	return 0;
}

uint64_t fl_skipped(const struct fl_log *l)
{
	return l->skipped;
}

uint64_t fl_left(const struct fl_log *l)
{
	return (uint64_t)(l->end - l->p);
}

int fl_open_mem(const char *buf, size_t len, struct fl_log **out, struct md_err *err)
{
	struct fl_log *l = NULL;
	char *field[FIELDS];
	const char *line;
	size_t n;
	int ret;

	*out = NULL;
	l = calloc(1, sizeof(*l));
	if (!l)
		return md_nomem(err);
	l->file.fd = -1;
	l->p = buf;
	l->end = buf + len;
	if (!take_line(l, &line, &n) || n > 100) {
		ret = md_fail(err, MD_EFORMAT, "not a follow log");
		goto out;
	}
	ret = split_fields(l, line, n, field);
	if (ret == MD_ENOMEM) {
		md_nomem(err);
		goto out;
	}
	if (ret != 2 || strcmp(field[0], magic)) {
		ret = md_fail(err, MD_EFORMAT, "not a follow log");
		goto out;
	}
	if (strcmp(field[1], "1")) {
		ret = md_fail(err, MD_ENOTSUP, "a follow log of version '%s', this memdb reads 1",
			      field[1]);
		goto out;
	}
	*out = l;
	l = NULL;
	ret = 0;
out:
	fl_close(l);
	return ret;
}

int fl_open_path(const char *path, struct fl_log **out, struct md_err *err)
{
	struct mapfile f;
	int ret = mapfile_open(path, "follow log", NULL, &f, err);

	*out = NULL;
	if (!ret) {
		ret = fl_open_mem(f.bytes, f.len, out, err);
		if (ret)
			md_wrap(err, "cannot read '%s'", path);
	}
	if (ret) {
		mapfile_close(&f);
		return ret;
	}
	mapfile_keep(&f);
	(*out)->file = f;
	return 0;
}

void fl_close(struct fl_log *l)
{
	if (!l)
		return;
	mapfile_close(&l->file);
	free(l->line);
	free(l->nodes);
	free(l);
}
