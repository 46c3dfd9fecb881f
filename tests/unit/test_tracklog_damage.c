/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests logs that are unfinished or damaged, how times are converted, and which parts of a log are
 * read. */
#include "tracklog_fixture.h"
#include "tracklog_stack.h"

START_TEST(a_stream_goes_over_to_another_thread)
{
	const uint64_t tid = 202;
	struct log_build *b = log_new();
	struct tl_log *l;

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	log_malloc(b, 1, 0x10, 1);
	log_long(b, TRACK_THREAD, 0, &tid, 1);
	log_malloc(b, 2, 0x20, 1);
	l = open_build(b);
	ck_assert_uint_eq(next(l).tid, 101);
	ck_assert_uint_eq(next(l).tid, 202);
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(stacks_are_walked_from_the_innermost_frame)
{
	const uint64_t outer[] = { 0xa, 0xb }, inner[] = { 0xc }, orphan[] = { 0xd };
	struct log_build *b = log_new();
	struct log_stack s;
	struct tl_event e;
	struct tl_log *l;
	uint32_t caller;
	uint64_t pc;

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	log_nodes(b, 2, STACK_ROOT, outer, 2);
	log_nodes(b, 4, 3, inner, 1);
	/* the frame with id 7 names 6 as its caller, but the log has no frames 5 and 6 */
	log_nodes(b, 7, 6, orphan, 1);
	log_nodes(b, 8, STACK_SHORTENED, outer, 2);
	log_nodes(b, 10, 9, inner, 1);
	log_short(b, TRACK_BIRTH, 1, 0x10);
	log_birth_body(b, TL_FN_CALLOC, 0, 1, 4);
	log_short(b, TRACK_BIRTH, 2, 0x20);
	log_birth_body(b, TL_FN_CALLOC, 0, 1, 7);
	log_short(b, TRACK_BIRTH, 3, 0x30);
	log_birth_body(b, TL_FN_CALLOC, 0, 1, 6);
	log_short(b, TRACK_BIRTH, 4, 0x40);
	log_birth_body(b, TL_FN_CALLOC, 0, 1, 10);
	l = open_build(b);
	e = next(l);
	s = log_stack(l, e.stack);
	ck_assert_uint_eq(s.n, 3);
	ck_assert_uint_eq(s.pcs[0], 0xc);
	ck_assert_uint_eq(s.pcs[1], 0xb);
	ck_assert_uint_eq(s.pcs[2], 0xa);
	ck_assert(!s.truncated);
	ck_assert(!tl_frame(l, TL_STACK_WHOLE, &pc, &caller));
	ck_assert(!tl_frame(l, UINT32_MAX, &pc, &caller));
	e = next(l);
	s = log_stack(l, e.stack);
	ck_assert_uint_eq(s.n, 1);
	ck_assert(tl_frame(l, e.stack, &pc, &caller));
	ck_assert_uint_eq(caller, TL_STACK_TRUNCATED);
	ck_assert_uint_eq(s.pcs[0], 0xd);
	ck_assert(s.truncated);
	ck_assert_uint_eq(tl_losses(l)->lost_stacks, 0);
	e = next(l);
	ck_assert_uint_eq(e.stack, 0);
	ck_assert_uint_eq(log_stack(l, e.stack).n, 0);
	ck_assert_uint_eq(tl_losses(l)->lost_stacks, 1);
	ck_assert_uint_eq(tl_losses(l)->short_stacks, 0);
	e = next(l);
	s = log_stack(l, e.stack);
	ck_assert_uint_eq(s.n, 3);
	ck_assert(s.truncated);
	ck_assert_uint_eq(tl_losses(l)->short_stacks, 1);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(unfinished_records_are_stepped_over)
{
	struct log_build *b = log_new();
	struct tl_log *l;
	uint64_t *head;

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	/* a word that the thread has reserved in its chunk, but not written */
	*b->p++ = 0;
	/* the second word of a birth whose first word is missing */
	log_birth_body(b, TL_FN_MALLOC, 0, 1, 1);
	head = b->p;
	log_long_event(b, TL_MAP, TL_FN_MMAP, &(struct track_event){ .ticks = 1 }, NULL, 0);
	*head &= ~TRACK_LONG_COMPLETE;
	log_malloc(b, 5, 0x10, 1);
	l = open_build(b);
	ck_assert_uint_eq(next(l).address, 0x10);
	no_more(l);
	ck_assert_uint_eq(tl_losses(l)->damaged_bytes, 0);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(damage_is_counted_and_told)
{
	struct log_build *b = log_new();
	struct tl_log *l;

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	*b->p++ = TRACK_WORD(9);
	log_malloc(b, 5, 0x10, 1);
	*b->p++ = TRACK_WORD(TRACK_LONG) |
		  /* claims that it is longer than its chunk */
		  TRACK_PUT(LONG_WORDS, TRACK_MOST(LONG_WORDS));
	log_long(b, 200, 0, (const uint64_t[]){ 1 }, 1);
	log_malloc(b, 6, 0x20, 1);
	log_chunk(b, 0, 1, 101)->cookie++;
	l = open_build(b);
	ck_assert_uint_eq(next(l).address, 0x10);
	ck_assert_uint_eq(next(l).address, 0x20);
	no_more(l);
	ck_assert_uint_eq(tl_losses(l)->damaged_bytes, TRACK_CHUNK + 8 + 8 + 16);
	ck_assert_str_eq(tl_losses(l)->what, "not a chunk at byte 65536");
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(ticks_become_ns_by_the_pairs)
{
	/* ticks and ns of one moment; the ns are 90 ahead, because the clock was adjusted */
	const uint64_t pair[] = { 1300000, 700090 };
	struct log_build *b = log_new();
	struct track_chunk *c;
	struct tl_log *l;

	log_header(b)->clock = TRACK_CLOCK_TSC;
	log_header(b)->start_ticks_clock = 100000; /* a tick is half a ns */
	log_header(b)->start_ns = 100000;
	c = log_chunk(b, 0, 0, 101);
	c->ticks = 100000;
	c->ns = 100000;
	log_time(b, 100100);
	log_malloc(b, 100, 0x10, 1);
	log_long(b, TRACK_PAIR, 0, pair, 2);
	log_time(b, 1300000);
	log_malloc(b, 20, 0x20, 1);
	c = log_chunk(b, 0, 1, 101);
	c->ticks = 2100000;
	c->ns = 1100000;
	log_time(b, 2100000);
	log_malloc(b, 0, 0x30, 1);
	l = open_build(b);
	ck_assert_uint_eq(next(l).time, 100100);
	ck_assert_uint_eq(next(l).time, 700100);
	ck_assert_uint_eq(next(l).time, 1100090); /* 800,000 ticks (400,000 ns) after the pair */
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(moments_tell_every_clock_that_is_known)
{
	const struct track_moment pair = { 1300000, 700000, 690000, 1700000, 5000700000 };
	/* a pair that an older tracker wrote: only ticks and ns */
	const uint64_t bare[] = { 1500000, 800000 };
	struct log_build *b = log_new();
	struct tl_moment *m;
	struct tl_log *l;
	uint32_t n;

	log_header(b)->clock = _i ? TRACK_CLOCK_TSC : TRACK_CLOCK_MONOTONIC;
	log_header(b)->start_ticks_clock = 100000;
	log_header(b)->start_ns = 100000;
	log_header(b)->start_raw_ns = 90000;
	log_header(b)->start_boottime_ns = 1100000;
	log_header(b)->start_realtime_ns = 5000100000;
	log_chunk(b, 0, 0, 101)->ns = 110000;
	log_long(b, TRACK_PAIR, 0, (const uint64_t *)&pair, 5);
	log_long(b, TRACK_PAIR, 0, bare, 2);
	l = open_build(b);
	ck_assert_int_eq(tl_moments(l, &m, &n, NULL), 0);
	ck_assert_uint_eq(n, 4);
	ck_assert_uint_eq(m[0].ticks, _i ? 100000 : 0);
	ck_assert_uint_eq(m[0].monotonic_raw, 90000);
	ck_assert_uint_eq(m[1].monotonic, 110000);
	ck_assert_uint_eq(m[1].realtime, 0);
	ck_assert_uint_eq(m[2].ticks, _i ? 1300000 : 0);
	ck_assert_uint_eq(m[2].boottime, 1700000);
	ck_assert_uint_eq(m[2].realtime, 5000700000);
	ck_assert_uint_eq(m[3].monotonic, 800000);
	ck_assert_uint_eq(m[3].monotonic_raw, 0);
	free(m);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(shmdt_ends_what_shmat_began)
{
	const struct track_event at = { .ticks = 10, .address = 0x5000, .size = 8192, .stack = 1 };
	const struct track_event dt = { .ticks = 11, .address = 0x5000, .stack = 1 };
	struct log_build *b = log_new();
	struct tl_log *l;

	log_chunk(b, 0, 0, 101);
	log_long_event(b, TL_MAP, TL_FN_SHMAT, &at, NULL, 0);
	log_long_event(b, TL_UNMAP, TL_FN_SHMDT, &dt, NULL, 0);
	log_long_event(b, TL_UNMAP, TL_FN_SHMDT, &dt, NULL, 0);
	l = open_build(b);
	next(l);
	ck_assert_uint_eq(next(l).size, 8192);
	ck_assert_uint_eq(next(l).size, 0);
	tl_close(l);
	free(b);
}
END_TEST

/* Builds a log with one record of each kind. */
static struct log_build *everything(void)
{
	const struct track_event policy = { .ticks = 1200, .extra = 1 }, map = { .ticks = 1201 };
	const uint64_t pcs[] = { 0xa, 0xb }, pair[] = { 1150, 1150 }, tid = 7;
	struct log_build *b = log_new();

	log_header(b)->clock = TRACK_CLOCK_TSC;
	log_chunk(b, 0, 0, 101);
	log_nodes(b, 2, STACK_ROOT, pcs, 2);
	log_time(b, 1000);
	log_short(b, TRACK_BIRTH, 1, 0x10);
	log_birth_body(b, TL_FN_MALLOC, 0, 1, 3);
	log_short(b, TRACK_REALLOC, 2, 0x10);
	log_short(b, TRACK_BIRTH, 3, 0x20);
	log_birth_body(b, TL_FN_REALLOC, 0, 1, 3);
	log_long(b, TRACK_PAIR, 0, pair, 2);
	log_long(b, TRACK_THREAD, 0, &tid, 1);
	log_free(b, 4, 0x20);
	log_long_event(b, TL_POLICY, TL_FN_MBIND, &policy, "12345678", 8);
	log_long_event(b, TL_NAME, 0, &policy, "x", 1);
	log_long_event(b, TL_HOMES, 0, &policy, "1234", 4);
	log_long_event(b, TL_MAP, TL_FN_SHMAT, &map, NULL, 0);
	return b;
}

/* Reads an image with arbitrary content up to its end. Checks that times do not decrease and that
 * stacks end. */
static unsigned read_all(const uint8_t *img, size_t len)
{
	struct md_err err = { 0 };
	struct tl_event e;
	uint64_t last = 0;
	unsigned n = 0;
	struct tl_log *l;
	int ret = tl_open_mem(img, len, &l, &err);

	if (ret) {
		ck_assert_str_ne(err.msg, "");
		ck_assert_ptr_null(l);
		return 0;
	}
	while ((ret = tl_next(l, &e, &err)) == 1) {
		ck_assert_uint_ge(e.time, last);
		last = e.time;
		(void)log_stack(l, e.stack);
		n++;
	}
	ck_assert_int_eq(ret, 0);
	tl_close(l);
	return n;
}

START_TEST(every_truncation_is_read_or_refused)
{
	struct log_build *b = everything();
	size_t used = (size_t)((uint8_t *)b->p - (uint8_t *)b->words);
	unsigned last = 0;

	for (size_t n = 0; n < used;
	     n += n < sizeof(struct track_header) || n > TRACK_CHUNK - 8 ? 1 : 997) {
		uint8_t *img = copy_exact(b->words, n);
		unsigned events = read_all(img, n);

		/* a longer prefix has at least as many complete events */
		ck_assert_uint_ge(events, last);
		last = events;
		free(img);
	}
	ck_assert_uint_eq(read_all((uint8_t *)b->words, log_size(b)), 8);
	free(b);
}
END_TEST

/* `next` counts the used bytes of a file. It may exceed the file's original size, `bytes`; older
 * trackers do not store that size. */
START_TEST(the_bytes_that_a_file_lacks_are_damage)
{
	static const struct {
		uint64_t next, bytes, damaged;
	} cases[] = {
		{ 2 * TRACK_CHUNK, 64 * TRACK_CHUNK, 0 },
		{ 3 * TRACK_CHUNK, 64 * TRACK_CHUNK, TRACK_CHUNK },
		{ 9 * TRACK_CHUNK, 2 * TRACK_CHUNK, 0 },
		{ 9 * TRACK_CHUNK, 0, 0 },
	};
	struct log_build *b = log_new();
	struct tl_log *l;

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	log_malloc(b, 1, 0x10, 1);
	log_header(b)->next = cases[_i].next;
	log_header(b)->bytes = cases[_i].bytes;
	l = open_build(b);
	ck_assert_uint_eq(next(l).address, 0x10);
	no_more(l);
	ck_assert_uint_eq(tl_losses(l)->damaged_bytes, cases[_i].damaged);
	ck_assert_str_eq(tl_losses(l)->what,
			 cases[_i].damaged ? "the file is cut short at byte 65536" : "");
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(every_damaged_byte_is_survived)
{
	struct log_build *b = everything();
	size_t used = (size_t)((uint8_t *)b->p - (uint8_t *)b->words), len = log_size(b);
	uint8_t *img = copy_exact(b->words, len);
	static const uint8_t values[] = { 0, 1, 0x10, 0x50, 0x7f, 0x80, 0xf0, 0xff };

	for (size_t at = 0; at < used; at++) {
		if (at == 256)
			/* skips the header's texts, in which every byte is valid */
			at = TRACK_CHUNK;
		for (unsigned v = 0; v < sizeof(values); v++) {
			img[at] = values[v];
			read_all(img, len);
		}
		img[at] = ((uint8_t *)b->words)[at];
	}
	free(img);
	free(b);
}
END_TEST

START_TEST(a_file_is_read_without_its_holes)
{
	char path[] = "/tmp/memdb-test-XXXXXX";
	struct log_build *b = log_new();
	struct md_err err = { 0 };
	struct tl_log *l;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	log_malloc(b, 5, 0x10, 1);
	log_header(b)->next = 4ull << 30; /* the header counts more chunks than the file has */
	ck_assert_int_eq(write(fd, b->words, log_size(b)), (ssize_t)log_size(b));
	ck_assert_int_eq(ftruncate(fd, 8ll << 30), 0);
	ck_assert_msg(!tl_open_path(path, &l, &err), "%s", err.msg);
	ck_assert_uint_eq(next(l).address, 0x10);
	no_more(l);
	tl_close(l);
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(tl_open_path(path, &l, &err), MD_EFORMAT);
	unlink(path);
	ck_assert_int_eq(tl_open_path(path, &l, &err), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, path));
	/* opening a FIFO that nobody writes into must not block */
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(tl_open_path(path, &l, &err), MD_EFORMAT);
	unlink(path);
	close(fd);
	free(b);
}
END_TEST

START_TEST(functions_have_names)
{
	for (int f = 0; f < TL_FUNCTIONS; f++)
		ck_assert_ptr_nonnull(tl_function_name((enum tl_function)f));
	ck_assert_str_eq(tl_function_name(TL_FN_POSIX_MEMALIGN), "posix_memalign");
	ck_assert_str_eq(tl_function_name(TL_FUNCTIONS), "unknown");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tracklog_damage");
	TCase *t = tcase_create("tracklog");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, a_stream_goes_over_to_another_thread);
	tcase_add_test(t, stacks_are_walked_from_the_innermost_frame);
	tcase_add_test(t, unfinished_records_are_stepped_over);
	tcase_add_test(t, damage_is_counted_and_told);
	tcase_add_test(t, ticks_become_ns_by_the_pairs);
	tcase_add_loop_test(t, moments_tell_every_clock_that_is_known, 0, 2);
	tcase_add_test(t, shmdt_ends_what_shmat_began);
	tcase_add_test(t, every_truncation_is_read_or_refused);
	tcase_add_loop_test(t, the_bytes_that_a_file_lacks_are_damage, 0, 4);
	tcase_add_test(t, every_damaged_byte_is_survived);
	tcase_add_test(t, a_file_is_read_without_its_holes);
	tcase_add_test(t, functions_have_names);
	suite_add_tcase(s, t);
	return run_suite(s);
}
