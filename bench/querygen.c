/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * querygen DIRECTORY SAMPLES [HOT]: makes a capture, as `memdb record --raw` does, but of an
 * invented program: 16 threads on 4 nodes, 3,000 instructions in 48 files, 1,024 heap blocks in 64
 * objects. HOT instructions (a power of two up to 2048; default 64) have most of the samples. More
 * hot instructions make more rows in sample_cells. Hardware samples are written at once, so ten
 * million samples need little memory. bench/query imports the capture and times the views.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../tests/unit/perfdata_build.h"
#include "../tests/unit/tracklog_build.h"

enum {
	PID = 100,
	THREADS = 16,
	CPUS = 64,
	NODES = 4,
	INSTRUCTIONS = 3000,
	INSTRUCTION_BYTES = 64,
	FILES = 48,
	FILE_BYTES = 4096,
	OBJECTS = 64,
	BLOCKS = 1024,
	BLOCK_BYTES = 1 << 18,
	/* position of the data section's size in the header of perf.data, bytes */
	HEADER_DATA_SIZE = 48,
};

#define CODE UINT64_C(0x400000)
#define HEAP UINT64_C(0x100000000)

static const struct perf_event_attr attr = {
	.type = PERF_TYPE_RAW,
	.size = sizeof(struct perf_event_attr),
	.config = 0x1cd,
	.sample_period = 1000,
	.precise_ip = 2,
	.sample_id_all = 1,
	.use_clockid = 1,
	.clockid = 1, /* CLOCK_MONOTONIC */
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC,
};

static FILE *create(const char *directory, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

static void add_task(struct pd_build *b, uint32_t type, uint32_t tid)
{
	struct pd_sample_id id = { .pid = PID, .tid = tid, .time = 1000 };

	pd_build_begin(b, type, type == PERF_RECORD_COMM ? PERF_RECORD_MISC_COMM_EXEC : 0);
	pd_build_u32(b, PID);
	pd_build_u32(b, type == PERF_RECORD_COMM ? tid : PID);
	if (type == PERF_RECORD_COMM) {
		pd_build_string(b, "app");
	} else {
		pd_build_u32(b, tid);
		pd_build_u32(b, PID);
		pd_build_u64(b, 1000);
	}
	pd_build_sample_id(b, &attr, &id);
	pd_build_end(b);
}

static void add_mapping(struct pd_build *b, uint16_t misc, uint64_t start, uint64_t size,
			const char *name)
{
	struct pd_sample_id id = { .pid = PID, .tid = PID, .time = 1000 };

	pd_build_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER | misc);
	pd_build_u32(b, PID);
	pd_build_u32(b, PID);
	pd_build_u64(b, start);
	pd_build_u64(b, size);
	pd_build_u64(b, 0);
	pd_build_string(b, name);
	pd_build_sample_id(b, &attr, &id);
	pd_build_end(b);
}

/* Adds hardware sample i with its data source. 255 of 256 samples are at one of the first `most`
 * instructions, which are hot. */
static void add_sample(struct pd_build *b, uint64_t i, uint64_t most)
{
	static const uint64_t sources[] = { 0x5080142, 0x5080144, 0x5080142, 0x5080882,
					    0x50a0202, 0x5080142, 0x50a1002, 0x50a2002 };
	uint64_t x = i * UINT64_C(0x9e3779b97f4a7c15), hot, thread;
	uint64_t chain[6] = { PERF_CONTEXT_USER };
	struct pd_sample s = { .misc = PERF_RECORD_MISC_USER, .pid = PID, .period = 1000 };

	x ^= x >> 29;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 32;
	hot = (x & 255) ? x >> 8 & (most - 1) : (x >> 8) % INSTRUCTIONS;
	thread = x >> 24 & (THREADS - 1);
	chain[1] = s.ip = CODE + hot * INSTRUCTION_BYTES;
	for (int k = 2; k < 6; k++)
		chain[k] = CODE + 0x40000 + (hot >> k) * 16 + (uint64_t)k;
	s.tid = PID + (uint32_t)thread;
	s.cpu = (uint32_t)thread * 4;
	s.time = 2000000 + i * 997;
	s.addr = HEAP + (hot % OBJECTS + (x >> 30) % (BLOCKS / OBJECTS) * OBJECTS) * BLOCK_BYTES +
		 ((x & 24) ? x >> 41 & 0xfff8 : x >> 41 & (BLOCK_BYTES - 8));
	s.weight = 4 + (x >> 50 & 511);
	s.data_src = sources[x >> 59 & 7];
	s.callchain = (const uint8_t *)chain;
	s.ncallchain = 6;
	pd_build_sample(b, &attr, &s);
}

