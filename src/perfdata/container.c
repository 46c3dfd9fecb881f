/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Iterates over the records of a perf.data file in memory. */
#include <inttypes.h>
#include <stdio.h>

#include "perfdata/internal.h"

void pd_damage(struct pd_file *f, const char *fmt, ...)
{
	va_list ap;

	if (f->losses.what[0])
		return;
	va_start(ap, fmt);
	vsnprintf(f->losses.what, sizeof(f->losses.what), fmt, ap);
	va_end(ap);
}

bool pd_swapped(const struct pd_file *f)
{
	return f->swap;
}

const struct pd_features *pd_features(const struct pd_file *f)
{
	return &f->features;
}

const struct pd_losses *pd_losses(const struct pd_file *f)
{
	return &f->losses;
}

uint64_t pd_position(const struct pd_file *f)
{
	const uint8_t *at = f->inflating ? f->main_pos : f->pos;

	return f->segment->before + (uint64_t)(at - f->segment->data);
}

uint64_t pd_data_size(const struct pd_file *f)
{
	const struct pd_segment *last = &f->segments[f->nsegments - 1];

	return last->before + (uint64_t)(last->data_end - last->data);
}

static void enter_segment(struct pd_file *f, struct pd_segment *segment)
{
	f->segment = segment;
	f->pos = segment->data;
	f->end = segment->data_end;
	f->inflating = false;
	pd_inflate_reset(f->inflate); /* each segment is a zstd stream of its own */
}

void pd_rewind(struct pd_file *f)
{
	enter_segment(f, f->segments);
	f->pass++;
	f->nseen = 0;
}

/* Stops reading the current segment, which is damaged at the address `at`. Counts the bytes from
 * there on as unread, unless an earlier pass has done so. Returns 0. */
static int stop_segment(struct pd_file *f, const uint8_t *at)
{
	struct pd_segment *s = f->segment;

	f->pos = f->end = s->data_end;
	f->inflating = false;
	if (!s->damage_told)
		f->losses.unread_bytes += (uint64_t)(s->data_end - at);
	s->damage_told = true;
	return 0;
}

/* Called when there is no complete record at f->pos. Reports this as damage, unless it is the
 * normal end of the segment. Returns 0. */
static int end_of_data(struct pd_file *f)
{
	struct cursor c = cursor_make(f->pos, (size_t)(f->end - f->pos), f->swap);
	const char *rest =
		f->size_known && f->segment == f->segments ? "" : ": at least that is missing";
	uint64_t at = (uint64_t)(f->pos - f->segment->image);
	size_t left = cursor_left(&c);
	uint32_t type = cursor_u32(&c);
	uint16_t size;

	cursor_skip(&c, 2);
	size = cursor_u16(&c);
	if (!left && !pd_inflate_rest(f->inflate) && !pd_inflate_in_block(f->inflate))
		return 0;
	if (!left && pd_inflate_in_block(f->inflate))
		pd_damage(f, "the compressed data end inside a block of zstd");
	else if (!left)
		pd_damage(f, "the compressed data end inside a record of %zu bytes or more",
			  pd_inflate_rest(f->inflate));
	else if (left < sizeof(struct perf_event_header))
		pd_damage(f, "%zu bytes at offset %" PRIu64 " are too few for a record%s", left, at,
			  rest);
	else if (size < sizeof(struct perf_event_header))
		pd_damage(f, "the record at offset %" PRIu64 " (type %u) has size %u", at, type,
			  size);
	else
		pd_damage(f,
			  "the record at offset %" PRIu64 " (type %u) has %u bytes, %zu are left%s",
			  at, type, size, left, rest);
	return stop_segment(f, f->pos);
}

static void leave_inflated(struct pd_file *f)
{
	f->inflating = false;
	f->pos = f->main_pos;
	f->end = f->segment->data_end;
}

/* Called when the inflated bytes contain no further complete record. Inflates more of the
 * compressed record or, at its end, continues with the record after it. Returns 1 to try again, 0
 * if the data are damaged, or MD_ENOMEM. */
static int refill_window(struct pd_file *f, struct md_err *err)
{
	struct md_err why = { 0 };
	struct cursor c = cursor_make(f->pos, (size_t)(f->end - f->pos), f->swap);
	bool header = cursor_left(&c) >= sizeof(struct perf_event_header);
	int ret;

	cursor_skip(&c, 6);
	if (header && cursor_u16(&c) < sizeof(struct perf_event_header)) {
		pd_damage(f, "a record in the compressed one at offset %" PRIu64 " has size < 8",
			  f->enclosing);
		return stop_segment(f, f->segment->image + f->enclosing);
	}
	ret = pd_inflate_more(f, &why);
	if (ret == MD_EFORMAT) {
		pd_damage(f, "the compressed record at offset %" PRIu64 ": %s", f->enclosing,
			  why.msg);
		return stop_segment(f, f->segment->image + f->enclosing);
	}
	if (ret < 0)
		return md_fail(err, ret, "%s", why.msg);
	if (!ret)
		leave_inflated(f);
	return 1;
}

/* Inflates the compressed record rec, and continues with the records inside it. Returns 1, 0 if rec
 * is damaged, or MD_ENOMEM. */
