/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how the logs in a folder are found. The log of a process begins in a slot of the file that
 * all processes share (preload/track_format.h), and a long log continues in further chunks or in a
 * file of its own. */
#include "tracklog/tracklog.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "check_main.h"
#include "fake_root.h"
#include "tracklog_build.h"

enum { SLOT_COOKIE = 77 };

static struct fake_root root;

static void setup(void)
{
	fake_root_make(&root);
}

static void teardown(void)
{
	fake_root_remove(&root);
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", root.dir, name);
	return path;
}

static void write_file(const char *name, uint64_t offset, const void *bytes, size_t len)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, bytes, len, (off_t)offset), (ssize_t)len);
	close(fd);
}

/* Fills a chunk of stream 0 with one malloc of `size` bytes, at `time`. `sequence` is the chunk's
 * position in the stream. */
static void fill_chunk(struct log_build *b, struct track_chunk *c, uint32_t sequence, uint64_t time,
		       uint64_t size)
{
	*c = (struct track_chunk){ .magic = TRACK_CHUNK_MAGIC,
				   .cookie = log_header(b)->cookie,
				   .sequence = sequence,
				   .tid = 100 };
	b->p = (uint64_t *)(c + 1);
	log_time(b, time);
	log_malloc(b, 0, 0x1000 * size, size);
}

/* Writes slot `number` of the shared file, with a log of one block of 16 bytes. `first` and
 * `second` are the chunks of the file in which that log continues (0: none). */
static void write_slot_of(uint64_t number, uint64_t cookie, uint32_t first, uint32_t second)
{
	struct log_build *b = log_new();

	log_header(b)->cookie = cookie;
	log_header(b)->blocks[0] = first;
	log_header(b)->blocks[1] = second;
	log_header(b)->next = 0;
	log_header(b)->lost_events = 3;
	fill_chunk(b, (struct track_chunk *)(b->words + TRACK_SLOT_HEADER / 8), 0, 2000, 16);
	write_file(TRACK_SHARED, number * TRACK_SLOT, b->words, TRACK_SLOT);
	free(b);
}

static void write_slot(uint64_t number, uint64_t cookie)
{
	write_slot_of(number, cookie, 0, 0);
}

/* Writes the beginning of the shared file, as the tracker does. `next` bytes of it are used. */
static void write_beginning(uint64_t next)
{
	struct track_shared s = { .magic = TRACK_SHARED_MAGIC,
				  .bytes = TRACK_SHARED_BYTES,
				  .next = next };

	write_file(TRACK_SHARED, 0, &s, sizeof(s));
}

/* Writes chunk `number` of the shared file, with one block of 48 bytes. */
static void write_chunk(uint64_t number, uint64_t cookie, uint32_t sequence)
{
	struct log_build *b = log_new();

	log_header(b)->cookie = cookie;
	fill_chunk(b, log_chunk(b, 0, 0, 100), sequence, 2000 + sequence, 48);
	write_file(TRACK_SHARED, number * TRACK_CHUNK, b->words + TRACK_CHUNK / 8, TRACK_CHUNK);
	free(b);
}

/* Writes a log that is a file of its own, with one block of 32 bytes. `slot` is 1 + the number of
 * the slot that the log continues, or 0. */
static void write_own(const char *name, uint64_t slot)
{
	struct log_build *b = log_new();

	log_header(b)->cookie = SLOT_COOKIE;
	log_header(b)->slot = slot;
	log_header(b)->lost_events = 4;
	fill_chunk(b, log_chunk(b, 0, 0, 100), 1, 3000, 32);
	write_file(name, 0, b->words, log_size(b));
	free(b);
}

static void check_names(const char *const *want, uint32_t n)
{
	struct md_err err = { 0 };
	struct tl_names names;

	ck_assert_msg(!tl_names(root.dir, &names, &err), "%s", err.msg);
	for (uint32_t i = 0; i < n && i < names.n; i++)
		ck_assert_str_eq(names.at[i], want[i]);
	ck_assert_uint_eq(names.n, n);
	tl_names_release(&names);
}

