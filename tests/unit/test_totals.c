/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the sums that the writer computes for each scope (run, function, line, object, thread,
 * …). */
#include "database/totals.h"

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

/* Test data: rows of sample_cells with all combinations of instruction, object, kind of access and
 * thread. Some combinations occur twice. */
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
	" nullif(i * 43 / 7 % 30, 0), 1 + i % 9, i * 1000, i * 1e6, i % 4, i % 4 * 900, i % 100 * "
	"1e3, "
	" i % 100 * 1e7 FROM n";

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

/* The statements that insert sums into the tables kind_totals and totals, as the writer does, and
 * how many rows each has inserted. */
struct rows {
	sqlite3_stmt *kind_total, *total;
	int64_t totals, kind_totals;
};

static int put_kind_total(void *arg, const struct row_kind_total *r)
{
	struct rows *rows = arg;
	const int64_t ids[] = { r->instruction_id, r->object_id, r->thread_id, r->kind_id };
	const double sums[] = { (double)r->samples, r->period,  r->period_sq, (double)r->weighted,
				r->weighted_period, r->latency, r->latency_sq };

	sqlite3_bind_text(rows->kind_total, 1, r->scope, -1, SQLITE_STATIC);
	for (int i = 0; i < 4; i++)
		sqlite3_bind_int64(rows->kind_total, 2 + i, ids[i]);
	for (int i = 0; i < 7; i++)
		sqlite3_bind_double(rows->kind_total, 6 + i, sums[i]);
	ck_assert_int_eq(sqlite3_step(rows->kind_total), SQLITE_DONE);
	sqlite3_reset(rows->kind_total);
	rows->kind_totals++;
	return SQLITE_OK;
}

static int put_total(void *arg, const struct row_total *r)
{
	struct rows *rows = arg;
	const int64_t ids[] = { r->instruction_id, r->object_id, r->thread_id, r->threads,
				r->writers };

	sqlite3_bind_text(rows->total, 1, r->scope, -1, SQLITE_STATIC);
	for (int i = 0; i < 5; i++)
		sqlite3_bind_int64(rows->total, 2 + i, ids[i]);
	for (int i = 0; i < COUNTS; i++)
		sqlite3_bind_int64(rows->total, 7 + i, r->counts[i]);
	for (int i = 0; i < ESTIMATES; i++)
		sqlite3_bind_double(rows->total, 7 + COUNTS + i, r->estimates[i]);
	ck_assert_int_eq(sqlite3_step(rows->total), SQLITE_DONE);
	sqlite3_reset(rows->total);
	rows->totals++;
	return SQLITE_OK;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st;

	ck_assert_msg(!sqlite3_prepare_v2(db, sql, -1, &st, NULL), "%s", sqlite3_errmsg(db));
	return st;
}

/* Computes the tables totals and kind_totals from sample_cells. One pass over sample_cells makes at
 * most `max` rows of totals. An id of 0 becomes NULL. */
static int count_rows(sqlite3 *db, uint32_t max, struct rows *rows)
{
	struct totals_sink sink = { put_kind_total, put_total, rows };
	char insert[512] = "INSERT INTO totals VALUES (?,nullif(?,0),nullif(?,0),nullif(?,0),?,?";
	int rc;

	*rows = (struct rows){ 0 };
	for (int i = 0; i < COUNTS + ESTIMATES; i++)
		strcat(insert, ",?");
	strcat(insert, ")");
	run(db, "DELETE FROM totals; DELETE FROM kind_totals");
	rows->total = prepare(db, insert);
	rows->kind_total = prepare(db, "INSERT INTO kind_totals VALUES (?,nullif(?,0),nullif(?,0),"
				       "nullif(?,0),?,?,?,?,?,?,?,?)");
	rc = totals_count(db, max, &sink);
	sqlite3_finalize(rows->total);
	sqlite3_finalize(rows->kind_total);
	return rc;
}

static int64_t number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st = prepare(db, sql);
	int64_t n;

	ck_assert_int_eq(sqlite3_step(st), SQLITE_ROW);
	n = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return n;
}

/* Checks that a query, which counts wrong rows, returns 0. */
static void check_none(sqlite3 *db, const char *sql)
{
	ck_assert_msg(!number(db, sql), "%s", sql);
}

/* In each scope, the rows add up to the samples and costs of the entire run. */
START_TEST(each_scope_adds_up_to_the_run)
{
	sqlite3 *db = open_facts();
	struct rows rows;

	ck_assert_int_eq(count_rows(db, TOTALS_MAX, &rows), SQLITE_OK);
	ck_assert_int_gt(rows.totals, 200);
	ck_assert_int_eq(number(db, "SELECT count(DISTINCT scope) FROM totals"), 7);
	check_none(db, "SELECT count(*) FROM (SELECT 1 FROM totals GROUP BY scope, "
		       "instruction_id, object_id, thread_id HAVING count(*) > 1)");
	check_none(
		db,
		"SELECT count(*) FROM (SELECT scope, sum(samples) s, sum(addressed) a, "
		"sum(lost_waits) l, sum(cost) c, sum(lost_cost) lc, sum(cost_sq) q, "
		"sum(remote_cost) r FROM totals GROUP BY scope) x, totals t WHERE t.scope = 'run' "
		"AND (x.s, x.a, x.l, x.c, x.lc, x.q, x.r) IS NOT (t.samples, t.addressed, "
		"t.lost_waits, t.cost, t.lost_cost, t.cost_sq, t.remote_cost)");
	check_none(db, "SELECT count(*) FROM totals WHERE object_id IS NOT NULL AND "
		       "(lost_waits > 0 OR lost_cost > 0)");
	check_none(db, "SELECT count(*) FROM totals WHERE scope = 'run' AND lost_cost = 0");
	/* without its square, a cost would look as if it had no sampling error */
	check_none(db, "SELECT count(*) FROM totals WHERE (cost + lost_cost > 0) <> (cost_sq > 0)");
	sqlite3_close(db);
}
END_TEST

