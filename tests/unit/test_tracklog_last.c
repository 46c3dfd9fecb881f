/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the last stack of a stream: how records change it, and which frames are unknown when
 * records are damaged or missing. */
#include "tracklog_fixture.h"
#include "tracklog_stack.h"

static const uint64_t pcs[] = { 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7 };

/* Checks that the next event is at this address and has this stack, the outermost frame first. */
static uint32_t expect(struct tl_log *l, uint64_t address, const uint64_t *want, unsigned n)
{
	const struct tl_event e = next(l);
	const struct log_stack s = log_stack(l, e.stack);

	ck_assert_uint_eq(e.address, address);
	ck_assert_uint_eq(s.n, n);
	ck_assert(!n || !s.truncated);
	for (unsigned i = 0; i < n; i++)
		ck_assert_uint_eq(s.pcs[n - 1 - i], want[i]);
	return e.stack;
}

/* Returns a log whose first chunk is begun, with a last stack of two frames and eight call sites:
 * 10 to 17 have the addresses in `pcs`. */
static struct log_build *begin(void)
{
	struct log_build *b = log_new();

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	log_frames(b, 0, 10, pcs, 8);
	log_stack_change(b, 2, NULL, 0);
	return b;
}

START_TEST(births_change_the_last_stack)
{
	static const unsigned sites[] = { 12, 13, 14, 15, 16, 17 };
	static const uint64_t again[] = { 0xa0, 0xa2, 0xa3 };
	struct log_build *b = begin();
	struct tl_log *l;
	uint32_t two;

	for (unsigned n = 0; n <= 6; n++)
		log_birth_last(b, n, 0x10 * (1 + n), 2, sites, n);
	log_birth_last(b, 7, 0x100, 1, sites, 2);
	log_birth_last(b, 8, 0x110, 1, sites, 2);
	log_birth_last(b, 9, 0x120, 0, NULL, 0);
	l = open_build(b);
	for (unsigned n = 0; n <= 6; n++)
		expect(l, 0x10 * (1 + n), pcs, 2 + n);
	two = expect(l, 0x100, again, 3);
	ck_assert_uint_eq(expect(l, 0x110, again, 3), two);
	ck_assert_uint_eq(tl_losses(l)->lost_stacks, 0);
	expect(l, 0x120, NULL, 0);
	no_more(l);
	ck_assert_uint_eq(tl_losses(l)->damaged_bytes, 0);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(births_have_size_function_and_the_last_cpu)
{
	struct log_build *b = begin();
	struct tl_event e;
	struct tl_log *l;

	log_birth_last(b, 1, 0x10, 2, NULL, 0);
	*b->p++ = TRACK_WORD(TRACK_CPU) | TRACK_PUT(CPU_NUMBER, 7);
	log_birth_last(b, 2, 0x20, 2, NULL, 0);
	*b->p++ = TRACK_WORD(TRACK_CPU) | TRACK_PUT(CPU_NUMBER, TRACK_CPU_NONE);
	log_birth_last(b, 3, 0x30, 2, NULL, 0);
	l = open_build(b);
	ck_assert_int_eq(next(l).cpu, -1);
	e = next(l);
	ck_assert_int_eq(e.cpu, 7);
	ck_assert_int_eq(e.kind, TL_BIRTH);
	ck_assert_int_eq(e.function, TL_FN_MALLOC);
	ck_assert_uint_eq(e.size, 64);
	ck_assert_uint_eq(e.time, 1002);
	ck_assert_uint_eq(e.tid, 101);
	ck_assert_uint_eq(e.weight, 1);
	ck_assert_int_eq(next(l).cpu, -1);
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(other_events_have_the_last_stack)
{
	static const unsigned sites[] = { 12 };
	const struct track_event map = { .ticks = 1003, .address = 0x30, .stack = STACK_LAST };
	struct log_build *b = begin();
	struct tl_log *l;

	log_stack_change(b, 2, sites, 1);
	log_short(b, TRACK_BIRTH, 1, 0x10);
	log_birth_body(b, TL_FN_MALLOC, 0, 1, TRACK_BIRTH_STACK_LIMIT);
	log_short(b, TRACK_REALLOC, 2, 0x10);
	log_short(b, TRACK_BIRTH, 2, 0x20);
	log_birth_body(b, TL_FN_REALLOC, 0, 1, TRACK_BIRTH_STACK_LIMIT);
	log_long_event(b, TL_MAP, TL_FN_MMAP, &map, NULL, 0);
	l = open_build(b);
	expect(l, 0x10, pcs, 3);
	ck_assert_int_eq(next(l).kind, TL_DEATH);
	expect(l, 0x20, pcs, 3);
	expect(l, 0x30, pcs, 3);
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

/* Two threads have stacks of their own, but equal stacks have one number. */
START_TEST(each_stream_has_its_own_last_stack)
{
	struct log_build *b = begin();
	struct tl_log *l;
	uint32_t first;

	log_birth_last(b, 1, 0x10, 2, NULL, 0);
	log_chunk(b, 1, 0, 102);
	log_time(b, 2000);
	log_birth_last(b, 0, 0x20, 1, NULL, 0);
	log_frames(b, 0, 20, pcs, 2);
	log_birth_last(b, 1, 0x30, 2, NULL, 0);
	l = open_build(b);
	first = expect(l, 0x10, pcs, 2);
	expect(l, 0x20, NULL, 0);
	ck_assert_uint_eq(expect(l, 0x30, pcs, 2), first);
	no_more(l);
	ck_assert_uint_eq(tl_losses(l)->lost_stacks, 1);
	tl_close(l);
	free(b);
}
END_TEST

/* Inside a frame that is unknown, all frames are. The outer ones stay known. */
START_TEST(frames_inside_an_unknown_one_are_unknown)
{
	static const unsigned unset[] = { 12, 99, 13 }, set[] = { 12, 13 };
	struct log_build *b = begin();
	struct tl_log *l;

	log_birth_last(b, 1, 0x10, 2, unset, 3);
	log_birth_last(b, 2, 0x20, 4, set, 1);
	log_birth_last(b, 3, 0x30, 3, NULL, 0);
	log_birth_last(b, 4, 0x40, 1023, set, 1);
	log_birth_last(b, 5, 0x50, 2, set, 2);
	l = open_build(b);
	expect(l, 0x10, NULL, 0);
	expect(l, 0x20, NULL, 0);
	expect(l, 0x30, pcs, 3);
	expect(l, 0x40, NULL, 0);
	expect(l, 0x50, pcs, 4);
	no_more(l);
	ck_assert_uint_eq(tl_losses(l)->lost_stacks, 3);
	ck_assert_uint_eq(tl_losses(l)->damaged_bytes, 0);
	tl_close(l);
	free(b);
}
END_TEST

/* A frame without a place in the table of call sites. */
START_TEST(a_frame_need_not_have_a_call_site)
{
	const uint64_t words[] = { 2, TRACK_PUT(FRAME_SITE, TRACK_SITE_NONE) | pcs[2] };
	struct log_build *b = begin();
	struct tl_log *l;

	log_long(b, TRACK_FRAMES, 0, words, 2);
	log_birth_last(b, 1, 0x10, 3, NULL, 0);
	l = open_build(b);
	expect(l, 0x10, pcs, 3);
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(records_that_lack_words_are_damage)
{
	static const unsigned sites[] = { 12, 13, 14 };
	struct log_build *b = begin();
	struct tl_log *l;

	log_birth_last(b, 1, 0x10, 2, sites, 3);
	b->p[-1] = 0; /* the third word, which has one call site */
	log_birth_last(b, 2, 0x20, 2, NULL, 0);
	log_frames(b, 0, 10, pcs, 1);
	log_birth_last(b, 3, 0x30, 1, NULL, 0);
	log_stack_change(b, 1, sites, 3);
	b->p--;
	log_free(b, 4, 0x30);
	l = open_build(b);
	expect(l, 0x20, NULL, 0);
	expect(l, 0x30, pcs, 1);
	ck_assert_int_eq(next(l).kind, TL_DEATH);
	no_more(l);
	/* a first word without second, and without third word; the body is stepped over */
	ck_assert_uint_eq(tl_losses(l)->damaged_bytes, 16);
	tl_close(l);
	free(b);
}
END_TEST

/* Chunk 1 of the stream is missing. That alone is no loss: a signal handler may have left the
 * tracker when it took the chunk. But if the log is damaged, the chunk may be. */
START_TEST(a_missing_chunk_of_a_damaged_log_hides_stacks)
{
	struct log_build *b = begin();
	struct tl_log *l;

	if (_i) {
		log_chunk(b, 0, 1, 101)->magic++;
		log_time(b, 1000);
	}
	log_chunk(b, 0, 2, 101);
	log_birth_last(b, 1, 0x10, 2, NULL, 0);
	l = open_build(b);
	expect(l, 0x10, pcs, _i ? 0 : 2);
	no_more(l);
	ck_assert_uint_eq(tl_losses(l)->lost_stacks, _i);
	tl_close(l);
	free(b);
}
END_TEST

/* With many frames, the reader remembers those that were added at once. */
START_TEST(many_stacks_are_told_apart)
{
	enum { SITES = 200, STACKS = 5000, ROUNDS = 2 };
	struct log_build *b = log_new();
	struct tl_log *l;
	uint64_t two[2];

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	for (unsigned i = 0; i < SITES; i++)
		log_frames(b, 0, i, &(uint64_t){ 0x1000 + i }, 1);
	for (unsigned round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < STACKS; i++) {
			const unsigned sites[] = { i % SITES, i / SITES };

			if ((char *)b->p + 64 > (char *)b->words + log_size(b))
				log_chunk(b, 0, b->chunks, 101);
			log_birth_last(b, 1, 0x10 * (1 + i), 0, sites, 2);
		}
	}
	l = open_build(b);
	for (unsigned i = 0; i < STACKS * ROUNDS; i++) {
		two[0] = 0x1000 + i % STACKS % SITES;
		two[1] = 0x1000 + i % STACKS / SITES;
		expect(l, 0x10 * (1 + i % STACKS), two, 2);
	}
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tracklog_last");
	TCase *t = tcase_create("tracklog_last");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, births_change_the_last_stack);
	tcase_add_test(t, births_have_size_function_and_the_last_cpu);
	tcase_add_test(t, other_events_have_the_last_stack);
	tcase_add_test(t, each_stream_has_its_own_last_stack);
	tcase_add_test(t, frames_inside_an_unknown_one_are_unknown);
	tcase_add_test(t, a_frame_need_not_have_a_call_site);
	tcase_add_test(t, records_that_lack_words_are_damage);
	tcase_add_loop_test(t, a_missing_chunk_of_a_damaged_log_hides_stacks, 0, 2);
	tcase_add_test(t, many_stacks_are_told_apart);
	suite_add_tcase(s, t);
	return run_suite(s);
}
