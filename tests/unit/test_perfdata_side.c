/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests records that are not samples: mappings, names, forks, lost records and others. */
#include "perfdata/perfdata.h"

#include "check_main.h"
#include "perfdata_build.h"
#include "perfdata_fill.h"

enum {
	PIPE = 1,
	SWAP = 2,
	KINDS = 4,
	TYPE = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER,
};

static struct pd_build b;
static struct perf_event_attr attr;
static struct pd_file *f;
static uint8_t *image;
static const struct pd_sample_id id = { .pid = 11, .tid = 12, .time = 13, .cpu = 14, .id = 15 };

static void start(int kind)
{
	uint64_t event_id = 15;

	attr = fill_attr(TYPE);
	pd_build_init(&b, kind & PIPE, kind & SWAP);
	pd_build_event(&b, &attr, &event_id, 1);
}

static void record_end(void)
{
	pd_build_sample_id(&b, &attr, &id);
	pd_build_end(&b);
}

/* Decodes the first record of the recording that the kernel wrote, not perf, and returns it. */
static struct pd_side decode(void)
{
	struct md_err err = { 0 };
	struct pd_raw rec;
	struct pd_side s;
	size_t len;

	image = pd_build_image(&b, &len);
	ck_assert_msg(!pd_open_mem(image, len, &f, &err), "%s", err.msg);
	do
		ck_assert_int_eq(pd_next(f, &rec, NULL), 1);
	while (rec.type >= 64);
	ck_assert_int_eq(pd_side(f, &rec, &s), 1);
	ck_assert_uint_eq(s.kind, rec.type);
	ck_assert_uint_eq(s.id.has, TYPE);
	ck_assert_uint_eq(s.id.pid, 11);
	ck_assert_uint_eq(s.id.tid, 12);
	ck_assert_uint_eq(s.id.time, 13);
	ck_assert_uint_eq(s.id.cpu, 14);
	ck_assert_uint_eq(s.id.id, 15);
	return s;
}

static void finish(void)
{
	pd_close(f);
	free(image);
	pd_build_release(&b);
}

static void map_fields(uint32_t type, uint16_t misc)
{
	pd_build_begin(&b, type, misc);
	pd_build_u32(&b, 100);
	pd_build_u32(&b, 101);
	pd_build_u64(&b, 0x400000);
	pd_build_u64(&b, 0x1000);
	pd_build_u64(&b, 0x2000);
}

START_TEST(mmap_is_read)
{
	struct pd_side s;

	start(_i);
	map_fields(PERF_RECORD_MMAP, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_DATA);
	pd_build_string(&b, "/lib/a.so");
	record_end();
	s = decode();
	ck_assert_uint_eq(s.map.pid, 100);
	ck_assert_uint_eq(s.map.tid, 101);
	ck_assert_uint_eq(s.map.start, 0x400000);
	ck_assert_uint_eq(s.map.len, 0x1000);
	ck_assert_uint_eq(s.map.pgoff, 0x2000);
	ck_assert_str_eq(s.map.path, "/lib/a.so");
	ck_assert(s.map.is_data);
	ck_assert(!s.map.has_prot);
	ck_assert_uint_eq(s.map.build_id_size, 0);
	finish();
}
END_TEST

