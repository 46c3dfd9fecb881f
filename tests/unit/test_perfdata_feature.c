/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests header features that describe the recording and its events. */
#include "base/count.h"
#include "feature_build.h"

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
	pd_bytes_u32(&b, &o, 8); /* size of an attribute, which differs from the reader's own */
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

/* In a pipe, features may come in any order, even before the events that they describe. */
START_TEST(features_of_a_pipe_need_no_order)
{
	const struct pd_features *t;
	struct pd_file *f;

	start(PIPE);
	pd_bytes_u32(&b, &o, 1); /* NUMA_TOPOLOGY with one node, which has CPU 1 */
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

/* For an event that has no name in the file, the reader makes a name from type and config, the same
 * name as perf 6.1 makes. */
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
	for (uint64_t i = 0; i < COUNT_OF(want); i++)
		pd_build_event(&b, &want[i].attr, &i, 1);
	f = read_all();
	for (uint32_t i = 0; i < COUNT_OF(want); i++)
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
	if (!(_i & PIPE)) { /* a pipe has no sections: it contains these records like any other */
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

/* A count or length that exceeds its section is damage. The reader reads nothing after the
 * section and allocates no memory for it. */
START_TEST(counts_beyond_the_section_are_damage)
{
	static const uint32_t numbers[] = { 4, 11, 14, 16, 17, 28, 30, 31 };

	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
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

/* Writes tracing data: a header page of 3 bytes, one event of ftrace, and the formats of two
 * tracepoints. */
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
	/* sets the offset of the feature's section, which the table after the data contains */
	memcpy(image + 104 + 8, &outside, 8);
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
	tcase_add_loop_test(t, the_clock_is_read, 0, KINDS);
	tcase_add_loop_test(t, events_have_the_names_of_the_file, 0, KINDS);
	tcase_add_loop_test(t, groups_have_leaders, 0, KINDS);
	tcase_add_loop_test(t, unknown_features_are_counted, 0, KINDS);
	tcase_add_test(t, features_of_a_pipe_need_no_order);
	tcase_add_loop_test(t, an_event_update_names_an_event, 0, KINDS);
	tcase_add_loop_test(t, names_are_made_from_type_and_config, 0, KINDS);
	tcase_add_loop_test(t, build_ids_are_read, 0, KINDS);
	tcase_add_loop_test(t, counts_beyond_the_section_are_damage, 0, KINDS);
	tcase_add_loop_test(t, tracepoints_are_named_by_their_formats, 0, KINDS);
	tcase_add_test(t, sections_outside_the_file_are_damage);
	suite_add_tcase(s, t);
	return run_suite(s);
}
