/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perfdata/perfdata.h"

#include "check_main.h"
#include "perfdata_build.h"
#include "perfdata_fill.h"

enum { PIPE = 1, SWAP = 2, KINDS = 4 };

static struct pd_build b;
static struct pd_bytes o;
static uint8_t *image;

static void add_event(uint64_t id)
{
	struct perf_event_attr attr = fill_attr(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);

	pd_build_event(&b, &attr, &id, 1);
}

/* What was put into o becomes this feature. */
static void feature(uint32_t number)
{
	pd_build_feature(&b, number, o.p, o.len);
	o.len = 0;
}

static void string_feature(uint32_t number, const char *s)
{
	pd_bytes_string(&b, &o, s);
	feature(number);
}

/* Without a host name the bitmap of features of the other byte order is not believed. */
static void start(int kind)
{
	pd_build_init(&b, kind & PIPE, kind & SWAP);
	if (kind == SWAP)
		string_feature(3, "host");
}

static void cpus_feature(uint32_t available, uint32_t online)
{
	pd_bytes_u32(&b, &o, available);
	pd_bytes_u32(&b, &o, online);
	feature(7);
}

static struct pd_file *read_all(void)
{
	struct md_err err = { 0 };
	struct pd_raw rec;
	struct pd_file *f;
	size_t len;

	pd_build_begin(&b, 68, 0); /* data of size 0 would mean an unfinished file */
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

static void finish(struct pd_file *f)
{
	pd_close(f);
	free(image);
}

START_TEST(strings_and_numbers_are_read)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	string_feature(3, "host");
	string_feature(4, "6.1.0");
	string_feature(5, "6.1");
	string_feature(6, "x86_64");
	cpus_feature(4, 3);
	string_feature(8, "a processor");
	string_feature(9, "GenuineIntel,6,85");
	pd_bytes_u64(&b, &o, 1000);
	feature(10);
	pd_bytes_u64(&b, &o, 11);
	pd_bytes_u64(&b, &o, 22);
	feature(21);
	f = read_all();
	t = pd_features(f);
	ck_assert_str_eq(t->hostname, "host");
	ck_assert_str_eq(t->osrelease, "6.1.0");
	ck_assert_str_eq(t->version, "6.1");
	ck_assert_str_eq(t->arch, "x86_64");
	ck_assert_str_eq(t->cpudesc, "a processor");
	ck_assert_str_eq(t->cpuid, "GenuineIntel,6,85");
	ck_assert_uint_eq(t->nrcpus_available, 4);
	ck_assert_uint_eq(t->nrcpus_online, 3);
	ck_assert_uint_eq(t->total_mem_bytes, 1000 * 1024);
	ck_assert_uint_eq(t->first_sample_ns, 11);
	ck_assert_uint_eq(t->last_sample_ns, 22);
	ck_assert_str_eq(pd_losses(f)->what, "");
	finish(f);
}
END_TEST

START_TEST(command_line_and_pmus_are_read)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	pd_bytes_u32(&b, &o, 2);
	pd_bytes_string(&b, &o, "perf");
	pd_bytes_string(&b, &o, "record");
	feature(11);
	pd_bytes_u32(&b, &o, 2);
	pd_bytes_u32(&b, &o, UINT32_MAX);
	pd_bytes_string(&b, &o, "a_longer_name_than_most");
	pd_bytes_u32(&b, &o, 4);
	pd_bytes_string(&b, &o, "cpu");
	feature(16);
	f = read_all();
	t = pd_features(f);
	ck_assert_uint_eq(t->ncmdline, 2);
	ck_assert_str_eq(t->cmdline[0], "perf");
	ck_assert_str_eq(t->cmdline[1], "record");
	ck_assert_ptr_null(t->cmdline[2]);
	ck_assert_uint_eq(t->npmus, 2);
	ck_assert_uint_eq(t->pmus[0].type, 4);
	ck_assert_str_eq(t->pmus[0].name, "cpu");
	ck_assert_ptr_null(t->pmus[0].caps);
	ck_assert_uint_eq(t->pmus[1].type, UINT32_MAX);
	finish(f);
}
END_TEST

static void topology(uint32_t cpus)
{
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_string(&b, &o, "0-3");
	pd_bytes_u32(&b, &o, 0);
	for (uint32_t i = 0; i < cpus; i++) {
		pd_bytes_u32(&b, &o, i / 2);
		pd_bytes_u32(&b, &o, i & 1);
	}
	feature(13);
}

