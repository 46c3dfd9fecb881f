/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pd_make FILE SEED [pipe] [swap] [compress] [bits=HEX]: writes a perf.data for the comparison
 * with perf. Its events have each sample_type bit alone, each pair of bits, and then random
 * bits. With bits=, it has one event with this sample_type. The first records name the
 * processes, so that perf knows their threads.
 *
 * Values that perf 6.1 handles wrongly are avoided. perf does not swap the mask of interrupt
 * registers and the protection of a mapping, so both are the same in either byte order here. It
 * knows the third part of a weight only on PowerPC. A data source with unlikely bits overflows
 * its buffer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/perfdata_build.h"
#include "../unit/perfdata_fill.h"

enum {
	BITS = 25,
	PAIRS = BITS * (BITS - 1) / 2,
	RANDOM = 75,
	EVENTS = BITS + PAIRS + RANDOM,
	SAMPLES = 3,
	SAMPLES_OF_ONE = 60,
	PID = 4321,
};

enum { CODE_START = 0x400000, CODE_BYTES = 0x10000 };

/* Returns the sample_type of an event. The first events have each bit alone, the next ones each
 * pair of bits, and all further ones random bits. */
static uint64_t bits_of(int event, uint64_t *state)
{
	int pair = event - BITS;

	if (event < BITS)
		return UINT64_C(1) << event;
	for (int high = 1; high < BITS && pair < PAIRS; pair -= high, high++)
		if (pair < high)
			return UINT64_C(1) << high | UINT64_C(1) << pair;
	return fill_next(state) & (PERF_SAMPLE_MAX - 1);
}

/* Removes bits that exclude each other: only one of the two weights stays. Also removes AUX, whose
 * data perf expects at a different place. */
static uint64_t possible(uint64_t type)
{
	if (type & PERF_SAMPLE_WEIGHT)
		type &= ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT;
	return type & ~(uint64_t)PERF_SAMPLE_AUX;
}

static struct perf_event_attr attr_of(uint64_t type, uint64_t *state)
{
	struct perf_event_attr attr = fill_attr(type);

	attr.read_format = PERF_FORMAT_ID | (fill_next(state) & 0xb);
	attr.branch_sample_type = fill_next(state) & 1 ? PERF_SAMPLE_BRANCH_HW_INDEX : 0;
	attr.branch_sample_type |= PERF_SAMPLE_BRANCH_ANY;
	attr.sample_regs_intr = 0x0300000000000003;
	return attr;
}

/* Returns a data source as hardware writes it: one operation, and one level, either as a bit or
 * as a number. */
static uint64_t data_source(uint64_t *state)
{
	uint64_t op = UINT64_C(1) << fill_next(state) % 4;
	/* a random level; bit 3 is the first-level cache (L1), and higher bits are levels farther
	 * away */
	uint64_t level = UINT64_C(1) << (3 + fill_next(state) % 11);
	uint64_t number = (const uint64_t[]){ 1, 2, 3, 11, 12, 13, 14, 15 }[fill_next(state) % 8];
	uint64_t snoop = UINT64_C(1) << fill_next(state) % 5;
	uint64_t lock = fill_next(state) % 3;
	uint64_t tlb = (const uint64_t[]){ 1, 10, 18, 26, 34, 12, 20, 28 }[fill_next(state) % 8];
	bool by_number = fill_next(state) & 1;

	level |= fill_next(state) % 4 ? 2 : 4; /* the bit for a hit or for a miss */
	return op | (by_number ? 0 : level) << 5 | snoop << 19 | lock << 24 | tlb << 26 |
	       (by_number ? number : 0) << 33;
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
	pd_build_u64(b, CODE_START);
	pd_build_u64(b, CODE_BYTES);
	pd_build_u64(b, 0);
	pd_build_u32(b, 8);
	pd_build_u32(b, 1);
	pd_build_u64(b, 1234);
	pd_build_u64(b, 5);
	/* readable and executable; the value is the same in both byte orders */
	pd_build_u32(b, 0x05000005);
	pd_build_u32(b, 0);
	pd_build_string(b, "/bin/writer");
	pd_build_sample_id(b, attr, &id);
	pd_build_end(b);
}

