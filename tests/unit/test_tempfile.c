/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests temporary files. A file gets its name only when it is complete, and later runs remove
 * files of killed processes. */
#include "base/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"
#include "check_main.h"

static bool disk_is_broken; /* fstat() fails */

/* Replaces the C library's function, also for the tested code. */
int fstat(int fd, struct stat *st)
{
	if (!disk_is_broken)
		return fstatat(fd, "", st, AT_EMPTY_PATH);
	errno = EIO;
	return -1;
}

static char dir[] = "/tmp/memdb-tempfile-XXXXXX";

static void setup(void)
{
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	ck_assert_int_eq(chdir(dir), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(dir), 0); /* fails if the test left a file behind */
}

static void create(struct tempfile *t)
{
	struct md_err err = { 0 };

	ck_assert_msg(!tempfile_create("out", t, &err), "%s", err.msg);
}

static void put(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

START_TEST(it_is_private_and_gets_the_name)
{
	struct tempfile t;
	struct stat st;

	create(&t);
	ck_assert_int_eq(strncmp(t.path, "./out.memdb-", 12), 0);
	ck_assert_int_eq(stat(t.path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0600);
	ck_assert_int_eq(write(t.fd, "x", 1), 1);
	ck_assert_int_eq(tempfile_publish(&t, "out"), 0);
	ck_assert_ptr_null(t.path);
	tempfile_remove(&t);
	ck_assert_int_eq(unlink("out"), 0);
}
END_TEST

START_TEST(a_failed_publish_changes_nothing)
{
	struct tempfile t;

	create(&t);
	ck_assert_int_eq(tempfile_publish(&t, "none/out"), -1);
	ck_assert_int_eq(access(t.path, F_OK), 0);
	tempfile_remove(&t);
}
END_TEST

START_TEST(a_folder_that_is_missing_is_an_error)
{
	struct md_err err = { 0 };
	struct tempfile t;

	ck_assert_int_eq(tempfile_create("none/out", &t, &err), MD_EIO);
	ck_assert_int_eq(err.sys, ENOENT);
	tempfile_remove(&t);
}
END_TEST

START_TEST(what_a_killed_process_left_is_swept)
{
	struct tempfile t;
	int status;
	pid_t pid = fork();

	if (!pid) {
		ck_assert_int_eq(tempfile_create("other", &t, NULL), 0);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_ne(rmdir(dir), 0);
	create(&t); /* also removes the file that the killed process left */
	tempfile_remove(&t);
}
END_TEST

START_TEST(what_lives_or_is_not_ours_is_not_swept)
{
	static const char *const kept[] = { "a.memdb-tmp-ABC-EF", "a.memdb-tmp-ABCDE",
					    ".memdb-tmp-ABCDEF", "a.memdb-backup", "a.backup" };
	struct tempfile first, second;

	create(&first);
	for (size_t i = 0; i < COUNT_OF(kept); i++)
		put(kept[i]);
	put("a.memdb-tmp-ABCDEF");
	ck_assert_int_eq(link("a.memdb-tmp-ABCDEF", "somebody's"), 0);
	ck_assert_int_eq(symlink("a.backup", "a.memdb-tmp-GHIJKL"), 0);
	ck_assert_int_eq(mkdir("a.memdb-tmp-MNOPQR", 0700), 0);
	create(&second);
	ck_assert_int_eq(access(first.path, F_OK), 0);
	ck_assert_int_eq(unlink("a.memdb-tmp-GHIJKL"), 0);
	ck_assert_int_eq(rmdir("a.memdb-tmp-MNOPQR"), 0);
	ck_assert_int_eq(unlink("somebody's"), 0);
	ck_assert_int_eq(unlink("a.memdb-tmp-ABCDEF"), 0);
	for (size_t i = 0; i < COUNT_OF(kept); i++)
		ck_assert_int_eq(unlink(kept[i]), 0);
	tempfile_remove(&first);
	tempfile_remove(&second);
}
END_TEST

/* Several processes create, publish and clean up files in the same directory. No file may be
 * lost. */
START_TEST(sweeps_do_not_harm_each_other)
{
	enum { PROCESSES = 4, ROUNDS = 300 };
	struct tempfile t;
	int status;

	for (int i = 0; i < PROCESSES; i++) {
		pid_t pid = fork();

		for (int k = 0; !pid && k < ROUNDS; k++)
			if (tempfile_create("out", &t, NULL) || write(t.fd, "x", 1) != 1 ||
			    tempfile_publish(&t, "out"))
				_exit(1);
		if (!pid)
			_exit(0);
	}
	for (int i = 0; i < PROCESSES; i++) {
		ck_assert_int_gt(wait(&status), 0);
		ck_assert_int_eq(status, 0);
	}
	ck_assert_int_eq(unlink("out"), 0);
}
END_TEST

START_TEST(a_process_that_is_ended_removes_its_own)
{
	struct tempfile a, b;
	int status;
	pid_t pid;

	create(&a);
	create(&b);
	pid = fork();
	if (!pid) {
		tempfile_remove_all(); /* removes only the files of this process */
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(access(a.path, F_OK), 0);
	ck_assert_int_eq(access(b.path, F_OK), 0);
	tempfile_remove(&a);
	tempfile_remove_all();
	ck_assert_int_ne(access(b.path, F_OK), 0);
	tempfile_remove(&b);
}
END_TEST

START_TEST(nameless_files_lie_where_tmpdir_says)
{
	struct stat file, folder;
	int fd;

	setenv("TMPDIR", dir, 1);
	ck_assert_str_eq(tempfile_folder(), dir);
	fd = tempfile_nameless();
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &file), 0);
	ck_assert_int_eq(stat(dir, &folder), 0);
	ck_assert_uint_eq(file.st_dev, folder.st_dev);
	ck_assert_uint_eq(file.st_nlink, 0);
	close(fd);
	setenv("TMPDIR", "/none", 1);
	ck_assert_int_eq(tempfile_nameless(), -1);
	ck_assert_int_eq(errno, ENOENT);
	setenv("TMPDIR", "", 1);
	ck_assert_str_eq(tempfile_folder(), "/tmp");
	unsetenv("TMPDIR");
}
END_TEST

/* teardown() shows that no file is left. */
START_TEST(a_broken_disk_is_an_error)
{
	struct md_err err = { 0 };
	struct tempfile t;

	disk_is_broken = true;
	ck_assert_int_eq(tempfile_create("out", &t, &err), MD_EIO);
	disk_is_broken = false;
	ck_assert_str_eq(err.msg, "cannot create 'out': Input/output error");
	ck_assert_ptr_null(t.path);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tempfile");
	TCase *t = tcase_create("tempfile");

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, it_is_private_and_gets_the_name);
	tcase_add_test(t, a_failed_publish_changes_nothing);
	tcase_add_test(t, a_folder_that_is_missing_is_an_error);
	tcase_add_test(t, what_a_killed_process_left_is_swept);
	tcase_add_test(t, what_lives_or_is_not_ours_is_not_swept);
	tcase_add_test(t, sweeps_do_not_harm_each_other);
	tcase_add_test(t, a_process_that_is_ended_removes_its_own);
	tcase_add_test(t, nameless_files_lie_where_tmpdir_says);
	tcase_add_test(t, a_broken_disk_is_an_error);
	suite_add_tcase(s, t);
	return run_suite(s);
}
