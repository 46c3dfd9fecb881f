/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the records of a recording are sorted by time, with limited memory. */
#include "perfdata/perfdata.h"

#include "check_main.h"
#include "perfdata_build.h"
#include "perfdata_fill.h"

#include <malloc.h>
#include <unistd.h>

#include "base/count.h"

enum { ROUND = -1, NO_TIME = 0, MANY = 3000 };

static struct perf_event_attr attr;

/* Builds a recording with a sample for each time, and a FINISHED_ROUND for each ROUND. The ips
 * of the samples are `step` apart. `chunk` is the size of the compressed records, 0 for an
 * uncompressed recording. */
static struct pd_file *build_of(const long *times, size_t n, unsigned step, unsigned chunk,
				uint8_t **image)
{
	struct md_err err = { 0 };
	uint64_t id = 1;
	struct pd_build b;
	struct pd_file *f;
	size_t len;

	attr = fill_attr(PERF_SAMPLE_IP | PERF_SAMPLE_TIME);
	pd_build_init(&b, false, false);
	pd_build_event(&b, &attr, &id, 1);
	for (size_t i = 0; i < n; i++) {
		struct pd_sample s = { .ip = i * step, .time = (uint64_t)times[i] };

		if (times[i] != ROUND) {
			pd_build_sample(&b, &attr, &s);
			continue;
		}
		pd_build_begin(&b, 68, 0);
		pd_build_end(&b);
	}
	if (chunk)
		pd_build_compress(&b, 0, chunk, 81);
	*image = pd_build_image(&b, &len);
	pd_build_release(&b);
	ck_assert_msg(!pd_open_mem(*image, len, &f, &err), "%s", err.msg);
	return f;
}

/* Builds a recording as above. The ip of a sample is its index in `times`. */
static struct pd_file *build(const long *times, size_t n, bool compressed, uint8_t **image)
{
	/* chunks of 30 bytes, so that records extend over several of them */
	return build_of(times, n, 1, compressed ? 30 : 0, image);
}

/* Reads the recording's samples in the order that pd_order returns, and stores their ips. Returns
 * their number. *late receives how many came too late to be in order. */
static size_t run(struct pd_file *f, uint64_t *ips, uint64_t *late)
{
	struct pd_order *o;
	struct pd_sample s;
	struct pd_raw rec;
	uint64_t time;
	size_t n = 0;

	ck_assert_int_eq(pd_order_open(f, &o, NULL), 0);
	while (pd_order_next(o, &rec, &time, NULL) > 0) {
		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_int_eq(pd_sample(f, &rec, &s), 0);
		ck_assert_uint_eq(time, s.time);
		ips[n++] = s.ip;
	}
	ck_assert_int_eq(pd_order_next(o, &rec, &time, NULL), 0);
	*late = pd_order_late(o);
	pd_order_close(o);
	return n;
}

static void expect(const long *times, size_t n, const uint64_t *want, size_t nwant, uint64_t late)
{
	for (int compressed = 0; compressed < 2; compressed++) {
		uint64_t ips[32], got_late;
		uint8_t *image;
		struct pd_file *f = build(times, n, compressed, &image);

		for (int pass = 0; pass < 2; pass++) {
			ck_assert_uint_eq(run(f, ips, &got_late), nwant);
			ck_assert_mem_eq(ips, want, nwant * sizeof(*want));
			ck_assert_uint_eq(got_late, late);
			pd_rewind(f);
		}
		pd_close(f);
		free(image);
	}
}

#define EXPECT(times, want, late) expect(times, COUNT_OF(times), want, COUNT_OF(want), late)

START_TEST(without_rounds_all_is_sorted)
{
	static const long times[] = { 30, 40, 10, 20, 50, 5 };
	static const uint64_t want[] = { 5, 2, 3, 0, 1, 4 };

	EXPECT(times, want, 0);
}
END_TEST

START_TEST(equal_times_keep_the_order_of_the_file)
{
	static const long times[] = { 7, 9, 7, 9, 7, 8, 7, 9 };
	static const uint64_t want[] = { 0, 2, 4, 6, 5, 1, 3, 7 };

	EXPECT(times, want, 0);
}
END_TEST

