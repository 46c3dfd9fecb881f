/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/tracepoint.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/index.h"
#include "perfdata/tracepoint_format.h"

/* A tracepoint's description, which is parsed when the tracepoint's first sample is decoded. */
struct known {
	struct pd_format described;
	enum { UNSEEN, GOOD, BAD } state;
	const char *name; /* set if the state is GOOD */
	struct tp_format format;
};

struct tp_decoder {
	struct pd_file *f;
	struct {
		struct known *at; /* sorted by id */
		uint32_t n, cap;
	} known;
	bool has_formats; /* the descriptions in the file were read (read_formats()) */
	unsigned long_bytes;
	struct json json;
	struct arena names;
	struct tp_losses losses;
};

int tp_open(struct pd_file *f, struct tp_decoder **out, struct md_err *err)
{
	struct tp_decoder *d = calloc(1, sizeof(*d));

	*out = d;
	if (!d)
		return md_nomem(err);
	d->f = f;
	return 0;
}

void tp_close(struct tp_decoder *d)
{
	if (!d)
		return;
	for (uint32_t i = 0; i < d->known.n; i++)
		tp_format_release(&d->known.at[i].format);
	free(d->known.at);
	json_release(&d->json);
	arena_release(&d->names);
	free(d);
}

const struct tp_losses *tp_losses(const struct tp_decoder *d)
{
	return &d->losses;
}

static int by_id(const void *a, const void *b)
{
	uint32_t x = ((const struct known *)a)->described.id;
	uint32_t y = ((const struct known *)b)->described.id;

	return (x > y) - (x < y);
}

/* Reads the descriptions in the file's tracing data, once. Returns 0 or MD_ENOMEM. */
static int read_formats(struct tp_decoder *d)
{
	struct pd_formats it;
	struct pd_format o;

	if (d->has_formats || !pd_formats_open(d->f, &it))
		return 0;
	d->has_formats = true;
	d->long_bytes = it.long_bytes;
	while (pd_formats_next(&it, &o)) {
		if (!VEC_ROOM(&d->known))
			return MD_ENOMEM;
		d->known.at[d->known.n++] = (struct known){ .described = o };
	}
	if (d->known.n)
		qsort(d->known.at, d->known.n, sizeof(*d->known.at), by_id);
	return 0;
}

static struct known *find_known(const struct tp_decoder *d, uint64_t id)
{
	struct known key = { .described.id = (uint32_t)id };

	if (id > UINT32_MAX || !d->known.n)
		return NULL;
	return bsearch(&key, d->known.at, d->known.n, sizeof(key), by_id);
}

/* Stores the reason why an event's fields cannot be decoded, unless a reason is stored already. */
static void keep_reason(struct tp_decoder *d, const char *why)
{
	if (!d->losses.what[0])
		snprintf(d->losses.what, sizeof(d->losses.what), "%.*s",
			 (int)sizeof(d->losses.what) - 1, why);
}

/* Parses the description of an event, and sets k->state. Called for the first sample of the event.
 * Returns 0 or MD_ENOMEM. */
static int learn_event(struct tp_decoder *d, struct known *k)
{
	const struct pd_format *o = &k->described;
	size_t n = strlen(o->system) + 1 + o->name_len + 1;
	struct md_err err = { 0 };
	char *name;
	int ret = tp_format_parse(o, d->long_bytes, &k->format, &err);

	if (ret == MD_ENOMEM)
		return ret;
	if (ret) {
		k->state = BAD;
		keep_reason(d, err.msg);
		return 0;
	}
	name = arena_alloc(&d->names, n);
	if (!name)
		return MD_ENOMEM;
	snprintf(name, n, "%s:%.*s", o->system, (int)o->name_len, o->name);
	k->name = name;
	k->state = GOOD;
	return 0;
}

/* Sets *out to the description of the sample's event, or to NULL if there is no usable description.
 * Returns 0 or MD_ENOMEM. */
static int find_event(struct tp_decoder *d, const struct pd_sample *s, struct known **out)
{
	struct known *k;
	int ret = read_formats(d);

	*out = NULL;
	if (ret)
		return ret;
	k = find_known(d, s->evsel->attr.config);
	if (!k)
		keep_reason(d, d->has_formats ? "the file has no format of the event"
					      : "the file has no formats of events");
	else if (k->state == UNSEEN)
		ret = learn_event(d, k);
	if (!ret && k && k->state == GOOD)
		*out = k;
	return ret;
}

int tp_decode(struct tp_decoder *d, const struct pd_sample *s, struct tp_event *out)
{
	struct known *k;
	int ret = find_event(d, s, &k);

	*out = (struct tp_event){ .name = s->evsel->name };
	if (ret)
		return ret;
	if (!k) {
		d->losses.no_format++;
		return MD_EFORMAT;
	}
	out->name = k->name;
	json_reset(&d->json);
	if (!(s->has & PERF_SAMPLE_RAW) ||
	    !tp_format_write(&k->format, s->raw, s->raw_size, pd_swapped(d->f), &d->json)) {
		d->losses.damaged++;
		return MD_EFORMAT;
	}
	out->fields = json_end(&d->json);
	return out->fields ? 0 : MD_ENOMEM;
}