static void write_perf(const char *directory, uint64_t samples, uint64_t hot)
{
	FILE *f = create(directory, "perf.data");
	uint64_t id = 1, size, word;
	struct pd_build b;
	char name[64];
	uint8_t *image;
	size_t len;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, &id, 1);
	add_task(&b, PERF_RECORD_COMM, PID);
	for (uint32_t i = 1; i < THREADS; i++)
		add_task(&b, PERF_RECORD_FORK, PID + i);
	for (int i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "/no/such/lib%d.so", i);
		add_mapping(&b, 0, CODE + (uint64_t)i * FILE_BYTES, FILE_BYTES, name);
	}
	add_mapping(&b, 0, CODE + (uint64_t)FILES * FILE_BYTES, 0x100000, "/no/such/app");
	add_mapping(&b, PERF_RECORD_MISC_MMAP_DATA, HEAP, (uint64_t)BLOCKS * BLOCK_BYTES, "//anon");
	image = pd_build_image(&b, &len);
	size = b.data.len;
	if (fwrite(image, 1, len, f) != len)
		exit(1);
	for (uint64_t i = 0; i < samples; i++) {
		b.data.len = 0;
		add_sample(&b, i, hot);
		size += b.data.len;
		fwrite(b.data.p, 1, b.data.len, f);
	}
	word = size;
	if (fseek(f, HEADER_DATA_SIZE, SEEK_SET) || fwrite(&word, 8, 1, f) != 1 || fclose(f))
		exit(1);
	free(image);
	pd_build_release(&b);
}

/* Writes the tracker's log: BLOCKS blocks with OBJECTS different call paths, never freed. */
static void write_allocations(const char *directory)
{
	FILE *f = create(directory, "track/alloc.100.1000.log");
	struct log_build *log = log_new();

	log_chunk(log, 1, 0, PID);
	for (uint32_t i = 0; i < OBJECTS; i++)
		log_nodes(log, 1 + i, 0, &(uint64_t){ CODE + 0x80000 + i * 16 }, 1);
	log_time(log, 1500);
	for (uint64_t i = 0; i < BLOCKS; i++) {
		log_short(log, TRACK_BIRTH, 0, HEAP + i * BLOCK_BYTES);
		log_birth_body(log, TL_FN_MALLOC, 3, BLOCK_BYTES, 1 + (uint32_t)(i % OBJECTS));
	}
	if (fwrite(log->words, 1, log_size(log), f) != log_size(log) || fclose(f))
		exit(1);
	free(log);
}

/* Writes follow.log: a machine of four nodes, and the node on which each block is. */
static void write_follow(const char *directory)
{
	FILE *f = create(directory, "follow.log");

	fprintf(f, "memdb-follow\t1\npage\t4096\n");
	for (int i = 0; i < NODES; i++)
		fprintf(f, "node\t%d\t%d-%d\t1000000000\t500000000\n", i, 16 * i, 16 * i + 15);
	for (int i = 0; i < NODES * NODES; i++)
		fprintf(f, "distance\t%d\t%d\t%d\n", i / NODES, i % NODES,
			i / NODES == i % NODES ? 10 : 21);
	for (int i = 0; i < CPUS; i++)
		fprintf(f, "cpu\t%d\t%d\t%d\t%d\n", i, i / 16, i, i / 16);
	for (uint64_t i = 0; i < BLOCKS; i++)
		fprintf(f, "homes\t%d\t%d\t%llx\t4096\t%llux%d\n", 1600, PID,
			(unsigned long long)(HEAP + i * BLOCK_BYTES),
			(unsigned long long)(i / 3 % NODES), BLOCK_BYTES / 4096);
	if (fclose(f))
		exit(1);
}

int main(int argc, char **argv)
{
	char track[4096];

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: querygen DIRECTORY SAMPLES [HOT]\n");
		return 2;
	}
	snprintf(track, sizeof(track), "%s/track", argv[1]);
	if (mkdir(argv[1], 0700) || mkdir(track, 0700)) {
		perror(argv[1]);
		return 1;
	}
	write_allocations(argv[1]);
	write_follow(argv[1]);
	write_perf(argv[1], strtoull(argv[2], NULL, 0), argc > 3 ? strtoull(argv[3], NULL, 0) : 64);
	return 0;
}
