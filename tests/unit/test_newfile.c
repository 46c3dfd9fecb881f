/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests which existing files a new database or HTML page may replace. */
#include "database/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_main.h"

static char dir[] = "/tmp/memdb-newfile-XXXXXX";

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

static void put(const char *name, const void *bytes, size_t n)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

/* Writes the header of a SQLite database with this application id and a version that does not
 * exist. */
static void put_database(const char *name, const char *id)
{
	char head[200] = "SQLite format 3";

	memcpy(head + 68, id, 4);
	memset(head + 60, 0x7f, 4);
	put(name, head, sizeof(head));
}

static int check(const char *name, bool force)
{
	struct md_err err = { 0 };
	int ret = newfile_check(name, force, &err);

	ck_assert_int_eq(ret, err.code);
	ck_assert_msg(!ret || strstr(err.msg, name), "%s", err.msg);
	return ret;
}

/* Checks that an existing file of this name is refused without `force`, and replaced with `force`.
 * Then removes the file. */
static void check_refused(const char *name)
{
	ck_assert_msg(check(name, false) == MD_EUSAGE, "%s", name);
	ck_assert_msg(check(name, true) == 0, "%s", name);
	ck_assert_int_eq(unlink(name), 0);
}

START_TEST(a_page_replaces_pages_and_a_database_databases)
{
	const char *page = NEWFILE_PAGE_START "\n<html>";

	put("page.html", page, strlen(page));
	ck_assert_int_eq(newfile_check_kind(NEWFILE_PAGE, "page.html", false, NULL), 0);
	ck_assert_int_eq(newfile_check_kind(NEWFILE_DATABASE, "page.html", false, NULL), MD_EUSAGE);
	/* only a part of the mark at the end of the page remains */
	ck_assert_int_eq(truncate("page.html", 20), 0);
	ck_assert_int_eq(newfile_check_kind(NEWFILE_PAGE, "page.html", false, NULL), MD_EUSAGE);
	ck_assert_int_eq(newfile_check_kind(NEWFILE_PAGE, "page.html", true, NULL), 0);
	ck_assert_int_eq(unlink("page.html"), 0);
	put_database("run.db", "memd");
	ck_assert_int_eq(newfile_check_kind(NEWFILE_PAGE, "run.db", false, NULL), MD_EUSAGE);
	ck_assert_int_eq(unlink("run.db"), 0);
}
END_TEST

START_TEST(what_stands_beside_a_page_is_not_its)
{
	struct newfile f;

	put("page.html-wal", "notes", 5);
	ck_assert_int_eq(newfile_create_kind(NEWFILE_PAGE, "page.html", false, &f, NULL), 0);
	ck_assert_int_eq(newfile_publish(&f, NULL), 0);
	newfile_release(&f);
	ck_assert_int_eq(access("page.html-wal", F_OK), 0);
	ck_assert_int_eq(unlink("page.html-wal"), 0);
	ck_assert_int_eq(unlink("page.html"), 0);
}
END_TEST

START_TEST(a_database_of_memdb_may_be_replaced)
{
	put_database("run.db", "memd");
	ck_assert(newfile_is_database("run.db"));
	ck_assert_int_eq(check("run.db", false), 0);
	ck_assert_int_eq(unlink("run.db"), 0);
	ck_assert_int_eq(check("run.db", false), 0); /* no file exists, so it may be created */
	put("run.db", "", 0);
	ck_assert(!newfile_is_database("run.db"));
	ck_assert_int_eq(check("run.db", false), 0);
	ck_assert_int_eq(unlink("run.db"), 0);
}
END_TEST

START_TEST(anything_else_is_replaced_by_force_only)
{
	put("notes", "SQLite format 3 is a format", 27);
	check_refused("notes");
	put_database("other.db", "Mozi");
	ck_assert(!newfile_is_database("other.db"));
	check_refused("other.db");
	put("cut.db", "SQLite format 3", 16);
	check_refused("cut.db");
	put_database("run.db", "memd");
	ck_assert_int_eq(chmod("run.db", 0400), 0);
	check_refused("run.db");
	put("to", "x", 1);
	ck_assert_int_eq(symlink("to", "link"), 0);
	check_refused("link");
	ck_assert_int_eq(unlink("to"), 0);
}
END_TEST

START_TEST(what_is_not_a_file_is_never_replaced)
{
	ck_assert_int_eq(mkdir("folder", 0700), 0);
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	ck_assert_int_eq(check("folder", true), MD_EIO);
	ck_assert_int_eq(check("fifo", true), MD_EIO);
	ck_assert_int_eq(check("/dev/null", true), MD_EIO);
	ck_assert_int_eq(check("none/run.db", true), MD_EIO);
	ck_assert_int_eq(rmdir("folder"), 0);
	ck_assert_int_eq(unlink("fifo"), 0);
}
END_TEST

