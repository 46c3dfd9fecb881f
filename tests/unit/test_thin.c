/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the thinning of the samples in a perf.data on disk. */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/thin.h"

#include "check_main.h"

enum {
	START = 104,         /* offset of the first record, after a header like perf's */
	DATA_OFFSET_AT = 40, /* where the header contains the offset of the records ... */
	DATA_BYTES_AT = 48,  /* ... and their size */
	SAMPLE_BYTES = 200,
	COMM_BYTES = 40,
	GAP = 65,
};

static FILE *file;
static struct thin thin;
static uint64_t added; /* number of samples so far; each contains its number */

static void setup(void)
{
	uint64_t head[START / 8] = { 0 };

	file = tmpfile();
	memcpy(head, "PERFILE2", 8);
	head[1] = START;
	head[DATA_OFFSET_AT / 8] = START;
	fwrite(head, START, 1, file);
	thin = (struct thin){ .fd = fileno(file) };
	added = 0;
}

static void teardown(void)
{
	fclose(file);
}

static void add_record(uint32_t type, uint16_t size, uint64_t number)
{
	uint64_t record[SAMPLE_BYTES / 8] = { 0 };
	const struct perf_event_header h = { .type = type, .size = size };

	memcpy(record, &h, sizeof(h));
	record[1] = number;
	fwrite(record, size, 1, file);
}

/* Adds n samples, and a record of another type after each tenth. */
static void add_samples(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		add_record(PERF_RECORD_SAMPLE, SAMPLE_BYTES, ++added);
		if (added % 10 == 0)
			add_record(PERF_RECORD_COMM, COMM_BYTES, added);
	}
	fflush(file);
}

static uint64_t disk_bytes(void)
{
	struct stat st;

	ck_assert_int_eq(fstat(thin.fd, &st), 0);
	return (uint64_t)st.st_blocks * 512;
}

struct seen {
	uint64_t samples, comms, other;
	uint64_t clusters; /* number of clusters that have samples */
	uint64_t places;   /* bit i is set if one of them has a number of i modulo 8 */
	uint64_t sum;      /* sum of the samples' numbers */
};

/* Reads the entire file as a sequence of records. */
static struct seen read_all(void)
{
	struct stat st;
	struct seen s = { 0 };
	struct perf_event_header h;
	uint64_t number, last = UINT64_MAX, at = START;