/* Opens the log of this name, and reads its blocks and losses. Writes the sizes of the blocks to
 * `sizes`. Returns the number of blocks. */
static unsigned read_log(const char *name, uint64_t *sizes, struct tl_info *info,
			 struct tl_losses *losses)
{
	struct md_err err = { 0 };
	struct tl_event e;
	struct tl_log *l;
	unsigned n = 0;

	ck_assert_msg(!tl_open_path(path_of(name), &l, &err), "%s", err.msg);
	while (tl_next(l, &e, &err) > 0 && n < 4)
		sizes[n++] = e.size;
	*info = *tl_info(l);
	*losses = *tl_losses(l);
	tl_close(l);
	return n;
}

START_TEST(a_log_is_named_once)
{
	write_slot(0, SLOT_COOKIE);
	write_slot(1, 78);
	write_slot(40, 79); /* the slots between are empty */
	write_own("100-1-0.log", 1);
	write_own("200-1-0.log", 0);
	write_file("other.txt", 0, "x", 1);
	check_names((const char *const[]){ "100-1-0.log", "200-1-0.log", "shared.log:1",
					   "shared.log:40" },
		    4);
}
END_TEST

/* The process ended while it made the file, which may be empty: the header has no magic, and there
 * is no chunk. */
START_TEST(what_is_no_log_yet_is_not_named)
{
	const uint32_t magic = TRACK_CHUNK_MAGIC;

	write_file("100-1-0.log", 100, "x", 1);
	ck_assert_int_eq(truncate(path_of("100-1-0.log"), 64 << 20), 0);
	write_file("150-1-0.log", 0, "", 0);
	check_names(NULL, 0);
	/* the header of a log with a chunk is lost; the error says so */
	write_file("100-1-0.log", TRACK_CHUNK, &magic, sizeof(magic));
	write_file("200-1-0.log", 100, "x", 1);
	check_names((const char *const[]){ "100-1-0.log", "200-1-0.log" }, 2);
}
END_TEST

START_TEST(a_slot_that_is_cut_off_is_no_log)
{
	write_slot(0, SLOT_COOKIE);
	write_slot(1, 78);
	ck_assert_int_eq(truncate(path_of(TRACK_SHARED), 2 * TRACK_SLOT - 1), 0);
	check_names((const char *const[]){ "shared.log:0" }, 1);
}
END_TEST

/* The shared file is read, although its end is missing. The list contains the number of missing
 * bytes. If the counter of used bytes is not plausible, this number is 8. */
START_TEST(the_bytes_that_the_shared_file_lacks_are_counted)
{
	static const struct {
		uint64_t next, missing;
	} cases[] = {
		{ TRACK_CHUNK + TRACK_SLOT, 0 },
		{ TRACK_CHUNK + TRACK_SLOT + 1, 1 },
		{ 3 * TRACK_CHUNK, 2 * TRACK_CHUNK - TRACK_SLOT },
		{ TRACK_SHARED_BYTES + 1, 8 },
		{ TRACK_CHUNK - 1, 8 },
	};
	struct md_err err = { 0 };
	struct tl_names names;

	write_slot(4, 78);
	write_beginning(cases[_i].next);
	ck_assert_msg(!tl_names(root.dir, &names, &err), "%s", err.msg);
	ck_assert_uint_eq(names.n, 1);
	ck_assert_uint_eq(names.missing, cases[_i].missing);
	tl_names_release(&names);
}
END_TEST

/* Two slots have invalid bytes. Only the first is listed, because opening it reports the damage. */
START_TEST(slots_of_other_bytes_are_named_once)
{
	char bytes[2 * TRACK_SLOT];
	struct md_err err = { 0 };
	struct tl_log *l;

	memset(bytes, 'x', sizeof(bytes));
	write_file(TRACK_SHARED, 0, bytes, sizeof(bytes));
	write_slot(3, 78); /* a valid slot after an empty one */
	check_names((const char *const[]){ "shared.log:0", "shared.log:3" }, 2);
	ck_assert_int_eq(tl_open_path(path_of("shared.log:0"), &l, &err), MD_EFORMAT);
	ck_assert_ptr_nonnull(strstr(err.msg, path_of("shared.log:0")));
}
END_TEST

