/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds perf.data images in memory: files or pipes, in either byte order, with events of any
 * sample_type. So the tests need no recordings. Aborts if memory runs out. */
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
	/* size of one attribute in the built file; pd_build_init() sets a default */
	uint32_t attr_bytes;
	/* file mode: the attribute of each event, with the position of its ids */
	struct pd_bytes attrs;
	struct pd_bytes ids;  /* file mode: the ids of all events */
	struct pd_bytes data; /* the records */
	struct pd_bytes feature[64];
	uint64_t features; /* bit n is set if the built file has header feature n */
	size_t record;     /* offset in `data` of the record that pd_build_begin() started */
};

/* Appends a value to *o, in the byte order of the built file (b->swap). */
void pd_bytes_u16(const struct pd_build *b, struct pd_bytes *o, uint16_t v);
void pd_bytes_u32(const struct pd_build *b, struct pd_bytes *o, uint32_t v);
void pd_bytes_u64(const struct pd_build *b, struct pd_bytes *o, uint64_t v);
void pd_bytes_string(const struct pd_build *b, struct pd_bytes *o, const char *s);
void pd_bytes_add(struct pd_bytes *o, const void *p, size_t n);

void pd_build_init(struct pd_build *b, bool pipe, bool swap);
void pd_build_release(struct pd_build *b);

/* Adds an event with this attribute and these ids. In pipe mode, this is a record in the data. */
void pd_build_event(struct pd_build *b, const struct perf_event_attr *attr, const uint64_t *ids,
		    uint32_t nids);

/* Writes one record: pd_build_begin(), any fields, pd_build_end(), which sets the record's size.
 * Fields are written in the byte order of the image. Strings are padded with zeros to a multiple
 * of 8; integers are not padded. */
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

/* Writes a sample with the fields that attr->sample_type names, from *s. Arrays in *s contain words
 * in this machine's byte order. The record reserves 8 bytes more for the user stack than
 * s->user_stack_size. If the event reads its group, the record has two values: the second is
 * s->read_value, with the id of the sample. */
void pd_build_sample(struct pd_build *b, const struct perf_event_attr *attr,
		     const struct pd_sample *s);

/* Writes the sample_id that ends a record that is not a sample. Call it before pd_build_end(). */
void pd_build_sample_id(struct pd_build *b, const struct perf_event_attr *attr,
			const struct pd_sample_id *id);

/* Compresses the data after offset `from` into records of type 81 (COMPRESSED) or 83 (COMPRESSED2).
 * Each record contains `chunk` bytes. All records are parts of one zstd stream, which has no end
 * mark. */
void pd_build_compress(struct pd_build *b, size_t from, size_t chunk, uint32_t type);

/* Adds a header feature with these n bytes: a section of a file, or a record in a pipe. */
void pd_build_feature(struct pd_build *b, uint32_t feature, const void *bytes, size_t n);

/* The description of a tracepoint. text has the form "name: …\nID: …\nformat:…". */
struct pd_build_format {
	const char *system, *text;
};

/* Adds tracing data with these tracepoints. long_bytes is the size of a long in the recorded
 * kernel. */
void pd_build_tracing(struct pd_build *b, uint8_t long_bytes, const struct pd_build_format *formats,
		      uint32_t n);

/* Returns the finished image. It is allocated with its exact length, so that sanitizers detect
 * reads after its end. The caller frees it. */
uint8_t *pd_build_image(const struct pd_build *b, size_t *len);

#endif