	ck_assert_int_eq(fstat(thin.fd, &st), 0);
	for (; at < (uint64_t)st.st_size; at += h.size) {
		ck_assert_int_eq(pread(thin.fd, &h, sizeof(h), (off_t)at), sizeof(h));
		ck_assert_uint_ge(h.size, sizeof(h));
		s.comms += h.type == PERF_RECORD_COMM;
		s.other +=
			h.type != PERF_RECORD_COMM && h.type != PERF_RECORD_SAMPLE && h.type != GAP;
		if (h.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_uint_eq(h.size, SAMPLE_BYTES);
		ck_assert_int_eq(pread(thin.fd, &number, 8, (off_t)at + 8), 8);
		s.sum += number;
		s.samples++;
		s.clusters += at / THIN_CLUSTER != last;
		last = at / THIN_CLUSTER;
		s.places |= UINT64_C(1) << last % 8;
	}
	ck_assert_uint_eq(at, (uint64_t)st.st_size);
	return s;
}

START_TEST(one_cluster_of_n_remains)
{
	struct seen s;
	uint64_t before;

	add_samples(50000);
	before = disk_bytes();
	ck_assert_int_eq(thin_samples(&thin, 8, NULL), 0);
	s = read_all();
	ck_assert_uint_eq(s.samples + thin.removed, 50000);
	ck_assert_uint_eq(s.comms, 5000);
	ck_assert_uint_eq(s.other, 0);
	/* there are 155 clusters, and every 8th keeps its samples */
	ck_assert_uint_ge(s.clusters, 155 / 8);
	ck_assert_uint_le(s.clusters, 155 / 8 + 1);
	/* the kept clusters are at varying places among each 8, so they do not coincide with a
	 * period of the program */
	ck_assert_int_ge(__builtin_popcountll(s.places), 5);
	ck_assert_uint_ge(s.samples * 8, 50000 - 8 * 400);
	ck_assert_uint_le(s.samples * 8, 50000 + 8 * 400);
	ck_assert_uint_le(disk_bytes(), before);
}
END_TEST

START_TEST(long_runs_return_their_disk_space)
{
	uint64_t before;

	for (int i = 0; i < 50000; i++)
		add_record(PERF_RECORD_SAMPLE, SAMPLE_BYTES, ++added);
	fflush(file);
	before = disk_bytes();
	ck_assert_int_eq(thin_samples(&thin, 4, NULL), 0);
	ck_assert_uint_lt(disk_bytes(), before / 2);
}
END_TEST

/* Thins by 4 and then by 16, with data that is appended in between. The result is the same as that
 * of thinning everything by 16 at once. */
START_TEST(steps_leave_what_one_step_leaves)
{
	struct seen steps, once;
	uint64_t removed;

	add_samples(20000);
	ck_assert_int_eq(thin_samples(&thin, 4, NULL), 0);
	add_samples(20000);
	ck_assert_int_eq(thin_samples(&thin, 4, NULL), 0);
	ck_assert_int_eq(thin_samples(&thin, 16, NULL), 0);
	add_samples(10000);
	ck_assert_int_eq(thin_samples(&thin, 16, NULL), 0);
	steps = read_all();
	removed = thin.removed;
	teardown();
	setup();
	add_samples(50000);
	ck_assert_int_eq(thin_samples(&thin, 16, NULL), 0);
	once = read_all();
	ck_assert_uint_eq(steps.samples, once.samples);
	ck_assert_uint_eq(steps.sum, once.sum);
	ck_assert_uint_eq(steps.comms, once.comms);
	ck_assert_uint_eq(removed, thin.removed);
}
END_TEST

/* perf may have written only a part of the last record. */
START_TEST(an_incomplete_record_waits)
{
	struct seen s;

	add_samples(5000);
	fwrite(&(struct perf_event_header){ .type = PERF_RECORD_SAMPLE, .size = SAMPLE_BYTES },
	       sizeof(struct perf_event_header), 1, file);
	fflush(file);
	ck_assert_int_eq(thin_samples(&thin, 1 << 20, NULL), 0);
	ck_assert_uint_eq(thin.removed, 5000);
	for (int i = 1; i < SAMPLE_BYTES / 8; i++)
		fwrite(&(uint64_t){ 7 }, 8, 1, file);
	fflush(file);
	s = read_all();
	ck_assert_uint_eq(s.samples, 1);
	ck_assert_int_eq(thin_samples(&thin, 1 << 20, NULL), 0);
	ck_assert_uint_eq(read_all().samples, 0);
}
END_TEST

/* When perf has ended, other sections follow the records. */
START_TEST(sections_after_the_records_stay)
{
	struct stat st;
	uint64_t bytes, word = 0;

	add_samples(1000);
	ck_assert_int_eq(fstat(thin.fd, &st), 0);
	bytes = (uint64_t)st.st_size - START;
	ck_assert_int_eq(pwrite(thin.fd, &bytes, 8, DATA_BYTES_AT), 8);
	add_record(PERF_RECORD_SAMPLE, SAMPLE_BYTES, 12345);
	fflush(file);
	ck_assert_int_eq(thin_samples(&thin, 1 << 20, NULL), 0);
	ck_assert_uint_eq(thin.removed, 1000);
	ck_assert_int_eq(pread(thin.fd, &word, 8, st.st_size + 8), 8);
	ck_assert_uint_eq(word, 12345);
}
END_TEST

START_TEST(other_files_are_refused)
{
	struct md_err err = { 0 };

	add_samples(10);
	add_record(71, COMM_BYTES, 0); /* an AUX trace, whose bytes follow the record */
	fflush(file);
	ck_assert_int_eq(thin_samples(&thin, 2, &err), MD_ENOTSUP);
	ck_assert_str_ne(err.msg, "");
	ck_assert_int_eq(pwrite(thin.fd, "PERFFILE", 8, 0), 8);
	ck_assert_int_eq(thin_samples(&thin, 2, &err), MD_ENOTSUP);
	ck_assert_int_eq(ftruncate(thin.fd, 20), 0);
	ck_assert_int_eq(thin_samples(&thin, 2, &err), MD_EIO);
}
END_TEST

static void add_tests(TCase *t)
{
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, one_cluster_of_n_remains);
	tcase_add_test(t, long_runs_return_their_disk_space);
	tcase_add_test(t, steps_leave_what_one_step_leaves);
	tcase_add_test(t, an_incomplete_record_waits);
	tcase_add_test(t, sections_after_the_records_stay);
	tcase_add_test(t, other_files_are_refused);
}

int main(void)
{
	Suite *s = suite_create("thin");
	TCase *t = tcase_create("thin");

	add_tests(t);
	suite_add_tcase(s, t);
	return run_suite(s);
}
