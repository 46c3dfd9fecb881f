/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seed_import FILE TRACKLOG [pipe] [swap] [compress]: writes a seed (a first input) for the fuzz
 * target fuzz_import.c: a capture that contains every kind of data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../unit/perfdata_build.h"
#include "../unit/perfdata_fill.h"

enum {
	PID = 7,
	CHILD = 8,
	EVENTS = 3,
	LOG_MAX = UINT16_MAX,
	FEATURE_ARCH = 6,
	FEATURE_CLOCKID = 23
};

static const char follow[] = "memdb-follow\t1\n"
			     "node\t0\t0-1\t1000000\t500000\n"
			     "node\t1\t2-3\t1000000\t1000000\n"
			     "distance\t0\t1\t21\n"
			     "cpu\t2\t1\t1\t0\n"
			     "page\t4096\n"
			     "foreign\t900\t1\t0\t10\n"
			     "process\t1000\t7\t1000\t1\t/bin/app\n"
			     "thread\t1001\t7\t7\tapp\t0-3\n"
			     "homes\t1100\t7\t10000\t4096\t0x4,1,-\n"
			     "hugepage\t1110\t7\t200000\t400000\t2097152\n"
			     "collapse\t1120\t7\t1100\n"
			     "foreign\t1200\t1\t3\t10\n";

static const char capture[] =
	"{\"format\":1,\"memdb\":\"0.1\",\"sampler\":\"timer\",\"pid\":7,\"waiter_pid\":6,"
	"\"argv\":[\"app\",\"-x\"],\"tracked\":true,\"exit_code\":0,"
	"\"start\":{\"monotonic_ns\":900,\"realtime_ns\":5},"
	"\"perf\":{\"version\":\"6.1\",\"command\":[\"perf\"]}}";

static void tail(struct pd_build *b, const struct perf_event_attr *attr, uint32_t pid,
		 uint64_t time)
{
	struct pd_sample_id id = { .time = time, .pid = pid, .tid = pid, .id = 1 };

	pd_build_sample_id(b, attr, &id);
	pd_build_end(b);
}

static void words32(struct pd_build *b, const uint32_t *v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		pd_build_u32(b, v[i]);
}

static void add_map(struct pd_build *b, const struct perf_event_attr *attr, uint64_t start,
		    const char *path, bool code)
{
	pd_build_begin(b, PERF_RECORD_MMAP2,
		       PERF_RECORD_MISC_USER | (code ? 0 : PERF_RECORD_MISC_MMAP_DATA));
	words32(b, (uint32_t[]){ PID, PID }, 2);
	pd_build_u64(b, start);
	pd_build_u64(b, 0x4000);
	pd_build_u64(b, 0);
	words32(b, (uint32_t[]){ 8, 1, 5, 0, 1, 0, code ? 5 : 3, 2 }, 8);
	pd_build_string(b, path);
	tail(b, attr, PID, 1010);
}