/* Returns a random code address: of eight, about seven are in the mapped file and one is after its
 * end. */
static uint64_t code_address(uint64_t *state)
{
	uint64_t at = CODE_START + fill_next(state) % CODE_BYTES;

	return fill_next(state) % 8 ? at : at + CODE_BYTES;
}

static void add_sample(struct pd_build *b, const struct perf_event_attr *attr, int i, int event,
		       uint64_t *state)
{
	struct pd_sample s;
	struct fill fill;

	fill_sample(&s, &fill, 1000 + (uint64_t)event, state);
	for (uint64_t k = 0; k < s.ncallchain; k++)
		fill.words[k] = code_address(state);
	if (s.ncallchain > 2 && fill_next(state) & 1)
		fill.words[0] = PERF_CONTEXT_USER;
	s.pid = s.tid = PID;
	s.p_stage_cyc = 0;
	s.ip = code_address(state);
	s.data_src = data_source(state);
	/* times repeat, and within a round they are not in order, so that both readers must sort */
	s.time = 1000 + (uint64_t)i / 50 * 1000 + fill_next(state) % 20;
	pd_build_sample(b, attr, &s);
}

static void add_samples(struct pd_build *b, const struct perf_event_attr *attrs, int events,
			uint64_t *state)
{
	int n = events == 1 ? SAMPLES_OF_ONE : events * SAMPLES;

	for (int i = 0; i < n; i++) {
		add_sample(b, &attrs[i % events], i, i % events, state);
		if (i % 50 == 49) {
			pd_build_begin(b, 68, 0); /* FINISHED_ROUND */
			pd_build_end(b);
		}
	}
}

static void compress_from(struct pd_build *b, size_t from)
{
	struct pd_bytes feature = { 0 };

	/* the feature HEADER_COMPRESSED: version, type, level, ratio, mmap_len */
	for (uint32_t i = 0; i < 5; i++)
		pd_bytes_u32(b, &feature, (uint32_t[]){ 1, 1, 1, 4, 1 << 20 }[i]);
	pd_build_compress(b, from, 5000, 81);
	pd_build_feature(b, 27, feature.p, feature.len);
	free(feature.p);
}

static int save(const struct pd_build *b, const char *path)
{
	size_t len;
	uint8_t *image = pd_build_image(b, &len);
	FILE *out = fopen(path, "w");
	int ok = out && fwrite(image, 1, len, out) == len;

	if (out && fclose(out))
		ok = 0;
	free(image);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	bool pipe = false, swap = false, compress = false;
	static struct perf_event_attr attrs[EVENTS];
	int events = EVENTS, ret;
	uint64_t state, bits = 0;
	struct pd_build b;
	size_t from;

	if (argc < 3)
		return EXIT_FAILURE;
	for (int i = 3; i < argc; i++) {
		pipe |= !strcmp(argv[i], "pipe");
		swap |= !strcmp(argv[i], "swap");
		compress |= !strcmp(argv[i], "compress");
		if (!strncmp(argv[i], "bits=", 5))
			bits = possible(strtoull(argv[i] + 5, NULL, 16));
	}
	state = strtoull(argv[2], NULL, 0) * 2 + 1;
	if (bits)
		events = 1;
	pd_build_init(&b, pipe, swap);
	for (int i = 0; i < events; i++) {
		uint64_t id = 1000 + (uint64_t)i, type = bits;

		if (!bits)
			type = possible(bits_of(i, &state)) | PERF_SAMPLE_IDENTIFIER |
			       PERF_SAMPLE_TIME;
		attrs[i] = attr_of(type, &state);
		pd_build_event(&b, &attrs[i], &id, 1);
	}
	from = b.data.len;
	add_process(&b, &attrs[0]);
	add_samples(&b, attrs, events, &state);
	if (compress)
		compress_from(&b, from);
	ret = save(&b, argv[1]);
	pd_build_release(&b);
	return ret;
}
