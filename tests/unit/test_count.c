/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the counts of accesses: what they distinguish, and that none is lost. */
#include "count.h"
#include "pages.h"
#include "variables.h"

#include "check_main.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/count.h"

/* Adds up the periods of those samples in the file that have the perf_mem_data_src `source`.
 * *records receives their number. The records must be in the order of time. */
static uint64_t sum_of(const char *path, uint64_t source, uint32_t *records)
{
	static uint8_t bytes[1 << 22];
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, bytes, sizeof(bytes));
	uint64_t sum = 0, time = 0;

	close(fd);
	*records = 0;
	for (ssize_t at = 0; at < n;) {
		const struct perf_event_header *h = (const void *)&bytes[at];
		const uint64_t *body = (const void *)(h + 1),
			       *end = (const void *)&bytes[at + h->size];

		ck_assert_int_eq(h->type, PERF_RECORD_SAMPLE);
		ck_assert_uint_eq(body[0], ACCESS_EVENT_ACCESS);
		ck_assert_uint_ge(body[3], time);
		time = body[3];
		*records += end[-1] == source;
		sum += end[-1] == source ? body[6] : 0;
		at += h->size;
	}
	return sum;
}

/* Counts a load by this instruction. Returns how many accesses of it were counted as the same. */
static uint64_t count_load(struct counts *c, uint64_t ip, uint64_t address, unsigned bytes)
{
	const struct counted a = { ip, address, bytes, false, LEVEL_ANY, false };
	uint64_t found = 0, before = 0, now = 0;

	for (uint32_t i = 0; i < c->used; i++)
		before += c->cells[i].n;
	ck_assert(counts_add(c, &a));
	ck_assert(counts_known(c, &a));
	for (uint32_t i = 0; i < c->used; i++) {
		now += c->cells[i].n;
		if (c->cells[i].ip == ip && c->cells[i].epoch == owners_of(address).epoch &&
		    !((c->cells[i].address ^ address) & c->cells[i].mask))
			found = c->cells[i].n;
	}
	ck_assert_uint_eq(now, before + 1);
	return found;
}

START_TEST(counts_tell_owners_of_the_same_memory_apart)
{
	static struct counts c;
	const uint64_t at = UINT64_C(0x500000000);

	owners_change(at, 100);
	ck_assert_uint_eq(count_load(&c, 100, at, 8), 1);
	ck_assert_uint_eq(count_load(&c, 100, at + 8, 8), 2);
	ck_assert_uint_eq(count_load(&c, 100, at + 112, 8), 1); /* not in the block */
	owners_change(at, 0);                                   /* the block ends */
	ck_assert_uint_eq(count_load(&c, 100, at, 8), 1);
	ck_assert_uint_eq(count_load(&c, 100, at + 96, 8), 1);
	ck_assert_uint_eq(count_load(&c, 100, at + 112, 8), 2);
	owners_change(0, UINT64_MAX);
	ck_assert_uint_eq(count_load(&c, 100, at + 112, 8), 1);
	for (uint64_t bytes = 1; bytes < UINT64_C(1) << 40; bytes *= 4) {
		const uint64_t first = at + (bytes << 5), last = first + bytes - 1;

		ck_assert_uint_eq(count_load(&c, 104, last, 1), 1);
		owners_change(first, bytes);
		ck_assert_uint_eq(count_load(&c, 104, last, 1), 1);
		owners_change(first, 0);
		owners_change(first, bytes);
		ck_assert_uint_eq(count_load(&c, 104, last, 1), 1);
		owners_change(first, 0);
	}
	counts_release(&c);
}
END_TEST

