/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests when a new database replaces an old file, and which files remain after a failure. */
#include "writer_fixture.h"

static struct row_sample some_fault(uint32_t i)
{
	struct row_sample r = some_sample(i);

	r.kind.first = i & 1;
	return r;
}

START_TEST(page_faults_come_out_of_the_view_as_they_went_in)
{
	enum { N = 3000 };
	struct writer *w;
	sqlite3 *db;

	make_dir();
	w = open_writer();
	for (uint32_t i = 0; i < N; i++) {
		const struct row_sample r = some_fault(i);

		writer_put_page_fault(w, &r);
	}
	finish_writer(w);
	db = open_database();
	check_view(db, "SELECT * FROM page_faults ORDER BY id", N, some_fault);
	ck_assert_str_eq(answer(db, "SELECT sum(samples) FROM fault_cells"), "3000\n");
	ck_assert_str_eq(answer(db, "SELECT count(*) FROM (SELECT object_id, sum(samples) FROM "
				    "fault_cells GROUP BY 1 EXCEPT SELECT object_id, count(*) "
				    "FROM fault_data GROUP BY 1)"),
			 "0\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

START_TEST(the_database_is_marked_and_private)
{
	struct stat st;
	sqlite3 *db;

	make_dir();
	finish_writer(open_writer());
	ck_assert_int_eq(files_in_dir(), 1);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 07777, 0600);
	db = open_database();
	ck_assert_str_eq(answer(db, "PRAGMA application_id"), "1835363684\n");
	ck_assert_str_eq(answer(db, "PRAGMA user_version"), "6\n");
	ck_assert_str_eq(answer(db, "PRAGMA integrity_check"), "ok\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

/* the first bytes of a database that exists before the writer begins; the rest is not needed */
static const char old[101] = "SQLite format 3\0old";

static void write_old(void)
{
	FILE *f = fopen(path, "w");

	ck_assert_ptr_nonnull(f);
	fwrite(old, 1, 68, f);
	fwrite("memd", 1, 4, f);
	fwrite(old, 1, 28, f);
	fclose(f);
}

static void check_old(void)
{
	char buf[128] = "";
	FILE *f = fopen(path, "r");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fread(buf, 1, sizeof(buf), f), 100);
	fclose(f);
	ck_assert_mem_eq(buf, old, 68);
	ck_assert_int_eq(files_in_dir(), 1);
}

START_TEST(an_existing_file_is_replaced_only_by_a_whole_one)
{
	struct writer *w;
	struct md_err err = { 0 };

	make_dir();
	write_old();
	w = open_writer();
	put_samples(w, 10000);
	writer_abort(w);
	check_old();
	w = open_writer();
	put_samples(w, 10);
	put_samples(w, 10); /* the ids are already used, so this fails */
	ck_assert_int_eq(writer_finish(w, NULL, NULL, &err), MD_EDB);
	ck_assert_ptr_nonnull(strstr(err.msg, path));
	check_old();
	finish_writer(open_writer());
	sqlite3_close(open_database());
	remove_dir();
}
END_TEST

static int stop_at_once(void *arg, const char *step)
{
	ck_assert_ptr_nonnull(step);
	return ++*(int *)arg;
}

START_TEST(finishing_can_be_interrupted)
{
	struct writer *w;
	struct md_err err = { 0 };
	int calls = 0;

	make_dir();
	write_old();
	w = open_writer();
	put_samples(w, 1000);
	ck_assert_int_eq(writer_finish(w, stop_at_once, &calls, &err), MD_EINTR);
	ck_assert_str_eq(err.msg, "interrupted");
	ck_assert_int_ge(calls, 1);
	check_old();
	remove_dir();
}
END_TEST

/* A callback of the writer: damages the unfinished database file before the writer checks it. */
static int damage_file(void *how, const char *step)
{
	static const char zeros[1 << 16];
	DIR *d = opendir(dir);
	struct dirent *e;
	int fd = -1;

	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.' && strcmp(e->d_name, "run.db") != 0)
			fd = openat(dirfd(d), e->d_name, O_RDWR);
	if (!strcmp(step, "check")) {
		off_t size = lseek(fd, 0, SEEK_END);

		if (*(int *)how)
			ck_assert_int_eq(ftruncate(fd, size + 512), 0);
		else
			for (off_t at = size / 4; at < size / 2; at += (off_t)sizeof(zeros))
				ck_assert_int_gt(pwrite(fd, zeros, sizeof(zeros), at), 0);
	}
	if (fd >= 0)
		close(fd);
	closedir(d);
	return 0;
}

START_TEST(a_file_that_changed_meanwhile_is_not_published)
{
	struct writer *w;
	struct md_err err = { 0 };

	for (int longer = 0; longer < 2; longer++) {
		make_dir();
		write_old();
		w = open_writer();
		put_samples(w, 500000);
		ck_assert_int_eq(writer_finish(w, damage_file, &longer, &err), MD_EDB);
		ck_assert_ptr_nonnull(
			strstr(err.msg, longer ? "bytes instead of" : "cannot write '"));
		check_old();
		remove_dir();
	}
}
END_TEST

/* The write may fail while rows are put, or only when COMMIT empties the cache. */
START_TEST(a_file_limit_is_one_sentence)
{
	const bool at_commit = _i;
	struct writer *w;
	struct md_err err = { 0 };
	struct rlimit limit = { 300 << 10, RLIM_INFINITY };

	make_dir();
	write_old();
	signal(SIGXFSZ, SIG_IGN);
	w = open_writer();
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	put_samples(w, at_commit ? 1000 : 500000);
	ck_assert_int_eq(writer_error(w, &err), at_commit ? 0 : MD_EIO);
	ck_assert_int_eq(writer_finish(w, NULL, NULL, &err), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, "cannot write '"));
	ck_assert_ptr_nonnull(strstr(err.msg, strerror(EFBIG)));
	ck_assert_ptr_nonnull(strstr(err.msg, "the limit is 300 KiB (ulimit -f)"));
	check_old();
	remove_dir();
}
END_TEST

START_TEST(a_killed_import_leaves_the_old_file)
{
	struct writer *w;
	int status;
	pid_t pid;

	make_dir();
	write_old();
	pid = fork();
	if (!pid) {
		put_samples(open_writer(), 100000);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WTERMSIG(status), SIGKILL);
	ck_assert_int_eq(files_in_dir(), 2);
	w = open_writer(); /* removes the temporary file of the killed process */
	ck_assert_int_eq(files_in_dir(), 2);
	writer_abort(w);
	check_old();
	remove_dir();
}
END_TEST

START_TEST(places_that_cannot_be_written_are_told_at_once)
{
	struct md_err err = { 0 };
	struct writer *w;
	char other[96];

	make_dir();
	snprintf(other, sizeof(other), "%s/none/run.db", dir);
	ck_assert_int_eq(writer_open(other, false, &w, &err), MD_EIO);
	ck_assert_ptr_null(w);
	ck_assert_ptr_nonnull(strstr(err.msg, strerror(ENOENT)));
	ck_assert_int_eq(writer_open(dir, false, &w, &err), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, strerror(EISDIR)));
	ck_assert_int_eq(writer_open("/dev/null", false, &w, &err), MD_EIO);
	ck_assert_int_eq(writer_open("/proc/run.db", false, &w, NULL), MD_EIO);
	/* A file name that looks like an SQLite URI must be used as a file name. */
	ck_assert_int_eq(chdir(dir), 0);
	ck_assert_int_eq(writer_open("file:x?mode=memory", false, &w, &err), 0);
	finish_writer(w);
	ck_assert_int_eq(unlink("file:x?mode=memory"), 0);
	ck_assert_int_eq(chdir("/"), 0);
	remove_dir();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("writer_files");
	TCase *t = tcase_create("writer");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, page_faults_come_out_of_the_view_as_they_went_in);
	tcase_add_test(t, the_database_is_marked_and_private);
	tcase_add_test(t, an_existing_file_is_replaced_only_by_a_whole_one);
	tcase_add_test(t, finishing_can_be_interrupted);
	tcase_add_test(t, a_file_that_changed_meanwhile_is_not_published);
	tcase_add_loop_test(t, a_file_limit_is_one_sentence, 0, 2);
	tcase_add_test(t, a_killed_import_leaves_the_old_file);
	tcase_add_test(t, places_that_cannot_be_written_are_told_at_once);
	suite_add_tcase(s, t);
	return run_suite(s);
}
