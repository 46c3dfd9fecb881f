/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Proves that a table whose pages btree.c writes has the same rows as one that SQLite fills, and
 * that SQLite finds no fault in it: with random columns, values and numbers of rows. */
#include "database/btree.h"
#include "database/vtab.h"

#include "check_main.h"
#include "random.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/count.h"

enum { COLUMNS = BTREE_COLUMNS, ROW_BYTES = 8 * (COLUMNS + 1) };

static const char *const names[COLUMNS] = {
	"id",  "c1",  "c2",  "c3",  "c4",  "c5",  "c6",  "c7",  "c8",  "c9",  "c10", "c11", "c12",
	"c13", "c14", "c15", "c16", "c17", "c18", "c19", "c20", "c21", "c22", "c23", "c24", "c25",
	"c26", "c27", "c28", "c29", "c30", "c31", "c32", "c33", "c34", "c35", "c36", "c37", "c38",
	"c39", "c40", "c41", "c42", "c43", "c44", "c45", "c46", "c47", "c48", "c49", "c50", "c51",
	"c52", "c53", "c54", "c55", "c56", "c57", "c58", "c59", "c60", "c61", "c62", "c63",
};

static uint64_t state;

static void seed(uint64_t number)
{
	state = number;
}

static uint64_t draw(void)
{
	const uint64_t high = random_next(&state) >> 32;

	return high << 32 | random_next(&state) >> 32;
}

/* A database with the tables `direct` and `plain`, which have the same columns. */
struct fixture {
	sqlite3 *db;
	char path[32];
	int fd;
	struct column columns[COLUMNS];
	struct table direct, plain;
	struct row_source source; /* of `plain` */
	sqlite3_stmt *insert;
	struct btree tree;
	bool has_id; /* whether the tables have a rowid that is a column */
	uint32_t id;
};

static void run(struct fixture *f, const char *sql)
{
	char *error = NULL;

	sqlite3_exec(f->db, sql, NULL, NULL, &error);
	ck_assert_msg(!error, "%s: %s", sql, error);
}

static const char *answer(struct fixture *f, const char *sql)
{
	static char text[200];
	sqlite3_stmt *st = NULL;

	ck_assert_msg(!sqlite3_prepare_v2(f->db, sql, -1, &st, NULL), "%s: %s", sql,
		      sqlite3_errmsg(f->db));
	ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
	snprintf(text, sizeof(text), "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return text;
}

/* Chooses random columns: the first one is the rowid, and up to `most` - 1 others have random
 * kinds. In a row, the member `has` comes before all columns. */
static void choose_columns(struct fixture *f, int most)
{
	const int n = 1 + (int)(draw() % (unsigned)most);

	for (int i = 0; i < n; i++)
		f->columns[i] = (struct column){
			.name = names[i],
			.kind = i ? (uint8_t)(draw() % (COLUMN_TEXT + 1)) : COLUMN_ID,
			.offset = (uint16_t)(8 * (i + 1)),
			.has = draw() % 2 ? 1u << draw() % 32 : 0,
		};
	for (int i = 0; i < n; i++)
		if (f->columns[i].kind == COLUMN_REAL)
			f->columns[i].kind = COLUMN_INT;
	f->direct = (struct table){ "direct", f->columns, n, ROW_BYTES, 0 };
	f->plain = f->direct;
	f->plain.name = "plain";
}

/* Creates both tables. In `direct`, all columns after the first are in reverse order. In half of
 * the cases, the first column is not the rowid. */
static void create_tables(struct fixture *f)
{
	const char *key = f->has_id ? " PRIMARY KEY" : "";
	const int n = f->direct.ncolumns;
	char sql[2000];

	snprintf(sql, sizeof(sql), "CREATE TABLE direct (id INTEGER%s", key);
	for (int i = n - 1; i > 0; i--)
		snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql), ", %s %s", names[i],
			 f->columns[i].kind == COLUMN_TEXT ? "TEXT" : "INTEGER");
	strcat(sql, ") STRICT; CREATE TABLE plain (id INTEGER");
	strcat(sql, key);
	for (int i = 1; i < n; i++)
		snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql), ", %s %s", names[i],
			 f->columns[i].kind == COLUMN_TEXT ? "TEXT" : "INTEGER");
	strcat(sql, ") STRICT; CREATE TABLE other (x)");
	run(f, sql);
}

static void set_up(struct fixture *f, int most)
{
	*f = (struct fixture){ .path = "/tmp/memdb-test-btree-XXXXXX" };
	f->fd = mkstemp(f->path);
	ck_assert_int_ge(f->fd, 0);
	ck_assert(!sqlite3_open_v2(f->path, &f->db, SQLITE_OPEN_READWRITE, "unix-none"));
	run(f, "PRAGMA page_size=16384; PRAGMA journal_mode=off; PRAGMA synchronous=off; BEGIN");
	choose_columns(f, most);
	f->has_id = draw() % 2;
	create_tables(f);
	f->source.table = &f->plain;
	ck_assert(!vtab_register(f->db, &f->source));
	ck_assert(!vtab_prepare_insert(f->db, &f->plain, 0, &f->insert));
	ck_assert(!btree_begin(&f->tree, &f->direct, f->db, f->fd));
}

