/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of test_import.c, test_import_code.c and test_import_waits.c: they write recordings of
 * process 10 and import them. */
#ifndef MEMDB_TEST_IMPORT_FIXTURE_H
#define MEMDB_TEST_IMPORT_FIXTURE_H

#include "import/import.h"

#include "import_case.h"
#include "tracklog_build.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

static const struct perf_event_attr pebs = {
	.type = PERF_TYPE_RAW,
	.size = sizeof(struct perf_event_attr),
	.config = 0x1cd,
	.sample_period = 1000,
	.precise_ip = 2,
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC,
};

static const struct perf_event_attr timer = {
	.type = PERF_TYPE_SOFTWARE,
	.size = sizeof(struct perf_event_attr),
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_period = 1000000,
	.sample_id_all = 1,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR,
};

/* Writes the records that describe process 10 before its samples: its exec, one code mapping and
 * one data mapping. */
static inline void side_band(struct pd_build *b, const struct perf_event_attr *attr)
{
	struct pd_sample_id id = { .pid = 10, .tid = 10, .time = 100 };

	pd_build_begin(b, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC | PERF_RECORD_MISC_USER);
	pd_build_u32(b, 10);
	pd_build_u32(b, 10);
	pd_build_string(b, "app");
	pd_build_sample_id(b, attr, &id);
	pd_build_end(b);
	for (unsigned i = 0; i < 2; i++) {
		pd_build_begin(b, PERF_RECORD_MMAP,
			       PERF_RECORD_MISC_USER | (i ? PERF_RECORD_MISC_MMAP_DATA : 0));
		pd_build_u32(b, 10);
		pd_build_u32(b, 10);
		pd_build_u64(b, i ? 0x700000 : 0x400000);
		pd_build_u64(b, 0x1000);
		pd_build_u64(b, 0);
		pd_build_string(b, i ? "//anon" : "/no/such/app");
		id.time++;
		pd_build_sample_id(b, attr, &id);
		pd_build_end(b);
	}
}

static inline void sample(struct pd_build *b, const struct perf_event_attr *attr, uint64_t time,
			  uint64_t addr, uint64_t weight, uint64_t data_src)
{
	uint64_t chain[] = { PERF_CONTEXT_USER, 0x400010, 0x400020, 0xdead0000 };
	struct pd_sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.ip = 0x400010,
		.pid = 10,
		.tid = 10,
		.time = time,
		.addr = addr,
		.cpu = 1,
		.period = 1000,
		.callchain = (const uint8_t *)chain,
		.ncallchain = 4,
		.weight = weight,
		.data_src = data_src,
	};

	pd_build_sample(b, attr, &s);
}

static inline int import(struct import_result *r, struct md_err *err)
{
	struct import_options o = { .input = data, .output = output };

	return import_run(&o, r, err);
}

/* Writes a perf.data file of one process with this number of samples of a timer. Omits the last
 * `cut` bytes of the file. */
static inline void timer_recording(unsigned samples, size_t cut)
{
	struct pd_build b;

	pd_build_init(&b, false, false);
	pd_build_event(&b, &timer, NULL, 0);
	side_band(&b, &timer);
	for (unsigned i = 0; i < samples; i++)
		sample(&b, &timer, 200 + 100 * i, 0, 0, 0);
	save(&b, cut);
	pd_build_release(&b);
}

static inline void check_input_kept(const struct import_options *o)
{
	struct import_options forced = *o;
	struct md_err err = { 0 };

	forced.force = true;
	ck_assert_int_eq(import_run(o, NULL, &err), MD_EUSAGE);
	ck_assert_int_eq(import_run(&forced, NULL, &err), MD_EUSAGE);
	ck_assert_msg(strstr(err.msg, "it is a part of the recording"), "%s", err.msg);
}

static inline void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* Appends the sample_id of the main thread of pid and ends the record. */
static inline void end_record(struct pd_build *b, uint32_t pid, uint64_t time)
{
	pd_build_sample_id(b, &timer,
			   &(struct pd_sample_id){ .pid = pid, .tid = pid, .time = time });
	pd_build_end(b);
}

