/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pd_big FILE SAMPLES [HOLE [norounds]]: writes a perf.data with this many samples. Half of them
 * follow HOLE bytes of AUX data, which are a hole in the file, so that positions beyond 4 GiB
 * use no disk space. With norounds, the file has no FINISHED_ROUND records, so an earlier sample
 * may always follow. Sample i has the time 1000 + i, the address 0x10000 + i % 65536 * 8, and
 * the weight i % 1000.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/perfdata_build.h"

enum { PID = 7, BATCH = 4096, DATA_SIZE_AT = 48, AUXTRACE = 71, FINISHED_ROUND = 68 };

static const struct perf_event_attr memory = {
	.type = PERF_TYPE_RAW,
	.size = sizeof(struct perf_event_attr),
	.config = 0x1cd,
	.sample_period = 1000,
	.precise_ip = 2,
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC,
};

static void write_all(FILE *out, const void *p, size_t n)
{
	if (fwrite(p, 1, n, out) != n) {
		perror("pd_big");
		exit(EXIT_FAILURE);
	}
}

/* Writes to the file the records that b has collected, and removes them from b. */
static void flush(struct pd_build *b, FILE *out)
{
	write_all(out, b->data.p, b->data.len);
	b->data.len = 0;
}

static void add_sample(struct pd_build *b, uint64_t i)
{
	struct pd_sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.ip = 0x400000 + i % 97 * 4,
		.pid = PID,
		.tid = PID,
		.time = 1000 + i,
		.addr = 0x10000 + i % 65536 * 8,
		.cpu = (uint32_t)i % 4,
		.weight = i % 1000,
		.data_src = 0x68100142, /* a load that hit the L1 cache */
	};

	pd_build_sample(b, &memory, &s);
}

static bool rounds = true;

static void add_samples(struct pd_build *b, FILE *out, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++) {
		add_sample(b, i);
		if (i % BATCH == BATCH - 1) {
			if (rounds) {
				pd_build_begin(b, FINISHED_ROUND, 0);
				pd_build_end(b);
			}
			flush(b, out);
		}
	}
	flush(b, out);
}

/* Adds an AUXTRACE record with `bytes` bytes of payload. The payload follows the record, is not
 * part of the record's size, and is a hole in the file. */
static void add_hole(struct pd_build *b, FILE *out, uint64_t bytes)
{
	pd_build_begin(b, AUXTRACE, 0);
	pd_build_u64(b, bytes);
	for (int i = 0; i < 4; i++) /* offset, reference, index and thread, CPU */
		pd_build_u64(b, 0);
	pd_build_end(b);
	flush(b, out);
	if (fseeko(out, (off_t)bytes, SEEK_CUR)) {
		perror("pd_big");
		exit(EXIT_FAILURE);
	}
}

static void add_process(struct pd_build *b)
{
	struct pd_sample_id id = { .pid = PID, .tid = PID, .time = 10 };

	pd_build_begin(b, PERF_RECORD_COMM, 0);
	pd_build_u32(b, PID);
	pd_build_u32(b, PID);
	pd_build_string(b, "big");
	pd_build_sample_id(b, &memory, &id);
	pd_build_end(b);
}

int main(int argc, char **argv)
{
	uint64_t samples, hole, start, size;
	struct pd_build b;
	uint8_t *image;
	size_t len;
	FILE *out;

	if (argc < 3)
		return EXIT_FAILURE;
	samples = strtoull(argv[2], NULL, 0);
	hole = argc > 3 ? strtoull(argv[3], NULL, 0) / 8 * 8 : 0;
	rounds = argc < 5;
	out = fopen(argv[1], "w");
	if (!out)
		return EXIT_FAILURE;
	pd_build_init(&b, false, false);
	pd_build_event(&b, &memory, NULL, 0);
	add_process(&b);
	image = pd_build_image(&b, &len);
	/* the image ends with the data section, so this is where that section begins */
	start = len - b.data.len;
	write_all(out, image, len);
	b.data.len = 0;
	add_samples(&b, out, 0, samples / 2);
	if (hole)
		add_hole(&b, out, hole);
	add_samples(&b, out, samples / 2, samples);
	size = (uint64_t)ftello(out) - start;
	if (fseeko(out, DATA_SIZE_AT, SEEK_SET))
		return EXIT_FAILURE;
	write_all(out, &size, sizeof(size));
	free(image);
	pd_build_release(&b);
	return fclose(out) ? EXIT_FAILURE : EXIT_SUCCESS;
}
