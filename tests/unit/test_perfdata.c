/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The container: headers, attributes, the walk, damage. */
#include <perf/event.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/internal.h"

#include "check_main.h"
#include "perfdata_build.h"
#include "perfdata_fill.h"

/* What the headers of this machine have and the reader does not know yet. */
_Static_assert((int)PERF_RECORD_MAX <= (int)PD_KERNEL_LAST + 1,
	       "a new PERF_RECORD_*: see whether side.c should read it");
_Static_assert((int)PERF_RECORD_HEADER_MAX <= (int)PD_USER_LAST + 1,
	       "a new PERF_RECORD_* of perf itself: see whether scan.c should read it");

enum { PIPE = 1, SWAP = 2, KINDS = 4 }; /* the loop tests go through all four kinds */

static const uint64_t id7 = 7;

static struct perf_event_attr simple(void)
{
	return fill_attr(PERF_SAMPLE_IP | PERF_SAMPLE_TIME);
}

/* One event and n samples with ip 0, 1, 2 … */
static void build_samples(struct pd_build *b, int kind, unsigned n)
{
	struct perf_event_attr attr = simple();

	pd_build_init(b, kind & PIPE, kind & SWAP);
	pd_build_event(b, &attr, &id7, 1);
	for (unsigned i = 0; i < n; i++) {
		struct pd_sample s = { .ip = i, .time = 1000 + i };

		pd_build_sample(b, &attr, &s);
	}
}

static struct pd_file *open_image(const uint8_t *image, size_t len)
{
	struct md_err err = { 0 };
	struct pd_file *f;

	ck_assert_msg(!pd_open_mem(image, len, &f, &err), "%s", err.msg);
	return f;
}

static struct pd_file *open_built(struct pd_build *b, uint8_t **image)
{
	size_t len;

	*image = pd_build_image(b, &len);
	pd_build_release(b);
	return open_image(*image, len);
}

/* The samples of one pass, whose ips must count from 0. */
static unsigned count_samples(struct pd_file *f)
{
	struct pd_sample s;
	struct pd_raw rec;
	unsigned n = 0;
	int ret;

	while ((ret = pd_next(f, &rec, NULL)) > 0) {
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_int_eq(pd_sample(f, &rec, &s), 0);
		ck_assert_uint_eq(s.ip, n++);
	}
	ck_assert_int_eq(ret, 0);
	return n;
}

START_TEST(each_kind_of_file_is_walked_twice)
{
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;

	build_samples(&b, _i, 3);
	f = open_built(&b, &image);
	ck_assert(pd_is_pipe(f) == !!(_i & PIPE));
	ck_assert(pd_swapped(f) == !!(_i & SWAP));
	ck_assert_uint_eq(count_samples(f), 3);
	ck_assert_uint_eq(pd_position(f), pd_data_size(f));
	pd_rewind(f);
	ck_assert_uint_eq(pd_position(f), 0);
	ck_assert_uint_eq(count_samples(f), 3);
	ck_assert_uint_eq(pd_evsel_count(f), 1);
	ck_assert_str_eq(pd_losses(f)->what, "");
	pd_close(f);
	free(image);
}
END_TEST

/* Every prefix opens with what it holds, or is refused with a sentence; none is read past. */
START_TEST(every_truncation_reads_what_is_there)
{
	struct pd_build b;
	uint8_t *image;
	size_t len;

	build_samples(&b, _i, 3);
	image = pd_build_image(&b, &len);
	for (size_t n = 0; n < len; n++) {
		uint8_t *img = copy_exact(image, n);
		struct md_err err = { 0 };
		struct pd_file *f;
		int ret = pd_open_mem(img, n, &f, &err);

		if (ret) {
			ck_assert_int_eq(ret, MD_EFORMAT);
			ck_assert_ptr_null(f);
			ck_assert_str_ne(err.msg, "");
		} else {
			ck_assert_uint_lt(count_samples(f), 3);
			/* a pipe cut between records cannot be distinguished from a shorter one */
			ck_assert_msg(_i & PIPE || *pd_losses(f)->what, "length %zu", n);
			pd_close(f);
		}
		free(img);
	}
	free(image);
	pd_build_release(&b);
}
END_TEST