static void tear_down(struct fixture *f)
{
	btree_release(&f->tree);
	sqlite3_finalize(f->insert);
	ck_assert(!sqlite3_close(f->db));
	close(f->fd);
	unlink(f->path);
}

/* Returns a text of any length that is permitted, or NULL. */
static const char *draw_text(void)
{
	static const char text[BTREE_TEXT_MOST + 1] =
		"a text with \303\244 that is as long as one byte can tell, so..";

	return draw() % 4 ? text + draw() % sizeof(text) : NULL;
}

/* Makes a row. Values of all sizes are equally likely, and those next to a power of two. */
static void make_row(struct fixture *f, char *row, uint32_t gap)
{
	uint32_t has = (uint32_t)draw();

	memcpy(row, &has, sizeof(has));
	f->id += 1 + (uint32_t)(draw() % gap);
	for (int i = 0; i < f->direct.ncolumns; i++) {
		const unsigned bits = (unsigned)(draw() % 64);
		int64_t value = (int64_t)((UINT64_C(1) << bits) + draw() % 3 - 1);

		if (draw() % 2)
			value = (int64_t)(draw() >> bits);
		if (draw() % 2)
			value = (int64_t)(0 - (uint64_t)value);
		if (f->columns[i].kind == COLUMN_BOOL)
			value &= 1;
		if (!i)
			value = f->id;
		if (f->columns[i].kind == COLUMN_TEXT)
			value = (int64_t)(intptr_t)draw_text();
		memcpy(row + f->columns[i].offset, &value, sizeof(value));
	}
}

/* Adds `n` rows to both tables, in batches. After each batch, adds a row to the table `other`. */
static void add_rows(struct fixture *f, uint32_t n, uint32_t gap)
{
	enum { BATCH = 100 };
	static char rows[BATCH * ROW_BYTES];

	for (uint32_t done = 0; done < n; done += (uint32_t)f->source.count) {
		f->source.rows = rows;
		f->source.count = n - done < BATCH ? n - done : BATCH;
		for (size_t i = 0; i < f->source.count; i++)
			make_row(f, rows + i * ROW_BYTES, gap);
		ck_assert_int_eq(btree_put(&f->tree, rows, f->source.count), SQLITE_OK);
		ck_assert_int_eq(sqlite3_step(f->insert), SQLITE_DONE);
		sqlite3_reset(f->insert);
		run(f, "INSERT INTO other VALUES (zeroblob(5000))");
	}
}

static void compare(struct fixture *f)
{
	char columns[1000] = "id", sql[3000];

	for (int i = 1; i < f->direct.ncolumns; i++)
		snprintf(columns + strlen(columns), sizeof(columns) - strlen(columns), ", %s",
			 names[i]);
	snprintf(sql, sizeof(sql),
		 "SELECT count(*) FROM (SELECT %s FROM direct EXCEPT SELECT %s FROM plain)",
		 columns, columns);
	ck_assert_str_eq(answer(f, sql), "0");
	ck_assert_str_eq(
		answer(f, "SELECT (SELECT count(*) FROM direct) - (SELECT count(*) FROM plain)"),
		"0");
	ck_assert_str_eq(answer(f, "PRAGMA integrity_check"), "ok");
}

/* Lets SQLite change the table: in the middle, at the end, and by removing most rows. */
static void change(struct fixture *f)
{
	run(f, "CREATE TEMP TABLE was AS SELECT * FROM direct;"
	       "DELETE FROM direct WHERE id % 3 = 0; INSERT INTO direct SELECT * FROM was WHERE id "
	       "% 3 = 0;");
	compare(f);
	run(f, "INSERT INTO direct (id) SELECT max(id) + 1 FROM direct;"
	       "DELETE FROM direct WHERE id > (SELECT min(id) + 5 FROM direct)");
	ck_assert_str_eq(answer(f, "PRAGMA integrity_check"), "ok");
}

START_TEST(rows_are_those_that_sqlite_inserts)
{
	static const uint32_t numbers[] = { 0, 1, 2, 50, 1000, 1820, 1821, 1822, 20000 };
	struct fixture f;

	seed(1 + (unsigned)_i);
	set_up(&f, _i % 3 ? 15 : COLUMNS);
	add_rows(&f, numbers[(size_t)_i % COUNT_OF(numbers)], _i % 2 ? 1 : 1000);
	ck_assert_str_eq(answer(&f, "SELECT count(*) FROM direct"), "0");
	ck_assert_int_eq(btree_end(&f.tree), SQLITE_OK);
	compare(&f);
	change(&f);
	run(&f, "COMMIT");
	tear_down(&f);
}
END_TEST

/* Enough leaves for two levels of inner pages, with one column that makes most rows long. */
START_TEST(a_large_table_has_several_levels)
{
	struct fixture f;

	seed(7);
	do {
		set_up(&f, COLUMNS);
		if (f.direct.ncolumns < 50)
			tear_down(&f);
	} while (!f.tree.table || f.direct.ncolumns < 50);
	add_rows(&f, 130000, 30000);
	ck_assert_int_eq(btree_end(&f.tree), SQLITE_OK);
	run(&f, "COMMIT");
	compare(&f);
	ck_assert_str_eq(answer(&f, "SELECT max(length(path) - length(replace(path, '/', ''))) "
				    "FROM dbstat WHERE name = 'direct'"),
			 "3");
	tear_down(&f);
}
END_TEST

