/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/writer.h"

#include "check_main.h"
#include "database/constants.h"
#include "database/memory.h"
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

static char dir[] = "/tmp/test-writer.XXXXXX";
static char path[64];

static void make_dir(void)
{
	strcpy(dir + sizeof(dir) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/run.db", dir);
}

static int files_in_dir(void)
{
	DIR *d = opendir(dir);
	int n = -2; /* . and .. */

	ck_assert_ptr_nonnull(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void remove_dir(void)
{
	unlink(path);
	ck_assert_int_eq(files_in_dir(), 0);
	ck_assert_int_eq(rmdir(dir), 0);
}

static struct writer *open_writer(void)
{
	struct md_err err = { 0 };
	struct writer *w;

	ck_assert_msg(!writer_open(path, false, &w, &err), "%s", err.msg);
	return w;
}

static void finish_writer(struct writer *w)
{
	struct md_err err = { 0 };

	ck_assert_msg(!writer_finish(w, NULL, NULL, &err), "%s", err.msg);
}

static sqlite3 *open_database(void)
{
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	return db;
}

/* The rows of a query as text: columns by |, rows by newline, NULL as "-". */
static const char *answer(sqlite3 *db, const char *sql)
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
	/* What the writer does not write are kind_measures, which SQL fills, and the 12 tables of
	 * names. */
	snprintf(count, sizeof(count), "%d\n", TABLES + 13);
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
			 "0none,1hardware,2retired,3next,4instrumented,5fault,6again,7recovered,"
			 "8earlier,9object\n");
	ck_assert_str_eq(answer(db, "SELECT name FROM object_reasons ORDER BY id"),
			 "no-address\nkernel\nunmapped\nno-process\n");
	ck_assert_str_eq(answer(db, "SELECT name FROM home_sources ORDER BY id"),
			 "unknown\nphysical\npage\nfirst-touch\nsingle\nlater\n");
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
	name[0] = 'X'; /* strings were copied */
	writer_put_cpu(w, &(struct row_cpu){ .id = 0, .node_id = -1, .core = 0, .socket = 3 });
	writer_put_location(w, &(struct row_location){ .id = 1, .offset = -2, .line = 5 });
	writer_put_location(w,
			    &(struct row_location){ .id = 2, .line = 5, .has = HAS_LOCATION_LINE });
	finish_writer(w);
	db = open_database();
	ck_assert_str_eq(answer(db, "SELECT * FROM processes"), "1|-|7|a'b\x01|-|-|-|1\n");
	ck_assert_str_eq(answer(db, "SELECT * FROM cpus"), "0|-|0|3\n");
	ck_assert_str_eq(answer(db, "SELECT * FROM locations"),
			 "1|-|-|-|-2|-|-|-|-|-\n2|-|-|-|0|-|5|0|-|0\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

/* Any row, a function of i: few kinds and instructions, every NULL both ways. */
#define SOME_ID(part, m)   (part).m = (x = x * 5 + 1) % 6;
#define SOME_ENUM(part, m) (part).m = (int32_t)((x = x * 5 + 1) % 3) - 1;
#define SOME_INT(part, m)  (part).m = (x = x * 5 + 1) % 50;
#define SOME_OPT(part, m)            \
	if ((x = x * 5 + 1) % 3 > 0) \
		COLUMN_SET(part, m, x % 7);
#define SOME_DATA(type, m) SOME_##type(r.data, m)
#define SOME_CODE(type, m) SOME_##type(r.code, m)
#define SOME_KIND(type, m) SOME_##type(r.kind, m)

static struct row_sample some_sample(uint32_t i)
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

/* Each column of the view's current row equals the member of r with that name. */
static void check_row(sqlite3_stmt *st, const struct row_sample *r)
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

		while (k < sizeof(c) / sizeof(c[0]) && strcmp(c[k].name, name) != 0)
			k++;
		ck_assert_msg(k < sizeof(c) / sizeof(c[0]), "%s is in no list", name);
		if (!strcmp(name, "weight") && !c[k].v) /* not measured */
			ck_assert(is_null);
		else
			ck_assert_msg(is_null == c[k].is_null, "NULL in %s", name);
		if (!is_null)
			ck_assert_msg(sqlite3_column_int64(st, i) == c[k].v, "value of %s", name);
	}
}

/* The rows of a view that has made(i) in its row i + 1. */
static void check_view(sqlite3 *db, const char *sql, uint32_t n, struct row_sample made(uint32_t))
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

static void put_samples(struct writer *w, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct row_sample r = some_sample(i);

		writer_put_sample(w, &r);
	}
}

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

/* A damaged log may tell a distance twice, or between nodes that cannot be. */
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

		r.data.thread_id = i % 300000; /* more cells than are held at a time */
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
	ck_assert_str_eq(answer(db, "PRAGMA user_version"), "5\n");
	ck_assert_str_eq(answer(db, "PRAGMA integrity_check"), "ok\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

/* The first bytes of a database of memdb's. */
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
	put_samples(w, 10); /* the same ids again */
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

/* What happens to the unfinished file before it is checked. */
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

START_TEST(a_full_disk_is_one_sentence)
{
	struct writer *w;
	struct md_err err = { 0 };
	struct rlimit limit = { 300 << 10, RLIM_INFINITY };

	make_dir();
	write_old();
	signal(SIGXFSZ, SIG_IGN);
	w = open_writer();
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	put_samples(w, 500000);
	ck_assert_int_eq(writer_error(w, &err), MD_EIO);
	ck_assert_int_eq(writer_error(w, NULL), MD_EIO);
	ck_assert_ptr_nonnull(strstr(err.msg, "cannot write '"));
	ck_assert_ptr_nonnull(strstr(err.msg, strerror(EFBIG)));
	ck_assert_int_eq(writer_finish(w, NULL, NULL, &err), MD_EIO);
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
	w = open_writer(); /* removes what the killed one left */
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
	/* A name that SQLite would take for a URI is a name. */
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
	tcase_add_test(t, page_faults_come_out_of_the_view_as_they_went_in);
	tcase_add_test(t, the_database_is_marked_and_private);
	tcase_add_test(t, an_existing_file_is_replaced_only_by_a_whole_one);
	tcase_add_test(t, finishing_can_be_interrupted);
	tcase_add_test(t, a_file_that_changed_meanwhile_is_not_published);
	tcase_add_test(t, a_full_disk_is_one_sentence);
	tcase_add_test(t, a_killed_import_leaves_the_old_file);
	tcase_add_test(t, places_that_cannot_be_written_are_told_at_once);
	suite_add_tcase(s, t);
	return run_suite(s);
}
