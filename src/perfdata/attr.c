/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads struct perf_event_attr of any size and byte order, and keeps the list of events. */
#include "perfdata/internal.h"

#include <stdlib.h>

static uint8_t reverse_bits(uint8_t b)
{
	b = (uint8_t)((b & 0xf0) >> 4 | (b & 0x0f) << 4);
	b = (uint8_t)((b & 0xcc) >> 2 | (b & 0x33) << 2);
	return (uint8_t)((b & 0xaa) >> 1 | (b & 0x55) << 1);
}

/* Reads the 64 flag bits. A compiler for the other byte order also numbers the bits within a byte
 * from the other end, so the bits of each byte are reversed. That also swaps the two bits of
 * precise_ip, the only field with two bits, so these two are swapped back. */
static void read_flags(struct cursor *c, struct perf_event_attr *attr)
{
	const size_t at = offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t);
	const uint8_t *p = cursor_bytes(c, 8);
	uint8_t flags[8];

	if (!p)
		return;
	for (size_t i = 0; i < 8; i++)
		flags[i] = c->swap ? reverse_bits(p[i]) : p[i];
	memcpy((uint8_t *)attr + at, flags, sizeof(flags));
	if (c->swap)
		attr->precise_ip = attr->precise_ip >> 1 | (attr->precise_ip & 1) << 1;
}

/* Reads an attribute of any size. An older file has a shorter attribute; the missing fields become
 * zero. A newer file has a longer attribute; the unknown fields are skipped. */
static void pd_read_attr(struct cursor c, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = cursor_u32(&c);
	attr->size = cursor_u32(&c);
	attr->config = cursor_u64(&c);
	attr->sample_period = cursor_u64(&c);
	attr->sample_type = cursor_u64(&c);
	attr->read_format = cursor_u64(&c);
	read_flags(&c, attr);
	attr->wakeup_events = cursor_u32(&c);
	attr->bp_type = cursor_u32(&c);
	attr->config1 = cursor_u64(&c);
	attr->config2 = cursor_u64(&c);
	attr->branch_sample_type = cursor_u64(&c);
	attr->sample_regs_user = cursor_u64(&c);
	attr->sample_stack_user = cursor_u32(&c);
	attr->clockid = (int32_t)cursor_u32(&c);
	attr->sample_regs_intr = cursor_u64(&c);
	attr->aux_watermark = cursor_u32(&c);
	attr->sample_max_stack = cursor_u16(&c);
	cursor_skip(&c, 2);
	attr->aux_sample_size = cursor_u32(&c);
	cursor_skip(&c, 4);
	attr->sig_data = cursor_u64(&c);
}

static int append_evsel(struct pd_file *f, struct evsel *e)
{
	if (f->nevsels == f->evsels_cap) {
		uint32_t cap = f->evsels_cap ? f->evsels_cap * 2 : 8;
		struct evsel **p = reallocarray(f->evsels, cap, sizeof(struct evsel *));

		if (!p)
			return MD_ENOMEM;
		f->evsels = p;
		f->evsels_cap = cap;
	}
	e->pub.index = e->pub.leader = f->nevsels;
	f->evsels[f->nevsels++] = e;
	return 0;
}

static int read_ids(struct pd_file *f, struct evsel *e, struct cursor c)
{
	uint32_t n = (uint32_t)(cursor_left(&c) / 8);
	uint64_t *ids = arena_alloc(&f->arena, (size_t)n * 8);

	if (!ids)
		return MD_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		ids[i] = cursor_u64(&c);
		if (pd_ids_add(&f->ids, ids[i], e))
			return MD_ENOMEM;
	}
	e->pub.ids = ids;
	e->pub.nids = n;
	return 0;
}

int pd_add_evsel(struct pd_file *f, struct cursor attr, struct cursor ids, struct md_err *err)
{
	struct evsel *e;
	uint64_t nids = cursor_left(&ids) / 8;

	/* In an intact file, each id takes 8 bytes of the file. If there are more ids than fit into
	 * the file, events share the same bytes for their ids, and a small file could make memdb
	 * use much memory. */
	if (attr.failed || ids.failed || nids > f->len / 8 - f->nids)
		return md_fail(err, MD_EFORMAT, "attribute %u or its ids lie outside the file",
			       f->nevsels);
	f->nids += nids;
	e = arena_alloc(&f->arena, sizeof(*e));
	if (!e)
		goto nomem;
	pd_read_attr(attr, &e->pub.attr);
	e->pub.name = pd_event_name(&f->arena, &e->pub.attr);
	e->unnamed = true;
	if (!e->pub.name || append_evsel(f, e) || read_ids(f, e, ids))
		goto nomem;
	pd_layout_make(&e->layout, &e->pub.attr);
	pd_layout_join(f, e);
	if (e->pub.attr.use_clockid && !f->features.has_clockid) {
		f->features.has_clockid = true;
		f->features.clockid = e->pub.attr.clockid;
	}
	return 0;
nomem:
	return md_nomem(err);
}

int pd_read_attr_record(struct pd_file *f, const struct pd_raw *rec, struct md_err *err)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);
	struct cursor peek = c, attr;
	uint32_t size;

	cursor_skip(&peek, 4);
	size = cursor_u32(&peek);
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	attr = cursor_range(&c, rec->body, 0, size);
	if (size < PERF_ATTR_SIZE_VER0)
		attr.failed = true;
	cursor_skip(&c, size);
	return pd_add_evsel(f, attr, c, err);
}

void pd_free_evsels(struct pd_file *f)
{
	free(f->evsels); /* the arena owns the events */
	pd_ids_release(&f->ids);
}

uint32_t pd_evsel_count(const struct pd_file *f)
{
	return f ? f->nevsels : 0;
}

const struct pd_evsel *pd_evsel_at(const struct pd_file *f, uint32_t place)
{
	return place < pd_evsel_count(f) ? &f->evsels[place]->pub : NULL;
}

void pd_number_events(struct pd_file *f, uint32_t first)
{
	for (uint32_t i = 0; i < pd_evsel_count(f); i++) {
		f->evsels[i]->pub.index += first;
		f->evsels[i]->pub.leader += first;
	}
}
