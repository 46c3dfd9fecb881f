/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata_build.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { HEADER_BYTES = 104, SECTION_BYTES = 16, PIPE_HEADER_BYTES = 16 };

void pd_bytes_add(struct pd_bytes *o, const void *p, size_t n)
{
	if (o->len + n > o->cap) {
		o->cap = (o->len + n) * 2;
		o->p = realloc(o->p, o->cap);
		if (!o->p)
			abort();
	}
	if (n)
		memcpy(o->p + o->len, p, n);
	o->len += n;
}

void pd_bytes_u16(const struct pd_build *b, struct pd_bytes *o, uint16_t v)
{
	v = b->swap ? __builtin_bswap16(v) : v;
	pd_bytes_add(o, &v, sizeof(v));
}

void pd_bytes_u32(const struct pd_build *b, struct pd_bytes *o, uint32_t v)
{
	v = b->swap ? __builtin_bswap32(v) : v;
	pd_bytes_add(o, &v, sizeof(v));
}

void pd_bytes_u64(const struct pd_build *b, struct pd_bytes *o, uint64_t v)
{
	v = b->swap ? __builtin_bswap64(v) : v;
	pd_bytes_add(o, &v, sizeof(v));
}

static void add_padding(struct pd_bytes *o, size_t to)
{
	static const uint8_t zeros[64];

	while (o->len % to)
		pd_bytes_add(o, zeros, 1);
}

/* Appends s as perf stores strings in header features: the length, then the string, padded with
 * zeros to a multiple of 64 bytes. */
void pd_bytes_string(const struct pd_build *b, struct pd_bytes *o, const char *s)
{
	static const uint8_t zeros[64];
	size_t n = strlen(s) + 1, padded = (n + 63) / 64 * 64;

	pd_bytes_u32(b, o, (uint32_t)padded);
	pd_bytes_add(o, s, n);
	pd_bytes_add(o, zeros, padded - n);
}

void pd_build_init(struct pd_build *b, bool pipe, bool swap)
{
	memset(b, 0, sizeof(*b));
	b->pipe = pipe;
	b->swap = swap;
	b->attr_bytes = sizeof(struct perf_event_attr);
}

void pd_build_release(struct pd_build *b)
{
	free(b->attrs.p);
	free(b->ids.p);
	free(b->data.p);
	for (size_t i = 0; i < 64; i++)
		free(b->feature[i].p);
	memset(b, 0, sizeof(*b));
}

void pd_build_begin(struct pd_build *b, uint32_t type, uint16_t misc)
{
	b->record = b->data.len;
	pd_build_u32(b, type);
	pd_build_u16(b, misc);
	pd_build_u16(b, 0);
}

void pd_build_end(struct pd_build *b)
{
	uint16_t size = (uint16_t)(b->data.len - b->record);

	if (b->data.len - b->record > UINT16_MAX)
		abort();
	size = b->swap ? __builtin_bswap16(size) : size;
	memcpy(b->data.p + b->record + 6, &size, sizeof(size));
}

static uint8_t reverse_bits(uint8_t v)
{
	uint8_t r = 0;

	for (int i = 0; i < 8; i++)
		r = (uint8_t)(r | (v >> i & 1) << (7 - i));
	return r;
}

/* Writes the flags of attr, which are bit fields. A compiler for the other byte order assigns bit
 * fields from the other end of each byte, so the bits of each byte are reversed. The two bits of
 * precise_ip are in different bytes. In the other byte order, the upper one comes first, so
 * add_flags() exchanges these two bits before it reverses the bits of each byte. */
static void add_flags(const struct pd_build *b, struct pd_bytes *o,
		      const struct perf_event_attr *attr)
{
	struct perf_event_attr a = *attr;
	uint8_t flags[8];

	if (b->swap)
		a.precise_ip = (attr->precise_ip >> 1 | (attr->precise_ip & 1) << 1) & 3;
	memcpy(flags, (const uint8_t *)&a + 40, sizeof(flags));
	for (size_t i = 0; b->swap && i < sizeof(flags); i++)
		flags[i] = reverse_bits(flags[i]);
	pd_bytes_add(o, flags, sizeof(flags));
}

/* Writes an attribute of b->attr_bytes bytes. If struct perf_event_attr is shorter, 0xa5 fills
 * the rest. */
