/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records that must be known before all others. In a pipe these are events, features and
 * formats of tracepoints, and the scan goes to the end of the pipe, because features may come last.
 * Compressed records are skipped, because only the kernel's records are compressed. In a file these
 * are names of events, the clock, the kind of the AUX trace, and simpleperf's formats of
 * tracepoints. They come first, so the scan ends at the first sample or compressed record.
 *
 * simpleperf, Android's recorder, writes perf.data files that are like perf's but for three records
 * of its own. Without them, its recordings would have no names of tracepoints, and samples of new
 * threads would belong to no event.
 */
#include <inttypes.h>

#include "perfdata/internal.h"

/* The buffer in which the parts of a split record are joined. simpleperf splits long records into
 * several records (PD_SIMPLEPERF_SPLIT). */
struct parts {
	uint8_t *bytes; /* bytes of the record, with its header */
	size_t n, room;
};

/* Returns the size of a split record: rec, its first part, and the parts that follow it at c. */
static size_t size_of_parts(struct cursor c, struct pd_raw rec)
{
	size_t n = 0;

	for (; !c.failed && rec.type == PD_SIMPLEPERF_SPLIT; pd_take_record(&c, &rec))
		n += rec.size;
	return n;
}

/* Stores where in the file the formats of tracepoints are, unless that is known already. Returns
 * 0. */
static int take_tracing_data(struct pd_file *f, const uint8_t *bytes, size_t n)
{
	if (!f->features.tracing_data) {
		f->features.tracing_data = bytes;
		f->features.tracing_data_size = n;
	}
	return 0;
}

/* Reads the formats of tracepoints from the record that simpleperf writes. Returns 0 or MD_EFORMAT.
 */
static int read_simpleperf_tracing_data(struct pd_file *f, const struct pd_raw *rec)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);
	uint32_t n = cursor_u32(&c);
	const uint8_t *bytes = cursor_bytes(&c, n);

	return bytes ? take_tracing_data(f, bytes, n) : MD_EFORMAT;
}

/* Appends rec, one part of a split record, to *parts; c is at the next part. When the last part is
 * complete, reads the joined record. Returns 0, MD_EFORMAT or MD_ENOMEM. */
static int read_split(struct pd_file *f, struct parts *parts, struct cursor c,
		      const struct pd_raw *rec, struct md_err *err)
{
	struct cursor record;
	struct pd_raw inner;

	if (!rec->size)
		return 0;
	if (!parts->bytes) {
		parts->room = size_of_parts(c, *rec);
		parts->bytes = arena_alloc(&f->arena, parts->room);
		if (!parts->bytes)
			return md_nomem(err);
	}
	memcpy(parts->bytes + parts->n, rec->body, rec->size);
	parts->n += rec->size;
	if (parts->n < parts->room)
		return 0;
	record = cursor_make(parts->bytes, parts->n, f->swap);
	*parts = (struct parts){ 0 };
	pd_take_record(&record, &inner);
	if (record.failed)
		return MD_EFORMAT;
	return inner.type == PD_SIMPLEPERF_TRACING_DATA ? read_simpleperf_tracing_data(f, &inner)
							: 0;
}

/* Reads a TIME_CONV: how the kernel computes its clock from the CPU's counter. Returns 0 or
 * MD_EFORMAT. */
static int read_time_conv(struct pd_file *f, struct cursor c)
{
	struct pd_time_conv *t = &f->features.time_conv;

	t->shift = cursor_u64(&c);
	t->mult = cursor_u64(&c);
	t->zero = cursor_u64(&c);
	f->features.has_time_conv = !c.failed && t->mult && t->shift < 64;
	return f->features.has_time_conv ? 0 : MD_EFORMAT;
}

/* Reads a record that occurs in files and in pipes. Returns 0, MD_EFORMAT or MD_ENOMEM. */
static int read_any(struct pd_file *f, const struct pd_raw *rec, struct md_err *err)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);

	switch (rec->type) {
	case PD_EVENT_UPDATE:
		return pd_read_event_update(f, rec, err);
	case PD_TIME_CONV:
		return read_time_conv(f, c);
	case PD_AUXTRACE_INFO:
		f->features.auxtrace = cursor_u32(&c);
		return c.failed ? MD_EFORMAT : 0;
	case PD_SIMPLEPERF_TRACING_DATA:
		return read_simpleperf_tracing_data(f, rec);
	default:
		return 0;
	}
}

/* Reads a record of a pipe. Some types occur only there, in place of a file header. payload[0..n)
 * follows the record. Returns 0, MD_EFORMAT or MD_ENOMEM. */
static int read_pipe_record(struct pd_file *f, const struct pd_raw *rec, const uint8_t *payload,
			    uint64_t n, struct md_err *err)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);
	uint64_t feature;

	switch (rec->type) {
	case PD_HEADER_ATTR:
		return pd_read_attr_record(f, rec, err);
	case PD_HEADER_FEATURE:
		feature = cursor_u64(&c);
		if (!c.failed)
			pd_note_feature(f, feature, c);
		return c.failed ? MD_EFORMAT : 0;
	case PD_HEADER_BUILD_ID:
		return pd_add_build_id(f, rec->misc, c, err);
	case PD_HEADER_TRACING_DATA:
		return take_tracing_data(f, payload, (size_t)n);
	default:
		return read_any(f, rec, err);
	}
}

static int count_damaged(struct pd_file *f, const struct pd_raw *rec)
{
	f->losses.damaged_records++;
	pd_damage(f, "the record at offset %" PRIu64 " (type %u) is damaged", rec->offset,
		  rec->type);
	return 0;
}

int pd_scan(struct pd_file *f, struct md_err *err)
{
	struct cursor c = cursor_make(f->data, (size_t)(f->data_end - f->data), f->swap);
	struct parts parts = { 0 };
	struct pd_raw rec;
	int ret = 0;

	while (!ret) {
		uint64_t n = 0;

		rec.offset = (uint64_t)(c.p - f->image);
		pd_take_record(&c, &rec);
		if (c.failed || !pd_payload(f, &rec, &n) || n > cursor_left(&c))
			return 0; /* pd_next() will report the damage */
		if (!f->pipe && (rec.type == PERF_RECORD_SAMPLE || rec.type == PD_COMPRESSED ||
				 rec.type == PD_COMPRESSED2))
			return 0;
		if (rec.type == PD_SIMPLEPERF_SPLIT)
			ret = read_split(f, &parts, c, &rec, err);
		else if (rec.type >= PD_USER_FIRST)
			ret = f->pipe ? read_pipe_record(f, &rec, c.p, n, err)
				      : read_any(f, &rec, err);
		if (ret == MD_EFORMAT)
			ret = count_damaged(f, &rec);
		cursor_skip(&c, n);
	}
	return ret;
}