static void nodes(void)
{
	pd_bytes_u32(&b, &o, 2);
	for (uint32_t n = 0; n < 2; n++) {
		pd_bytes_u32(&b, &o, n * 5);
		pd_bytes_u64(&b, &o, 100 + n);
		pd_bytes_u64(&b, &o, 50);
		pd_bytes_string(&b, &o, n ? "1,3-3,99" : "0,2");
	}
	feature(14);
}

START_TEST(cpus_and_nodes_are_read)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	cpus_feature(4, 4);
	topology(4);
	nodes();
	f = read_all();
	t = pd_features(f);
	ck_assert_uint_eq(t->ncpus, 4);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(t->cpus[i].core, i / 2);
		ck_assert_int_eq(t->cpus[i].socket, i & 1);
		ck_assert_int_eq(t->cpus[i].node, i & 1 ? 5 : 0);
	}
	ck_assert_uint_eq(t->nnodes, 2);
	ck_assert_uint_eq(t->nodes[1].id, 5);
	ck_assert_uint_eq(t->nodes[1].mem_total_bytes, 101 * 1024);
	ck_assert_uint_eq(t->nodes[1].mem_free_bytes, 50 * 1024);
	ck_assert_str_eq(t->nodes[1].cpus, "1,3-3,99");
	finish(f);
}
END_TEST

/* Old recordings have no cores and sockets; their nodes are known all the same. */
START_TEST(nodes_without_topology_are_read)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	cpus_feature(3, 3);
	nodes();
	f = read_all();
	t = pd_features(f);
	ck_assert_uint_eq(t->ncpus, 3);
	ck_assert_int_eq(t->cpus[1].core, -1);
	ck_assert_int_eq(t->cpus[1].node, 5);
	ck_assert_int_eq(t->cpus[2].node, 0);
	finish(f);
}
END_TEST

START_TEST(the_clock_is_read)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_u32(&b, &o, 4);
	pd_bytes_u64(&b, &o, 1700000000000000000);
	pd_bytes_u64(&b, &o, 123456789);
	feature(29);
	f = read_all();
	t = pd_features(f);
	ck_assert(t->has_clockid);
	ck_assert_int_eq(t->clockid, 4);
	ck_assert_uint_eq(t->clock_ref_realtime_ns, 1700000000000000000);
	ck_assert_uint_eq(t->clock_ref_ns, 123456789);
	finish(f);
}
END_TEST

START_TEST(events_have_the_names_of_the_file)
{
	struct pd_file *f;

	start(_i);
	add_event(1);
	add_event(2);
	pd_bytes_u32(&b, &o, 2);
	pd_bytes_u32(&b, &o, 8); /* the size of its attributes is its own */
	for (uint64_t e = 1; e <= 2; e++) {
		pd_bytes_u64(&b, &o, 0);
		pd_bytes_u32(&b, &o, 1);
		pd_bytes_string(&b, &o, e == 1 ? "mem-loads" : "mem-stores");
		pd_bytes_u64(&b, &o, e);
	}
	feature(12);
	f = read_all();
	ck_assert_str_eq(pd_evsel_at(f, 0)->name, "mem-loads");
	ck_assert_str_eq(pd_evsel_at(f, 1)->name, "mem-stores");
	finish(f);
}
END_TEST

/* A pipe may have its features in any order, and before the events. */
START_TEST(features_of_a_pipe_need_no_order)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(PIPE);
	pd_bytes_u32(&b, &o, 1); /* one node with CPU 1 */
	pd_bytes_u32(&b, &o, 5);
	pd_bytes_u64(&b, &o, 1);
	pd_bytes_u64(&b, &o, 1);
	pd_bytes_string(&b, &o, "1");
	feature(14);
	cpus_feature(2, 2);
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_u32(&b, &o, 0);
	pd_bytes_u32(&b, &o, 0);
	pd_bytes_string(&b, &o, "named before it came");
	feature(12);
	add_event(1);
	string_feature(3, "host");
	f = read_all();
	t = pd_features(f);
	ck_assert_str_eq(pd_evsel_at(f, 0)->name, "named before it came");
	ck_assert_uint_eq(t->ncpus, 2);
	ck_assert_int_eq(t->cpus[0].node, -1);
	ck_assert_int_eq(t->cpus[1].node, 5);
	ck_assert_str_eq(t->hostname, "host");
	finish(f);
}
END_TEST

