/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds a perf.data image in memory, as a file or a pipe, in either byte order, with events of
 * any sample_type. It is the tests' own writer, so no test needs a recording. Out of memory
 * aborts. */
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
	uint32_t attr_bytes;   /* of each attribute in the image; pd_build_init() sets it */
	struct pd_bytes attrs; /* file mode: each event's attribute and the section of its ids */
	struct pd_bytes ids;   /* file mode: ids of all events; offsets in attrs count from here */
	struct pd_bytes data;  /* records */
	struct pd_bytes feature[64];
	uint64_t features; /* bit n: feature n is there */
	size_t record;     /* offset of the open record in data */
};

/* Append a value to the section of a feature. */
void pd_bytes_u16(const struct pd_build *b, struct pd_bytes *o, uint16_t v);
void pd_bytes_u32(const struct pd_build *b, struct pd_bytes *o, uint32_t v);
void pd_bytes_u64(const struct pd_build *b, struct pd_bytes *o, uint64_t v);
void pd_bytes_string(const struct pd_build *b, struct pd_bytes *o, const char *s);
void pd_bytes_add(struct pd_bytes *o, const void *p, size_t n);

void pd_build_init(struct pd_build *b, bool pipe, bool swap);
void pd_build_release(struct pd_build *b);

/* Adds an event. In pipe mode, adds its record to the data. */
void pd_build_event(struct pd_build *b, const struct perf_event_attr *attr, const uint64_t *ids,
		    uint32_t nids);

/* Write a record: begin, any fields, end. The end sets the record's size. Fields get the image's
 * byte order. Integers are not padded. Strings are padded with zeros to a multiple of 8. */
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

/* Writes a sample with the fields of attr->sample_type from *s. Its arrays hold words in this
 * machine's byte order. The room for the user stack is 8 bytes larger than the stack. A group
 * read holds s->read_value for the id of the sample, after another value. */
void pd_build_sample(struct pd_build *b, const struct perf_event_attr *attr,
		     const struct pd_sample *s);

/* Writes the sample_id at the end of another record. Call it before pd_build_end(). */
void pd_build_sample_id(struct pd_build *b, const struct perf_event_attr *attr,
			const struct pd_sample_id *id);

/* Compresses the data after `from` into records of type 81 or 83, one per `chunk` bytes. All are
 * parts of one zstd stream, which has no end. */
void pd_build_compress(struct pd_build *b, size_t from, size_t chunk, uint32_t type);

/* Adds a feature's section, or its record in pipe mode. */
void pd_build_feature(struct pd_build *b, uint32_t feature, const void *bytes, size_t n);

/* The description of a tracepoint. text is "name: …\nID: …\nformat:…". */
struct pd_build_format {
	const char *system, *text;
};

/* Adds tracing data with these descriptions, from a kernel whose long has long_bytes bytes. */
void pd_build_tracing(struct pd_build *b, uint8_t long_bytes, const struct pd_build_format *formats,
		      uint32_t n);

/* Returns the image, malloc'ed to its exact length. The caller frees it. */
uint8_t *pd_build_image(const struct pd_build *b, size_t *len);

#endif