/* SQLite leaves one page of a file unused, which begins at 1 GiB. Here it is near the start. */
START_TEST(the_lock_page_stays_unused)
{
	struct fixture f;

	seed(3);
	sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, (10 + 37 * _i) * BTREE_PAGE_BYTES);
	set_up(&f, COLUMNS);
	f.tree.lock_page = 11 + 37 * (uint32_t)_i;
	add_rows(&f, 12000, 2);
	ck_assert_int_eq(btree_end(&f.tree), SQLITE_OK);
	compare(&f);
	change(&f);
	tear_down(&f);
	sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, BTREE_LOCK_BYTE);
}
END_TEST

START_TEST(rowids_must_increase)
{
	char rows[2 * ROW_BYTES] = { 0 };
	struct fixture f;

	seed(4 + (unsigned)_i);
	set_up(&f, 1);
	make_row(&f, rows, 1);
	memcpy(rows + ROW_BYTES, rows, ROW_BYTES);
	ck_assert_int_eq(btree_put(&f.tree, rows, 1), SQLITE_OK);
	ck_assert_int_eq(btree_put(&f.tree, rows + ROW_BYTES, 1),
			 f.has_id ? SQLITE_CONSTRAINT : SQLITE_OK);
	tear_down(&f);
}
END_TEST

START_TEST(a_long_text_is_refused)
{
	char text[BTREE_TEXT_MOST + 2], row[ROW_BYTES] = { 0 };
	const char *p = text;
	struct fixture f;

	seed(8);
	do {
		set_up(&f, 2);
		if (f.direct.ncolumns < 2 || f.columns[1].kind != COLUMN_TEXT)
			tear_down(&f);
	} while (!f.tree.table);
	make_row(&f, row, 1);
	memset(text, 'x', sizeof(text));
	text[BTREE_TEXT_MOST] = 0;
	memcpy(row + f.columns[1].offset, &p, sizeof(p));
	ck_assert_int_eq(btree_put(&f.tree, row, 1), SQLITE_OK);
	make_row(&f, row, 1);
	text[BTREE_TEXT_MOST] = 'x';
	text[BTREE_TEXT_MOST + 1] = 0;
	memcpy(row + f.columns[1].offset, &p, sizeof(p));
	ck_assert_int_eq(btree_put(&f.tree, row, 1), SQLITE_TOOBIG);
	tear_down(&f);
}
END_TEST

START_TEST(other_columns_are_refused)
{
	struct fixture f;
	struct table t;

	seed(5);
	set_up(&f, 15);
	btree_release(&f.tree);
	t = f.direct;
	t.ncolumns--;
	ck_assert_int_eq(btree_begin(&f.tree, &t, f.db, f.fd), SQLITE_MISMATCH);
	btree_release(&f.tree);
	t = f.direct;
	t.name = "none";
	ck_assert_int_eq(btree_begin(&f.tree, &t, f.db, f.fd), SQLITE_MISMATCH);
	btree_release(&f.tree);
	f.columns[1].kind = COLUMN_REAL;
	ck_assert_int_eq(btree_begin(&f.tree, &f.direct, f.db, f.fd), SQLITE_MISMATCH);
	tear_down(&f);
}
END_TEST

/* RLIMIT_FSIZE makes a write fail, as on a full disk. */
START_TEST(a_failed_write_is_told)
{
	struct rlimit before, now;
	struct fixture f;
	char row[ROW_BYTES];
	int rc = SQLITE_OK;

	seed(6);
	set_up(&f, COLUMNS);
	ck_assert(!getrlimit(RLIMIT_FSIZE, &before));
	now = before;
	now.rlim_cur = 100 * BTREE_PAGE_BYTES;
	signal(SIGXFSZ, SIG_IGN);
	ck_assert(!setrlimit(RLIMIT_FSIZE, &now));
	for (int i = 0; i < 1000000 && !rc; i++) {
		make_row(&f, row, 1);
		rc = btree_put(&f.tree, row, 1);
	}
	ck_assert(!setrlimit(RLIMIT_FSIZE, &before));
	ck_assert_int_eq(rc, SQLITE_IOERR);
	ck_assert_int_eq(f.tree.error, EFBIG);
	tear_down(&f);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("btree");
	TCase *t = tcase_create("btree");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, rows_are_those_that_sqlite_inserts, 0, 90);
	tcase_add_test(t, a_large_table_has_several_levels);
	tcase_add_loop_test(t, the_lock_page_stays_unused, 0, 10);
	tcase_add_loop_test(t, rowids_must_increase, 0, 8);
	tcase_add_test(t, a_long_text_is_refused);
	tcase_add_test(t, other_columns_are_refused);
	tcase_add_test(t, a_failed_write_is_told);
	suite_add_tcase(s, t);
	return run_suite(s);
}
