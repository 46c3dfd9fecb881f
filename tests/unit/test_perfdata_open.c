/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests data that follows records, and the ways to open a recording. */
#include "perfdata_fixture.h"

#include <sys/socket.h>

/* AUXTRACE and HEADER_TRACING_DATA are followed by data that are not records. The reader skips
 * these data. */
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
	if (_i & PIPE) /* records may follow this data only in a pipe */
		pd_build_sample(&b, &attr, &s[0]);
	pd_build_begin(&b, 66, 0);
	pd_build_u32(&b, 8);
	pd_build_u32(&b, 0);
	pd_build_end(&b);
	pd_build_bytes(&b, "tracings", 8);
	pd_build_sample(&b, &attr, &s[_i & PIPE ? 1 : 0]);
	f = open_built(&b, &image);
	ck_assert_uint_eq(count_samples(f), _i & PIPE ? 2 : 1);
	if (_i & PIPE) { /* perf stores this header feature as a record only in a pipe */
		ck_assert_uint_eq(pd_features(f)->tracing_data_size, 8);
		ck_assert_mem_eq(pd_features(f)->tracing_data, "tracings", 8);
	}
	ck_assert_str_eq(pd_losses(f)->what, "");
	pd_close(f);
	free(image);
}
END_TEST

/* simpleperf writes records that are longer than 64 KiB or split into parts. */
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

/* simpleperf assigns ids to events in records, not in the header. */
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
	pd_build_u64(&b, 2); /* the recording has no event with index 2 */
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

/* The records that describe the clock and the type of the trace come before the samples, in
 * files and pipes. */
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
	/* the image fits into the pipe's buffer, so write() does not block */
	ck_assert_int_eq(write(fd[1], image, len), (ssize_t)len);
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

/* A socket cannot be opened by its name in /proc. */
START_TEST(standard_input_may_be_a_socket)
{
	struct md_err err = { 0 };
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;
	size_t len;
	int fd[2];

	build_samples(&b, PIPE, 5);
	image = pd_build_image(&b, &len);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	/* the image fits into the socket's buffer, so write() does not block */
	ck_assert_int_eq(write(fd[1], image, len), (ssize_t)len);
	close(fd[1]);
	ck_assert_int_eq(dup2(fd[0], STDIN_FILENO), STDIN_FILENO);
	close(fd[0]);
	ck_assert_msg(!pd_open_path("/dev/stdin", NULL, &f, &err), "%s", err.msg);
	ck_assert_uint_eq(count_samples(f), 5);
	pd_close(f);
	free(image);
	pd_build_release(&b);
}
END_TEST

/* A signal ends the reading of a pipe, even if it arrives before the first wait or if the data
 * never ends. */
START_TEST(a_pipe_is_read_until_it_is_to_stop)
{
	volatile int stop = SIGTERM;
	struct md_err err = { 0 };
	struct pd_file *f;
	char path[64];
	int fd[2];

	ck_assert_int_eq(pipe(fd), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[0]);
	/* the pipe stays empty, but the call returns */
	ck_assert_int_eq(pd_open_path(path, &stop, &f, &err), MD_EINTR);
	ck_assert_ptr_null(f);
	ck_assert_str_eq(err.msg, "interrupted");
	close(fd[0]);
	close(fd[1]);
	ck_assert_int_eq(pd_open_path("/dev/zero", &stop, &f, &err), MD_EINTR);
}
END_TEST

/* A directory of data files is read as one recording: two passes, each ordered by time. Damage
 * ends only the file that has it. */
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

/* The header contains the size of the complete data, so the missing bytes can be counted. */
START_TEST(what_a_cut_takes_is_counted)
{
	struct pd_build b;
	uint8_t *image;
	size_t len;

	build_samples(&b, 0, 3);
	image = pd_build_image(&b, &len);
	for (size_t cut = 0; cut <= b.data.len; cut++) {
		uint64_t read = 0;
		struct pd_file *f;
		struct pd_raw rec;

		ck_assert_int_eq(pd_open_mem(image, len - cut, &f, NULL), 0);
		while (pd_next(f, &rec, NULL) > 0)
			read += 8 + rec.size;
		ck_assert_uint_eq(read + pd_losses(f)->unread_bytes, b.data.len);
		ck_assert(!cut == !pd_losses(f)->what[0]);
		pd_close(f);
	}
	free(image);
	pd_build_release(&b);
}
END_TEST

/* A flipped bit can make the size of the data impossible. The records are read up to the end of the
 * file, and the number of missing bytes is not known. */
START_TEST(data_of_an_impossible_size_are_read)
{
	enum { AT_DATA_SIZE = 48 }; /* offset, in the file header, of the size of the data */
	struct pd_build b;
	struct pd_file *f;
	uint64_t size;
	uint8_t *image;
	size_t len;

	build_samples(&b, 0, 3);
	image = pd_build_image(&b, &len);
	memcpy(&size, image + AT_DATA_SIZE, sizeof(size));
	size |= 1ULL << 63;
	memcpy(image + AT_DATA_SIZE, &size, sizeof(size));
	ck_assert_int_eq(pd_open_mem(image, len, &f, NULL), 0);
	ck_assert_uint_eq(count_samples(f), 3);
	ck_assert_uint_eq(pd_losses(f)->unread_bytes, 0);
	ck_assert_ptr_nonnull(
		strstr(pd_losses(f)->what, "the header gives an impossible size of the data"));
	pd_close(f);
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
	/* the directory has no file named "data" */
	ck_assert_int_eq(pd_open_path(dir, NULL, &f, &err), MD_EIO);
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
	Suite *s = suite_create("perfdata_open");
	TCase *t = tcase_create("container");

	tcase_add_loop_test(t, payloads_behind_records_are_passed, 0, KINDS);
	tcase_add_loop_test(t, long_records_of_simpleperf_are_passed_or_read, 0, KINDS);
	tcase_add_loop_test(t, ids_of_simpleperf_name_events, 0, KINDS);
	tcase_add_loop_test(t, clock_and_kind_of_trace_are_read, 0, KINDS);
	tcase_add_test(t, a_payload_beyond_the_end_ends_the_walk);
	tcase_add_test(t, a_path_is_mapped_or_spooled);
	tcase_add_test(t, standard_input_may_be_a_socket);
	tcase_add_test(t, a_pipe_is_read_until_it_is_to_stop);
	tcase_add_test(t, a_directory_is_read_as_one_file);
	tcase_add_test(t, what_a_cut_takes_is_counted);
	tcase_add_test(t, data_of_an_impossible_size_are_read);
	tcase_add_test(t, paths_that_cannot_be_read_say_why);
	suite_add_tcase(s, t);
	return run_suite(s);
}
