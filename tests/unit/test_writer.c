/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests that the writer stores every column of the schema, and in which form. */
#include "writer_fixture.h"

START_TEST(every_column_of_the_schema_is_written)
{
	char count[16];
	sqlite3 *db;

	make_dir();
	finish_writer(open_writer());
	db = open_database();
	for (int i = 0; i < TABLES; i++) {
		char want[2048] = "", *sql;
		int n = tables[i].ncolumns;

		for (int k = 0; k < n; k++) {
			strcat(want, k ? ",'" : "'");
			strcat(strcat(want, tables[i].columns[k].name), "'");
		}
		sql = sqlite3_mprintf("SELECT count(*) = %d AND sum(name IN (%s)) = %d "
				      "FROM pragma_table_info(%Q)",
				      n, want, n, tables[i].name);
		ck_assert_msg(!strcmp(answer(db, sql), "1\n"), "%s", tables[i].name);
		sqlite3_free(sql);
	}
	/* The writer fills all tables except 14: kind_measures and drawn_data, which SQL statements
	 * fill, and the 12 tables of names. */
	snprintf(count, sizeof(count), "%d\n", TABLES + 14);
	ck_assert_str_eq(answer(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
				    "name NOT LIKE 'sqlite_%'"),
			 count);
	sqlite3_close(db);
	remove_dir();
}
END_TEST

