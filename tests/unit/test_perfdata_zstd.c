/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests compressed recordings (perf record -z). */
#include <zstd.h>

#include "perfdata/perfdata.h"

#include "check_main.h"
#include "perfdata_build.h"
#include "perfdata_fill.h"

enum { PIPE = 1, SWAP = 2, TWO = 4, KINDS = 8, SAMPLES = 400, OFTEN = 2000 };

static const uint64_t event_id = 1;

static struct perf_event_attr start(struct pd_build *b, int kind)
{
	struct perf_event_attr attr = fill_attr(PERF_SAMPLE_IP | PERF_SAMPLE_TIME |
						PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_STACK_USER);

	pd_build_init(b, kind & PIPE, kind & SWAP);
	pd_build_event(b, &attr, &event_id, 1);
	return attr;
}

static void add_samples(struct pd_build *b, const struct perf_event_attr *attr, uint64_t n)
{
	uint64_t state = 6;

	for (uint64_t i = 0; i < n; i++) {
		struct pd_sample s;
		struct fill fill;

		fill_sample(&s, &fill, event_id, &state);
		s.ip = i;
		pd_build_sample(b, attr, &s);
	}
}

static struct pd_file *open_built(struct pd_build *b, uint8_t **image)
{
	struct md_err err = { 0 };
	struct pd_file *f;
	size_t len;

	*image = pd_build_image(b, &len);
	pd_build_release(b);
	ck_assert_msg(!pd_open_mem(*image, len, &f, &err), "%s", err.msg);
	return f;
}

/* Checks that the samples of one pass through the file have the values that the generator of random
 * numbers gave them. Returns their number. */
static uint64_t check_samples(struct pd_file *f)
{
	uint64_t state = 6, n = 0;
	struct pd_raw rec;

	while (pd_next(f, &rec, NULL) > 0) {
		struct pd_sample want, got;
		struct fill fill;

		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		fill_sample(&want, &fill, event_id, &state);
		ck_assert_int_eq(pd_sample(f, &rec, &got), 0);
		ck_assert_uint_eq(got.ip, n++);
		ck_assert_uint_eq(got.time, want.time);
		ck_assert_uint_eq(got.ncallchain, want.ncallchain);
		ck_assert_uint_eq(got.user_stack_size, want.user_stack_size);
		ck_assert_mem_eq(got.user_stack, want.user_stack, want.user_stack_size);
	}
	return n;
}

START_TEST(records_that_span_compressed_ones_are_read)
{
	static const size_t chunks[] = { 3, 100, 5000, 40000 };

	for (size_t i = 0; i < 4; i++) {
		struct pd_build b;
		struct perf_event_attr attr = start(&b, _i);
		size_t from = b.data.len;
		struct pd_file *f;
		uint8_t *image;

		add_samples(&b, &attr, SAMPLES);
		pd_build_compress(&b, from, chunks[i], _i & TWO ? 83 : 81);
		f = open_built(&b, &image);
		ck_assert_uint_eq(check_samples(f), SAMPLES);
		pd_rewind(f);
		ck_assert_uint_eq(check_samples(f), SAMPLES);
		ck_assert_str_eq(pd_losses(f)->what, "");
		ck_assert_uint_eq(pd_position(f), pd_data_size(f));
		pd_close(f);
		free(image);
	}
}
END_TEST

/* Uncompressed records may lie between compressed ones, even if a compressed record continues in
 * the next one. */
START_TEST(plain_records_between_are_read)
{
	struct pd_build b, plain;
	struct perf_event_attr attr = start(&b, _i & PIPE);
	size_t from = b.data.len, at;
	struct pd_raw rec;
	struct pd_file *f;
	uint8_t *image;
	unsigned rounds = 0, samples = 0;

	add_samples(&b, &attr, SAMPLES);
	pd_build_compress(&b, from, 1000, 81);
	plain = b;
	plain.data = (struct pd_bytes){ 0 };
	pd_bytes_add(&plain.data, b.data.p, from);
	for (at = from; at < b.data.len;) {
		uint16_t size;

		memcpy(&size, b.data.p + at + 6, 2);
		pd_bytes_add(&plain.data, b.data.p + at, size);
		at += size;
		pd_build_begin(&plain, 68, 0);
		pd_build_end(&plain);
	}
	free(b.data.p);
	f = open_built(&plain, &image);
	while (pd_next(f, &rec, NULL) > 0) {
		rounds += rec.type == 68;
		samples += rec.type == PERF_RECORD_SAMPLE;
	}
	ck_assert_uint_gt(rounds, 20);
	ck_assert_uint_eq(samples, SAMPLES);
	ck_assert_str_eq(pd_losses(f)->what, "");
	pd_close(f);
	free(image);
}
END_TEST

START_TEST(a_damaged_stream_ends_the_walk)
{
	struct pd_build b;
	struct perf_event_attr attr = start(&b, 0);
	size_t from = b.data.len, len;
	uint8_t *image;

	add_samples(&b, &attr, 50);
	pd_build_compress(&b, from, 1000, 81);
	image = pd_build_image(&b, &len);
	for (size_t at = len - b.data.len; at < len; at++) {
		uint8_t *img = copy_exact(image, len);
		struct pd_file *f;

		img[at] ^= 0xff;
		ck_assert_int_eq(pd_open_mem(img, len, &f, NULL), 0);
		for (struct pd_raw rec; pd_next(f, &rec, NULL) > 0;) {
		}
		pd_close(f);
		free(img);
	}
	memset(image + len - b.data.len + 8, 0xee, 100);
	{
		struct pd_file *f;

		ck_assert_int_eq(pd_open_mem(image, len, &f, NULL), 0);
		ck_assert_uint_eq(check_samples(f), 0);
		ck_assert_ptr_nonnull(strstr(pd_losses(f)->what, "compressed"));
		ck_assert_uint_eq(pd_losses(f)->unread_bytes, b.data.len);
		pd_close(f);
	}
	free(image);
	pd_build_release(&b);
}
END_TEST

