/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/things.h"

#include "check_main.h"
#include "database/sql.h"

#include <stdio.h>

static void run(sqlite3 *db, const char *sql)
{
	ck_assert_msg(!sqlite3_exec(db, sql, NULL, NULL, NULL), "%s", sqlite3_errmsg(db));
}

static void run_files(sqlite3 *db, const struct sql_file *files)
{
	for (; files->name; files++)
		run(db, files->text);
}

/* Code, data, kinds and threads that cells cross in any way; each cell may be told twice. */
static const char facts[] =
	"INSERT INTO selected_events (id, name, role, type, config, sample_type) VALUES "
	" (1, 'a', 'access', 4, 0, 0), (2, 't', 'time', 1, 0, 0), (3, 'i', 'instructions', 0, 1, "
	"0), "
	" (4, 'c', 'cycles', 0, 0, 0);"
	"INSERT INTO dsos (id, short_name, long_name, has_lines) "
	" VALUES (1, '[x]', '/x', 1), (2, 'x', '/y/x', 1);"
	"INSERT INTO symbols (id, dso_id, sym_start, sym_end, name) VALUES (1, 1, 0, 9, 'f'), "
	" (2, 1, 9, 99, 'g'), (3, 2, 0, 9, 'f');"
	"INSERT INTO locations (id, dso_id, offset, function, file_id, line) "
	" VALUES (1, 1, 0, 'f', 1, 7), (2, 1, 1, NULL, 1, 7), (3, 1, 2, 'in', NULL, NULL), "
	" (4, 2, 3, 'f', 1, 7), (5, 2, 4, 'f', 1, 8);"
	"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) "
	"INSERT INTO instructions (id, ip, location_id, symbol_id, dso_id) "
	"SELECT i, i, nullif(i * 7 % 6, 0), nullif(i * 5 % 4, 0), nullif(i * 11 % 3, 0) FROM n;"
	"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) "
	"INSERT INTO access_kinds (id, evsel_id, addr_source, memory_opcode, memory_snoop, remote, "
	" cpu_node_id, home_node_id, waited) "
	"SELECT i, nullif(i % 5, 0), i * 7 % 6, nullif(i * 3 % 5, 0), i % 7, nullif(i % 3, 2), "
	" nullif(i * 13 % 4, 3), nullif(i * 17 % 4, 3), nullif(i % 3, 2) FROM n;"
	"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
	"INSERT INTO sample_cells "
	"SELECT 1 + i * 31 % 40, 1 + i * 41 / 3 % 60, nullif(i * 37 / 5 % 8, 0), "
	" nullif(i * 43 / 7 % 30, 0), 1 + i % 9, i * 1000, i % 4, i % 100 FROM n";

static sqlite3 *open_facts(void)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	run_files(db, sql_schema);
	run_files(db, sql_views);
	run(db, facts);
	run_files(db, sql_measures);
	return db;
}

static int64_t number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st;
	int64_t n;

	ck_assert_msg(!sqlite3_prepare_v2(db, sql, -1, &st, NULL), "%s", sqlite3_errmsg(db));
	ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
	n = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return n;
}

/* The row of st has these integers from column `at` on; an id of 0 is NULL. */
static void check_columns(sqlite3_stmt *st, int at, const int64_t *v, int n, bool ids)
{
	for (int i = 0; i < n; i++) {
		ck_assert_int_eq(sqlite3_column_int64(st, at + i), v[i]);
		if (ids)
			ck_assert_int_eq(sqlite3_column_type(st, at + i) == SQLITE_NULL, !v[i]);
	}
}

static sqlite3_stmt *row_of(sqlite3 *db, const char *table, const char *of, const int64_t *ids,
			    int nids)
{
	char *sql = sqlite3_mprintf("SELECT * FROM %s WHERE of = %Q AND "
				    "coalesce(instruction_id, 0) = %lld AND "
				    "coalesce(object_id, 0) = %lld AND "
				    "coalesce(thread_id, 0) = %lld AND (%d = 3 OR kind_id = %lld)",
				    table, of, ids[0], ids[1], ids[2], nids, ids[nids - 1]);
	sqlite3_stmt *st;

	if (nids == 3) /* thing_sums has no kind_id */
		*strstr(sql, " AND (3 = 3") = 0;
	ck_assert_msg(!sqlite3_prepare_v2(db, sql, -1, &st, NULL), "%s", sqlite3_errmsg(db));
	ck_assert_msg(sqlite3_step(st) == SQLITE_ROW, "no row: %s", sql);
	check_columns(st, 1, ids, nids, true);
	sqlite3_free(sql);
	return st;
}

