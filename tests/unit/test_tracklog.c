/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the importer reads a tracker's log. */
#include "tracklog_fixture.h"

START_TEST(a_log_without_chunks_tells_of_its_image)
{
	struct log_build *b = log_new();
	struct tl_log *l;

	log_header(b)->flags = TRACK_FORKED;
	log_header(b)->sequence = 2;
	log_header(b)->min_size = 64;
	log_header(b)->lost_events = 7;
	log_header(b)->lost_children = 2;
	l = open_build(b);
	ck_assert_uint_eq(tl_info(l)->pid, 100);
	ck_assert_uint_eq(tl_info(l)->ppid, 99);
	ck_assert_uint_eq(tl_info(l)->sequence, 2);
	ck_assert_uint_eq(tl_info(l)->start_ns, 1000);
	ck_assert_uint_eq(tl_info(l)->min_size, 64);
	ck_assert_uint_eq(tl_info(l)->page_bytes, 4096);
	ck_assert(tl_info(l)->forked);
	ck_assert_str_eq(tl_info(l)->exe, "/bin/app");
	ck_assert_str_eq(tl_info(l)->command, "app -v");
	no_more(l);
	ck_assert_uint_eq(tl_losses(l)->lost_events, 7);
	ck_assert_uint_eq(tl_losses(l)->lost_children, 2);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(other_files_are_refused)
{
	struct log_build *b = log_new();
	struct md_err err = { 0 };

	log_header(b)->version = TRACK_VERSION + 1;
	ck_assert_int_eq(open_code(b, log_size(b), &err), MD_ENOTSUP);
	ck_assert_ptr_nonnull(strstr(err.msg, "version 4"));
	log_header(b)->version = TRACK_VERSION_FIRST - 1;
	ck_assert_int_eq(open_code(b, log_size(b), &err), MD_ENOTSUP);
	log_header(b)->version = TRACK_VERSION_FIRST;
	ck_assert_int_eq(open_code(b, log_size(b), &err), 0);
	log_header(b)->version = TRACK_VERSION;
	log_header(b)->chunk_bytes = 4096;
	ck_assert_int_eq(open_code(b, log_size(b), &err), MD_EFORMAT);
	log_header(b)->chunk_bytes = TRACK_CHUNK;
	log_header(b)->shift = 64;
	ck_assert_int_eq(open_code(b, log_size(b), &err), MD_EFORMAT);
	log_header(b)->shift = 0;
	ck_assert_int_eq(open_code(b, log_size(b), &err), 0);
	b->words[0]++;
	ck_assert_int_eq(open_code(b, log_size(b), &err), MD_EFORMAT);
	ck_assert_str_eq(err.msg, "not a tracker log");
	free(b);
}
END_TEST

START_TEST(texts_of_an_older_version_are_read)
{
	struct log_build *b = log_new();
	struct track_texts_2 *old = (struct track_texts_2 *)b->words;
	struct tl_log *l;

	log_header(b)->version = TRACK_VERSION_SHARED - 1;
	/* in this older version of the header, these bytes have no meaning, so the reader ignores
	 * them */
	log_header(b)->slot = 7;
	strcpy(old->exe, "/bin/old");
	strcpy(old->command, "old -v");
	l = open_build(b);
	ck_assert_str_eq(tl_info(l)->exe, "/bin/old");
	ck_assert_str_eq(tl_info(l)->command, "old -v");
	ck_assert_uint_eq(tl_info(l)->slot, 0);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(short_records_have_all_their_parts)
{
	struct log_build *b = log_new();
	struct tl_event e;
	struct tl_log *l;

	log_header(b)->shift = 2;
	log_chunk(b, 0, 0, 101);
	log_time(b, 5000);
	log_malloc(b, 10, 0x7f0000001230, 77);
	log_free(b, 0xffff, 0x7f0000001230);
	l = open_build(b);
	e = next(l);
	ck_assert_int_eq(e.kind, TL_BIRTH);
	ck_assert_int_eq(e.function, TL_FN_MALLOC);
	ck_assert_uint_eq(e.time, 5040);
	ck_assert_uint_eq(e.tid, 101);
	ck_assert_int_eq(e.cpu, 3);
	ck_assert_uint_eq(e.address, 0x7f0000001230);
	ck_assert_uint_eq(e.size, 77);
	ck_assert_uint_eq(e.stack, 0);
	e = next(l);
	ck_assert_int_eq(e.kind, TL_DEATH);
	ck_assert_int_eq(e.function, TL_FN_FREE);
	ck_assert_uint_eq(e.time, 5000 + 4 * 0xffff);
	ck_assert_uint_eq(e.address, 0x7f0000001230);
	ck_assert_int_eq(e.cpu, -1);
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(a_birth_says_how_many_blocks_it_stands_for)
{
	const uint32_t modes[] = { 100, 0, TRACK_SAMPLE_MOST, TRACK_SAMPLE_MOST + 1 };
	const uint32_t weights[] = { 100, 1, TRACK_SAMPLE_MOST, 1 };
	struct log_build *b = log_new();
	struct tl_log *l;

	log_chunk(b, 0, 0, 101);
	for (unsigned i = 0; i < 4; i++) {
		struct track_event ev = {
			.ticks = i, .address = 0x1000 * i, .size = 24, .stack = 1, .mode = modes[i]
		};

		log_long_event(b, TL_BIRTH, TL_FN_MALLOC, &ev, NULL, 0);
	}
	log_time(b, 5000);
	log_malloc(b, 10, 0x9000, 77);
	log_header(b)->sample_every = 100;
	log_header(b)->sample_bytes = 4096;
	l = open_build(b);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(next(l).weight, weights[i]);
	ck_assert_uint_eq(next(l).weight, 1);
	ck_assert_uint_eq(tl_info(l)->sample_every, 100);
	ck_assert_uint_eq(tl_info(l)->sample_bytes, 4096);
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(streams_are_merged_by_time_and_an_end_comes_first)
{
	struct log_build *b = log_new();
	static const uint64_t addresses[] = { 0x10, 0x20, 0x30, 0x30, 0x40 };
	struct tl_log *l;

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	log_malloc(b, 1, 0x10, 1);
	/* At the same tick, log_free() below ends an older block at this address. The reader
	 * returns the end of the older block first. */
	log_malloc(b, 3, 0x30, 3);
	log_chunk(b, 1, 1, 102); /* the chunks of one stream may be in any order in the file */
	log_malloc(b, 4, 0x40, 4);
	log_chunk(b, 1, 0, 102);
	log_time(b, 1000);
	log_malloc(b, 2, 0x20, 2);
	log_free(b, 3, 0x30);
	l = open_build(b);
	for (unsigned i = 0; i < 5; i++) {
		struct tl_event e = next(l);

		ck_assert_uint_eq(e.address, addresses[i]);
		ck_assert_int_eq(e.kind, i == 2 ? TL_DEATH : TL_BIRTH);
		ck_assert_uint_eq(e.tid, i == 0 || i == 3 ? 101 : 102);
	}
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

/* tl_position() counts bytes in whole chunks: it increases when all records of a chunk are read. */
START_TEST(the_position_goes_from_nothing_to_the_size)
{
	struct log_build *b = log_new();
	struct tl_log *l;

	for (unsigned i = 0; i < 4; i++) {
		log_chunk(b, 0, i, 101);
		log_time(b, 1000 + i);
		log_malloc(b, 1, 0x10, 1);
	}
	l = open_build(b);
	ck_assert_uint_eq(tl_size(l), 4 * TRACK_CHUNK);
	for (unsigned i = 0; i < 4; i++) {
		next(l);
		ck_assert_uint_eq(tl_position(l), i * TRACK_CHUNK);
	}
	no_more(l);
	ck_assert_uint_eq(tl_position(l), tl_size(l));
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(a_late_record_does_not_go_back_in_time)
{
	struct log_build *b = log_new();
	struct tl_log *l;

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	log_malloc(b, 50, 0x10, 1);
	/* A signal handler interrupted the first malloc after it had read the clock, and wrote
	 * its own record first. So times may decrease within a stream. */
	log_malloc(b, 40, 0x20, 1);
	l = open_build(b);
	ck_assert_uint_eq(next(l).time, 1050);
	ck_assert_uint_eq(next(l).time, 1050);
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(realloc_is_an_end_and_a_birth)
{
	struct log_build *b = log_new();
	struct tl_event e;
	struct tl_log *l;

	log_chunk(b, 0, 0, 101);
	log_time(b, 1000);
	log_short(b, TRACK_REALLOC, 1, 0x100);
	log_short(b, TRACK_BIRTH, 2, 0x200);
	log_birth_body(b, TL_FN_REALLOC, TRACK_BIRTH_CPU_NONE, 9, 1);
	l = open_build(b);
	e = next(l);
	ck_assert_int_eq(e.kind, TL_DEATH);
	ck_assert_int_eq(e.function, TL_FN_REALLOC);
	ck_assert_uint_eq(e.address, 0x100);
	ck_assert_uint_eq(e.time, 1001);
	e = next(l);
	ck_assert_int_eq(e.kind, TL_BIRTH);
	ck_assert_uint_eq(e.address, 0x200);
	ck_assert_uint_eq(e.old_address, 0x100);
	ck_assert_int_eq(e.cpu, -1);
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

START_TEST(long_events_carry_masks_names_and_nodes)
{
	const struct track_event policy = { .ticks = 10,
					    .address = 0x5000,
					    .size = 8192,
					    .stack = 1,
					    .result = 22,
					    .mode = 2,
					    .flags = 1,
					    .extra = 2 };
	const struct track_event cpus = { .ticks = 11, .subject = 55, .extra = 1 };
	const struct track_event name = { .ticks = 12, .subject = 56, .extra = 6 };
	const struct track_event homes = {
		.ticks = 13, .address = 0x6000, .mode = 4096, .extra = 3
	};
	const struct track_tls modules[] = { { 0x400000, 0x7000, 4096, 64 },
					     { 0x500000, 0x6000, 8, 8 } };
	const struct track_event thread = {
		.ticks = 14, .address = 0x8000, .size = 2304, .extra = 8
	};
	const struct track_event end = { .ticks = 14, .extra = 4 };
	const uint64_t mask[] = { 5, 1ull << 63 };
	const int32_t nodes[] = { 1, -2, 0 };
	struct log_build *b = log_new();
	struct tl_event e;
	struct tl_log *l;

	log_chunk(b, 0, 0, 101);
	log_long_event(b, TL_POLICY, TL_FN_MBIND, &policy, mask, 16);
	log_long_event(b, TL_AFFINITY, TL_FN_SCHED_SETAFFINITY, &cpus, mask, 8);
	log_long_event(b, TL_NAME, TL_FN_PTHREAD_SETNAME, &name, "worker", 6);
	log_long_event(b, TL_HOMES, 0, &homes, nodes, 12);
	log_long_event(b, TL_THREAD, TL_FN_THREAD_START, &thread, modules, sizeof(modules));
	log_long_event(b, TL_END, 0, &end, "exit", 4);
	l = open_build(b);
	e = next(l);
	ck_assert_int_eq(e.function, TL_FN_MBIND);
	ck_assert_int_eq(e.cpu, 5);
	ck_assert_int_eq(e.result, 22);
	ck_assert_int_eq(e.policy.mode, 2);
	ck_assert_uint_eq(e.policy.flags, 1);
	ck_assert_uint_eq(e.policy.nwords, 2);
	ck_assert_uint_eq(e.policy.nodes[1], 1ull << 63);
	e = next(l);
	ck_assert_uint_eq(e.subject, 55);
	ck_assert_uint_eq(e.ncpuwords, 1);
	ck_assert_uint_eq(e.cpus[0], 5);
	e = next(l);
	ck_assert_str_eq(e.name, "worker");
	e = next(l);
	ck_assert_uint_eq(e.homes.page_bytes, 4096);
	ck_assert_uint_eq(e.homes.count, 3);
	ck_assert_int_eq(e.homes.nodes[1], -2);
	e = next(l);
	ck_assert_int_eq(e.kind, TL_THREAD);
	ck_assert_uint_eq(e.address, 0x8000);
	ck_assert_uint_eq(e.size, 2304);
	ck_assert_uint_eq(e.tls.count, 2);
	ck_assert_uint_eq(e.tls.modules[1].block, 0x6000);
	e = next(l);
	ck_assert_str_eq(e.name, "exit");
	no_more(l);
	tl_close(l);
	free(b);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tracklog");
	TCase *t = tcase_create("tracklog");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, a_log_without_chunks_tells_of_its_image);
	tcase_add_test(t, other_files_are_refused);
	tcase_add_test(t, texts_of_an_older_version_are_read);
	tcase_add_test(t, short_records_have_all_their_parts);
	tcase_add_test(t, a_birth_says_how_many_blocks_it_stands_for);
	tcase_add_test(t, streams_are_merged_by_time_and_an_end_comes_first);
	tcase_add_test(t, the_position_goes_from_nothing_to_the_size);
	tcase_add_test(t, a_late_record_does_not_go_back_in_time);
	tcase_add_test(t, realloc_is_an_end_and_a_birth);
	tcase_add_test(t, long_events_carry_masks_names_and_nodes);
	suite_add_tcase(s, t);
	return run_suite(s);
}