static void add_attr(const struct pd_build *b, struct pd_bytes *out,
		     const struct perf_event_attr *a)
{
	struct pd_bytes o = { 0 };

	pd_bytes_u32(b, &o, a->type);
	pd_bytes_u32(b, &o, b->attr_bytes);
	pd_bytes_u64(b, &o, a->config);
	pd_bytes_u64(b, &o, a->sample_period);
	pd_bytes_u64(b, &o, a->sample_type);
	pd_bytes_u64(b, &o, a->read_format);
	add_flags(b, &o, a);
	pd_bytes_u32(b, &o, a->wakeup_events);
	pd_bytes_u32(b, &o, a->bp_type);
	pd_bytes_u64(b, &o, a->config1);
	pd_bytes_u64(b, &o, a->config2);
	pd_bytes_u64(b, &o, a->branch_sample_type);
	pd_bytes_u64(b, &o, a->sample_regs_user);
	pd_bytes_u32(b, &o, a->sample_stack_user);
	pd_bytes_u32(b, &o, (uint32_t)a->clockid);
	pd_bytes_u64(b, &o, a->sample_regs_intr);
	pd_bytes_u32(b, &o, a->aux_watermark);
	pd_bytes_u16(b, &o, a->sample_max_stack);
	pd_bytes_u16(b, &o, 0);
	pd_bytes_u32(b, &o, a->aux_sample_size);
	pd_bytes_u32(b, &o, 0);
	pd_bytes_u64(b, &o, a->sig_data);
	while (o.len < b->attr_bytes)
		pd_bytes_add(&o, "\xa5", 1);
	pd_bytes_add(out, o.p, b->attr_bytes);
	free(o.p);
}

void pd_build_event(struct pd_build *b, const struct perf_event_attr *attr, const uint64_t *ids,
		    uint32_t nids)
{
	if (b->pipe) {
		pd_build_begin(b, 64, 0);
		add_attr(b, &b->data, attr);
		for (uint32_t i = 0; i < nids; i++)
			pd_build_u64(b, ids[i]);
		pd_build_end(b);
		return;
	}
	add_attr(b, &b->attrs, attr);
	/* Where the ids of this event are in the file: all ids of all events follow the file
	 * header. */
	pd_bytes_u64(b, &b->attrs, HEADER_BYTES + b->ids.len);
	pd_bytes_u64(b, &b->attrs, (uint64_t)nids * 8);
	for (uint32_t i = 0; i < nids; i++)
		pd_bytes_u64(b, &b->ids, ids[i]);
}