/* A file of another type has the name of the shared file. It is listed, and opening it reports
 * that it is not a log. */
START_TEST(what_stands_in_the_place_of_the_shared_file_is_named)
{
	struct md_err err = { 0 };
	struct tl_log *l;

	ck_assert_int_eq(_i ? mkfifo(path_of(TRACK_SHARED), 0600)
			    : mkdir(path_of(TRACK_SHARED), 0700),
			 0);
	check_names((const char *const[]){ TRACK_SHARED }, 1);
	ck_assert_int_eq(tl_open_path(path_of(TRACK_SHARED), &l, &err), MD_EFORMAT);
	ck_assert_ptr_nonnull(strstr(err.msg, "not a tracker log"));
}
END_TEST

START_TEST(a_folder_that_is_missing_is_an_error)
{
	struct md_err err = { 0 };
	struct tl_names names;

	ck_assert_int_eq(tl_names(path_of("none"), &names, &err), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, "none"));
	ck_assert_uint_eq(names.n, 0);
}
END_TEST

START_TEST(a_slot_is_a_log)
{
	struct tl_losses losses;
	struct tl_info info;
	uint64_t sizes[4];

	write_slot(1, 78);
	ck_assert_uint_eq(read_log("shared.log:1", sizes, &info, &losses), 1);
	ck_assert_uint_eq(sizes[0], 16);
	ck_assert_uint_eq(info.pid, 100);
	ck_assert_uint_eq(info.slot, 2);
	ck_assert_uint_eq(losses.lost_events, 3);
	ck_assert_uint_eq(losses.damaged_bytes, 0);
}
END_TEST

/* The list contains only slots, not the chunks or the beginning of the file. */
START_TEST(only_slots_are_named)
{
	write_beginning(TRACK_CHUNK);
	write_slot_of(4, SLOT_COOKIE, 2, 0);
	write_chunk(2, SLOT_COOKIE, 1);
	write_chunk(4, SLOT_COOKIE, 2);
	write_slot(32 + 4 * 32, 78);
	check_names((const char *const[]){ "shared.log:4", "shared.log:160" }, 2);
}
END_TEST

START_TEST(a_slot_goes_on_in_blocks)
{
	const uint32_t least = (uint32_t)(track_block_bytes(0) / TRACK_CHUNK);
	struct tl_losses losses;
	struct tl_info info;
	uint64_t sizes[4];

	write_beginning(TRACK_CHUNK);
	write_slot_of(4, SLOT_COOKIE, 2, 2 + least);
	write_chunk(2, SLOT_COOKIE, 1);
	write_chunk(2 + least, SLOT_COOKIE, 2);
	/* this chunk is after the end of the log's second range of chunks, so it is part of no
	 * log */
	write_chunk(2 + 3 * least, 78, 3);
	ck_assert_uint_eq(read_log("shared.log:4", sizes, &info, &losses), 3);
	ck_assert_uint_eq(sizes[0], 16);
	ck_assert_uint_eq(sizes[1], 48);
	ck_assert_uint_eq(sizes[2], 48);
	ck_assert_uint_eq(losses.damaged_bytes, 0);
}
END_TEST

START_TEST(a_chunk_of_another_log_in_a_block_is_damage)
{
	struct tl_losses losses;
	struct tl_info info;
	uint64_t sizes[4];

	write_slot_of(4, SLOT_COOKIE, 2, 0);
	write_chunk(2, 78, 1);
	ck_assert_uint_eq(read_log("shared.log:4", sizes, &info, &losses), 1);
	ck_assert_uint_eq(losses.damaged_bytes, TRACK_CHUNK);
	ck_assert_str_eq(losses.what, "not a chunk at byte 65536 of shared.log");
}
END_TEST

