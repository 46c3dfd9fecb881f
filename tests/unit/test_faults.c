/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the recorder reads page-fault events from the kernel's ring buffers and writes them
 * into a perf.data file. */
#include "record/faults.h"

#include "check_main.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"
#include "perfdata/perfdata.h"
#include "record/fault_file.h"

static const struct faults_options full = {
	.buffer_pages = 64, .stack_bytes = 256, .kernel = true, .phys_data = true
};

static bool modes_meet(const struct perf_event_attr *a, const struct perf_event_attr *b)
{
	return (!a->exclude_user && !b->exclude_user) || (!a->exclude_kernel && !b->exclude_kernel);
}

START_TEST(no_fault_fires_two_events)
{
	struct perf_event_attr a[FAULT_EVENTS];

	for (int i = 0; i < 4; i++) {
		struct faults_options o = { .stack_bytes = i & 1 ? 256 : 0, .kernel = i & 2 };
		unsigned n = fault_attrs(&o, a), user = 0, kernel = 0;

		for (unsigned x = 0; x < n; x++) {
			for (unsigned y = x + 1; y < n; y++)
				ck_assert(a[x].config != a[y].config || !modes_meet(&a[x], &a[y]));
			user += !a[x].exclude_user;
			kernel += !a[x].exclude_kernel;
			ck_assert(a[x].inherit && a[x].enable_on_exec && a[x].sample_period == 1);
		}
		ck_assert_uint_eq(user, 2); /* one event for minor faults, one for major faults */
		ck_assert_uint_eq(kernel, o.kernel ? 2 : 0);
	}
}
END_TEST

/* Makes the state of fault_rings for two CPUs. The events of one CPU have the ids 1, 2, 3, those of
 * the other CPU 11, 12, 13. */
static struct fault_rings made_up_rings(struct fault_ring ring[2])
{
	struct fault_rings r = { .at = ring, .n = 2 };

	r.nattrs = fault_attrs(&full, r.attrs);
	for (unsigned c = 0; c < 2; c++)
		for (unsigned i = 0; i < FAULT_EVENTS; i++)
			ring[c].ids[i] = c * 10 + i + 1;
	return r;
}

/* Writes a sample of event `id` at `time`. All other words are 7, except sizes and the ABI of
 * the registers. */
static size_t put_record(uint8_t *p, uint64_t id, uint64_t time)
{
	enum { REGS = 1 + 5, STACK = 1 + 256 / 8 + 1 };
	uint64_t w[7 + REGS + STACK + 2];

	for (size_t i = 0; i < COUNT_OF(w); i++)
		w[i] = 7;
	w[1] = id;
	w[4] = time;
	w[7] = 2; /* PERF_SAMPLE_REGS_ABI_64 */
	w[7 + REGS] = w[7 + REGS + STACK - 1] = 256;
	w[0] = PERF_RECORD_SAMPLE | (uint64_t)sizeof(w) << 48;
	memcpy(p, w, sizeof(w));
	return sizeof(w);
}

enum { RECORDS = 3000, ROUND = 500 };

/* Writes samples with the times 1, 2, … RECORDS into the file. */
static void write_records(struct fault_file *f)
{
	uint8_t record[1024];

	for (uint64_t i = 1; i <= RECORDS; i++) {
		size_t n = put_record(record, i % 2 ? 1 : 11, i);

		for (size_t at = 0; at < n; at += 100)
			fault_file_add(f, record + at, n - at < 100 ? n - at : 100);
		if (i % ROUND == 0)
			fault_file_end_round(f);
	}
}

static void *image_of(int fd, size_t *size)
{
	void *p;

	*size = (size_t)lseek(fd, 0, SEEK_END);
	p = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(p, MAP_FAILED);
	return p;
}

/* Returns the number of samples in the file. Checks that they are ordered by time, and that
 * `damage` is the only damage that the reader reports. */
