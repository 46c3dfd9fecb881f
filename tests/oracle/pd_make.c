/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pd_make FILE SEED [pipe] [swap] [compress]: a perf.data whose events have every sample_type bit
 * alone, then random ones, for the comparison with perf: perfdump.sh. Processes are named first, so
 * that perf does not take its samples for unknown threads.
 *
 * What perf 6.1 gets wrong is left out: it forgets to turn the mask of interrupt registers and the
 * protection of a mapping to its byte order (both are the same in either here), and the third part
 * of a weight is known to it on PowerPC only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/perfdata_build.h"
#include "../unit/perfdata_fill.h"

enum { SINGLE = 25, EVENTS = 60, SAMPLES = 6, PID = 4321 };

/* One of the two weights; no AUX, whose data perf wants to find elsewhere. */
static uint64_t type_of(int event, uint64_t *state)
{
	uint64_t type =
		event < SINGLE ? UINT64_C(1) << event : fill_next(state) & (PERF_SAMPLE_MAX - 1);

	if (type & PERF_SAMPLE_WEIGHT)
		type &= ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
	type &= ~(uint64_t)PERF_SAMPLE_AUX;
	return type | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME;
}

static struct perf_event_attr attr_of(int event, uint64_t *state)
{
	struct perf_event_attr attr = fill_attr(type_of(event, state));

	attr.read_format = PERF_FORMAT_ID | (fill_next(state) & 0xb);
	attr.branch_sample_type = fill_next(state) & 1 ? PERF_SAMPLE_BRANCH_HW_INDEX : 0;
	attr.branch_sample_type |= PERF_SAMPLE_BRANCH_ANY;
	attr.sample_regs_intr = 0x0300000000000003;
	return attr;
}

static void add_process(struct pd_build *b, const struct perf_event_attr *attr)
{
	struct pd_sample_id id = { .time = 1, .pid = PID, .tid = PID, .id = 1000 };

	pd_build_begin(b, PERF_RECORD_COMM, 0);
	pd_build_u32(b, PID);
	pd_build_u32(b, PID);
	pd_build_string(b, "writer");
	pd_build_sample_id(b, attr, &id);
	pd_build_end(b);
	pd_build_begin(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	pd_build_u32(b, PID);
	pd_build_u32(b, PID);
	pd_build_u64(b, 0x400000);
	pd_build_u64(b, 0x10000);
	pd_build_u64(b, 0);
	pd_build_u32(b, 8);
	pd_build_u32(b, 1);
	pd_build_u64(b, 1234);
	pd_build_u64(b, 5);
	pd_build_u32(b, 0);
	pd_build_u32(b, 0);
	pd_build_string(b, "/bin/writer");
	pd_build_sample_id(b, attr, &id);
	pd_build_end(b);
}

static void add_samples(struct pd_build *b, const struct perf_event_attr *attrs, uint64_t *state)
{
	for (int i = 0; i < EVENTS * SAMPLES; i++) {
		int event = i % EVENTS;
		struct pd_sample s;
		struct fill fill;

		fill_sample(&s, &fill, 1000 + (uint64_t)event, state);
		s.pid = s.tid = PID;
		s.p_stage_cyc = 0;
		/* few different times, out of order inside a round */
		s.time = 1000 + (uint64_t)i / 50 * 1000 + fill_next(state) % 20;
		pd_build_sample(b, &attrs[event], &s);
		if (i % 50 == 49) {
			pd_build_begin(b, 68, 0); /* FINISHED_ROUND */
			pd_build_end(b);
		}
	}
}

int main(int argc, char **argv)
{
	bool pipe = false, swap = false, compress = false;
	struct perf_event_attr attrs[EVENTS];
	struct pd_build b;
	uint64_t state;
	size_t len, from;
	uint8_t *image;
	FILE *out;

	if (argc < 3)
		return EXIT_FAILURE;
	for (int i = 3; i < argc; i++) {
		pipe |= !strcmp(argv[i], "pipe");
		swap |= !strcmp(argv[i], "swap");
		compress |= !strcmp(argv[i], "compress");
	}
	state = strtoull(argv[2], NULL, 0) * 2 + 1;
	pd_build_init(&b, pipe, swap);
	for (int i = 0; i < EVENTS; i++) {
		uint64_t id = 1000 + (uint64_t)i;

		attrs[i] = attr_of(i, &state);
		pd_build_event(&b, &attrs[i], &id, 1);
	}
	from = b.data.len;
	add_process(&b, &attrs[0]);
	add_samples(&b, attrs, &state);
	if (compress) {
		struct pd_bytes feature = { 0 };

		for (uint32_t i = 0; i < 5; i++) /* version, type, level, ratio, mmap_len */
			pd_bytes_u32(&b, &feature, (uint32_t[]){ 1, 1, 1, 4, 1 << 20 }[i]);
		pd_build_compress(&b, from, 5000, 81);
		pd_build_feature(&b, 27, feature.p, feature.len);
		free(feature.p);
	}
	image = pd_build_image(&b, &len);
	out = fopen(argv[1], "w");
	if (!out || fwrite(image, 1, len, out) != len || fclose(out))
		return EXIT_FAILURE;
	free(image);
	pd_build_release(&b);
	return EXIT_SUCCESS;
}