START_TEST(a_file_without_data_size_is_read_to_its_end)
{
	static const uint8_t zero[8];
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;
	size_t len;

	build_samples(&b, _i & SWAP, 4);
	image = pd_build_image(&b, &len);
	memcpy(image + 48, zero, 8);
	f = open_image(image, len);
	ck_assert_uint_eq(count_samples(f), 4);
	ck_assert_ptr_nonnull(strstr(pd_losses(f)->what, "not finished"));
	ck_assert_uint_eq(pd_losses(f)->unread_bytes, 0);
	pd_close(f);
	free(image);
	pd_build_release(&b);
}
END_TEST

/* A size below 8, and one beyond the end: what stands before is read, the rest is counted once. */
START_TEST(a_record_of_a_bad_size_ends_the_walk)
{
	static const uint16_t sizes[] = { 0, 7, 1000 };

	for (int i = 0; i < 3; i++) {
		struct pd_build b;
		struct pd_file *f;
		uint8_t *image;
		uint16_t size = _i & SWAP ? __builtin_bswap16(sizes[i]) : sizes[i];
		size_t bad;

		build_samples(&b, _i, 2);
		bad = b.data.len;
		pd_build_begin(&b, PERF_RECORD_SAMPLE, 0);
		pd_build_u64(&b, 9);
		memcpy(b.data.p + bad + 6, &size, 2);
		f = open_built(&b, &image);
		ck_assert_uint_eq(count_samples(f), 2);
		pd_rewind(f);
		ck_assert_uint_eq(count_samples(f), 2);
		ck_assert_uint_eq(pd_losses(f)->unread_bytes, 16);
		ck_assert_str_ne(pd_losses(f)->what, "");
		pd_close(f);
		free(image);
	}
}
END_TEST

START_TEST(a_trailing_byte_is_counted)
{
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;

	build_samples(&b, _i, 2);
	pd_build_u8(&b, 1);
	f = open_built(&b, &image);
	ck_assert_uint_eq(count_samples(f), 2);
	ck_assert_uint_eq(pd_losses(f)->unread_bytes, 1);
	pd_close(f);
	free(image);
}
END_TEST

START_TEST(losses_and_unknown_records_are_counted_once)
{
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;
	struct perf_event_attr attr = simple();
	struct pd_sample s = { .ip = 0 };

	pd_build_init(&b, _i & PIPE, _i & SWAP);
	pd_build_event(&b, &attr, &id7, 1);
	pd_build_begin(&b, PERF_RECORD_LOST, 0);
	pd_build_u64(&b, 7);
	pd_build_u64(&b, 40);
	pd_build_end(&b);
	pd_build_begin(&b, PERF_RECORD_LOST_SAMPLES, 0);
	pd_build_u64(&b, 5);
	pd_build_end(&b);
	pd_build_begin(&b, PERF_RECORD_THROTTLE, 0);
	pd_build_end(&b);
	for (uint64_t flags = 0; flags < 3; flags++) { /* 1: truncated, 2: overwritten on purpose */
		pd_build_begin(&b, PERF_RECORD_AUX, 0);
		pd_build_u64(&b, 0);
		pd_build_u64(&b, 4096);
		pd_build_u64(&b, flags);
		pd_build_end(&b);
	}
	pd_build_begin(&b, 50, 0);
	pd_build_end(&b);
	pd_build_begin(&b, 40000, 0);
	pd_build_end(&b);
	pd_build_sample(&b, &attr, &s);
	f = open_built(&b, &image);
	for (int pass = 0; pass < 2; pass++) {
		ck_assert_uint_eq(count_samples(f), 1);
		ck_assert_uint_eq(pd_losses(f)->lost_events, 40);
		ck_assert_uint_eq(pd_losses(f)->lost_samples, 5);
		ck_assert_uint_eq(pd_losses(f)->throttled, 1);
		ck_assert_uint_eq(pd_losses(f)->truncated_aux, 1);
		ck_assert_uint_eq(pd_losses(f)->unknown_records, 2);
		pd_rewind(f);
	}
	pd_close(f);
	free(image);
}
END_TEST