START_TEST(a_block_that_is_missing_is_damage)
{
	struct tl_losses losses;
	struct tl_info info;
	uint64_t sizes[4];

	write_slot_of(4, SLOT_COOKIE, 2, UINT32_MAX);
	write_chunk(2, SLOT_COOKIE, 1);
	ck_assert_uint_eq(read_log("shared.log:4", sizes, &info, &losses), 2);
	ck_assert_uint_eq(losses.damaged_bytes, track_block_bytes(1));
	ck_assert_ptr_nonnull(strstr(losses.what, "a block of the log is missing"));
}
END_TEST

START_TEST(a_file_goes_on_from_its_slot)
{
	struct tl_losses losses;
	struct tl_info info;
	uint64_t sizes[4];

	write_slot(5, SLOT_COOKIE);
	write_own("100-1-0.log", 6);
	ck_assert_uint_eq(read_log("100-1-0.log", sizes, &info, &losses), 2);
	ck_assert_uint_eq(sizes[0], 16);
	ck_assert_uint_eq(sizes[1], 32);
	ck_assert_uint_eq(info.slot, 6);
	ck_assert_uint_eq(losses.lost_events, 7);
	ck_assert_uint_eq(losses.damaged_bytes, 0);
}
END_TEST

/* Wrong values of `slot`: no such slot, a slot of another image, and a slot that cannot exist. */
static const uint64_t wrong[] = { 7, 1, UINT64_MAX };

START_TEST(a_file_without_its_slot_says_so)
{
	struct tl_losses losses;
	struct tl_info info;
	uint64_t sizes[4];

	write_slot(0, 78);
	write_own("100-1-0.log", wrong[_i]);
	ck_assert_uint_eq(read_log("100-1-0.log", sizes, &info, &losses), 1);
	ck_assert_uint_eq(sizes[0], 32);
	ck_assert_uint_eq(losses.damaged_bytes, TRACK_SLOT);
	ck_assert_ptr_nonnull(strstr(losses.what, "shared.log"));
}
END_TEST

START_TEST(a_slot_that_is_none_is_refused)
{
	struct md_err err = { 0 };
	struct tl_log *l;

	ck_assert_int_eq(tl_open_path(path_of("shared.log:0"), &l, &err), MD_EIO);
	write_slot(0, 78);
	ck_assert_int_eq(tl_open_path(path_of("shared.log:1"), &l, &err), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, "slot 1"));
	ck_assert_int_eq(tl_open_path(path_of("shared.log:x"), &l, &err), MD_EIO);
	write_file(TRACK_SHARED, 0, "no header", 9);
	ck_assert_int_eq(tl_open_path(path_of("shared.log:0"), &l, &err), MD_EFORMAT);
	ck_assert_ptr_null(l);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tracklog_names");
	TCase *t = tcase_create("tracklog_names");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_log_is_named_once);
	tcase_add_test(t, what_is_no_log_yet_is_not_named);
	tcase_add_test(t, a_slot_that_is_cut_off_is_no_log);
	tcase_add_loop_test(t, the_bytes_that_the_shared_file_lacks_are_counted, 0, 5);
	tcase_add_test(t, slots_of_other_bytes_are_named_once);
	tcase_add_loop_test(t, what_stands_in_the_place_of_the_shared_file_is_named, 0, 2);
	tcase_add_test(t, a_folder_that_is_missing_is_an_error);
	tcase_add_test(t, a_slot_is_a_log);
	tcase_add_test(t, only_slots_are_named);
	tcase_add_test(t, a_slot_goes_on_in_blocks);
	tcase_add_test(t, a_chunk_of_another_log_in_a_block_is_damage);
	tcase_add_test(t, a_block_that_is_missing_is_damage);
	tcase_add_test(t, a_file_goes_on_from_its_slot);
	tcase_add_loop_test(t, a_file_without_its_slot_says_so, 0, 3);
	tcase_add_test(t, a_slot_that_is_none_is_refused);
	suite_add_tcase(s, t);
	return run_suite(s);
}
