/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the container of perf.data: headers, attributes, the iteration over records, and damage. */
#include "base/count.h"
#include "perfdata_fixture.h"

/* These assertions fail if this machine's headers have a record type or attribute that the reader
 * does not know. */
_Static_assert((int)PERF_RECORD_MAX <= (int)PD_KERNEL_LAST + 1,
	       "a new PERF_RECORD_*: see whether side.c should read it");
_Static_assert((int)PERF_RECORD_HEADER_MAX <= (int)PD_USER_LAST + 1,
	       "a new PERF_RECORD_* of perf itself: see whether preread.c should read it");

START_TEST(each_kind_of_file_is_walked_twice)
{
	struct pd_build b;
	struct pd_file *f;
	uint8_t *image;

	build_samples(&b, _i, 3);
	f = open_built(&b, &image);
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

/* Cuts a file after each of its bytes. The reader returns the complete records or refuses the
 * file with a message. It never reads a byte after the end. */
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
			/* A pipe that is cut between two records is a valid shorter pipe. */
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

/* If the size of a record is below 8 or exceeds the file, the iteration ends there. Earlier records
 * are read. The rest of the file counts as one loss. */
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
	/* PERF_AUX_FLAG_TRUNCATED is 1, PERF_AUX_FLAG_OVERWRITE is 2 */
	for (uint64_t flags = 0; flags < 3; flags++) {
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

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
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

	for (size_t i = 0; i < COUNT_OF(bad); i++) {
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

/* Each of many attributes claims that the entire file is its list of ids. The reader must not read
 * the file once for each attribute. */
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
	/* the first version's magic is the same in both byte orders */
	memcpy(image, "PERFFILE", 8);
	f = open_image(image, len);
	ck_assert_uint_eq(count_samples(f), 3);
	pd_close(f);
	free(image);
	pd_build_release(&b);
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
	suite_add_tcase(s, t);
	return run_suite(s);
}