START_TEST(attributes_of_any_size_are_read)
{
	static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 200 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct perf_event_attr attr = simple();
		const struct pd_evsel *e;
		struct pd_build b;
		struct pd_file *f;
		uint8_t *image;

		attr.precise_ip = 2;
		attr.use_clockid = 1;
		attr.clockid = 1;
		attr.branch_sample_type = 8;
		pd_build_init(&b, _i & PIPE, _i & SWAP);
		b.attr_bytes = sizes[i];
		pd_build_event(&b, &attr, &id7, 1);
		f = open_built(&b, &image);
		count_samples(f);
		e = pd_evsel_at(f, 0);
		ck_assert_ptr_nonnull(e);
		ck_assert_uint_eq(e->attr.sample_type, attr.sample_type);
		ck_assert_uint_eq(e->attr.precise_ip, 2);
		ck_assert_uint_eq(e->attr.sample_id_all, 1);
		ck_assert_uint_eq(e->attr.use_clockid, 1);
		ck_assert_uint_eq(e->attr.exclude_user, 0);
		ck_assert_uint_eq(e->attr.sample_regs_user, sizes[i] >= 96 ? 0x1f : 0);
		ck_assert_uint_eq(e->attr.branch_sample_type, sizes[i] >= 80 ? 8 : 0);
		ck_assert_int_eq(e->attr.clockid, sizes[i] >= 96 ? 1 : 0);
		ck_assert_uint_eq(e->nids, 1);
		ck_assert_uint_eq(e->ids[0], 7);
		ck_assert(pd_features(f)->has_clockid);
		pd_close(f);
		free(image);
	}
}
END_TEST

START_TEST(attributes_outside_the_file_are_refused)
{
	static const struct {
		size_t at;
		uint64_t value;
	} bad[] = {
		{ 16, 0 }, { 16, 79 }, { 24, 1 << 20 }, { 24, UINT64_MAX }, { 32, UINT64_MAX }
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct md_err err = { 0 };
		struct pd_build b;
		struct pd_file *f;
		uint8_t *image;
		size_t len;

		build_samples(&b, 0, 1);
		image = pd_build_image(&b, &len);
		memcpy(image + bad[i].at, &bad[i].value, 8);
		ck_assert_int_eq(pd_open_mem(image, len, &f, &err), MD_EFORMAT);
		ck_assert_ptr_null(f);
		ck_assert_str_ne(err.msg, "");
		free(image);
		pd_build_release(&b);
	}
}
END_TEST

/* Many attributes that all claim the whole file as their ids must not multiply its size. */
START_TEST(overlapping_ids_are_refused)
{
	struct perf_event_attr attr = simple();
	uint64_t ids[64] = { 0 };
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;
	size_t len;

	pd_build_init(&b, false, false);
	for (int i = 0; i < 64; i++)
		pd_build_event(&b, &attr, ids, i ? 0 : 64);
	for (int i = 0; i < 64; i++) {
		uint64_t whole[2] = { 0, 4096 };

		memcpy(b.attrs.p + (size_t)i * (b.attr_bytes + 16) + b.attr_bytes, whole, 16);
	}
	image = pd_build_image(&b, &len);
	ck_assert_uint_gt(len, 4096);
	ck_assert_int_eq(pd_open_mem(image, len, &f, NULL), MD_EFORMAT);
	free(image);
	pd_build_release(&b);
}
END_TEST

START_TEST(what_is_no_perf_data_is_refused)
{
	static const char *const bad[] = { "", "P", "PERFILE2", "PERFILE3aaaaaaaaaaaaaaaa",
					   "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0" };

	for (size_t i = 0; i < 5; i++) {
		uint8_t *img = copy_exact(bad[i], strlen(bad[i]));
		struct md_err err = { 0 };
		struct pd_file *f;

		ck_assert_int_eq(pd_open_mem(img, strlen(bad[i]), &f, &err), MD_EFORMAT);
		ck_assert_str_ne(err.msg, "");
		free(img);
	}
}
END_TEST

START_TEST(the_first_version_is_read)
{
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;
	size_t len;

	build_samples(&b, _i & SWAP, 3);
	image = pd_build_image(&b, &len);
	memcpy(image, "PERFFILE", 8); /* in either byte order */
	f = open_image(image, len);
	ck_assert_uint_eq(count_samples(f), 3);
	pd_close(f);
	free(image);
	pd_build_release(&b);
}
END_TEST