START_TEST(mmap2_with_inode_is_read)
{
	struct pd_side s;

	start(_i);
	map_fields(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	pd_build_u32(&b, 8);
	pd_build_u32(&b, 1);
	pd_build_u64(&b, 4444);
	pd_build_u64(&b, 5);
	pd_build_u32(&b, 7);
	pd_build_u32(&b, 2);
	pd_build_string(&b, "/bin/a");
	record_end();
	s = decode();
	ck_assert(!s.map.is_data);
	ck_assert(s.map.has_prot);
	ck_assert_uint_eq(s.map.maj, 8);
	ck_assert_uint_eq(s.map.min, 1);
	ck_assert_uint_eq(s.map.ino, 4444);
	ck_assert_uint_eq(s.map.ino_generation, 5);
	ck_assert_uint_eq(s.map.prot, 7);
	ck_assert_uint_eq(s.map.flags, 2);
	ck_assert_str_eq(s.map.path, "/bin/a");
	finish();
}
END_TEST

START_TEST(mmap2_with_build_id_is_read)
{
	static const uint8_t build_id[20] = { 1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
					      11, 12, 13, 14, 15, 16, 17, 18, 19, 20 };
	struct pd_side s;

	start(_i);
	map_fields(PERF_RECORD_MMAP2, 1 << 14 | PERF_RECORD_MISC_USER);
	pd_build_u8(&b, 20);
	pd_build_bytes(&b, "\0\0\0", 3);
	pd_build_bytes(&b, build_id, 20);
	pd_build_u32(&b, 5);
	pd_build_u32(&b, 2);
	pd_build_string(&b, "/bin/a");
	record_end();
	s = decode();
	ck_assert_uint_eq(s.map.build_id_size, 20);
	ck_assert_mem_eq(s.map.build_id, build_id, 20);
	ck_assert_uint_eq(s.map.ino, 0);
	ck_assert_uint_eq(s.map.prot, 5);
	ck_assert_str_eq(s.map.path, "/bin/a");
	finish();
}
END_TEST

START_TEST(comm_is_read)
{
	struct pd_side s;

	start(_i);
	pd_build_begin(&b, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	pd_build_u32(&b, 100);
	pd_build_u32(&b, 101);
	pd_build_string(&b, "worker");
	record_end();
	s = decode();
	ck_assert_uint_eq(s.comm.pid, 100);
	ck_assert_uint_eq(s.comm.tid, 101);
	ck_assert_str_eq(s.comm.comm, "worker");
	ck_assert(s.comm.exec);
	finish();
}
END_TEST

START_TEST(tasks_and_throttles_are_read)
{
	struct pd_side s;

	start(_i);
	pd_build_begin(&b, PERF_RECORD_FORK, 0);
	for (uint32_t i = 1; i <= 4; i++)
		pd_build_u32(&b, i);
	pd_build_u64(&b, 99);
	record_end();
	s = decode();
	ck_assert_uint_eq(s.task.pid, 1);
	ck_assert_uint_eq(s.task.ppid, 2);
	ck_assert_uint_eq(s.task.tid, 3);
	ck_assert_uint_eq(s.task.ptid, 4);
	ck_assert_uint_eq(s.task.time, 99);
	finish();
	start(_i);
	pd_build_begin(&b, PERF_RECORD_THROTTLE, 0);
	for (uint64_t i = 1; i <= 3; i++)
		pd_build_u64(&b, i);
	record_end();
	s = decode();
	ck_assert_uint_eq(s.throttle.time, 1);
	ck_assert_uint_eq(s.throttle.id, 2);
	ck_assert_uint_eq(s.throttle.stream_id, 3);
	finish();
}
END_TEST

START_TEST(losses_switches_and_namespaces_are_read)
{
	struct pd_side s;

	start(_i);
	pd_build_begin(&b, PERF_RECORD_LOST, 0);
	pd_build_u64(&b, 15);
	pd_build_u64(&b, 1000);
	record_end();
	s = decode();
	ck_assert_uint_eq(s.lost.id, 15);
	ck_assert_uint_eq(s.lost.lost, 1000);
	finish();
	start(_i);
	pd_build_begin(&b, PERF_RECORD_SWITCH_CPU_WIDE, 3 << 13);
	pd_build_u32(&b, 5);
	pd_build_u32(&b, 6);
	record_end();
	s = decode();
	ck_assert(s.context.out && s.context.preempt);
	ck_assert_uint_eq(s.context.next_prev_pid, 5);
	ck_assert_uint_eq(s.context.next_prev_tid, 6);
	finish();
	start(_i);
	pd_build_begin(&b, PERF_RECORD_NAMESPACES, 0);
	pd_build_u32(&b, 5);
	pd_build_u32(&b, 6);
	pd_build_u64(&b, 0);
	record_end();
	s = decode();
	ck_assert_uint_eq(s.namespaces.pid, 5);
	ck_assert_uint_eq(s.namespaces.tid, 6);
	finish();
}
END_TEST

START_TEST(symbols_cgroups_and_aux_are_read)
{
	struct pd_side s;

	start(_i);
	pd_build_begin(&b, PERF_RECORD_KSYMBOL, 0);
	pd_build_u64(&b, 0xffffffffc0000000);
	pd_build_u32(&b, 64);
	pd_build_u16(&b, 1);
	pd_build_u16(&b, 1);
	pd_build_string(&b, "bpf_prog");
	record_end();
	s = decode();
	ck_assert_uint_eq(s.ksymbol.addr, 0xffffffffc0000000);
	ck_assert_uint_eq(s.ksymbol.len, 64);
	ck_assert(s.ksymbol.unregister);
	ck_assert_str_eq(s.ksymbol.name, "bpf_prog");
	finish();
	start(_i);
	pd_build_begin(&b, PERF_RECORD_CGROUP, 0);
	pd_build_u64(&b, 77);
	pd_build_string(&b, "/user.slice");
	record_end();
	s = decode();
	ck_assert_uint_eq(s.cgroup.id, 77);
	ck_assert_str_eq(s.cgroup.path, "/user.slice");
	finish();
	start(_i);
	pd_build_begin(&b, PERF_RECORD_AUX, 0);
	for (uint64_t i = 1; i <= 3; i++)
		pd_build_u64(&b, i);
	record_end();
	s = decode();
	ck_assert_uint_eq(s.aux.offset, 1);
	ck_assert_uint_eq(s.aux.size, 2);
	ck_assert_uint_eq(s.aux.flags, 3);
	finish();
}
END_TEST

/* For records that memdb does not import, pd_side() decodes only the sample_id. */
START_TEST(other_records_give_their_sample_id)
{
	struct pd_raw rec;
	struct pd_side s;
	size_t len;

	start(_i);
	pd_build_begin(&b, PERF_RECORD_ITRACE_START, 0);
	pd_build_u64(&b, 1);
	record_end();
	image = pd_build_image(&b, &len);
	ck_assert_int_eq(pd_open_mem(image, len, &f, NULL), 0);
	do
		ck_assert_int_eq(pd_next(f, &rec, NULL), 1);
	while (rec.type >= 64);
	ck_assert_int_eq(pd_side(f, &rec, &s), 0);
	ck_assert_uint_eq(s.kind, PERF_RECORD_ITRACE_START);
	ck_assert_uint_eq(s.id.time, 13);
	finish();
}
END_TEST

/* Truncates mmap records. A record that lacks the end of its path, or some fields, counts as
 * damaged. */
START_TEST(short_records_are_damage)
{
	struct pd_raw rec, cut;
	struct pd_side s;
	size_t len, path = 32, n;

	start(_i);
	map_fields(PERF_RECORD_MMAP, 0);
	pd_build_bytes(&b, "/long/path/without/end..", 24);
	pd_build_end(&b);
	image = pd_build_image(&b, &len);
	ck_assert_int_eq(pd_open_mem(image, len, &f, NULL), 0);
	do
		ck_assert_int_eq(pd_next(f, &rec, NULL), 1);
	while (rec.type >= 64);
	for (n = 0; n <= rec.size; n++) {
		uint8_t *body = copy_exact(rec.body, n);

		cut = rec;
		cut.body = body;
		cut.size = n;
		ck_assert_msg(pd_side(f, &cut, &s) == MD_EFORMAT, "length %zu", n);
		free(body);
	}
	ck_assert_uint_gt(n, path);
	ck_assert_uint_eq(pd_losses(f)->damaged_records, n);
	ck_assert_str_ne(pd_losses(f)->what, "");
	finish();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perfdata_side");
	TCase *t = tcase_create("side");

	tcase_add_loop_test(t, mmap_is_read, 0, KINDS);
	tcase_add_loop_test(t, mmap2_with_inode_is_read, 0, KINDS);
	tcase_add_loop_test(t, mmap2_with_build_id_is_read, 0, KINDS);
	tcase_add_loop_test(t, comm_is_read, 0, KINDS);
	tcase_add_loop_test(t, tasks_and_throttles_are_read, 0, KINDS);
	tcase_add_loop_test(t, losses_switches_and_namespaces_are_read, 0, KINDS);
	tcase_add_loop_test(t, symbols_cgroups_and_aux_are_read, 0, KINDS);
	tcase_add_loop_test(t, other_records_give_their_sample_id, 0, KINDS);
	tcase_add_loop_test(t, short_records_are_damage, 0, KINDS);
	suite_add_tcase(s, t);
	return run_suite(s);
}
