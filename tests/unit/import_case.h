/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers for tests of the import. They make a capture folder with a recording, import it, and
 * query the database. */
#ifndef MEMDB_TESTS_IMPORT_CASE_H
#define MEMDB_TESTS_IMPORT_CASE_H

#include "check_main.h"
#include "perfdata_build.h"

#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

static char dir[32];                          /* path of the capture folder */
static char data[64], follow[64], output[64]; /* paths of perf.data, follow.log and run.db in dir */

static inline void make_case(void)
{
	strcpy(dir, "/tmp/memdb-test-import-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(data, sizeof(data), "%s/perf.data", dir);
	snprintf(follow, sizeof(follow), "%s/follow.log", dir);
	snprintf(output, sizeof(output), "%s/run.db", dir);
}

static inline const char *ask(const char *sql);

/* Checks the foreign keys of the database `output`, and removes the capture folder. */
static inline void remove_case(void)
{
	if (!access(output, F_OK)) {
		ck_assert_str_eq(
			ask("SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check "
			    "GROUP BY 1, 2"),
			"");
		ck_assert_str_eq(ask("PRAGMA integrity_check"), "ok");
	}
	unlink(data);
	unlink(follow);
	unlink(output);
	ck_assert_int_eq(rmdir(dir), 0); /* fails if the import left another file behind */
}

/* Writes the built recording to `data` (perf.data in the capture folder). Omits the last `cut`
 * bytes. */
static inline void save(const struct pd_build *b, size_t cut)
{
	size_t len;
	uint8_t *image = pd_build_image(b, &len);
	FILE *f = fopen(data, "w");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_gt(len, cut);
	ck_assert_uint_eq(fwrite(image, 1, len - cut, f), len - cut);
	fclose(f);
	free(image);
}

static inline void save_follow(const char *text)
{
	FILE *f = fopen(follow, "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* Returns the rows of a query: columns separated by blanks, rows by newlines, NULL as "-". */
static inline const char *ask(const char *sql)
{
	static char answer[1024];
	sqlite3_stmt *st;
	sqlite3 *db;
	size_t n = 0;

	ck_assert_int_eq(sqlite3_open_v2(output, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK, "%s: %s", sql,
		      sqlite3_errmsg(db));
	answer[0] = 0;
	while (sqlite3_step(st) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(st); i++) {
			const char *v = (const char *)sqlite3_column_text(st, i);

			n += (size_t)snprintf(answer + n, sizeof(answer) - n, "%s%s",
					      i   ? " "
					      : n ? "\n"
						  : "",
					      v ? v : "-");
			ck_assert_uint_lt(n, sizeof(answer));
		}
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
	return answer;
}

#endif