/* The trace after AUXTRACE and HEADER_TRACING_DATA is not a record. */
START_TEST(payloads_behind_records_are_passed)
{
	struct perf_event_attr attr = simple();
	struct pd_sample s[2] = { { .ip = 0 }, { .ip = 1 } };
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;

	pd_build_init(&b, _i & PIPE, _i & SWAP);
	pd_build_event(&b, &attr, &id7, 1);
	pd_build_begin(&b, 71, 0);
	pd_build_u64(&b, 16);
	for (int i = 0; i < 5; i++)
		pd_build_u64(&b, 0);
	pd_build_end(&b);
	pd_build_bytes(&b, "0123456789abcdef", 16);
	if (_i & PIPE) /* where looking does not end at a sample */
		pd_build_sample(&b, &attr, &s[0]);
	pd_build_begin(&b, 66, 0);
	pd_build_u32(&b, 8);
	pd_build_u32(&b, 0);
	pd_build_end(&b);
	pd_build_bytes(&b, "tracings", 8);
	pd_build_sample(&b, &attr, &s[_i & PIPE ? 1 : 0]);
	f = open_built(&b, &image);
	ck_assert_uint_eq(count_samples(f), _i & PIPE ? 2 : 1);
	if (_i & PIPE) { /* a file has it in its header */
		ck_assert_uint_eq(pd_features(f)->tracing_data_size, 8);
		ck_assert_mem_eq(pd_features(f)->tracing_data, "tracings", 8);
	}
	ck_assert_str_eq(pd_losses(f)->what, "");
	pd_close(f);
	free(image);
}
END_TEST

static void simpleperf_begin(struct pd_build *b, uint32_t type, uint32_t size)
{
	pd_build_u32(b, type);
	pd_build_u16(b, (uint16_t)(size >> 16));
	pd_build_u16(b, (uint16_t)size);
}

/* Records of simpleperf: longer than 64 KiB, or in parts. */
START_TEST(long_records_of_simpleperf_are_passed_or_read)
{
	struct perf_event_attr attr = simple();
	struct pd_sample s = { .ip = 0 };
	static uint8_t zeros[70000];
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;

	pd_build_init(&b, false, _i & SWAP);
	pd_build_event(&b, &attr, &id7, 1);
	simpleperf_begin(&b, 32769, 8 + sizeof(zeros));
	pd_build_bytes(&b, zeros, sizeof(zeros));
	for (int part = 0; part < 2; part++) {
		simpleperf_begin(&b, 32772, 8 + (part ? 8 : 12));
		if (!part) {
			simpleperf_begin(&b, 32777, 20);
			pd_build_u32(&b, 8);
		}
		pd_build_bytes(&b, part ? "formats!" : "", part ? 8 : 0);
	}
	simpleperf_begin(&b, 32773, 8);
	pd_build_sample(&b, &attr, &s);
	f = open_built(&b, &image);
	ck_assert_uint_eq(count_samples(f), 1);
	ck_assert_str_eq(pd_losses(f)->what, "");
	ck_assert_uint_eq(pd_losses(f)->unknown_records, 0);
	ck_assert_uint_eq(pd_features(f)->tracing_data_size, 8);
	ck_assert_mem_eq(pd_features(f)->tracing_data, "formats!", 8);
	pd_close(f);
	free(image);
}
END_TEST

/* simpleperf names the ids of its events in records. */
START_TEST(ids_of_simpleperf_name_events)
{
	struct perf_event_attr attr = simple();
	struct pd_sample s = { .id = 1234 }, got;
	struct pd_build b;
	struct pd_file *f;
	struct pd_raw rec;
	uint8_t *image;

	attr.sample_type |= PERF_SAMPLE_ID;
	pd_build_init(&b, false, _i & SWAP);
	pd_build_event(&b, &attr, &id7, 1);
	pd_build_event(&b, &attr, NULL, 0);
	pd_build_begin(&b, 32774, 0);
	pd_build_u64(&b, 2);
	pd_build_u64(&b, 1);
	pd_build_u64(&b, 1234);
	pd_build_u64(&b, 2); /* there is no such event */
	pd_build_u64(&b, 1235);
	pd_build_end(&b);
	pd_build_sample(&b, &attr, &s);
	f = open_built(&b, &image);
	while (pd_next(f, &rec, NULL) > 0 && rec.type != PERF_RECORD_SAMPLE) {
	}
	ck_assert_int_eq(pd_sample(f, &rec, &got), 0);
	ck_assert_ptr_nonnull(got.evsel);
	ck_assert_uint_eq(got.evsel->index, 1);
	pd_close(f);
	free(image);
}
END_TEST