START_TEST(counts_of_free_memory_are_added_up)
{
	static struct counts c;
	const uint64_t at = UINT64_C(0x510000000);

	/* the block ends in the first half of a granule, and the head of the next block follows */
	for (uint64_t n = 1; n < 20; n++) {
		owners_change(at, 24);
		ck_assert_uint_eq(count_load(&c, 100, at + 24, 8), 2 * n - 1);
		ck_assert_uint_eq(count_load(&c, 104, at, 8), 1);
		ck_assert_uint_eq(count_load(&c, 104, at + 16, 8), 1);
		owners_change(at, 0);
		ck_assert_uint_eq(count_load(&c, 100, at + 24, 8), 2 * n);
		ck_assert_uint_eq(count_load(&c, 108, at, 8), n);
	}
	/* the death of an unknown block says nothing about others */
	owners_change(at, 0);
	ck_assert_uint_eq(count_load(&c, 108, at, 8), 1);
	counts_release(&c);
}
END_TEST

START_TEST(counts_of_blocks_that_share_a_granule_are_separate)
{
	static struct counts c;
	const uint64_t first = UINT64_C(0x520000000), second = first + 8;

	for (int round = 0; round < 3; round++) {
		owners_change(first, 8);
		owners_change(second, 8);
		ck_assert_uint_eq(count_load(&c, 100, first, 8), 1);
		ck_assert_uint_eq(count_load(&c, 100, second, 8), 1);
		owners_change(first, 0);
		owners_change(first, 8);
		ck_assert_uint_eq(count_load(&c, 100, second, 8), 1);
		owners_change(second, 0);
		owners_change(second, 8);
		ck_assert_uint_eq(count_load(&c, 100, second, 8), 1);
		owners_change(second, 0);
		owners_change(first, 0);
	}
	counts_release(&c);
}
END_TEST

START_TEST(counts_tell_small_static_variables_apart)
{
	static struct counts c;
	const uint64_t at = UINT64_C(0x600000000);

	ck_assert_uint_eq(count_load(&c, 100, at, 8), 1);
	ck_assert_uint_eq(count_load(&c, 100, at + 8, 8), 2);
	pages_add_variables(at, 1);
	owners_change(at, 8192);
	ck_assert_uint_eq(count_load(&c, 100, at, 8), 1);
	ck_assert_uint_eq(count_load(&c, 100, at + 8, 8), 1);
	ck_assert_uint_eq(count_load(&c, 104, at, 4), 1);
	ck_assert_uint_eq(count_load(&c, 104, at + 4, 4), 1);
	ck_assert_uint_eq(count_load(&c, 108, at, 16), 1);
	ck_assert_uint_eq(count_load(&c, 108, at + 4, 16), 2);
	counts_release(&c);
}
END_TEST

static char large[5 << PAGE_BITS];
static int small[3];
extern const char program_begin[] __asm__("__ehdr_start") __attribute__((visibility("hidden")));

START_TEST(pages_of_one_variable_are_found_in_the_symbol_table)
{
	const uint64_t page = 1 << PAGE_BITS, begin = (uint64_t)program_begin;
	const uint64_t whole = ((uint64_t)large + page - 1) & -page;
	const struct stream_map m = { .start = begin, .path = "/proc/self/exe" };
	const struct stream_map no_program = { .start = begin, .path = __FILE__ };

	small[1] = large[1];
	variables_find(&no_program);
	pages_add_variables(whole, page);
	ck_assert(pages_have_variables(whole));
	variables_find(&m);
	for (uint64_t at = whole + page; at < whole + 4 * page; at += page) {
		pages_add_variables(at, page);
		ck_assert(!pages_have_variables(at));
	}
	pages_add_variables((uint64_t)small, sizeof(small));
	ck_assert(pages_have_variables((uint64_t)small));
	pages_add_variables((uint64_t)&small[2], 1);
	ck_assert(pages_have_variables((uint64_t)&small[2]));
}
END_TEST

START_TEST(pages_with_a_second_variable_are_not_alone)
{
	const uint64_t page = 1 << PAGE_BITS, at = UINT64_C(0x610000000);

	pages_add_alone(at + 1, 4 * page);
	pages_remove_alone(at + 2 * page + 8, 1);
	pages_add_variables(at, 5 * page);
	ck_assert(pages_have_variables(at)); /* it begins after the page's first byte */
	ck_assert(!pages_have_variables(at + page));
	ck_assert(pages_have_variables(at + 2 * page));
	ck_assert(!pages_have_variables(at + 3 * page));
	ck_assert(pages_have_variables(at + 4 * page));
}
END_TEST