/* At the end of a round, only records up to the newest time of the previous round are returned,
 * because an earlier record may still come. Here the record of time 20 waits, and the record of
 * time 15 in the next round is returned before it. */
START_TEST(a_round_holds_back_what_may_still_be_preceded)
{
	static const long times[] = { 10, 20, ROUND, 15, 30, ROUND, 25, 40, ROUND };
	static const uint64_t want[] = { 0, 3, 1, 6, 4, 7 };

	EXPECT(times, want, 0);
}
END_TEST

START_TEST(a_record_older_than_one_given_is_late)
{
	static const long times[] = { 10, 20, ROUND, 30, ROUND, 5, 35, ROUND };
	static const uint64_t want[] = { 0, 1, 5, 3, 6 };

	EXPECT(times, want, 1);
}
END_TEST

/* A record without a time is returned at once, before the records that wait for their round to
 * end. */
START_TEST(records_without_time_are_not_held)
{
	static const long times[] = { 10, NO_TIME, 5, NO_TIME };
	static const uint64_t want[] = { 1, 3, 2, 0 };

	EXPECT(times, want, 0);
}
END_TEST

START_TEST(an_empty_file_gives_nothing)
{
	uint64_t ips[1], late;
	uint8_t *image;
	struct pd_file *f = build(NULL, 0, false, &image);

	ck_assert_uint_eq(run(f, ips, &late), 0);
	pd_close(f);
	free(image);
}
END_TEST

/* Sorts random times without rounds. Each record is returned exactly once, ordered by time;
 * records with equal times keep the order of the file. */
START_TEST(many_runs_are_merged)
{
	uint64_t state = 3, late, *ips = calloc(MANY, sizeof(*ips));
	long *times = calloc(MANY, sizeof(*times));
	struct pd_file *f;
	uint8_t *image;

	ck_assert(ips && times);
	for (size_t i = 0; i < MANY; i++)
		times[i] = 1 + (long)(fill_next(&state) % 500);
	f = build(times, MANY, _i, &image);
	ck_assert_uint_eq(run(f, ips, &late), MANY);
	for (size_t i = 1; i < MANY; i++) {
		ck_assert_int_le(times[ips[i - 1]], times[ips[i]]);
		if (times[ips[i - 1]] == times[ips[i]])
			ck_assert_uint_lt(ips[i - 1], ips[i]);
	}
	pd_close(f);
	free(image);
	free(ips);
	free(times);
}
END_TEST

/* If the order is closed before its end, the waiting records are freed. Otherwise the leak
 * sanitizer reports them. */
START_TEST(an_order_can_be_closed_half_way)
{
	static const long times[] = { 10, 30, 20, ROUND, 15, 40, ROUND, 50, 60 };
	uint8_t *image;
	struct pd_file *f = build(times, 9, true, &image);

	for (int n = 0; n < 6; n++) {
		struct pd_order *o;
		struct pd_raw rec;
		uint64_t time;

		ck_assert_int_eq(pd_order_open(f, &o, NULL), 0);
		for (int i = 0; i < n; i++)
			ck_assert_int_eq(pd_order_next(o, &rec, &time, NULL), 1);
		pd_order_close(o);
		pd_rewind(f);
	}
	pd_close(f);
	free(image);
}
END_TEST

/* A small compressed file contains 3.5 million records, and the last one has the earliest time. The
 * memory for copies of records is limited in proportion to the file's size. So most records are
 * returned before the last one is read, and the last one counts as late. */
START_TEST(a_small_file_makes_few_copies)
{
	const size_t n = 3500000;
	uint64_t late, *ips = calloc(n, sizeof(*ips));
	long *times = calloc(n, sizeof(*times));
	struct pd_file *f;
	uint8_t *image;

	ck_assert(ips && times);
	for (size_t i = 0; i < n; i++)
		times[i] = 20;
	times[n - 1] = 10;
	f = build_of(times, n, 0, 20000, &image);
	ck_assert_uint_lt(pd_data_size(f), 1 << 20);
	ck_assert_uint_eq(run(f, ips, &late), n);
	ck_assert_uint_eq(late, 1);
	pd_close(f);
	free(image);
	free(ips);
	free(times);
}
END_TEST

