/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers for tests of how the import finds the homes (nodes) of pages. The recorded machine has
 * three nodes, and each node has one CPU with the same number. There are no page faults except
 * those that a test writes.
 */
#ifndef MEMDB_TESTS_IMPORT_HOMES_CASE_H
#define MEMDB_TESTS_IMPORT_HOMES_CASE_H

#include "import/import.h"

#include "import_case.h"

#include <sys/mman.h>

enum { PID = 10, OTHER = 11, PAGE = 4096 };

#define PRIVATE UINT64_C(0x10000000)
#define SHARED  UINT64_C(0x20000000)
#define KERNEL  UINT64_C(0xffffffff81000000)

static const char machine[] = "memdb-follow\t1\n"
			      "page\t4096\n"
			      "node\t0\t0\t100000000\t90000000\n"
			      "node\t1\t1\t100000000\t90000000\n"
			      "node\t2\t2\t100000000\t90000000\n"
			      "cpu\t0\t0\t0\t0\ncpu\t1\t1\t0\t1\ncpu\t2\t2\t0\t2\n"
			      "memory\t2\t8000000\t10000000\n"
			      "foreign\t1\t0\t0\t0\nforeign\t1\t1\t0\t0\nforeign\t1\t2\t0\t0\n";

/* The end of follow.log: the kernel placed no pages of the nodes 1 and 2 on other nodes. */
static const char observed[] = "foreign\t9000000\t1\t0\t0\nforeign\t9000000\t2\t0\t0\n";

/* Returns the attribute of an event: 1 is minor faults, 2 major faults, 3 hardware samples with
 * addresses. */
static inline struct perf_event_attr attr_of(int event)
{
	struct perf_event_attr a = {
		.type = event == 3 ? PERF_TYPE_RAW : PERF_TYPE_SOFTWARE,
		.size = sizeof(a),
		.config = event == 3   ? 0x1cd
			  : event == 2 ? PERF_COUNT_SW_PAGE_FAULTS_MAJ
				       : PERF_COUNT_SW_PAGE_FAULTS_MIN,
		.sample_period = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = 1, /* CLOCK_MONOTONIC */
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU |
			       (event == 3 ? 0 : PERF_SAMPLE_PHYS_ADDR),
	};

	return a;
}

static struct pd_build image;

static inline void begin(void)
{
	pd_build_init(&image, false, false);
	for (int event = 1; event <= 3; event++) {
		struct perf_event_attr a = attr_of(event);
		uint64_t id = (uint64_t)event;

		pd_build_event(&image, &a, &id, 1);
	}
}

struct map {
	uint32_t pid;
	uint64_t start, bytes, pgoff;
	uint64_t inode;
	uint32_t minor; /* minor number of the file's device */
	uint64_t time;  /* when the mapping is made; 0 means time 100 */
	bool shared;
	const char *path;
};

static inline void map(const struct map *m)
{
	struct pd_sample_id id = {
		.pid = m->pid, .tid = m->pid, .time = m->time ? m->time : 100, .id = 1
	};
	struct perf_event_attr a = attr_of(1);

	pd_build_begin(&image, PERF_RECORD_MMAP2,
		       PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA);
	pd_build_u32(&image, m->pid);
	pd_build_u32(&image, m->pid);
	pd_build_u64(&image, m->start);
	pd_build_u64(&image, m->bytes);
	pd_build_u64(&image, m->pgoff);
	pd_build_u32(&image, 0);
	pd_build_u32(&image, m->minor);
	pd_build_u64(&image, m->inode);
	pd_build_u64(&image, 0);
	pd_build_u32(&image, PROT_READ | PROT_WRITE);
	pd_build_u32(&image, m->shared ? MAP_SHARED : MAP_PRIVATE);
	pd_build_string(&image, m->path);
	pd_build_sample_id(&image, &a, &id);
	pd_build_end(&image);
}

static inline void map_private(void)
{
	map(&(struct map){ .pid = PID,
			   .start = PRIVATE,
			   .bytes = 1 << 20,
			   .pgoff = PRIVATE,
			   .path = "//anon" });
}

/* Maps one file in two processes. The mapping of the second process begins at the file's second
 * page. */
static inline void map_shared(const char *path, uint64_t inode)
{
	struct map m = { .start = SHARED,
			 .bytes = 1 << 20,
			 .inode = inode,
			 .minor = 1,
			 .shared = true,
			 .path = path };

	m.pid = PID;
	map(&m);
	m.pid = OTHER;
	m.pgoff = PAGE;
	map(&m);
}

static inline void sample(int event, uint32_t pid, uint64_t time, uint64_t address, uint32_t cpu,
			  uint64_t physical, bool kernel)
{
	struct perf_event_attr a = attr_of(event);
	struct pd_sample s = {
		.misc = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.id = (uint64_t)event,
		.ip = kernel ? KERNEL : 0x400010,
		.pid = pid,
		.tid = pid,
		.time = time,
		.addr = address,
		.cpu = cpu,
		.phys_addr = physical,
	};

	pd_build_sample(&image, &a, &s);
}

static inline void fault(uint32_t pid, uint64_t time, uint64_t address, uint32_t cpu)
{
	sample(1, pid, time, address, cpu, 0, false);
}

static inline void load(uint32_t pid, uint64_t time, uint64_t address, uint32_t cpu)
{
	sample(3, pid, time, address, cpu, 0, false);
}

/* Completes the recording and imports it. `told` contains the lines of follow.log after the
 * description of the machine. `pages` is the number of pages of node 0 that the kernel placed on
 * other nodes. */
static inline void end_and_import_full(const char *told, unsigned pages)
{
	struct import_options o = { .input = dir, .output = output };
	struct md_err err = { 0 };
	struct import_result r;
	char log[2048];

	save(&image, 0);
	pd_build_release(&image);
	snprintf(log, sizeof(log), "%s%s%sforeign\t9000000\t0\t%u\t0\n", machine, told, observed,
		 pages);
	save_follow(log);
	ck_assert_msg(!import_run(&o, &r, &err), "%s", err.msg);
}

static inline void end_and_import(const char *told)
{
	end_and_import_full(told, 0);
}

static const char faults[] = "select f.time, f.home_node_id, s.name, f.first from page_faults f "
			     "left join home_sources s on s.id = f.home_source order by f.id";
static const char loads[] = "select f.time, f.home_node_id, s.name from samples f "
			    "left join home_sources s on s.id = f.home_source order by f.id";

#endif
