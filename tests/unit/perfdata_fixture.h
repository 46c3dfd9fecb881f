/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of test_perfdata.c and test_perfdata_open.c: they build recordings of one event and read
 * them. */
#ifndef MEMDB_TEST_PERFDATA_FIXTURE_H
#define MEMDB_TEST_PERFDATA_FIXTURE_H

#include <perf/event.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/internal.h"

#include "check_main.h"
#include "perfdata_build.h"
#include "perfdata_fill.h"

/* Properties of an image: PIPE is a pipe instead of a file, SWAP is the other byte order. The tests
 * run once with each of the four combinations. */
enum { PIPE = 1, SWAP = 2, KINDS = 4 };

static const uint64_t id7 = 7;

static inline struct perf_event_attr simple(void)
{
	return fill_attr(PERF_SAMPLE_IP | PERF_SAMPLE_TIME);
}

/* Builds a recording with one event and n samples, whose ips are 0, 1, 2, … `kind` is a combination
 * of PIPE and SWAP. */
static inline void build_samples(struct pd_build *b, int kind, unsigned n)
{
	struct perf_event_attr attr = simple();

	pd_build_init(b, kind & PIPE, kind & SWAP);
	pd_build_event(b, &attr, &id7, 1);
	for (unsigned i = 0; i < n; i++) {
		struct pd_sample s = { .ip = i, .time = 1000 + i };

		pd_build_sample(b, &attr, &s);
	}
}

static inline struct pd_file *open_image(const uint8_t *image, size_t len)
{
	struct md_err err = { 0 };
	struct pd_file *f;

	ck_assert_msg(!pd_open_mem(image, len, &f, &err), "%s", err.msg);
	return f;
}

static inline struct pd_file *open_built(struct pd_build *b, uint8_t **image)
{
	size_t len;

	*image = pd_build_image(b, &len);
	pd_build_release(b);
	return open_image(*image, len);
}

/* Reads all samples of the recording and returns their number. Checks that their ips are 0, 1, 2, …
 */
static inline unsigned count_samples(struct pd_file *f)
{
	struct pd_sample s;
	struct pd_raw rec;
	unsigned n = 0;
	int ret;

	while ((ret = pd_next(f, &rec, NULL)) > 0) {
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_int_eq(pd_sample(f, &rec, &s), 0);
		ck_assert_uint_eq(s.ip, n++);
	}
	ck_assert_int_eq(ret, 0);
	return n;
}

static inline void simpleperf_begin(struct pd_build *b, uint32_t type, uint32_t size)
{
	pd_build_u32(b, type);
	pd_build_u16(b, (uint16_t)(size >> 16));
	pd_build_u16(b, (uint16_t)size);
}

static inline void write_file(const char *path, const uint8_t *p, size_t n)
{
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(p, 1, n, out), n);
	ck_assert_int_eq(fclose(out), 0);
}

/* Writes a file with n samples of the event that build_samples() makes. Their ips are `first`,
 * first + 1, … If `damaged` is true, the end of the file is damaged. */
static inline void write_data_file(const char *path, unsigned first, unsigned n, bool damaged)
{
	struct perf_event_attr attr = simple();
	struct pd_build b;

	pd_build_init(&b, false, false);
	for (unsigned i = 0; i < n; i++) {
		struct pd_sample s = { .ip = first + i, .time = 2000 - first - i };

		pd_build_sample(&b, &attr, &s);
	}
	if (damaged)
		pd_build_u32(&b, 9);
	write_file(path, b.data.p, b.data.len);
	pd_build_release(&b);
}

#endif
