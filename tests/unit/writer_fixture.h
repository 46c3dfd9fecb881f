/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers of test_writer.c and test_writer_files.c: they write rows with known values, and compare
 * them with the database. */
#ifndef MEMDB_TEST_WRITER_FIXTURE_H
#define MEMDB_TEST_WRITER_FIXTURE_H

#include "database/writer.h"

#include "check_main.h"
#include "database/constants.h"
#include "database/data_source.h"
#include "database/table.h"
#include "decode/decode.h"
#include "tracklog/tracklog.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/count.h"

static char dir[] = "/tmp/test-writer.XXXXXX";
static char path[64];

static inline void make_dir(void)
{
	strcpy(dir + sizeof(dir) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/run.db", dir);
}

static inline int files_in_dir(void)
{
	DIR *d = opendir(dir);
	int n = -2; /* does not count the entries "." and ".." */

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static inline void remove_dir(void)
{
	unlink(path);
	ck_assert_int_eq(files_in_dir(), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}

static inline struct writer *open_writer(void)
{
	struct md_err err = { 0 };
	struct writer *w;

	ck_assert_msg(!writer_open(path, false, &w, &err), "%s", err.msg);
	return w;
}

static inline void finish_writer(struct writer *w)
{
	struct md_err err = { 0 };

	ck_assert_msg(!writer_finish(w, NULL, NULL, &err), "%s", err.msg);
}

static inline sqlite3 *open_database(void)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	return db;
}

/* Returns the rows of a query as text: columns are separated by |, rows end with newlines, NULL
 * is "-". */
static inline const char *answer(sqlite3 *db, const char *sql)
{
	static char text[8192];
	size_t n = 0;
	sqlite3_stmt *st;

	ck_assert_msg(!sqlite3_prepare_v2(db, sql, -1, &st, NULL), "%s", sqlite3_errmsg(db));
	text[0] = 0;
	while (sqlite3_step(st) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(st); i++) {
			const char *v = (const char *)sqlite3_column_text(st, i);

			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? "|" : "",
					      v ? v : "-");
			ck_assert_uint_lt(n, sizeof(text) - 1);
		}
		strcpy(text + n++, "\n");
	}
	ck_assert_int_eq(sqlite3_finalize(st), SQLITE_OK);
	return text;
}

/* These macros fill a row with values that depend on i. Kinds and instructions have few different
 * values, and each column is NULL in some rows. */
#define SOME_ID(part, m)   (part).m = (x = x * 5 + 1) % 6;
#define SOME_ENUM(part, m) (part).m = (int32_t)((x = x * 5 + 1) % 3) - 1;
#define SOME_INT(part, m)  (part).m = (x = x * 5 + 1) % 50;
#define SOME_OPT(part, m)            \
	if ((x = x * 5 + 1) % 3 > 0) \
		COLUMN_SET(part, m, x % 7);
#define SOME_DATA(type, m) SOME_##type(r.data, m)
#define SOME_CODE(type, m) SOME_##type(r.code, m)
#define SOME_KIND(type, m) SOME_##type(r.kind, m)

static inline struct row_sample some_sample(uint32_t i)
{
	struct row_sample r = ROW_SAMPLE_NULL;
	uint32_t x = i * 2654435761u >> 27;

	INSTRUCTION_COLUMNS(SOME_CODE)
	ACCESS_KIND_COLUMNS(SOME_KIND)
	x = i;
	SAMPLE_DATA_COLUMNS(SOME_DATA)
	FAULT_DATA_COLUMNS(SOME_DATA)
	r.data.id = i + 1;
	r.data.time = 1000 + i;
	r.data.address = -r.data.address;
	r.kind.addr_source = (int32_t)(i % 4);
	return r;
}

#define IS_NULL_ID(part, m)    !(part).m
#define IS_NULL_ENUM(part, m)  (part).m < 0
#define IS_NULL_INT(part, m)   false
#define IS_NULL_OPT(part, m)   !((part).has & HAS_##m)
#define VALUE_IN_DATA(type, m) { #m, r->data.m, IS_NULL_##type(r->data, m) },
#define VALUE_IN_CODE(type, m) { #m, r->code.m, IS_NULL_##type(r->code, m) },
#define VALUE_IN_KIND(type, m) { #m, r->kind.m, IS_NULL_##type(r->kind, m) },

/* Checks that the current row of the statement has the values of r: each column has the name of a
 * member. */
static inline void check_row(sqlite3_stmt *st, const struct row_sample *r)
{
	const struct {
		const char *name;
		int64_t v;
		bool is_null;
	} c[] = { { "id", r->data.id, false },
		  INSTRUCTION_COLUMNS(VALUE_IN_CODE) ACCESS_KIND_COLUMNS(VALUE_IN_KIND)
			  SAMPLE_DATA_COLUMNS(VALUE_IN_DATA) FAULT_DATA_COLUMNS(VALUE_IN_DATA) };

	for (int i = 0; i < sqlite3_column_count(st); i++) {
		const char *name = sqlite3_column_name(st, i);
		bool is_null = sqlite3_column_type(st, i) == SQLITE_NULL;
		size_t k = 0;

		while (k < COUNT_OF(c) && strcmp(c[k].name, name) != 0)
			k++;
		ck_assert_msg(k < COUNT_OF(c), "%s is in no list", name);
		/* a weight of 0 was not measured, so the view shows NULL */
		if (!strcmp(name, "weight") && !c[k].v)
			ck_assert(is_null);
		else
			ck_assert_msg(is_null == c[k].is_null, "NULL in %s", name);
		if (!is_null)
			ck_assert_msg(sqlite3_column_int64(st, i) == c[k].v, "value of %s", name);
	}
}

/* Checks that the rows of a view are made(0), made(1), … made(n - 1). */
static inline void check_view(sqlite3 *db, const char *sql, uint32_t n,
			      struct row_sample made(uint32_t))
{
	sqlite3_stmt *st;

	ck_assert_msg(!sqlite3_prepare_v2(db, sql, -1, &st, NULL), "%s", sqlite3_errmsg(db));
	for (uint32_t i = 0; i < n; i++) {
		const struct row_sample r = made(i);

		ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
		check_row(st, &r);
	}
	ck_assert_int_eq(sqlite3_step(st), SQLITE_DONE);
	sqlite3_finalize(st);
}

static inline void put_samples(struct writer *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct row_sample r = some_sample(i);

		writer_put_sample(w, &r);
	}
}

#endif
