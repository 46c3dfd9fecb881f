/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay: runs the fuzz target fuzz_perfdata.c on files that unit/perfdata_build.c makes, with some
 * bytes changed. The changes are the same in each run. Every build can run this small fuzz test,
 * because it does not need libFuzzer.
 * replay FILE...: runs the fuzz target on these files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/perfdata_build.h"
#include "../unit/perfdata_fill.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SAMPLES = 8, MAX_FILE = 64 << 20, ROUNDS = 20000 };

static void add_maps(struct pd_build *b, const struct perf_event_attr *attr)
{
	struct pd_sample_id id = { .time = 50, .pid = 1, .tid = 1, .id = 1 };

	for (uint32_t kind = 1; kind <= 21; kind++) {
		if (kind == PERF_RECORD_SAMPLE)
			continue;
		pd_build_begin(b, kind, (uint16_t)(kind << 11));
		for (uint64_t i = 0; i < 8; i++)
			pd_build_u64(b, i);
		pd_build_string(b, "/a/path");
		pd_build_sample_id(b, attr, &id);
		pd_build_end(b);
	}
}

static void add_features(struct pd_build *b)
{
	for (uint32_t feature = 2; feature < 30; feature++) {
		struct pd_bytes o = { 0 };

		pd_bytes_u32(b, &o, 1);
		pd_bytes_string(b, &o, "text");
		pd_bytes_u32(b, &o, 2);
		pd_bytes_u64(b, &o, 3);
		pd_bytes_string(b, &o, "0-3,7");
		pd_build_feature(b, feature, o.p, o.len);
		free(o.p);
	}
}

static uint8_t *build(uint64_t *state, size_t *len)
{
	uint64_t kind = fill_next(state);
	struct perf_event_attr attr[2];
	struct pd_build b;
	uint8_t *image;
	size_t from;

	pd_build_init(&b, kind & 1, kind & 2);
	for (uint64_t e = 0; e < 2; e++) {
		uint64_t id = e + 1;

		attr[e] = fill_attr(fill_next(state) & (PERF_SAMPLE_MAX - 1));
		attr[e].read_format = fill_next(state) & 31;
		pd_build_event(&b, &attr[e], &id, 1);
	}
	from = b.data.len;
	if (b.pipe)
		add_features(&b);
	add_maps(&b, &attr[0]);
	for (uint64_t i = 0; i < SAMPLES; i++) {
		struct pd_sample s;
		struct fill fill;

		fill_sample(&s, &fill, 1 + (i & 1), state);
		s.time = fill_next(state) % 100;
		pd_build_sample(&b, &attr[i & 1], &s);
		if (i % 3 == 2) {
			pd_build_begin(&b, 68, 0);
			pd_build_end(&b);
		}
	}
	if (kind & 4 && !b.pipe)
		pd_build_compress(&b, from, 700, kind & 8 ? 81 : 83);
	if (!b.pipe)
		add_features(&b);
	image = pd_build_image(&b, len);
	pd_build_release(&b);
	return image;
}

/* Cuts the file, or replaces some bytes with values that are slightly too small or much too
 * large. */
static size_t mutate(uint8_t *p, size_t len, uint64_t *state)
{
	static const uint64_t bad[] = { 0,
					1,
					7,
					8,
					0xff,
					0xffff,
					UINT32_MAX,
					UINT64_MAX,
					UINT64_C(1) << 63,
					UINT64_MAX / 8 + 2 };

	for (uint64_t n = fill_next(state) % 6; n; n--) {
		size_t at = fill_next(state) % len, width = (size_t)1 << fill_next(state) % 4;
		uint64_t v = fill_next(state) % 2 ? bad[fill_next(state) % 10] : fill_next(state);

		memcpy(p + at, &v, len - at < width ? len - at : width);
	}
	return fill_next(state) % 8 ? len : fill_next(state) % len;
}

static void replay_built(void)
{
	uint64_t state = 1;

	for (int i = 0; i < ROUNDS; i++) {
		size_t len;
		uint8_t *image = build(&state, &len);

		LLVMFuzzerTestOneInput(image, mutate(image, len, &state));
		free(image);
	}
}

static int replay_file(const char *path)
{
	FILE *in = fopen(path, "r");
	uint8_t *buf = malloc(MAX_FILE);
	size_t n;

	if (!in || !buf) {
		perror(path);
		return EXIT_FAILURE;
	}
	n = fread(buf, 1, MAX_FILE, in);
	fclose(in);
	LLVMFuzzerTestOneInput(buf, n);
	free(buf);
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	int ret = EXIT_SUCCESS;

	if (argc == 1)
		replay_built();
	for (int i = 1; i < argc && !ret; i++)
		ret = replay_file(argv[i]);
	return ret;
}