START_TEST(an_unfinished_last_record_is_told)
{
	struct pd_build b;
	struct perf_event_attr attr = start(&b, 0);
	size_t from = b.data.len;
	struct pd_file *f;
	uint8_t *image;

	add_samples(&b, &attr, 10);
	b.data.len -= 5;
	pd_build_compress(&b, from, 5000, 81);
	f = open_built(&b, &image);
	ck_assert_uint_eq(check_samples(f), 9);
	ck_assert_ptr_nonnull(strstr(pd_losses(f)->what, "end inside a record"));
	pd_close(f);
	free(image);
}
END_TEST

/* zstd returns no data of an incomplete block. This stream has one block, so it ends inside a
 * block wherever it is cut. */
START_TEST(a_stream_that_ends_inside_a_block_is_told)
{
	for (uint16_t cut = 1, size = UINT16_MAX; cut + 9 <= size; cut++) {
		struct pd_build b;
		struct perf_event_attr attr = start(&b, 0);
		size_t from = b.data.len;
		struct pd_file *f;
		uint8_t *image;

		add_samples(&b, &attr, 5);
		pd_build_compress(&b, from, 20000, 81);
		memcpy(&size, b.data.p + from + 6, 2);
		/* all data is in one compressed record */
		ck_assert_uint_eq(from + size, b.data.len);
		b.data.len -= cut;
		memcpy(b.data.p + from + 6, &(uint16_t){ size - cut }, 2);
		f = open_built(&b, &image);
		ck_assert_uint_eq(check_samples(f), 0);
		ck_assert_msg(strstr(pd_losses(f)->what, "inside a block") != NULL,
			      "%u of %u bytes: '%s'", cut, size, pd_losses(f)->what);
		pd_close(f);
		free(image);
	}
}
END_TEST

/* 64 KiB of compressed data inflate to gigabytes. The reader stops at a multiple of the input's
 * size. */
START_TEST(a_bomb_is_refused)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();
	uint8_t *zeros = calloc(1, 1 << 20), out[60000];
	ZSTD_outBuffer o = { .dst = out, .size = sizeof(out) };
	struct pd_build b;
	struct pd_raw rec;
	struct pd_file *f;
	uint8_t *image;
	uint64_t n = 0;

	start(&b, 0);
	for (size_t i = 0; i < 1 << 20; i += 64) /* 64-byte records of an unknown type */
		memcpy(zeros + i, "\x30\0\0\0\0\0\x40\0", 8);
	for (int i = 0; i < OFTEN; i++) {
		ZSTD_inBuffer in = { .src = zeros, .size = 1 << 20 };

		if (ZSTD_compressStream2(z, &o, &in, ZSTD_e_flush) || o.size - o.pos < 2000)
			break;
	}
	pd_build_begin(&b, 81, 0);
	pd_build_bytes(&b, out, o.pos);
	pd_build_end(&b);
	f = open_built(&b, &image);
	while (pd_next(f, &rec, NULL) > 0)
		n++;
	ck_assert_uint_lt(n, (64 + 80) << 14);
	ck_assert_ptr_nonnull(strstr(pd_losses(f)->what, "times its size"));
	pd_close(f);
	free(image);
	free(zeros);
	ZSTD_freeCCtx(z);
}
END_TEST

START_TEST(a_compressed_record_inside_one_is_damage)
{
	struct pd_build b;
	struct perf_event_attr attr = start(&b, 0);
	size_t from = b.data.len;
	struct pd_file *f;
	uint8_t *image;

	pd_build_begin(&b, 81, 0);
	pd_build_u64(&b, 1);
	pd_build_end(&b);
	add_samples(&b, &attr, 2);
	pd_build_compress(&b, from, 5000, 81);
	f = open_built(&b, &image);
	ck_assert_uint_eq(check_samples(f), 2);
	ck_assert_uint_eq(pd_losses(f)->damaged_records, 1);
	pd_close(f);
	free(image);
}
END_TEST

START_TEST(compressed2_with_a_bad_size_ends_the_walk)
{
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;

	start(&b, 0);
	pd_build_begin(&b, 83, 0);
	pd_build_u64(&b, UINT64_MAX);
	pd_build_u64(&b, 0);
	pd_build_end(&b);
	f = open_built(&b, &image);
	ck_assert_uint_eq(check_samples(f), 0);
	ck_assert_str_ne(pd_losses(f)->what, "");
	pd_close(f);
	free(image);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perfdata_zstd");
	TCase *t = tcase_create("zstd");

	tcase_set_timeout(t, 240);
	tcase_add_loop_test(t, records_that_span_compressed_ones_are_read, 0, KINDS);
	tcase_add_loop_test(t, plain_records_between_are_read, 0, 2);
	tcase_add_test(t, a_damaged_stream_ends_the_walk);
	tcase_add_test(t, an_unfinished_last_record_is_told);
	tcase_add_test(t, a_stream_that_ends_inside_a_block_is_told);
	tcase_add_test(t, a_bomb_is_refused);
	tcase_add_test(t, a_compressed_record_inside_one_is_damage);
	tcase_add_test(t, compressed2_with_a_bad_size_ends_the_walk);
	suite_add_tcase(s, t);
	return run_suite(s);
}