static size_t allocated(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

enum { SOME_MILLIONS = 2 << 20 };

/* The memory depends on the number of runs, not of records. A run is a sequence of records that are
 * already in the order of time. These recordings differ in the length of their runs. */
static const struct {
	size_t swap; /* two records at this distance have exchanged their times */
	size_t most; /* limit in bytes of the memory used */
} windows[] = { { 0, 100000 }, { 1024, 1000000 }, { 1, 40000000 } };

START_TEST(memory_is_bounded_without_rounds)
{
	const size_t n = SOME_MILLIONS;
	long *times = calloc(n, sizeof(*times));
	size_t before, most = 0, given = 0;
	struct pd_order *o;
	struct pd_raw rec;
	struct pd_file *f;
	uint64_t time;
	uint8_t *image;

	ck_assert_ptr_nonnull(times);
	for (size_t i = 0; i < n; i++)
		times[i] = 1 + (long)(i ^ windows[_i].swap);
	f = build_of(times, n, 1, 0, &image);
	free(times);
	before = allocated();
	ck_assert_int_eq(pd_order_open(f, &o, NULL), 0);
	ck_assert_uint_eq(pd_order_position(o), 0);
	for (; pd_order_next(o, &rec, &time, NULL) > 0; given++) {
		ck_assert_uint_eq(time, given + 1);
		if (given % 1024 == 0 && allocated() - before > most)
			most = allocated() - before;
		/* after half of the records, about half of the file has been read */
		if (given == n / 2)
			ck_assert_uint_lt(pd_order_position(o), pd_data_size(f) / 100 * 51);
	}
	ck_assert_uint_eq(given, n);
	ck_assert_uint_eq(pd_order_position(o), pd_data_size(f));
	ck_assert_uint_eq(pd_order_late(o), 0);
	if (!SANITIZED)
		ck_assert_uint_lt(most, windows[_i].most);
	pd_order_close(o);
	pd_close(f);
	free(image);
}
END_TEST

/* Returns the process's memory in bytes. */
static size_t resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	size_t pages = 0;

	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fscanf(f, "%*u %zu", &pages), 1);
	ck_assert_int_eq(fclose(f), 0);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* In a compressed recording without rounds, all records are copied. The kernel gets the memory of
 * the copies back while the records are returned, but for the 16 MiB that the order keeps. */
START_TEST(copies_are_given_back)
{
	const size_t n = SOME_MILLIONS, copied = n * (sizeof(struct perf_event_header) + 16);
	long *times = calloc(n, sizeof(*times));
	size_t full, given = 0;
	struct pd_order *o;
	struct pd_raw rec;
	struct pd_file *f;
	uint64_t time;
	uint8_t *image;

	ck_assert_ptr_nonnull(times);
	for (size_t i = 0; i < n; i++)
		times[i] = 1 + (long)i;
	f = build_of(times, n, 0, 20000, &image);
	free(times);
	ck_assert_int_eq(pd_order_open(f, &o, NULL), 0);
	ck_assert_int_eq(pd_order_next(o, &rec, &time, NULL), 1);
	full = resident();
	for (given = 1; given < n; given++)
		ck_assert_int_eq(pd_order_next(o, &rec, &time, NULL), 1);
	if (!SANITIZED)
		ck_assert_uint_lt(resident() + copied - (20 << 20), full);
	pd_order_close(o);
	if (!SANITIZED)
		ck_assert_uint_lt(resident() + copied - (4 << 20), full);
	pd_close(f);
	free(image);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("perfdata_order");
	TCase *t = tcase_create("order");

	tcase_add_test(t, without_rounds_all_is_sorted);
	tcase_add_test(t, equal_times_keep_the_order_of_the_file);
	tcase_add_test(t, a_round_holds_back_what_may_still_be_preceded);
	tcase_add_test(t, a_record_older_than_one_given_is_late);
	tcase_add_test(t, records_without_time_are_not_held);
	tcase_add_test(t, an_empty_file_gives_nothing);
	tcase_add_loop_test(t, many_runs_are_merged, 0, 2);
	tcase_add_test(t, an_order_can_be_closed_half_way);
	tcase_add_test(t, a_small_file_makes_few_copies);
	tcase_add_loop_test(t, memory_is_bounded_without_rounds, 0, COUNT_OF(windows));
	tcase_add_test(t, copies_are_given_back);
	suite_add_tcase(s, t);
	return run_suite(s);
}