static void pmu(uint32_t type, const char *name)
{
	pd_bytes_u32(&b, &o, type);
	pd_bytes_string(&b, &o, name);
}

static void caps(const char *value)
{
	pd_bytes_u32(&b, &o, 2);
	pd_bytes_string(&b, &o, "branches");
	pd_bytes_string(&b, &o, value);
	pd_bytes_string(&b, &o, "max_precise");
	pd_bytes_string(&b, &o, "3");
}

START_TEST(cores_of_a_hybrid_cpu_are_told_apart)
{
	struct perf_event_attr attr = fill_attr(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = (uint64_t)10 << 32;
	pd_build_event(&b, &attr, (uint64_t[]){ 1 }, 1);
	attr.config = 0;
	pd_build_event(&b, &attr, (uint64_t[]){ 2 }, 1);
	attr.type = 4;
	pd_build_event(&b, &attr, (uint64_t[]){ 3 }, 1);
	pd_bytes_u32(&b, &o, 3);
	pmu(10, "cpu_atom");
	pmu(4, "cpu_core");
	pmu(1, "software");
	feature(16);
	pd_bytes_u32(&b, &o, 2);
	for (int i = 0; i < 2; i++) {
		pd_bytes_string(&b, &o, i ? "cpu_atom" : "cpu_core");
		pd_bytes_string(&b, &o, i ? "8-15" : "0-7");
	}
	feature(30);
	pd_bytes_u32(&b, &o, 2);
	caps("32");
	pd_bytes_string(&b, &o, "cpu_core");
	caps("16");
	pd_bytes_string(&b, &o, "no such one");
	feature(31);
	f = read_all();
	t = pd_features(f);
	ck_assert_str_eq(pd_losses(f)->what, "");
	ck_assert_uint_eq(t->npmus, 3);
	ck_assert_str_eq(t->pmus[1].name, "cpu_core");
	ck_assert_str_eq(t->pmus[1].cpus, "0-7");
	ck_assert_str_eq(t->pmus[1].caps, "branches=32 max_precise=3");
	ck_assert_str_eq(t->pmus[2].cpus, "8-15");
	ck_assert_ptr_null(t->pmus[2].caps);
	ck_assert_str_eq(pd_evsel_at(f, 0)->pmu->name, "cpu_atom");
	ck_assert_ptr_null(pd_evsel_at(f, 1)->pmu);
	ck_assert_str_eq(pd_evsel_at(f, 2)->pmu->name, "cpu_core");
	finish(f);
}
END_TEST

START_TEST(capabilities_of_the_only_pmu_are_read)
{
	struct pd_file *f;

	start(_i);
	pd_bytes_u32(&b, &o, 1);
	pmu(4, "cpu");
	feature(16);
	caps("32");
	feature(28);
	f = read_all();
	ck_assert_str_eq(pd_features(f)->pmus[0].caps, "branches=32 max_precise=3");
	finish(f);
}
END_TEST

START_TEST(groups_have_leaders)
{
	struct pd_file *f;

	start(_i);
	for (uint64_t e = 0; e < 4; e++)
		add_event(e + 1);
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_string(&b, &o, "{anon_group}");
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_u32(&b, &o, 2);
	feature(17);
	f = read_all();
	for (uint32_t e = 0; e < 4; e++)
		ck_assert_uint_eq(pd_evsel_at(f, e)->leader, e == 2 ? 1 : e);
	finish(f);
}
END_TEST

static void memory(uint64_t node, uint64_t bits, uint64_t low, uint64_t high)
{
	pd_bytes_u64(&b, &o, node);
	pd_bytes_u64(&b, &o, bits);
	pd_bytes_u64(&b, &o, bits);
	pd_bytes_u64(&b, &o, low);
	if (bits > 64)
		pd_bytes_u64(&b, &o, high);
}

START_TEST(memory_has_nodes)
{
	const uint64_t block = 128 << 20, stretches[3][2] = { { 4, 8 }, { 64, 65 }, { 69, 70 } };
	uint64_t at = 0, from, to;
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	pd_bytes_u64(&b, &o, 1);
	pd_bytes_u64(&b, &o, block);
	pd_bytes_u64(&b, &o, 2);
	memory(0, 64, 0x0f, 0);
	memory(3, 70, 0xf0, 0x21);
	feature(22);
	f = read_all();
	t = pd_features(f);
	ck_assert_str_eq(pd_losses(f)->what, "");
	ck_assert_uint_eq(t->nmemories, 2);
	ck_assert_uint_eq(pd_memory_bytes(f, &t->memories[0]), 4 * block);
	ck_assert_uint_eq(pd_memory_bytes(f, &t->memories[1]), 6 * block);
	ck_assert(pd_memory_next(f, &t->memories[0], &at, &from, &to));
	ck_assert_uint_eq(from, 0);
	ck_assert_uint_eq(to, 4 * block);
	ck_assert(!pd_memory_next(f, &t->memories[0], &at, &from, &to));
	at = 0;
	for (int i = 0; i < 3; i++) {
		ck_assert(pd_memory_next(f, &t->memories[1], &at, &from, &to));
		ck_assert_uint_eq(from, stretches[i][0] * block);
		ck_assert_uint_eq(to, stretches[i][1] * block);
	}
	ck_assert(!pd_memory_next(f, &t->memories[1], &at, &from, &to));
	finish(f);
}
END_TEST

START_TEST(unknown_features_are_counted)
{
	struct pd_file *f;

	start(_i);
	string_feature(63, "?");
	string_feature(34, "known, and of no use");
	f = read_all();
	ck_assert_uint_eq(pd_losses(f)->unknown_features, 1);
	ck_assert_str_eq(pd_losses(f)->what, "");
	finish(f);
}
END_TEST

START_TEST(an_event_update_names_an_event)
{
	struct pd_file *f;

	start(_i);
	add_event(1);
	add_event(2);
	pd_build_begin(&b, 78, 0);
	pd_build_u64(&b, 2);
	pd_build_u64(&b, 2);
	pd_build_string(&b, "cpu_core/cycles/");
	pd_build_end(&b);
	f = read_all();
	ck_assert_str_eq(pd_evsel_at(f, 0)->name, "cpu-clock");
	ck_assert_str_eq(pd_evsel_at(f, 1)->name, "cpu_core/cycles/");
	finish(f);
}
END_TEST

/* What perf 6.1 prints for an event that the file does not name. */
START_TEST(names_are_made_from_type_and_config)
{
	static const struct {
		struct perf_event_attr attr;
		const char *name;
	} want[] = {
		{ { .type = 1, .config = 0, .exclude_guest = 1 }, "cpu-clock" },
		{ { .type = 1, .config = 2 }, "page-faults:HG" },
		{ { .type = 1, .config = 99 }, "unknown-software:HG" },
		{ { .type = 0, .config = 1, .exclude_kernel = 1, .exclude_hv = 1, .precise_ip = 2 },
		  "instructions:upp" },
		{ { .type = 0, .config = 0x400000000, .precise_ip = 1, .exclude_guest = 1 },
		  "cycles:pH" },
		{ { .type = 0, .config = 77 }, "unknown-hardware:HG" },
		{ { .type = 3, .config = 0x10000 }, "L1-dcache-load-misses:HG" },
		{ { .type = 3, .config = 0x102 }, "LLC-stores:HG" },
		{ { .type = 3, .config = 0x101 }, "invalid-cache:HG" },
		{ { .type = 3, .config = 0x7 }, "unknown-ext-hardware-cache-type:HG" },
		{ { .type = 4, .config = 0x1cd }, "raw 0x1cd:HG" },
		{ { .type = 2, .config = 5 }, "unknown tracepoint" },
		{ { .type = 5, .bp_type = 3, .bp_addr = 0x10 }, "mem:0x10:rw:HG" },
		{ { .type = 8 }, "unknown attr type: 8" },
	};
	struct pd_file *f;

	start(_i);
	for (uint64_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		pd_build_event(&b, &want[i].attr, &i, 1);
	f = read_all();
	for (uint32_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		ck_assert_str_eq(pd_evsel_at(f, i)->name, want[i].name);
	finish(f);
}
END_TEST

static void build_id_entry(uint16_t misc, uint8_t size)
{
	pd_build_begin(&b, 67, misc);
	pd_build_u32(&b, 42);
	pd_build_bytes(&b, "abcdefghijklmnopqrst", 20);
	pd_build_u8(&b, size);
	pd_build_bytes(&b, "\0\0\0", 3);
	pd_build_string(&b, "/lib/a.so");
	pd_build_end(&b);
}

START_TEST(build_ids_are_read)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(_i);
	build_id_entry(2, 0);
	build_id_entry(1 << 15 | 2, 8);
	if (!(_i & PIPE)) { /* the same records are a section there */
		pd_build_feature(&b, 2, b.data.p, b.data.len);
		b.data.len = 0;
	}
	f = read_all();
	t = pd_features(f);
	ck_assert_uint_eq(t->nbuild_ids, 2);
	ck_assert_uint_eq(t->build_ids[0].size, 20);
	ck_assert_mem_eq(t->build_ids[0].id, "abcdefghijklmnopqrst", 20);
	ck_assert_str_eq(t->build_ids[0].path, "/lib/a.so");
	ck_assert_int_eq(t->build_ids[0].pid, 42);
	ck_assert_uint_eq(t->build_ids[0].misc, 2);
	ck_assert_uint_eq(t->build_ids[1].size, 8);
	ck_assert_str_eq(pd_losses(f)->what, "");
	finish(f);
}
END_TEST

/* Counts and lengths that the section cannot hold: nothing is read past it, nothing allocated. */
START_TEST(counts_beyond_the_section_are_damage)
{
	static const uint32_t numbers[] = { 4, 11, 14, 16, 17, 28, 30, 31 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct pd_file *f;

		start(_i);
		pd_bytes_u32(&b, &o, 0xfffffff0);
		pd_bytes_u32(&b, &o, 0xfffffff0);
		feature(numbers[i]);
		f = read_all();
		ck_assert_ptr_nonnull(strstr(pd_losses(f)->what, "feature"));
		ck_assert_ptr_null(pd_features(f)->osrelease);
		ck_assert_uint_eq(pd_features(f)->ncmdline, 0);
		ck_assert_uint_eq(pd_features(f)->nnodes, 0);
		finish(f);
	}
}
END_TEST

/* The tracing data of two tracepoints, behind a header page of 3 bytes and one event of ftrace. */
static void tracing_data(void)
{
	static const char *const text[] = { "name: sched_switch\nID: 316\nformat:\n",
					    "name: x\nID: none\n",
					    "name: sched_wakeup\nID: 317\nformat:\n" };

	pd_bytes_add(&o, "\27\10\104tracing0.6", sizeof("\27\10\104tracing0.6"));
	pd_bytes_add(&o, b.swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) ? "\1" : "\0", 1);
	pd_bytes_add(&o, "\10", 1);
	pd_bytes_u32(&b, &o, 4096);
	pd_bytes_add(&o, "header_page", sizeof("header_page"));
	pd_bytes_u64(&b, &o, 3);
	pd_bytes_add(&o, "abc", 3);
	pd_bytes_add(&o, "header_event", sizeof("header_event"));
	pd_bytes_u64(&b, &o, 0);
	pd_bytes_u32(&b, &o, 1);
	pd_bytes_u64(&b, &o, 2);
	pd_bytes_add(&o, "ft", 2);
	pd_bytes_u32(&b, &o, 2);
	pd_bytes_add(&o, "empty", sizeof("empty"));
	pd_bytes_u32(&b, &o, 0);
	pd_bytes_add(&o, "sched", sizeof("sched"));
	pd_bytes_u32(&b, &o, 3);
	for (int i = 0; i < 3; i++) {
		pd_bytes_u64(&b, &o, strlen(text[i]));
		pd_bytes_add(&o, text[i], strlen(text[i]));
	}
	while (o.len % 8)
		pd_bytes_add(&o, "", 1);
	if (!b.pipe) {
		feature(1);
		return;
	}
	pd_build_begin(&b, 66, 0);
	pd_build_u32(&b, (uint32_t)o.len);
	pd_build_u32(&b, 0);
	pd_build_end(&b);
	pd_build_bytes(&b, o.p, o.len);
	o.len = 0;
}

START_TEST(tracepoints_are_named_by_their_formats)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };
	struct pd_formats it;
	struct pd_format format;
	struct pd_file *f;

	start(_i);
	for (uint64_t id = 315; id < 318; id++) {
		attr.config = id;
		pd_build_event(&b, &attr, &id, 1);
	}
	tracing_data();
	f = read_all();
	ck_assert_str_eq(pd_evsel_at(f, 0)->name, "unknown tracepoint");
	ck_assert_str_eq(pd_evsel_at(f, 1)->name, "sched:sched_switch");
	ck_assert_str_eq(pd_evsel_at(f, 2)->name, "sched:sched_wakeup");
	ck_assert(pd_formats_open(f, &it));
	ck_assert(pd_formats_next(&it, &format));
	ck_assert_uint_eq(format.id, 316);
	ck_assert_str_eq(format.system, "sched");
	ck_assert(pd_formats_next(&it, &format));
	ck_assert_uint_eq(format.id, 317);
	ck_assert(!memcmp(format.text, "name: sched_wakeup\n", 19));
	ck_assert(!pd_formats_next(&it, &format));
	finish(f);
}
END_TEST