void pd_build_sample_id(struct pd_build *b, const struct perf_event_attr *attr,
			const struct pd_sample_id *id)
{
	uint64_t type = attr->sample_id_all ? attr->sample_type : 0;

	if (type & PERF_SAMPLE_TID) {
		pd_build_u32(b, id->pid);
		pd_build_u32(b, id->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		pd_build_u64(b, id->time);
	if (type & PERF_SAMPLE_ID)
		pd_build_u64(b, id->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		pd_build_u64(b, id->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		pd_build_u32(b, id->cpu);
		pd_build_u32(b, 0);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		pd_build_u64(b, id->id);
}

static void compressed_record(struct pd_build *b, uint32_t type, const void *p, size_t n)
{
	pd_build_begin(b, type, 0);
	if (type == 83) /* COMPRESSED2 begins with the size of its payload and ends with padding */
		pd_build_u64(b, n);
	pd_build_bytes(b, p, n);
	while (type == 83 && (b->data.len - b->record) % 8)
		pd_build_u8(b, 0);
	pd_build_end(b);
}

void pd_build_compress(struct pd_build *b, size_t from, size_t chunk, uint32_t type)
{
	struct pd_bytes plain = { 0 };
	ZSTD_CCtx *z = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(chunk) + 64;
	uint8_t *out = malloc(room);

	if (!z || !out)
		abort();
	pd_bytes_add(&plain, b->data.p + from, b->data.len - from);
	b->data.len = from;
	for (size_t at = 0; at < plain.len; at += chunk) {
		size_t n = plain.len - at < chunk ? plain.len - at : chunk;
		ZSTD_inBuffer i = { .src = plain.p + at, .size = n };
		ZSTD_outBuffer o = { .dst = out, .size = room };

		if (ZSTD_compressStream2(z, &o, &i, ZSTD_e_flush))
			abort();
		compressed_record(b, type, out, o.pos);
	}
	ZSTD_freeCCtx(z);
	free(out);
	free(plain.p);
}

void pd_build_feature(struct pd_build *b, uint32_t feature, const void *bytes, size_t n)
{
	if (b->pipe) {
		pd_build_begin(b, 80, 0);
		pd_build_u64(b, feature);
		pd_build_bytes(b, bytes, n);
		pd_build_end(b);
		return;
	}
	pd_bytes_add(&b->feature[feature], bytes, n);
	b->features |= UINT64_C(1) << feature;
}

static void section(const struct pd_build *b, struct pd_bytes *o, uint64_t offset, uint64_t size)
{
	pd_bytes_u64(b, o, offset);
	pd_bytes_u64(b, o, size);
}

static void file_header(const struct pd_build *b, struct pd_bytes *o, uint64_t attrs, uint64_t data)
{
	pd_bytes_u64(b, o, HEADER_BYTES);
	pd_bytes_u64(b, o, b->attr_bytes + SECTION_BYTES);
	section(b, o, attrs, b->attrs.len);
	section(b, o, data, b->data.len);
	section(b, o, 0, 0);
	pd_bytes_u64(b, o, b->features);
	for (int i = 0; i < 3; i++)
		pd_bytes_u64(b, o, 0);
}

static void feature_sections(const struct pd_build *b, struct pd_bytes *o)
{
	uint64_t at = o->len + (uint64_t)__builtin_popcountll(b->features) * SECTION_BYTES;

	for (size_t i = 0; i < 64; i++) {
		if (!(b->features >> i & 1))
			continue;
		section(b, o, at, b->feature[i].len);
		at += b->feature[i].len;
	}
	for (size_t i = 0; i < 64; i++)
		pd_bytes_add(o, b->feature[i].p, b->feature[i].len);
}

void pd_build_tracing(struct pd_build *b, uint8_t long_bytes, const struct pd_build_format *formats,
		      uint32_t n)
{
	const bool big = b->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	struct pd_bytes o = { 0 };

	pd_bytes_add(&o, "\27\10\104tracing0.6", sizeof("\27\10\104tracing0.6"));
	pd_bytes_add(&o, big ? "\1" : "\0", 1);
	pd_bytes_add(&o, &long_bytes, 1);
	pd_bytes_u32(b, &o, 4096);
	pd_bytes_add(&o, "header_page", sizeof("header_page"));
	pd_bytes_u64(b, &o, 0);
	pd_bytes_add(&o, "header_event", sizeof("header_event"));
	pd_bytes_u64(b, &o, 0);
	/* number of formats of ftrace's own events, which would come before the formats of the
	 * tracepoints */
	pd_bytes_u32(b, &o, 0);
	pd_bytes_u32(b, &o, n);
	for (uint32_t i = 0; i < n; i++) {
		pd_bytes_add(&o, formats[i].system, strlen(formats[i].system) + 1);
		pd_bytes_u32(b, &o, 1);
		pd_bytes_u64(b, &o, strlen(formats[i].text));
		pd_bytes_add(&o, formats[i].text, strlen(formats[i].text));
	}
	add_padding(&o, 8);
	if (b->pipe) {
		pd_build_begin(b, 66, 0);
		pd_build_u32(b, (uint32_t)o.len);
		pd_build_u32(b, 0);
		pd_build_end(b);
		pd_build_bytes(b, o.p, o.len);
	} else {
		pd_build_feature(b, 1, o.p, o.len);
	}
	free(o.p);
}

uint8_t *pd_build_image(const struct pd_build *b, size_t *len)
{
	struct pd_bytes o = { 0 };
	uint8_t *image;

	pd_bytes_u64(b, &o, 0x32454c4946524550); /* "PERFILE2" */
	if (b->pipe) {
		pd_bytes_u64(b, &o, PIPE_HEADER_BYTES);
		pd_bytes_add(&o, b->data.p, b->data.len);
	} else {
		uint64_t attrs = HEADER_BYTES + b->ids.len, data = attrs + b->attrs.len;

		file_header(b, &o, attrs, (data + 7) / 8 * 8);
		pd_bytes_add(&o, b->ids.p, b->ids.len);
		pd_bytes_add(&o, b->attrs.p, b->attrs.len);
		add_padding(&o, 8);
		pd_bytes_add(&o, b->data.p, b->data.len);
		feature_sections(b, &o);
	}
	image = realloc(o.p, o.len);
	*len = o.len;
	return image;
}