static int enter_inflated(struct pd_file *f, const struct pd_raw *rec, struct md_err *err)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);
	size_t size = rec->size;
	int ret;

	if (rec->type == PD_COMPRESSED2) {
		uint64_t used = cursor_u64(&c); /* the bytes after these are padding */

		if (c.failed || used > cursor_left(&c)) {
			pd_damage(f, "the compressed record at offset %" PRIu64 " is too short",
				  rec->offset);
			return stop_segment(f, f->segment->image + rec->offset);
		}
		size = (size_t)used;
	}
	f->enclosing = rec->offset;
	f->main_pos = f->pos;
	ret = pd_inflate_begin(f, c.p, size, err);
	f->inflating = !ret;
	return ret ? ret : 1;
}

/* Skips the payload (the AUX trace or tracing data) that follows record rec without being part of
 * its size. Returns 1, or 0 if the payload is incomplete. */
static int skip_payload(struct pd_file *f, const struct pd_raw *rec)
{
	uint64_t n;

	if (!pd_payload(f, rec, &n) || n > (uint64_t)(f->end - f->pos)) {
		pd_damage(f, "the trace behind the record at offset %" PRIu64 " is cut short",
			  rec->offset);
		return stop_segment(f, f->pos);
	}
	f->pos += n;
	return 1;
}

/* Reads a record in which simpleperf lists the ids that events have in new threads, and adds these
 * ids to f->ids. Returns 0 or MD_ENOMEM. */
static int read_event_ids(struct pd_file *f, const struct pd_raw *rec)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);
	uint64_t n = cursor_u64(&c);

	for (uint64_t i = 0; i < n && !c.failed; i++) {
		uint64_t event = cursor_u64(&c), id = cursor_u64(&c);

		if (!c.failed && event < f->nevsels && pd_ids_add(&f->ids, id, f->evsels[event]))
			return MD_ENOMEM;
	}
	return 0;
}

/* Is this a type of record that the kernel, perf or simpleperf writes? */
static bool is_known(uint32_t type)
{
	return (type && type <= PD_KERNEL_LAST) ||
	       (type >= PD_USER_FIRST && type <= PD_USER_LAST) ||
	       (type > PD_SIMPLEPERF_FIRST && type <= PD_SIMPLEPERF_LAST);
}

static void count_losses(struct pd_file *f, const struct pd_raw *rec)
{
	struct cursor c = cursor_make(rec->body, rec->size, f->swap);

	switch (rec->type) {
	case PERF_RECORD_LOST:
		cursor_skip(&c, 8);
		f->losses.lost_events += cursor_u64(&c);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		f->losses.lost_samples += cursor_u64(&c);
		break;
	case PERF_RECORD_THROTTLE:
		f->losses.throttled++;
		break;
	case PERF_RECORD_AUX:
		cursor_skip(&c, 16);
		f->losses.truncated_aux += cursor_u64(&c) & PERF_AUX_FLAG_TRUNCATED;
		break;
	default:
		f->losses.unknown_records += !is_known(rec->type);
	}
}

/* Handles any record except a sample. Returns 1 to pass the record to the caller, 2 to continue
 * with the next one, 0 if the data are damaged there, or MD_ENOMEM. */
static int other_record(struct pd_file *f, struct pd_raw *rec, struct md_err *err)
{
	bool first = ++f->nseen > f->nseen_max;
	int ret;

	if (first)
		f->nseen_max = f->nseen;
	if (first)
		count_losses(f, rec);
	if (rec->type < PD_USER_FIRST)
		return 1;
	if (rec->type == PD_COMPRESSED || rec->type == PD_COMPRESSED2) {
		if (!f->inflating) {
			ret = enter_inflated(f, rec, err);
			return ret == 1 ? 2 : ret;
		}
		/* perf never puts a compressed record into another one, so this is damage */
		f->losses.damaged_records += first;
	} else if (rec->type == PD_AUXTRACE || rec->type == PD_HEADER_TRACING_DATA) {
		if (!f->inflating)
			return skip_payload(f, rec);
		f->losses.damaged_records += first;
	} else if (rec->type == PD_SIMPLEPERF_EVENT_ID && first && read_event_ids(f, rec)) {
		return md_nomem(err);
	}
	return 1;
}

static inline int next_in_segment(struct pd_file *f, struct pd_raw *rec, struct md_err *err)
{
	for (;;) {
		struct cursor c = cursor_make(f->pos, (size_t)(f->end - f->pos), f->swap);
		int ret;

		rec->offset = f->inflating ? f->enclosing : (uint64_t)(f->pos - f->segment->image);
		pd_take_record(&c, rec);
		if (c.failed) {
			if (!f->inflating)
				return end_of_data(f);
			ret = refill_window(f, err);
			if (ret <= 0)
				return ret;
			continue;
		}
		f->pos = c.p;
		if (rec->type == PERF_RECORD_SAMPLE)
			return 1;
		ret = other_record(f, rec, err);
		if (ret != 2)
			return ret;
	}
}

int pd_next(struct pd_file *f, struct pd_raw *rec, struct md_err *err)
{
	for (;;) {
		int ret = next_in_segment(f, rec, err);

		if (ret || f->segment + 1 == f->segments + f->nsegments)
			return ret;
		enter_segment(f, f->segment + 1);
	}
}
