/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that logs are cut to the size that they use. */
#include "record/trim.h"

#include "check_main.h"
#include "track_format.h"
#include "tracklog/tracklog.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[PATH_MAX], log_path[PATH_MAX + 32];

static void setup(void)
{
	char path[PATH_MAX + 32];

	strcpy(dir, "/tmp/memdb-test-trim-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/track", dir);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	snprintf(log_path, sizeof(log_path), "%s/track/1-2-0.log", dir);
}

static void teardown(void)
{
	char path[PATH_MAX + 32];

	unlink(log_path);
	snprintf(path, sizeof(path), "%s/track", dir);
	rmdir(path);
	ck_assert_int_eq(rmdir(dir), 0);
}

/* Makes a log file of 1 GiB, of which only `next` bytes are used according to its header. */
static int make_log(const char *magic, uint64_t next)
{
	struct track_header h = { .version = TRACK_VERSION, .next = next };
	int fd = open(log_path, O_RDWR | O_CREAT | O_EXCL, 0600);

	memcpy(h.magic, magic, sizeof(h.magic));
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, 1 << 30), 0);
	ck_assert_int_eq(pwrite(fd, &h, sizeof(h), 0), sizeof(h));
	return fd;
}

static off_t size_of(int fd)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	return st.st_size;
}

START_TEST(a_log_is_cut_to_what_was_used)
{
	int fd = make_log(TRACK_MAGIC, 3 * TRACK_CHUNK);

	ck_assert_uint_eq(trim_logs(dir), 1);
	ck_assert_int_eq(size_of(fd), 3 * TRACK_CHUNK);
	ck_assert_uint_eq(trim_logs(dir), 0);
	close(fd);
}
END_TEST

START_TEST(the_file_that_all_share_is_cut_likewise)
{
	struct track_shared s = { .magic = TRACK_SHARED_MAGIC, .next = 5 * TRACK_SLOT };
	int fd = make_log("NOTALOG!", 0);

	ck_assert_int_eq(pwrite(fd, &s, sizeof(s), 0), sizeof(s));
	ck_assert_uint_eq(trim_logs(dir), 1);
	ck_assert_int_eq(size_of(fd), 5 * TRACK_SLOT);
	close(fd);
}
END_TEST

START_TEST(a_log_that_is_mapped_stays)
{
	int fd = make_log(TRACK_MAGIC, 3 * TRACK_CHUNK);
	void *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	ck_assert_uint_eq(trim_logs(dir), 0);
	ck_assert_int_eq(size_of(fd), 1 << 30);
	munmap(p, 4096);
	close(fd);
}
END_TEST

START_TEST(what_makes_no_sense_stays)
{
	static const uint64_t next[] = { 0, 1, UINT64_MAX, 2 << 30, 1 << 20 };
	int fd = make_log(_i < 4 ? TRACK_MAGIC : "NOTALOG!", next[_i]);

	ck_assert_uint_eq(trim_logs(dir), 0);
	ck_assert_int_eq(size_of(fd), 1 << 30);
	close(fd);
}
END_TEST

START_TEST(what_is_no_log_yet_is_cut_too)
{
	int fd = make_log("\0\0\0\0\0\0\0", 0);

	ck_assert_uint_eq(trim_logs(dir), 1);
	ck_assert_int_eq(size_of(fd), 2 * TRACK_CHUNK);
	ck_assert(tl_is_unborn(fd));
	ck_assert_uint_eq(trim_logs(dir), 0);
	close(fd);
}
END_TEST

START_TEST(a_log_without_its_header_stays)
{
	const uint32_t magic = TRACK_CHUNK_MAGIC;
	int fd = make_log("\0\0\0\0\0\0\0", 0);

	ck_assert_int_eq(pwrite(fd, &magic, sizeof(magic), TRACK_CHUNK), sizeof(magic));
	ck_assert_uint_eq(trim_logs(dir), 0);
	ck_assert_int_eq(size_of(fd), 1 << 30);
	close(fd);
}
END_TEST

START_TEST(a_link_is_not_followed)
{
	char target[PATH_MAX + 32];
	int fd = make_log(TRACK_MAGIC, 3 * TRACK_CHUNK);

	snprintf(target, sizeof(target), "%s/target", dir);
	ck_assert_int_eq(rename(log_path, target), 0);
	ck_assert_int_eq(symlink(target, log_path), 0);
	ck_assert_uint_eq(trim_logs(dir), 0);
	ck_assert_int_eq(size_of(fd), 1 << 30);
	unlink(target);
	close(fd);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("trim");
	TCase *t = tcase_create("trim");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_log_is_cut_to_what_was_used);
	tcase_add_test(t, the_file_that_all_share_is_cut_likewise);
	tcase_add_test(t, a_log_that_is_mapped_stays);
	tcase_add_loop_test(t, what_makes_no_sense_stays, 0, 5);
	tcase_add_test(t, what_is_no_log_yet_is_cut_too);
	tcase_add_test(t, a_log_without_its_header_stays);
	tcase_add_test(t, a_link_is_not_followed);
	suite_add_tcase(s, t);
	return run_suite(s);
}