static inline void mmap_record(struct pd_build *b, uint32_t pid, uint64_t start, uint64_t len,
			       uint64_t time)
{
	pd_build_begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER);
	pd_build_u32(b, pid);
	pd_build_u32(b, pid);
	pd_build_u64(b, start);
	pd_build_u64(b, len);
	pd_build_u64(b, 0);
	pd_build_string(b, "//anon");
	end_record(b, pid, time);
}

static inline void fork_record(struct pd_build *b, uint32_t pid, uint32_t ppid, uint64_t time)
{
	pd_build_begin(b, PERF_RECORD_FORK, 0);
	pd_build_u32(b, pid);
	pd_build_u32(b, ppid);
	pd_build_u32(b, pid);
	pd_build_u32(b, ppid);
	pd_build_u64(b, time);
	end_record(b, pid, time);
}

static inline void ksymbol_record(struct pd_build *b, const char *name, bool gone, uint64_t time)
{
	pd_build_begin(b, PERF_RECORD_KSYMBOL, 0);
	pd_build_u64(b, 0xffffffffc0000000);
	pd_build_u32(b, 64);
	pd_build_u16(b, 1); /* PERF_RECORD_KSYMBOL_TYPE_BPF */
	pd_build_u16(b, gone);
	pd_build_string(b, name);
	end_record(b, 10, time);
}

/* Adds a sample whose call chain has kernel frames and user frames. attr must be the timer's
 * attribute with PERF_SAMPLE_CALLCHAIN. */
static inline void kernel_chain(struct pd_build *b, const struct perf_event_attr *attr,
				uint64_t time)
{
	uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffffffffc0000020, PERF_CONTEXT_USER, 0x400010 };

	pd_build_sample(b, attr,
			&(struct pd_sample){ .misc = PERF_RECORD_MISC_KERNEL,
					     .ip = 0xffffffffc0000020,
					     .pid = 10,
					     .tid = 10,
					     .time = time,
					     .callchain = (const uint8_t *)chain,
					     .ncallchain = 4 });
}

static inline void kernel_sample(struct pd_build *b, uint64_t time)
{
	pd_build_sample(b, &timer,
			&(struct pd_sample){ .misc = PERF_RECORD_MISC_KERNEL,
					     .ip = 0xffffffffc0000020,
					     .pid = 10,
					     .tid = 10,
					     .time = time });
}

static inline void feature_text(struct pd_build *b, uint32_t feature, const char *text)
{
	struct pd_bytes o = { 0 };

	pd_bytes_string(b, &o, text);
	pd_build_feature(b, feature, o.p, o.len);
	free(o.p);
}

/* Writes a tracker's log of process 10 with the births of n heap blocks, whose stacks are 0 (none),
 * 1 or 2. */
static inline void log_blocks(const char *folder, const struct track_event *births, unsigned n)
{
	struct log_build *b = log_new();
	char path[128];
	FILE *f;

	log_header(b)->pid = 10;
	log_header(b)->start_ns = 120;
	log_chunk(b, 0, 0, 10)->ns = 120;
	log_nodes(b, 1, 0, (uint64_t[]){ 0x1000 }, 1);
	log_nodes(b, 2, 0, (uint64_t[]){ 0x2000 }, 1);
	for (unsigned i = 0; i < n; i++)
		log_long_event(b, TL_BIRTH, TL_FN_MALLOC, &births[i], NULL, 0);
	snprintf(path, sizeof(path), "%s/1.log", folder);
	f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(b->words, 1, log_size(b), f), log_size(b));
	fclose(f);
	free(b);
}

/* The same with one block of 64 bytes, which lives from time 150 on. */
static inline void log_block(const char *folder, uint64_t address)
{
	log_blocks(folder, &(struct track_event){ .ticks = 150, .address = address, .size = 64 },
		   1);
}

#endif