/* 100,000 nodes that all claim 65,536 CPUs: the time is that of reading the lists. */
START_TEST(nodes_that_share_cpus_cost_no_time)
{
	struct pd_file *f;

	start(0);
	cpus_feature(UINT32_MAX, 1);
	pd_bytes_u32(&b, &o, 100000);
	for (uint32_t n = 0; n < 100000; n++) {
		pd_bytes_u32(&b, &o, n);
		pd_bytes_u64(&b, &o, 0);
		pd_bytes_u64(&b, &o, 0);
		pd_bytes_u32(&b, &o, 8);
		pd_bytes_add(&o, "0-99999", 8);
	}
	feature(14);
	f = read_all();
	ck_assert_uint_eq(pd_features(f)->ncpus, 65536);
	ck_assert_int_eq(pd_features(f)->cpus[65535].node, 0);
	finish(f);
}
END_TEST

START_TEST(sections_outside_the_file_are_damage)
{
	uint64_t outside = UINT64_MAX - 3;
	struct pd_file *f;
	size_t len;

	start(0);
	string_feature(3, "host");
	pd_build_begin(&b, 68, 0);
	pd_build_end(&b);
	image = pd_build_image(&b, &len);
	memcpy(image + 104 + 8, &outside, 8); /* the table stands behind the data */
	ck_assert_int_eq(pd_open_mem(image, len, &f, NULL), 0);
	ck_assert_ptr_null(pd_features(f)->hostname);
	ck_assert_str_ne(pd_losses(f)->what, "");
	finish(f);
	pd_build_release(&b);
	free(o.p);
	o = (struct pd_bytes){ 0 };
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perfdata_feature");
	TCase *t = tcase_create("feature");

	tcase_add_loop_test(t, strings_and_numbers_are_read, 0, KINDS);
	tcase_add_loop_test(t, command_line_and_pmus_are_read, 0, KINDS);
	tcase_add_loop_test(t, cpus_and_nodes_are_read, 0, KINDS);
	tcase_add_loop_test(t, nodes_without_topology_are_read, 0, KINDS);
	tcase_add_loop_test(t, the_clock_is_read, 0, KINDS);
	tcase_add_loop_test(t, events_have_the_names_of_the_file, 0, KINDS);
	tcase_add_loop_test(t, cores_of_a_hybrid_cpu_are_told_apart, 0, KINDS);
	tcase_add_loop_test(t, capabilities_of_the_only_pmu_are_read, 0, KINDS);
	tcase_add_loop_test(t, groups_have_leaders, 0, KINDS);
	tcase_add_loop_test(t, memory_has_nodes, 0, KINDS);
	tcase_add_loop_test(t, unknown_features_are_counted, 0, KINDS);
	tcase_add_test(t, features_of_a_pipe_need_no_order);
	tcase_add_loop_test(t, an_event_update_names_an_event, 0, KINDS);
	tcase_add_loop_test(t, names_are_made_from_type_and_config, 0, KINDS);
	tcase_add_loop_test(t, build_ids_are_read, 0, KINDS);
	tcase_add_loop_test(t, counts_beyond_the_section_are_damage, 0, KINDS);
	tcase_add_loop_test(t, tracepoints_are_named_by_their_formats, 0, KINDS);
	tcase_add_test(t, nodes_that_share_cpus_cost_no_time);
	tcase_add_test(t, sections_outside_the_file_are_damage);
	suite_add_tcase(s, t);
	return run_suite(s);
}