START_TEST(text_is_always_utf8)
{
	struct writer *w;
	sqlite3 *db;

	make_dir();
	w = open_writer();
	writer_put_dso(w, &(struct row_dso){ .id = 1,
					     .short_name = "\xc3(",
					     .long_name = "/b\xff/\xc3(",
					     .kind = "file",
					     .state = "ok" });
	writer_put_dso(w, &(struct row_dso){ .id = 2,
					     .short_name = "字",
					     .long_name = "/字",
					     .kind = "file",
					     .state = "ok" });
	finish_writer(w);
	db = open_database();
	ck_assert_str_eq(answer(db, "SELECT short_name, long_name, typeof(long_name) FROM dsos"),
			 "\\xc3(|/b\\xff/\\xc3(|text\n字|/字|text\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

START_TEST(names_are_those_of_the_program)
{
	sqlite3 *db;
	char sql[128];

	make_dir();
	finish_writer(open_writer());
	db = open_database();
	for (int i = 1; i < ADDR_REASONS; i++) {
		snprintf(sql, sizeof(sql), "SELECT name || '' FROM addr_reasons WHERE id = %d", i);
		ck_assert_int_eq(strncmp(answer(db, sql), addr_reason_name(i),
					 strlen(addr_reason_name(i))),
				 0);
	}
	ck_assert_str_eq(answer(db, "SELECT group_concat(id || name) FROM addr_sources"),
			 "0none,1hardware,2retired,3next,5fault,6again,7recovered,"
			 "8earlier,9object,10nearby\n");
	ck_assert_str_eq(answer(db, "SELECT name FROM object_reasons ORDER BY id"),
			 "no-address\nkernel\nunmapped\nno-process\n");
	ck_assert_str_eq(answer(db, "SELECT name FROM home_sources ORDER BY id"),
			 "unknown\nphysical\npage\nfirst-touch\nsingle\n");
	ck_assert_str_eq(answer(db, "SELECT name FROM allocation_functions WHERE id < 4"),
			 "malloc\ncalloc\nrealloc\n");
	snprintf(sql, sizeof(sql), "%d\n", TL_FUNCTIONS - 1);
	ck_assert_str_eq(answer(db, "SELECT max(id) FROM allocation_functions"), sql);
	ck_assert_str_eq(answer(db, "SELECT id FROM memory_levels WHERE name = 'LFB/MAB'"), "2\n");
	ck_assert_str_eq(answer(db, "SELECT id FROM memory_opcodes WHERE name = 'Load'"), "1\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

START_TEST(null_is_told_by_id_minus_one_zero_and_has)
{
	struct writer *w;
	sqlite3 *db;
	char name[] = "a'b\x01";

	make_dir();
	w = open_writer();
	writer_put_process(w,
			   &(struct row_process){ .id = 1, .pid = 7, .exe = name, .tracked = 1 });
	name[0] = 'X'; /* this change must have no effect, because the writer copies strings */
	writer_put_cpu(w, &(struct row_cpu){ .id = 0, .node_id = -1, .core = 0, .socket = 3 });
	writer_put_location(w, &(struct row_location){ .id = 1, .offset = -2, .line = 5 });
	writer_put_location(w,
			    &(struct row_location){ .id = 2, .line = 5, .has = HAS_LOCATION_LINE });
	finish_writer(w);
	db = open_database();
	ck_assert_str_eq(answer(db, "SELECT * FROM processes"), "1|-|7|a'b\x01|-|-|-|1\n");
	ck_assert_str_eq(answer(db, "SELECT * FROM cpus"), "0|-|0|3\n");
	ck_assert_str_eq(answer(db, "SELECT * FROM locations"),
			 "1|-|-|-|-2|-|-|-|-\n2|-|-|-|0|-|5|0|-\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

START_TEST(samples_come_out_of_the_view_as_they_went_in)
{
	enum { N = 3000 };
	struct writer *w;
	sqlite3 *db;

	make_dir();
	w = open_writer();
	put_samples(w, N);
	finish_writer(w);
	db = open_database();
	check_view(db, "SELECT * FROM samples ORDER BY id", N, some_sample);
	ck_assert_str_eq(answer(db, "SELECT count(*) < 60 FROM instructions"), "1\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

START_TEST(ids_need_not_be_in_order)
{
	const uint32_t ids[] = { 1, 2, 5, 3, 9 };
	struct writer *w;
	sqlite3 *db;

	make_dir();
	w = open_writer();
	for (int i = 0; i < 5; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", ids[i]);
		writer_put_file(w, &(struct row_file){ ids[i], name });
	}
	writer_put_dso(w, &(struct row_dso){ .id = 7, .short_name = "a", .long_name = "b" });
	finish_writer(w);
	db = open_database();
	ck_assert_str_eq(answer(db, "SELECT * FROM files"), "1|f1\n2|f2\n3|f3\n5|f5\n9|f9\n");
	ck_assert_str_eq(answer(db, "SELECT id, long_name FROM dsos"), "7|b\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

/* A damaged log may report the distance between two nodes twice, or the distance of a node that
 * cannot exist. */
START_TEST(the_last_distance_told_counts)
{
	const struct row_node_distance told[] = {
		{ 0, 1, 20 }, { -1, 1, 5 }, { 0, 1, 21 }, { 1, -1, 5 }
	};
	struct writer *w;
	sqlite3 *db;

	make_dir();
	w = open_writer();
	for (int i = 0; i < 4; i++)
		writer_put_node_distance(w, &told[i]);
	finish_writer(w);
	db = open_database();
	ck_assert_str_eq(answer(db, "SELECT * FROM node_distances"), "0|1|21\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

START_TEST(cells_are_the_sums_of_the_samples)
{
	const char *differ =
		"WITH a AS (SELECT instruction_id i, kind_id k, thread_id t, object_id o, "
		" sum(samples) n, sum(period) p, sum(weighted) wn, sum(weighted_period) wp, "
		" total(latency) l, total(period_sq) q, total(latency_sq) lq "
		" FROM sample_cells GROUP BY i, k, t, o), "
		"b AS (SELECT instruction_id i, kind_id k, thread_id t, object_id o, count(*) n, "
		" sum(period) p, count(nullif(weight, 0)) wn, sum(iif(weight > 0, period, 0)) wp, "
		" total(1.0 * weight * period) l, total(1.0 * period * period) q, "
		" total(1.0 * weight * period * weight * period) lq "
		" FROM sample_data GROUP BY i, k, t, o) "
		"SELECT (SELECT count(*) FROM (SELECT * FROM a EXCEPT SELECT * FROM b)), "
		"(SELECT count(*) FROM a) = (SELECT count(*) FROM b), "
		"(SELECT sum(n) FROM a)";
	const char *differ_blocks =
		"WITH a AS (SELECT allocation_id i, kind_id k, sum(samples) n, "
		" sum(period) p, sum(weighted) wn, total(latency) l FROM allocation_cells "
		" GROUP BY i, k), "
		"b AS (SELECT allocation_id i, kind_id k, count(*) n, "
		" sum(period) p, count(nullif(weight, 0)) wn, total(1.0 * weight * period) l FROM "
		"sample_data "
		" WHERE i IS NOT NULL GROUP BY i, k) "
		"SELECT (SELECT count(*) FROM (SELECT * FROM a EXCEPT SELECT * FROM b)), "
		"(SELECT count(*) FROM a) = (SELECT count(*) FROM b)";
	struct writer *w;
	sqlite3 *db;

	make_dir();
	w = open_writer();
	for (uint32_t i = 0; i < 600000; i++) {
		struct row_sample r = some_sample(i);

		/* so many threads that the writer cannot add up all samples in memory */
		r.data.thread_id = i % 300000;
		writer_put_sample(w, &r);
	}
	finish_writer(w);
	db = open_database();
	ck_assert_str_eq(answer(db, differ), "0|1|600000\n");
	ck_assert_str_eq(answer(db, "SELECT count(*) > 524288 FROM sample_cells"), "1\n");
	ck_assert_str_eq(answer(db, differ_blocks), "0|1\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("writer");
	TCase *t = tcase_create("writer");

	tcase_set_timeout(t, 240);
	tcase_add_test(t, every_column_of_the_schema_is_written);
	tcase_add_test(t, text_is_always_utf8);
	tcase_add_test(t, names_are_those_of_the_program);
	tcase_add_test(t, null_is_told_by_id_minus_one_zero_and_has);
	tcase_add_test(t, samples_come_out_of_the_view_as_they_went_in);
	tcase_add_test(t, ids_need_not_be_in_order);
	tcase_add_test(t, the_last_distance_told_counts);
	tcase_add_test(t, cells_are_the_sums_of_the_samples);
	suite_add_tcase(s, t);
	return run_suite(s);
}
