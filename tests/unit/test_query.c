/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests how a database is opened and how a canned query is prepared and printed. */
#include "query_fixture.h"

static char path[] = "/tmp/test-query.XXXXXX";

static void make_file(const void *bytes, size_t n)
{
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, n), (ssize_t)n);
	close(fd);
}

static void make_database(const char *sql)
{
	struct md_err err = { 0 };
	struct writer *w;
	sqlite3 *db;

	make_file("", 0);
	ck_assert_msg(!writer_open(path, false, &w, &err), "%s", err.msg);
	ck_assert_msg(!writer_finish(w, NULL, NULL, &err), "%s", err.msg);
	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* Checks that opening `file` fails with this code, and that the message contains `file` and
 * `word`. */
static void refuse(const char *file, int code, const char *word)
{
	struct md_err err = { 0 };
	sqlite3 *db;

	ck_assert_int_eq(db_open_readonly(file, &db, &err), code);
	ck_assert_ptr_null(db);
	ck_assert_msg(strstr(err.msg, file) && strstr(err.msg, word), "'%s' without '%s'", err.msg,
		      word);
	ck_assert_int_eq(db_open_readonly(file, &db, NULL), code);
}

START_TEST(what_is_no_memdb_database_is_refused)
{
	refuse("/nowhere/run.db", MD_EIO, "No such file");
	refuse("/tmp", MD_EIO, "it is a folder");
	make_file("", 0);
	refuse(path, MD_EFORMAT, "empty");
	unlink(path);
	make_file("a text that is no database of any kind", 38);
	refuse(path, MD_EFORMAT, "not an SQLite database");
	unlink(path);
	make_file("PERFILE2 begins a recording", 27);
	refuse(path, MD_EFORMAT, "it is a recording: `memdb import");
	unlink(path);
	make_database("PRAGMA application_id=1");
	refuse(path, MD_EFORMAT, "not a memdb database");
	unlink(path);
	make_database("PRAGMA user_version=1");
	refuse(path, MD_ENOTSUP, "schema version 1, this memdb reads 6: import the capture again");
	unlink(path);
	make_database("PRAGMA user_version=7");
	refuse(path, MD_ENOTSUP, "schema version 7, this memdb reads 6: take a newer memdb");
	unlink(path);
	make_database("DROP TABLE runs");
	refuse(path, MD_EFORMAT, "damaged");
	unlink(path);
}
END_TEST

/* Damages the pages of a database, one at a time, opens the database and runs queries. Each query
 * must end with rows or an error. To save time, each damaged page gets only every EVERYth query,
 * and each query gets every EVERYth page. */
START_TEST(damaged_databases_end_in_rows_or_an_error)
{
	enum { EVERY = 11 };
	unsigned first = 0;
	struct stat st;
	FILE *out = fopen("/dev/null", "w");

	ck_assert_ptr_nonnull(out);
	make_database("INSERT INTO losses VALUES (1, 'perf', 'lost', 1, NULL)");
	ck_assert_int_eq(stat(path, &st), 0);
	for (off_t at = 16; at < st.st_size; at += (SANITIZED ? 4 : 1) * (4096 + 13)) {
		int fd = open(path, O_RDWR);
		char old[16], bad[16];
		struct md_err err = { 0 };
		sqlite3 *db;

		ck_assert_int_eq(pread(fd, old, sizeof(old), at), sizeof(old));
		memset(bad, 0xa5, sizeof(bad));
		ck_assert_int_eq(pwrite(fd, bad, sizeof(bad), at), sizeof(bad));
		if (!db_open_readonly(path, &db, &err)) {
			unsigned turn = first++;

			for (const struct sql_file *q = sql_queries; q->name; q++) {
				sqlite3_stmt *s;

				if (turn++ % EVERY)
					continue;
				if (!query_prepare(db, q, NULL, 0, &s, &err))
					print_rows(s, PRINT_TABLE, out, &err);
				sqlite3_finalize(s);
			}
			sqlite3_close(db);
		} else {
			ck_assert_str_ne(err.msg, "");
		}
		ck_assert_int_eq(pwrite(fd, old, sizeof(old), at), sizeof(old));
		close(fd);
	}
	fclose(out);
	unlink(path);
}
END_TEST

START_TEST(the_database_cannot_be_changed)
{
	sqlite3 *db;

	make_database("");
	ck_assert_int_eq(db_open_readonly(path, &db, NULL), 0);
	ck_assert_int_ne(sqlite3_exec(db, "DELETE FROM losses", NULL, NULL, NULL), SQLITE_OK);
	ck_assert_int_ne(sqlite3_exec(db, "CREATE TABLE x (a)", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	unlink(path);
}
END_TEST

START_TEST(names_are_found_and_suggested)
{
	ck_assert_str_eq(query_find("coverage")->name, "coverage");
	ck_assert_ptr_null(query_find("coverag"));
	ck_assert_ptr_null(query_find(""));
	ck_assert_str_eq(query_suggest("coverag")->name, "coverage");
	ck_assert_str_eq(query_suggest("acces_matrices")->name, "access_matrix");
	ck_assert_str_eq(query_suggest("touch")->name, "first_touch");
	ck_assert_ptr_null(query_suggest("zzzzzzzzzzzz"));
	ck_assert_ptr_null(query_suggest("a-name-longer-than-any-query-has-and-than-the-table-that-"
					 "compares-two-names"));
}
END_TEST

START_TEST(headers_are_read)
{
	const struct sql_file q = { "x",
				    "-- query:   x\n-- summary:  Some rows. \n-- param: a 1 b\n"
				    "-- param: b - c\nSELECT 1;\n-- param: no 1 2\n" };
	const char *text;

	ck_assert_int_eq(query_header(&q, "summary", 0, &text), 10);
	ck_assert_int_eq(strncmp(text, "Some rows.", 10), 0);
	ck_assert_int_eq(query_header(&q, "param", 1, &text), 5);
	ck_assert_int_eq(strncmp(text, "b - c", 5), 0);
	ck_assert_int_eq(query_header(&q, "param", 2, &text), 0);
	ck_assert_int_eq(query_header(&q, "column", 0, &text), 0);
}
END_TEST

static void refuse_param(const struct sql_file *q, const char *param, int code, const char *message)
{
	struct md_err err = { 0 };
	sqlite3_stmt *st;
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_int_eq(query_prepare(db, q, &param, 1, &st, &err), code);
	ck_assert_ptr_null(st);
	ck_assert_str_eq(err.msg, message);
	sqlite3_close(db);
}

START_TEST(parameters_are_bound_by_name_and_kind)
{
	const char *const both[] = { "name=a'; DROP=1", "top=5" };
	const char *const number[] = { "name=0x10" };
	const char *const empty[] = { "name=" };

	check_params(NULL, 0, "20 null (null) null");
	check_params(both, 2, "5 integer a'; DROP=1 text");
	check_params(number, 1, "20 null 16 integer");
	check_params(empty, 1, "20 null  text");
}
END_TEST

START_TEST(parameters_that_make_no_sense_are_refused)
{
	const struct sql_file none = { "none", "-- query: none\nSELECT 1;" };
	const struct sql_file bad = { "bad", "-- query: bad\n-- param: top 1 x\nSELECT FROM;" };
	const struct sql_file by = { "by", "-- query: by\n-- param: of - x\n-- param: by - y\n"
					   "-- values: of no\n-- values: by run, line, two words\n"
					   "SELECT :by, :of;" };
	const struct sql_file object = { "object",
					 "-- query: object\n-- param: object - the object\n"
					 "SELECT :object;" };

	refuse_param(&params_query, "top=many", MD_EUSAGE,
		     "parameter 'top' needs a whole number of at least 1, "
		     "not 'many'");
	refuse_param(&params_query, "top=", MD_EUSAGE,
		     "parameter 'top' needs a whole number of at least 1, "
		     "not ''");
	refuse_param(&params_query, "top=99999999999999999999", MD_EUSAGE,
		     "parameter 'top' needs a whole number of at least 1, "
		     "not '99999999999999999999'");
	refuse_param(&params_query, "top=-1", MD_EUSAGE,
		     "parameter 'top' needs a whole number of at least 1, "
		     "not '-1'");
	refuse_param(&params_query, "to=1", MD_EUSAGE,
		     "query 'params' has no parameter 'to'; it has: top, name");
	refuse_param(&params_query, "=1", MD_EUSAGE,
		     "query 'params' has no parameter ''; it has: top, name");
	refuse_param(&params_query, "top", MD_EUSAGE, "'top' is no parameter: write NAME=VALUE");
	refuse_param(&none, "top=1", MD_EUSAGE, "query 'none' has no parameters");
	refuse_param(&by, "by=lin", MD_EUSAGE,
		     "parameter 'by' is one of run, line, two words; not 'lin'");
	refuse_param(&by, "by=", MD_EUSAGE,
		     "parameter 'by' is one of run, line, two words; not ''");
	refuse_param(&by, "by=words", MD_EUSAGE,
		     "parameter 'by' is one of run, line, two words; not 'words'");
	refuse_param(&by, "of=run", MD_EUSAGE, "parameter 'of' is one of no; not 'run'");
	refuse_param(&bad, "top=1", MD_EDB, "query 'bad': near \"FROM\": syntax error");
	refuse_param(&object, "object=x", MD_EDB, "objects: no such table: objects");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("query");
	TCase *t = tcase_create("query");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, what_is_no_memdb_database_is_refused);
	tcase_add_test(t, damaged_databases_end_in_rows_or_an_error);
	tcase_add_test(t, the_database_cannot_be_changed);
	tcase_add_test(t, names_are_found_and_suggested);
	tcase_add_test(t, headers_are_read);
	tcase_add_test(t, parameters_are_bound_by_name_and_kind);
	tcase_add_test(t, parameters_that_make_no_sense_are_refused);
	suite_add_tcase(s, t);
	return run_suite(s);
}