START_TEST(journals_go_with_the_old_database)
{
	struct newfile f;

	put_database("run.db", "memd");
	put("run.db-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7 and more", 17);
	put("run.db-wal", "\x37\x7f\x06\x83 and more", 13);
	put("run.db-shm", "\x18\xe2\x2d\x00 and more", 13);
	put("run.db-other", "x", 1);
	ck_assert_int_eq(newfile_create("run.db", false, &f, NULL), 0);
	/* The old journal stays until the new database replaces the old one. */
	ck_assert_int_eq(access("run.db-journal", F_OK), 0);
	ck_assert_int_eq(newfile_publish(&f, NULL), 0);
	newfile_release(&f);
	ck_assert_int_ne(access("run.db-journal", F_OK), 0);
	ck_assert_int_ne(access("run.db-wal", F_OK), 0);
	ck_assert_int_ne(access("run.db-shm", F_OK), 0);
	ck_assert_int_eq(unlink("run.db-other"), 0);
	ck_assert_int_eq(unlink("run.db"), 0);
}
END_TEST

START_TEST(finished_journals_go_too)
{
	struct newfile f;

	/* an empty journal, as journal_mode=persist leaves it */
	put("run.db-journal", "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
	put("run.db-wal", "", 0);
	ck_assert_int_eq(newfile_create("run.db", false, &f, NULL), 0);
	ck_assert_int_eq(newfile_publish(&f, NULL), 0);
	newfile_release(&f);
	ck_assert_int_eq(unlink("run.db"), 0);
}
END_TEST

START_TEST(what_is_only_called_a_journal_stays)
{
	static const char *const names[] = { "run.db-journal", "run.db-wal", "run.db-shm" };

	put_database("run.db", "memd");
	for (int i = 0; i < 3; i++) {
		put(names[i], "Dear diary,", 11);
		ck_assert_int_eq(check("run.db", false), MD_EUSAGE);
		ck_assert_int_eq(check("run.db", true), 0);
		ck_assert_int_eq(unlink(names[i]), 0);
		ck_assert_int_eq(mkdir(names[i], 0700), 0);
		ck_assert_int_eq(check("run.db", true), MD_EIO);
		ck_assert_int_eq(rmdir(names[i]), 0);
	}
	ck_assert_int_eq(unlink("run.db"), 0);
}
END_TEST

/* An import may take hours between the first check of the output and the second. A file that
 * appears meanwhile is not replaced. */
START_TEST(what_came_meanwhile_is_kept)
{
	struct md_err err = { 0 };
	struct newfile f;

	ck_assert_int_eq(newfile_create("run.db", false, &f, &err), 0);
	put("run.db", "notes", 5);
	ck_assert_int_eq(newfile_publish(&f, &err), MD_EUSAGE);
	newfile_release(&f);
	ck_assert(!newfile_is_database("run.db"));
	ck_assert_int_eq(newfile_create("run.db", true, &f, &err), 0);
	ck_assert_int_eq(newfile_publish(&f, &err), 0);
	newfile_release(&f);
	ck_assert_int_eq(unlink("run.db"), 0);
}
END_TEST

START_TEST(what_others_may_not_write_is_refused)
{
	if (geteuid())
		return;
	put_database("run.db", "memd");
	ck_assert_int_eq(seteuid(65534), 0);
	/* the folder belongs to root, so this user cannot create a file */
	ck_assert_int_eq(check("run.db", true), MD_EIO);
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert_int_eq(chmod(dir, 0777), 0);
	ck_assert_int_eq(seteuid(65534), 0);
	check_refused("run.db"); /* this user cannot read the existing file */
	ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("newfile");
	TCase *t = tcase_create("newfile");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, a_page_replaces_pages_and_a_database_databases);
	tcase_add_test(t, what_stands_beside_a_page_is_not_its);
	tcase_add_test(t, a_database_of_memdb_may_be_replaced);
	tcase_add_test(t, anything_else_is_replaced_by_force_only);
	tcase_add_test(t, what_is_not_a_file_is_never_replaced);
	tcase_add_test(t, journals_go_with_the_old_database);
	tcase_add_test(t, finished_journals_go_too);
	tcase_add_test(t, what_is_only_called_a_journal_stays);
	tcase_add_test(t, what_came_meanwhile_is_kept);
	tcase_add_test(t, what_others_may_not_write_is_refused);
	suite_add_tcase(s, t);
	return run_suite(s);
}
