/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds a perf.data image in memory, as a file or a pipe, in either byte order, with events of any
 * sample_type: the tests' own writer, so that no test needs a recording. Out of memory aborts.
 */
#ifndef MEMDB_TESTS_PERFDATA_BUILD_H
#define MEMDB_TESTS_PERFDATA_BUILD_H

#include <string.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata/perfdata.h"

struct pd_bytes {
	uint8_t *p;
	size_t len, cap;
};

struct pd_build {
	bool pipe, swap;
	uint32_t attr_bytes;   /* of each attribute in the image; init sets what we know */
	struct pd_bytes attrs; /* file mode: attribute and section of its ids, again and again */
	struct pd_bytes ids;   /* file mode: offsets in attrs count from its start */
	struct pd_bytes data;  /* records */
	struct pd_bytes feature[64];
	uint64_t features; /* bit n: feature n is there */
	size_t record;     /* where the open record begins in data */
};

/* Little writers for the sections of features. */
void pd_bytes_u16(const struct pd_build *b, struct pd_bytes *o, uint16_t v);
void pd_bytes_u32(const struct pd_build *b, struct pd_bytes *o, uint32_t v);
void pd_bytes_u64(const struct pd_build *b, struct pd_bytes *o, uint64_t v);
void pd_bytes_string(const struct pd_build *b, struct pd_bytes *o, const char *s);
void pd_bytes_add(struct pd_bytes *o, const void *p, size_t n);

void pd_build_init(struct pd_build *b, bool pipe, bool swap);
void pd_build_release(struct pd_build *b);

/* An event. In pipe mode its record goes into the data here. */
void pd_build_event(struct pd_build *b, const struct perf_event_attr *attr, const uint64_t *ids,
		    uint32_t nids);

/* A record: begin, any fields, end, which sets its size; the fields are turned to the image's byte
 * order. Words are not padded, strings are, with zeros to the next multiple of 8. */
void pd_build_begin(struct pd_build *b, uint32_t type, uint16_t misc);

static inline void pd_build_bytes(struct pd_build *b, const void *p, size_t n)
{
	pd_bytes_add(&b->data, p, n);
}

static inline void pd_build_u8(struct pd_build *b, uint8_t v)
{
	pd_bytes_add(&b->data, &v, 1);
}

static inline void pd_build_u16(struct pd_build *b, uint16_t v)
{
	pd_bytes_u16(b, &b->data, v);
}

static inline void pd_build_u32(struct pd_build *b, uint32_t v)
{
	pd_bytes_u32(b, &b->data, v);
}

static inline void pd_build_u64(struct pd_build *b, uint64_t v)
{
	pd_bytes_u64(b, &b->data, v);
}

static inline void pd_build_string(struct pd_build *b, const char *s)
{
	pd_build_bytes(b, s, strlen(s) + 1);
	while ((b->data.len - b->record) % 8)
		pd_build_u8(b, 0);
}

void pd_build_end(struct pd_build *b);

/*
 * A sample with the fields of attr->sample_type out of *s, whose arrays hold words in the byte
 * order of this machine. The user stack is written with 8 bytes more room than it fills. Group
 * reads hold s->read_value for the id of the sample, and another value before it.
 */
void pd_build_sample(struct pd_build *b, const struct perf_event_attr *attr,
		     const struct pd_sample *s);

/* The sample_id after the fields of another record: call before pd_build_end(). */
void pd_build_sample_id(struct pd_build *b, const struct perf_event_attr *attr,
			const struct pd_sample_id *id);

/* Turns everything in data from `from` on into one compressed record (of type 81 or 83) per
 * `chunk` bytes of it, all of them one zstd stream without an end. */
void pd_build_compress(struct pd_build *b, size_t from, size_t chunk, uint32_t type);

/* A feature's section; in pipe mode its record. Fields by pd_build_fu32() and so on between. */
void pd_build_feature(struct pd_build *b, uint32_t feature, const void *bytes, size_t n);

/* The description of a tracepoint: text is "name: …\nID: …\nformat:…". */
struct pd_build_format {
	const char *system, *text;
};

/* The tracing data with these descriptions, of a kernel whose long has so many bytes. */
void pd_build_tracing(struct pd_build *b, uint8_t long_bytes, const struct pd_build_format *formats,
		      uint32_t n);

/* The image, malloc'ed to its exact length; the caller frees it. */
uint8_t *pd_build_image(const struct pd_build *b, size_t *len);

#endif