START_TEST(counts_are_exact_however_many_there_are)
{
	static struct stream s = { .pid = 1, .tid = 1 };
	static struct counts c;
	const uint64_t ip[3] = { 100, 104, 108 };
	char path[] = "/tmp/memdb-test-access-XXXXXX";
	int fd = mkstemp(path);
	uint32_t records;

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert(stream_open(path, 0));
	for (int round = 0; round < 3; round++)
		for (uint64_t i = 0; i < 9000; i++)
			ck_assert(counts_add(&c, &(struct counted){ ip[i % 3], i << GRANULE_BITS, 8,
								    i % 2, LEVEL_ANY, false }));
	ck_assert_uint_eq(c.used, 9000);
	counts_flush(&c, &s);
	ck_assert_uint_eq(c.used, 0);
	for (int i = 0; i < 7; i++)
		ck_assert_uint_eq(count_load(&c, ip[0], 0, 8), i + 1);
	counts_flush(&c, &s);
	stream_flush(&s);
	counts_release(&c);
	ck_assert_uint_eq(sum_of(path, source_of(false, LEVEL_ANY, false, MOVEMENT_UNKNOWN),
				 &records),
			  13500 + 7);
	ck_assert_uint_eq(records, 4501);
	ck_assert_uint_eq(sum_of(path, source_of(true, LEVEL_ANY, false, MOVEMENT_UNKNOWN),
				 &records),
			  13500);
	unlink(path);
}
END_TEST

/* The limit RLIMIT_FSIZE makes writes fail like a full disk: the header and some of the samples fit
 * into the file. */
START_TEST(what_cannot_be_written_is_counted_in_the_file)
{
	static struct stream s = { .pid = 1, .tid = 1 };
	const struct stream_sample sample = { .event = ACCESS_EVENT_ACCESS, .ip = 100 };
	const struct access_lost none = { .header.size = sizeof(none) };
	struct access_lost lost;
	struct rlimit before, now;
	char path[] = "/tmp/memdb-test-access-XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_eq(write(fd, &none, sizeof(none)), sizeof(none));
	ck_assert(stream_open(path, offsetof(struct access_lost, lost)));
	ck_assert(!getrlimit(RLIMIT_FSIZE, &before));
	now = before;
	now.rlim_cur = sizeof(none) + 1000;
	ck_assert(!setrlimit(RLIMIT_FSIZE, &now));
	for (int i = 0; i < 50; i++)
		stream_sample(&s, &sample);
	stream_flush(&s);
	now.rlim_cur = before.rlim_cur;
	ck_assert(!setrlimit(RLIMIT_FSIZE, &now));
	/* must not be written, because the file ends with an incomplete record */
	stream_sample(&s, &sample);
	stream_flush(&s);
	ck_assert_int_eq(pread(fd, &lost, sizeof(lost), 0), sizeof(lost));
	ck_assert_uint_eq(lost.lost, 51);
	ck_assert_int_eq(lseek(fd, 0, SEEK_END), sizeof(none) + 1000);
	close(fd);
	unlink(path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("count");
	TCase *t = tcase_create("count");

	tcase_add_test(t, counts_tell_owners_of_the_same_memory_apart);
	tcase_add_test(t, counts_of_free_memory_are_added_up);
	tcase_add_test(t, counts_of_blocks_that_share_a_granule_are_separate);
	tcase_add_test(t, counts_tell_small_static_variables_apart);
	tcase_add_test(t, pages_of_one_variable_are_found_in_the_symbol_table);
	tcase_add_test(t, pages_with_a_second_variable_are_not_alone);
	tcase_add_test(t, counts_are_exact_however_many_there_are);
	tcase_add_test(t, what_cannot_be_written_is_counted_in_the_file);
	suite_add_tcase(s, t);
	return run_suite(s);
}