/* Compares the rows of totals with sums that SQLite computes from sample_cells. */
START_TEST(sums_are_those_of_the_cells)
{
	sqlite3 *db = open_facts();
	struct rows rows;

	ck_assert_int_eq(count_rows(db, TOTALS_MAX, &rows), SQLITE_OK);
	/* Samples that are not memory accesses belong to no object. */
	check_none(
		db,
		"SELECT count(*) FROM (SELECT iif(m.addressed, object_id, NULL) o, sum(c.samples) "
		"s, sum(c.samples * "
		"m.addressed) a, sum(c.period * m.remote) r, sum(c.period_sq * m.addressed) q, "
		"sum(c.latency * m.measured) l, count(DISTINCT iif(m.addressed, thread_id, NULL)) "
		"t, count(DISTINCT iif(m.stores, thread_id, NULL)) w FROM sample_cells c JOIN "
		"kind_measures m ON m.id = c.kind_id GROUP BY 1) x LEFT JOIN totals t ON "
		"t.scope = 'object' AND t.object_id IS x.o WHERE (x.s, x.a, x.r, x.q, x.l, x.t, "
		"x.w) IS NOT (t.samples, t.addressed, t.remote_estimate, t.estimate_sq, "
		"t.latency, t.threads, t.writers)");
	check_none(db,
		   "SELECT count(*) FROM (SELECT thread_id t, kind_id k, sum(samples) s, "
		   "sum(period) p, sum(weighted_period) wp, sum(latency_sq) q FROM sample_cells "
		   "GROUP BY 1, 2) x LEFT JOIN kind_totals y ON y.scope = 'thread' AND "
		   "y.thread_id IS x.t AND y.kind_id = x.k WHERE (x.s, x.p, x.wp, x.q) IS NOT "
		   "(y.samples, y.period, y.weighted_period, y.latency_sq)");
	sqlite3_close(db);
}
END_TEST

/* With little memory, the sums need several passes. The rows are the same. */
START_TEST(passes_give_the_same_rows)
{
	sqlite3 *db = open_facts();
	struct rows all, parts;

	ck_assert_int_eq(count_rows(db, TOTALS_MAX, &all), SQLITE_OK);
	run(db, "CREATE TEMP TABLE t AS SELECT * FROM totals; CREATE TEMP TABLE k AS SELECT * FROM "
		"kind_totals");
	ck_assert_int_eq(count_rows(db, (uint32_t)all.totals / 9, &parts), SQLITE_OK);
	ck_assert_int_eq(all.totals, parts.totals);
	ck_assert_int_eq(all.kind_totals, parts.kind_totals);
	check_none(db, "SELECT count(*) FROM (SELECT * FROM t EXCEPT SELECT * FROM totals)");
	check_none(db, "SELECT count(*) FROM (SELECT * FROM k EXCEPT SELECT * FROM kind_totals)");
	sqlite3_close(db);
}
END_TEST

START_TEST(cells_of_what_is_not_there_are_an_error)
{
	sqlite3 *db = open_facts();
	struct rows rows;

	run(db, "UPDATE sample_cells SET instruction_id = 41 WHERE rowid = 17");
	ck_assert_int_eq(count_rows(db, TOTALS_MAX, &rows), SQLITE_INTERNAL);
	run(db, "DELETE FROM instructions WHERE id = 5");
	ck_assert_int_eq(count_rows(db, TOTALS_MAX, &rows), SQLITE_INTERNAL);
	sqlite3_close(db);
}
END_TEST

START_TEST(nothing_has_no_sums)
{
	sqlite3 *db = open_facts();
	struct rows rows;

	run(db, "DELETE FROM sample_cells");
	ck_assert_int_eq(count_rows(db, TOTALS_MAX, &rows), SQLITE_OK);
	ck_assert_int_eq(rows.totals + rows.kind_totals, 0);
	sqlite3_close(db);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("totals");
	TCase *t = tcase_create("totals");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, each_scope_adds_up_to_the_run);
	tcase_add_test(t, sums_are_those_of_the_cells);
	tcase_add_test(t, passes_give_the_same_rows);
	tcase_add_test(t, cells_of_what_is_not_there_are_an_error);
	tcase_add_test(t, nothing_has_no_sums);
	suite_add_tcase(s, t);
	return run_suite(s);
}