static unsigned count_samples(int fd, const char *damage)
{
	struct md_err err = { 0 };
	struct pd_file *f;
	struct pd_raw rec;
	unsigned n = 0;
	size_t size;
	void *image = image_of(fd, &size);

	ck_assert_msg(!pd_open_mem(image, size, &f, &err), "%s", err.msg);
	ck_assert_uint_eq(pd_evsel_count(f), FAULT_EVENTS);
	while (pd_next(f, &rec, &err) > 0) {
		struct pd_sample s;

		if (rec.type != PERF_RECORD_SAMPLE)
			continue;
		ck_assert_int_eq(pd_sample(f, &rec, &s), 0);
		ck_assert_uint_eq(s.time, ++n);
		ck_assert_uint_eq(s.evsel->index, 0);
		ck_assert_uint_eq(s.user_stack_size, 256);
		ck_assert_uint_eq(s.data_page_size, 7);
	}
	ck_assert_str_eq(pd_losses(f)->what, damage);
	pd_close(f);
	munmap(image, size);
	return n;
}

START_TEST(a_file_holds_what_was_written)
{
	struct fault_ring ring[2] = { 0 };
	struct fault_rings r = made_up_rings(ring);
	int fd = memfd_create("faults", 0);
	struct fault_file *f;

	ck_assert_int_eq(fault_file_open(&r, fd, &f, NULL), 0);
	write_records(f);
	ck_assert_int_eq(fault_file_close(f, NULL), 0);
	ck_assert_uint_eq(count_samples(fd, ""), RECORDS);
	close(fd);
}
END_TEST

START_TEST(a_file_that_nobody_completed_has_all_rounds)
{
	struct fault_ring ring[2] = { 0 };
	struct fault_rings r = made_up_rings(ring);
	int fd = memfd_create("faults", 0);
	struct fault_file *f;
	pid_t pid = fork();
	int status;

	if (!pid) {
		uint8_t record[1024];

		ck_assert_int_eq(fault_file_open(&r, fd, &f, NULL), 0);
		write_records(f);
		fault_file_add(f, record, put_record(record, 1, RECORDS + 1));
		_exit(0); /* ends like a killed process: the file is not closed */
	}
	waitpid(pid, &status, 0);
	ck_assert_uint_eq(count_samples(fd, "the recording was not finished: the header gives no "
					    "size of the data"),
			  RECORDS);
	close(fd);
}
END_TEST

START_TEST(a_full_disk_is_told)
{
	struct fault_ring ring[2] = { 0 };
	struct fault_rings r = made_up_rings(ring);
	int fd = open("/dev/full", O_WRONLY);
	struct md_err err = { 0 };
	struct fault_file *f;

	ck_assert_int_eq(fault_file_open(&r, fd, &f, NULL), 0);
	write_records(f);
	ck_assert_int_eq(fault_file_close(f, &err), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, "No space left on device"));
	close(fd);
}
END_TEST

START_TEST(numbers_go_on_behind_those_of_another_file)
{
	struct fault_ring ring[2] = { 0 };
	struct fault_rings r = made_up_rings(ring);
	int fd = memfd_create("faults", 0);
	struct fault_file *f;
	struct pd_file *p;
	size_t size;
	void *image;

	ck_assert_int_eq(fault_file_open(&r, fd, &f, NULL), 0);
	ck_assert_int_eq(fault_file_close(f, NULL), 0);
	image = image_of(fd, &size);
	ck_assert_int_eq(pd_open_mem(image, size, &p, NULL), 0);
	pd_number_events(p, 5);
	for (uint32_t i = 0; i < FAULT_EVENTS; i++) {
		ck_assert_uint_eq(pd_evsel_at(p, i)->index, 5 + i);
		ck_assert_uint_eq(pd_evsel_at(p, i)->leader, 5 + i);
	}
	ck_assert_ptr_null(pd_evsel_at(p, FAULT_EVENTS));
	ck_assert_uint_eq(pd_evsel_count(NULL), 0);
	pd_close(p);
	munmap(image, size);
	close(fd);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("faults");
	TCase *t = tcase_create("faults");

	tcase_add_test(t, no_fault_fires_two_events);
	tcase_add_test(t, a_file_holds_what_was_written);
	tcase_add_test(t, a_file_that_nobody_completed_has_all_rounds);
	tcase_add_test(t, a_full_disk_is_told);
	tcase_add_test(t, numbers_go_on_behind_those_of_another_file);
	suite_add_tcase(s, t);
	return run_suite(s);
}