/* In front of the samples, in either kind of file. */
START_TEST(clock_and_kind_of_trace_are_read)
{
	struct perf_event_attr attr = simple();
	const struct pd_features *t;
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;

	pd_build_init(&b, _i & PIPE, _i & SWAP);
	pd_build_event(&b, &attr, &id7, 1);
	pd_build_begin(&b, 79, 0);
	pd_build_u64(&b, 10);
	pd_build_u64(&b, 400);
	pd_build_u64(&b, 5000);
	pd_build_end(&b);
	pd_build_begin(&b, 70, 0);
	pd_build_u32(&b, 4);
	pd_build_u32(&b, 0);
	pd_build_end(&b);
	f = open_built(&b, &image);
	t = pd_features(f);
	ck_assert(t->has_time_conv);
	ck_assert_uint_eq(t->time_conv.shift, 10);
	ck_assert_uint_eq(t->time_conv.mult, 400);
	ck_assert_uint_eq(t->time_conv.zero, 5000);
	ck_assert_uint_eq(t->auxtrace, 4);
	pd_close(f);
	free(image);
}
END_TEST

START_TEST(a_payload_beyond_the_end_ends_the_walk)
{
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;

	build_samples(&b, 0, 1);
	pd_build_begin(&b, 71, 0);
	pd_build_u64(&b, UINT64_MAX);
	pd_build_end(&b);
	f = open_built(&b, &image);
	ck_assert_uint_eq(count_samples(f), 1);
	ck_assert_str_ne(pd_losses(f)->what, "");
	pd_close(f);
	free(image);
}
END_TEST

static void write_file(const char *path, const uint8_t *p, size_t n)
{
	FILE *out = fopen(path, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(p, 1, n, out), n);
	ck_assert_int_eq(fclose(out), 0);
}

