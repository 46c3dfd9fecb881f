/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the tracing data of a recording with tracepoints, in the form in which
 * tools/perf/util/trace-event-info.c writes them: for each tracepoint the text of
 * /sys/kernel/tracing/events/SYSTEM/NAME/format.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "perfdata/internal.h"

/* Skips the header of the tracing data, up to the formats of events. Sets c->swap to the byte order
 * that the header states. Returns false if the header is not valid. */
static bool skip_to_events(struct cursor *c, uint8_t *long_bytes)
{
	static const uint8_t magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	const void *p = cursor_bytes(c, sizeof(magic));
	const bool host_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint32_t n;

	if (!p || memcmp(p, magic, sizeof(magic)))
		return false;
	while (cursor_left(c) && cursor_u8(c)) { /* the version, a string */
	}
	c->swap = !!cursor_u8(c) != host_big;
	*long_bytes = cursor_u8(c);
	cursor_skip(c, 4); /* the size of a page */
	cursor_skip(c, sizeof("header_page"));
	cursor_skip(c, cursor_u64(c));
	cursor_skip(c, sizeof("header_event"));
	cursor_skip(c, cursor_u64(c));
	n = cursor_u32(c); /* the number of ftrace's own events */
	for (uint32_t i = 0; i < n && !c->failed; i++)
		cursor_skip(c, cursor_u64(c));
	return !c->failed;
}

bool pd_formats_open(const struct pd_file *f, struct pd_formats *it)
{
	const struct pd_features *t = pd_features(f);

	*it = (struct pd_formats){ 0 };
	if (!t->tracing_data)
		return false;
	it->c = cursor_make(t->tracing_data, t->tracing_data_size, false);
	if (!skip_to_events(&it->c, &it->long_bytes))
		return false;
	it->systems = cursor_u32(&it->c);
	return !it->c.failed;
}

/* Searches the description for the text `key`. Returns the rest of the line after it, and the
 * length of this rest in *len; NULL if the text does not occur. */
static const char *line_value(const struct pd_format *o, const char *key, size_t *len)
{
	const char *p = memmem(o->text, o->text_size, key, strlen(key)), *end;

	if (!p)
		return NULL;
	p += strlen(key);
	end = memchr(p, '\n', (size_t)(o->text + o->text_size - p));
	if (!end)
		return NULL;
	*len = (size_t)(end - p);
	return p;
}

/* Reads name and id from the first lines of the text: "name: sched_switch\nID: 316\n".
 * Returns false if they are not valid. */
static bool read_head(struct pd_format *o)
{
	size_t len;
	const char *id = line_value(o, "\nID: ", &len);

	o->id = 0;
	if (!id || !len || len > 9)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)id[i]))
			return false;
		o->id = o->id * 10 + (uint32_t)(id[i] - '0');
	}
	if (o->text_size < 6 || memcmp(o->text, "name: ", 6))
		return false;
	o->name = line_value(o, "name: ", &o->name_len);
	return o->name;
}

/* Reads the name of the next system (such as "sched") and how many events follow for it. Returns
 * false if there is no further system. */
static bool next_system(struct pd_formats *it)
{
	struct cursor *c = &it->c;
	const uint8_t *nul;

	if (!it->systems)
		return false;
	it->systems--;
	nul = memchr(c->p, 0, cursor_left(c));
	if (!nul)
		return false;
	it->system = cursor_string(c, (uint64_t)(nul - c->p) + 1);
	it->events = cursor_u32(c);
	return !c->failed;
}

bool pd_formats_next(struct pd_formats *it, struct pd_format *out)
{
	for (;;) {
		uint64_t size;

		while (!it->events) {
			if (!next_system(it))
				return false;
		}
		it->events--;
		size = cursor_u64(&it->c);
		out->system = it->system;
		out->text = cursor_bytes(&it->c, size);
		out->text_size = (size_t)size;
		if (it->c.failed)
			return false;
		if (read_head(out))
			return true;
	}
}

/* An event of type PERF_TYPE_TRACEPOINT that has no name in the file. id is its attr.config, the
 * kernel's number of the tracepoint. */
struct unnamed {
	uint64_t id;
	struct evsel *evsel;
};

static int by_id(const void *a, const void *b)
{
	uint64_t x = ((const struct unnamed *)a)->id, y = ((const struct unnamed *)b)->id;

	return (x > y) - (x < y);
}

static int set_names(struct pd_file *f, const struct pd_format *o, const struct unnamed *list,
		     size_t n)
{
	struct unnamed key = { .id = o->id };
	const struct unnamed *u = bsearch(&key, list, n, sizeof(*list), by_id);
	size_t system = strlen(o->system);
	char *name;

	if (!u || !u->evsel->unnamed)
		return 0;
	name = arena_alloc(&f->arena, system + 1 + o->name_len + 1);
	if (!name)
		return MD_ENOMEM;
	snprintf(name, system + 1 + o->name_len + 1, "%s:%.*s", o->system, (int)o->name_len,
		 o->name);
	while (u > list && u[-1].id == o->id)
		u--;
	for (; u < list + n && u->id == o->id; u++) {
		u->evsel->pub.name = name;
		u->evsel->unnamed = false;
	}
	return 0;
}

int pd_name_tracepoints(struct pd_file *f, struct md_err *err)
{
	struct unnamed *list = calloc(f->nevsels ? f->nevsels : 1, sizeof(*list));
	struct pd_formats it;
	struct pd_format o;
	size_t n = 0;
	int ret = 0;

	if (!list)
		return md_nomem(err);
	for (uint32_t i = 0; i < f->nevsels; i++) {
		struct evsel *e = f->evsels[i];

		if (e->unnamed && e->pub.attr.type == PERF_TYPE_TRACEPOINT)
			list[n++] = (struct unnamed){ .id = e->pub.attr.config, .evsel = e };
	}
	qsort(list, n, sizeof(*list), by_id);
	if (n && pd_formats_open(f, &it)) {
		while (!ret && pd_formats_next(&it, &o))
			ret = set_names(f, &o, list, n);
	}
	free(list);
	return ret ? md_nomem(err) : 0;
}
