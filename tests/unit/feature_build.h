/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds a perf.data file with header features, for the tests of their readers. */
#ifndef MEMDB_TESTS_FEATURE_BUILD_H
#define MEMDB_TESTS_FEATURE_BUILD_H

#include "perfdata/perfdata.h"

#include "check_main.h"
#include "perfdata_build.h"
#include "perfdata_fill.h"

enum { PIPE = 1, SWAP = 2, KINDS = 4 };

static struct pd_build b;
static struct pd_bytes o;
static uint8_t *image;

static inline void add_event(uint64_t id)
{
	struct perf_event_attr attr = fill_attr(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);

	pd_build_event(&b, &attr, &id, 1);
}

/* Adds header feature `number` to the image `b`, with the bytes in `o`, which is empty
 * afterwards. */
static inline void feature(uint32_t number)
{
	pd_build_feature(&b, number, o.p, o.len);
	o.len = 0;
}

static inline void string_feature(uint32_t number, const char *s)
{
	pd_bytes_string(&b, &o, s);
	feature(number);
}

/* Starts a recording. `kind` is a combination of PIPE (a pipe instead of a file) and SWAP (the
 * other byte order). A file in the other byte order gets a host name: the bitmap of features
 * consists of words of 4 or 8 bytes, and the reader chooses the word size for which the bit of the
 * host name is set. */
static inline void start(int kind)
{
	pd_build_init(&b, kind & PIPE, kind & SWAP);
	if (kind == SWAP)
		string_feature(3, "host");
}

static inline void cpus_feature(uint32_t available, uint32_t online)
{
	pd_bytes_u32(&b, &o, available);
	pd_bytes_u32(&b, &o, online);
	feature(7);
}

static inline struct pd_file *read_all(void)
{
	struct md_err err = { 0 };
	struct pd_raw rec;
	struct pd_file *f;
	size_t len;

	/* A record of type 68 (FINISHED_ROUND): the reader reports a file without any record as
	 * unfinished. */
	pd_build_begin(&b, 68, 0);
	pd_build_end(&b);
	image = pd_build_image(&b, &len);
	pd_build_release(&b);
	ck_assert_msg(!pd_open_mem(image, len, &f, &err), "%s", err.msg);
	while (pd_next(f, &rec, NULL) > 0) {
	}
	free(o.p);
	o = (struct pd_bytes){ 0 };
	return f;
}

static inline void finish(struct pd_file *f)
{
	pd_close(f);
	free(image);
}

#endif