static void add_side(struct pd_build *b, const struct perf_event_attr *attr)
{
	pd_build_begin(b, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	words32(b, (uint32_t[]){ PID, PID }, 2);
	pd_build_string(b, "app");
	tail(b, attr, PID, 1000);
	add_map(b, attr, 0x400000, "/no/such/app", true);
	add_map(b, attr, 0x10000, "//anon", false);
	add_map(b, attr, 0x7f0000, "[stack]", false);
	for (unsigned end = 0; end < 2; end++) {
		pd_build_begin(b, end ? PERF_RECORD_EXIT : PERF_RECORD_FORK, 0);
		words32(b, (uint32_t[]){ CHILD, PID, CHILD, PID }, 4);
		pd_build_u64(b, 1050);
		tail(b, attr, CHILD, end ? 1180 : 1050);
	}
	pd_build_begin(b, PERF_RECORD_LOST, 0);
	pd_build_u64(b, 1);
	pd_build_u64(b, 3);
	tail(b, attr, PID, 1120);
}

static void add_samples(struct pd_build *b, const struct perf_event_attr *attrs)
{
	uint64_t state = 3;

	for (uint64_t i = 0; i < 12; i++) {
		struct pd_sample s;
		struct fill fill;

		fill_sample(&s, &fill, 1 + i % EVENTS, &state);
		for (unsigned k = 0; k < 8; k++)
			fill.words[k] = 0x400000 + k * 16;
		s.pid = s.tid = i % 5 == 4 ? CHILD : PID;
		s.ip = 0x400000 + i % 3 * 8;
		s.addr = 0x10000 + i * 512;
		s.time = 1020 + i * 15;
		s.cpu &= 3;
		pd_build_sample(b, &attrs[i % EVENTS], &s);
	}
}

static void add_features(struct pd_build *b)
{
	struct pd_bytes clock = { 0 }, arch = { 0 };

	pd_bytes_u64(b, &clock, CLOCK_MONOTONIC);
	pd_build_feature(b, FEATURE_CLOCKID, clock.p, clock.len);
	pd_bytes_string(b, &arch, "x86_64");
	pd_build_feature(b, FEATURE_ARCH, arch.p, arch.len);
	free(clock.p);
	free(arch.p);
}

/* Adds the events: a timer with registers, a memory event, and page faults. */
static void add_events(struct pd_build *b, struct perf_event_attr attrs[EVENTS])
{
	const uint64_t common = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
				PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;

	attrs[0] = fill_attr(common | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attrs[1] = fill_attr(common | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT_STRUCT |
			     PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE);
	attrs[1].type = PERF_TYPE_RAW;
	attrs[1].precise_ip = 2;
	attrs[2] = fill_attr(common);
	attrs[2].config = PERF_COUNT_SW_PAGE_FAULTS;
	for (uint64_t i = 0; i < EVENTS; i++) {
		uint64_t id = i + 1;

		attrs[i].sample_regs_user = 0xff01ff;
		pd_build_event(b, &attrs[i], &id, 1);
	}
}

static uint8_t *recording(bool pipe, bool swap, bool compress, size_t *len)
{
	struct perf_event_attr attrs[EVENTS];
	struct pd_build b;
	uint8_t *image;
	size_t from;

	pd_build_init(&b, pipe, swap);
	add_events(&b, attrs);
	if (pipe)
		add_features(&b);
	from = b.data.len;
	add_side(&b, &attrs[0]);
	add_samples(&b, attrs);
	if (compress)
		pd_build_compress(&b, from, 500, 83);
	if (!pipe)
		add_features(&b);
	image = pd_build_image(&b, len);
	pd_build_release(&b);
	return image;
}

static int save(const char *path, const uint8_t *log, size_t log_len, const uint8_t *image,
		size_t len)
{
	const uint16_t sizes[] = { (uint16_t)log_len, sizeof(follow) - 1, sizeof(capture) - 1 };
	FILE *f = fopen(path, "w");
	int ok = f && fwrite(sizes, sizeof(sizes), 1, f) && fwrite(log, 1, log_len, f) == log_len &&
		 fwrite(follow, sizes[1], 1, f) && fwrite(capture, sizes[2], 1, f) &&
		 fwrite(image, len, 1, f);

	if (f && fclose(f))
		ok = 0;
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	bool pipe = false, swap = false, compress = false;
	static uint8_t log[LOG_MAX];
	size_t len, log_len = 0;
	uint8_t *image;
	FILE *in;
	int ret;

	if (argc < 3)
		return EXIT_FAILURE;
	for (int i = 3; i < argc; i++) {
		pipe |= !strcmp(argv[i], "pipe");
		swap |= !strcmp(argv[i], "swap");
		compress |= !strcmp(argv[i], "compress");
	}
	in = fopen(argv[2], "r");
	if (in) {
		log_len = fread(log, 1, sizeof(log), in);
		fclose(in);
	}
	image = recording(pipe, swap, compress, &len);
	ret = save(argv[1], log, log_len, image, len);
	free(image);
	return ret;
}