START_TEST(a_path_is_mapped_or_spooled)
{
	char dir[] = "/tmp/test_perfdata.XXXXXX", path[64];
	struct md_err err = { 0 };
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;
	size_t len;
	int fd[2];

	ck_assert_ptr_nonnull(mkdtemp(dir));
	build_samples(&b, PIPE, 5);
	image = pd_build_image(&b, &len);
	snprintf(path, sizeof(path), "%s/p", dir);
	write_file(path, image, len);
	ck_assert_msg(!pd_open_path(path, NULL, &f, &err), "%s", err.msg);
	ck_assert_uint_eq(count_samples(f), 5);
	pd_close(f);
	ck_assert_int_eq(pipe(fd), 0);
	ck_assert_int_eq(write(fd[1], image, len), (ssize_t)len); /* less than a pipe holds */
	close(fd[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[0]);
	ck_assert_msg(!pd_open_path(path, NULL, &f, &err), "%s", err.msg);
	ck_assert_uint_eq(count_samples(f), 5);
	pd_rewind(f);
	ck_assert_uint_eq(count_samples(f), 5);
	pd_close(f);
	close(fd[0]);
	snprintf(path, sizeof(path), "%s/p", dir);
	unlink(path);
	rmdir(dir);
	free(image);
	pd_build_release(&b);
}
END_TEST

/* Also where the signal has come before the first wait, and where data never ends. */
START_TEST(a_pipe_is_read_until_it_is_to_stop)
{
	volatile int stop = SIGTERM;
	struct md_err err = { 0 };
	struct pd_file *f;
	char path[64];
	int fd[2];

	ck_assert_int_eq(pipe(fd), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[0]);
	ck_assert_int_eq(pd_open_path(path, &stop, &f, &err), MD_EINTR); /* nothing ever comes */
	ck_assert_ptr_null(f);
	ck_assert_str_eq(err.msg, "interrupted");
	close(fd[0]);
	close(fd[1]);
	ck_assert_int_eq(pd_open_path("/dev/zero", &stop, &f, &err), MD_EINTR);
}
END_TEST

/* n samples of the event of build_samples(), whose ips count on from `first`, and a damaged end. */
static void write_data_file(const char *path, unsigned first, unsigned n, bool damaged)
{
	struct perf_event_attr attr = simple();
	struct pd_build b;

	pd_build_init(&b, false, false);
	for (unsigned i = 0; i < n; i++) {
		struct pd_sample s = { .ip = first + i, .time = 2000 - first - i };

		pd_build_sample(&b, &attr, &s);
	}
	if (damaged)
		pd_build_u32(&b, 9);
	write_file(path, b.data.p, b.data.len);
	pd_build_release(&b);
}

/* The records of all its files, twice and by time; damage ends only the file that has it. */
START_TEST(a_directory_is_read_as_one_file)
{
	static const char *const names[] = { "data", "data.0", "data.1", "data.2" };
	char dir[] = "/tmp/test_perfdata.XXXXXX", path[4][64];
	struct md_err err = { 0 };
	struct pd_order *o;
	struct pd_build b;
	struct pd_file *f;
	struct pd_raw rec;
	uint8_t *image;
	uint64_t time, last = 0;
	size_t len;
	unsigned n = 0;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	for (int i = 0; i < 4; i++)
		snprintf(path[i], sizeof(path[i]), "%s/%s", dir, names[i]);
	build_samples(&b, 0, 3);
	image = pd_build_image(&b, &len);
	write_file(path[0], image, len);
	write_file(path[1], image, 0);
	write_data_file(path[2], 3, 10, true);
	write_data_file(path[3], 13, 5, false);
	ck_assert_msg(!pd_open_path(dir, NULL, &f, &err), "%s", err.msg);
	for (int pass = 0; pass < 2; pass++) {
		ck_assert_uint_eq(count_samples(f), 18);
		ck_assert_uint_eq(pd_position(f), pd_data_size(f));
		ck_assert_uint_eq(pd_losses(f)->unread_bytes, 4);
		pd_rewind(f);
	}
	ck_assert_int_eq(pd_order_open(f, &o, NULL), 0);
	for (; pd_order_next(o, &rec, &time, NULL) > 0; n++) {
		ck_assert_uint_le(last, time);
		last = time;
	}
	ck_assert_uint_eq(n, 18);
	pd_order_close(o);
	pd_close(f);
	for (int i = 0; i < 4; i++)
		unlink(path[i]);
	rmdir(dir);
	free(image);
	pd_build_release(&b);
}
END_TEST

START_TEST(paths_that_cannot_be_read_say_why)
{
	char dir[] = "/tmp/test_perfdata.XXXXXX", path[64];
	struct md_err err = { 0 };
	struct pd_file *f;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(pd_open_path(dir, NULL, &f, &err), MD_EIO); /* no `data` in it */
	ck_assert_ptr_nonnull(strstr(err.msg, dir));
	snprintf(path, sizeof(path), "%s/none", dir);
	ck_assert_int_eq(pd_open_path(path, NULL, &f, &err), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, path));
	write_file(path, (const uint8_t *)"", 0);
	ck_assert_int_eq(pd_open_path(path, NULL, &f, &err), MD_EFORMAT);
	ck_assert_ptr_nonnull(strstr(err.msg, path));
	unlink(path);
	rmdir(dir);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perfdata");
	TCase *t = tcase_create("container");

	tcase_add_loop_test(t, each_kind_of_file_is_walked_twice, 0, KINDS);
	tcase_add_loop_test(t, every_truncation_reads_what_is_there, 0, KINDS);
	tcase_add_loop_test(t, a_file_without_data_size_is_read_to_its_end, 0, KINDS);
	tcase_add_loop_test(t, a_record_of_a_bad_size_ends_the_walk, 0, KINDS);
	tcase_add_loop_test(t, a_trailing_byte_is_counted, 0, KINDS);
	tcase_add_loop_test(t, losses_and_unknown_records_are_counted_once, 0, KINDS);
	tcase_add_loop_test(t, attributes_of_any_size_are_read, 0, KINDS);
	tcase_add_test(t, attributes_outside_the_file_are_refused);
	tcase_add_test(t, overlapping_ids_are_refused);
	tcase_add_test(t, what_is_no_perf_data_is_refused);
	tcase_add_loop_test(t, the_first_version_is_read, 0, KINDS);
	tcase_add_loop_test(t, payloads_behind_records_are_passed, 0, KINDS);
	tcase_add_loop_test(t, long_records_of_simpleperf_are_passed_or_read, 0, KINDS);
	tcase_add_loop_test(t, ids_of_simpleperf_name_events, 0, KINDS);
	tcase_add_loop_test(t, clock_and_kind_of_trace_are_read, 0, KINDS);
	tcase_add_test(t, a_payload_beyond_the_end_ends_the_walk);
	tcase_add_test(t, a_path_is_mapped_or_spooled);
	tcase_add_test(t, a_pipe_is_read_until_it_is_to_stop);
	tcase_add_test(t, a_directory_is_read_as_one_file);
	tcase_add_test(t, paths_that_cannot_be_read_say_why);
	suite_add_tcase(s, t);
	return run_suite(s);
}
