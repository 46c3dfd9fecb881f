/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of whole imports share: a folder with a recording and its database, and questions
 * to it. */
#ifndef MEMDB_TESTS_IMPORT_CASE_H
#define MEMDB_TESTS_IMPORT_CASE_H

#include "check_main.h"
#include "perfdata_build.h"

#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

static char dir[32], data[64], output[64]; /* the folder, its perf.data and its run.db */

static inline void make_case(void)
{
	strcpy(dir, "/tmp/memdb-test-import-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(data, sizeof(data), "%s/perf.data", dir);
	snprintf(output, sizeof(output), "%s/run.db", dir);
}

static inline void remove_case(void)
{
	unlink(data);
	unlink(output);
	ck_assert_int_eq(rmdir(dir), 0); /* nothing else may be left */
}

/* The recording as perf.data, without its last `cut` bytes. */
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

/* The only value that a query gives, as text. */
static inline const char *ask(const char *sql)
{
	static char answer[256];
	sqlite3_stmt *st;
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open_v2(output, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK, "%s: %s", sql,
		      sqlite3_errmsg(db));
	answer[0] = 0;
	if (sqlite3_step(st) == SQLITE_ROW && sqlite3_column_text(st, 0))
		snprintf(answer, sizeof(answer), "%s", sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	sqlite3_close(db);
	return answer;
}

#endif