START_TEST(hashing_sums_what_sql_sums)
{
	sqlite3 *db = open_facts();
	struct things t;

	ck_assert_int_eq(things_count(&t, db), SQLITE_OK);
	ck_assert(!t.too_many);
	run_files(db, sql_fill_things);
	ck_assert_int_gt(t.sum_keys.count, 200);
	ck_assert_int_eq(t.sum_keys.count, number(db, "SELECT count(*) FROM thing_sums"));
	ck_assert_int_eq(t.cell_keys.count, number(db, "SELECT count(*) FROM thing_cells"));
	for (uint32_t i = 0; i < t.sum_keys.count; i++) {
		const struct row_thing_sum *r = &t.sums[i];
		int64_t ids[] = { r->instruction_id, r->object_id, r->thread_id };
		sqlite3_stmt *st = row_of(db, "thing_sums", r->of, ids, 3);

		check_columns(st, 4, &r->threads, 2 + THING_SUMS, false);
		sqlite3_finalize(st);
	}
	for (uint32_t i = 0; i < t.cell_keys.count; i++) {
		const struct row_thing_cell *r = &t.cells[i];
		int64_t ids[] = { r->instruction_id, r->object_id, r->thread_id, r->kind_id };
		sqlite3_stmt *st = row_of(db, "thing_cells", r->of, ids, 4);

		check_columns(st, 5, &r->samples, 4, false);
		sqlite3_finalize(st);
	}
	things_release(&t);
	sqlite3_close(db);
}
END_TEST

START_TEST(more_things_than_memory_is_for_are_left_to_sql)
{
	sqlite3 *db = open_facts();
	struct things t;

	run(db, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000) "
		"INSERT INTO sample_cells SELECT 1, 1, 1, i, 1, 1, 0, 0 FROM n");
	ck_assert_int_eq(things_count(&t, db), SQLITE_OK);
	ck_assert(t.too_many);
	ck_assert_int_eq(t.sum_keys.count, 0);
	ck_assert_int_eq(t.cell_keys.count, 0);
	things_release(&t);
	sqlite3_close(db);
}
END_TEST

START_TEST(what_does_not_fit_is_the_most_that_does)
{
	sqlite3 *db = open_facts();
	struct things t;

	run(db, "UPDATE sample_cells SET period = 9223372036854775807");
	ck_assert_int_eq(things_count(&t, db), SQLITE_OK);
	ck_assert_str_eq(t.cells[0].of, "run");
	ck_assert_int_eq(t.cells[0].period, INT64_MAX);
	things_release(&t);
	sqlite3_close(db);
}
END_TEST

START_TEST(cells_of_what_is_not_there_are_an_error)
{
	sqlite3 *db = open_facts();
	struct things t;

	run(db, "UPDATE sample_cells SET instruction_id = 41 WHERE rowid = 17");
	ck_assert_int_eq(things_count(&t, db), SQLITE_INTERNAL);
	things_release(&t);
	run(db, "DELETE FROM instructions WHERE id = 5");
	ck_assert_int_eq(things_count(&t, db), SQLITE_INTERNAL);
	things_release(&t);
	sqlite3_close(db);
}
END_TEST

START_TEST(nothing_has_no_sums)
{
	sqlite3 *db = open_facts();
	struct things t;

	run(db, "DELETE FROM sample_cells");
	ck_assert_int_eq(things_count(&t, db), SQLITE_OK);
	ck_assert_int_eq(t.sum_keys.count + t.cell_keys.count, 0);
	things_release(&t);
	sqlite3_close(db);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("things");
	TCase *t = tcase_create("things");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, hashing_sums_what_sql_sums);
	tcase_add_test(t, more_things_than_memory_is_for_are_left_to_sql);
	tcase_add_test(t, what_does_not_fit_is_the_most_that_does);
	tcase_add_test(t, cells_of_what_is_not_there_are_an_error);
	tcase_add_test(t, nothing_has_no_sums);
	suite_add_tcase(s, t);
	return run_suite(s);
}
