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

		for (int k = 0; k < tables[i].ncolumns; k++) {
			strcat(want, tables[i].columns[k].name);
			strcat(want, "\n");
		}
		sql = sqlite3_mprintf("SELECT name FROM pragma_table_info(%Q)", tables[i].name);
		ck_assert_str_eq(answer(db, sql), want);
		sqlite3_free(sql);
	}
	/* What the writer does not write are kind_measures, which SQL fills, and the 11 tables of
	 * names. */
	snprintf(count, sizeof(count), "%d\n", TABLES + 12);
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
			 "0none,1hardware,2retired,3next,4instrumented,5fault\n");
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
static struct row_sample some_sample(uint32_t i)
{
	uint32_t x = i * 2654435761u >> 7;

	return (struct row_sample){
		.id = i + 1,
		.evsel_id = 1 + (x & 1),
		.thread_id = x % 5,
		.cpu = (int32_t)(x % 4) - 1,
		.time = 1000 + i,
		.ip = 0x1000 + x % 50,
		.location_id = x % 50,
		.symbol_id = x % 50 / 7,
		.dso_id = 1,
		.call_path_id = x % 9,
		.address = -(int64_t)x,
		.addr_source = (int32_t)(x % 4),
		.addr_reason = x % 4 ? -1 : (int32_t)(x % 3) + 1,
		.waited = (int32_t)(x / 4 % 3) - 1,
		.phys_address = x,
		.period = x % 1000,
		.weight = x % 77,
		.ins_lat = x % 78,
		.data_src = (int64_t)(x % 3) << 40,
		.memory_opcode = (int32_t)(x % 3) - 1 ? (int32_t)(x % 3) - 1 : -1,
		.memory_level = x & 2 ? 3 : -1,
		.memory_snoop = -1,
		.memory_lock = 2,
		.memory_dtlb = 4,
		.memory_blocked = -1,
		.remote = (int32_t)(x % 3) - 1,
		.hops = -1,
		.access_bytes = 8,
		.page_bytes = 4096,
		.object_id = x % 6,
		.object_reason = x % 6 ? -1 : 3,
		.allocation_id = x % 60,
		.object_offset = x % 10000,
		.cpu_node_id = (int32_t)(x % 4) / 2,
		.home_node_id = (int32_t)(x % 3) - 1,
		.home_source = 2,
		.thread_pinned = (int32_t)(x / 8 % 3) - 1,
		.page_pinned = (int32_t)(x / 16 % 3) - 1,
		.reused = (int32_t)(x / 32 % 3) - 1,
		.has = x & 255,
	};
}

static char *print(char *at, int64_t v, bool is_null)
{
	return at + (is_null ? sprintf(at, "-|") : sprintf(at, "%lld|", (long long)v));
}

static const char *expected_sample(const struct row_sample *r)
{
	static char text[1024];
	char *p = text;
	const struct {
		int64_t v;
		bool is_null;
	} c[] = {
		{ r->id, false },
		{ r->evsel_id, false },
		{ r->thread_id, !r->thread_id },
		{ r->cpu, r->cpu < 0 },
		{ r->time, false },
		{ r->ip, false },
		{ r->location_id, !r->location_id },
		{ r->symbol_id, !r->symbol_id },
		{ r->dso_id, !r->dso_id },
		{ r->call_path_id, !r->call_path_id },
		{ r->address, !(r->has & HAS_SAMPLE_ADDRESS) },
		{ r->addr_source, false },
		{ r->addr_reason, r->addr_reason < 0 },
		{ r->phys_address, !(r->has & HAS_SAMPLE_PHYS) },
		{ r->period, false },
		{ r->weight, !(r->has & HAS_SAMPLE_WEIGHT) || !r->weight }, /* 0: not measured */
		{ r->ins_lat, !(r->has & HAS_SAMPLE_INS_LAT) },
		{ r->data_src, !(r->has & HAS_SAMPLE_DATA_SRC) },
		{ r->memory_opcode, r->memory_opcode < 0 },
		{ r->memory_level, r->memory_level < 0 },
		{ r->memory_snoop, r->memory_snoop < 0 },
		{ r->memory_lock, r->memory_lock < 0 },
		{ r->memory_dtlb, r->memory_dtlb < 0 },
		{ r->memory_blocked, r->memory_blocked < 0 },
		{ r->remote, r->remote < 0 },
		{ r->hops, r->hops < 0 },
		{ r->access_bytes, !(r->has & HAS_SAMPLE_ACCESS_BYTES) },
		{ r->page_bytes, !(r->has & HAS_SAMPLE_PAGE_BYTES) },
		{ r->object_id, !r->object_id },
		{ r->object_reason, r->object_reason < 0 },
		{ r->allocation_id, !r->allocation_id },
		{ r->object_offset, !(r->has & HAS_SAMPLE_OFFSET) },
		{ r->cpu_node_id, r->cpu_node_id < 0 },
		{ r->home_node_id, r->home_node_id < 0 },
		{ r->home_source, false },
		{ r->waited, r->waited < 0 },
		{ r->thread_pinned, r->thread_pinned < 0 },
		{ r->page_pinned, r->page_pinned < 0 },
		{ r->reused, r->reused < 0 },
	};

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++)
		p = print(p, c[i].v, c[i].is_null);
	p[-1] = '\n';
	return text;
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
	ck_assert_str_eq(answer(db, "SELECT count(*) FROM samples"), "3000\n");
	for (uint32_t i = 0; i < N; i += 7) {
		struct row_sample r = some_sample(i);
		char sql[64];

		snprintf(sql, sizeof(sql), "SELECT * FROM samples WHERE id = %u", i + 1);
		ck_assert_str_eq(answer(db, sql), expected_sample(&r));
	}
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
		"(SELECT count(*) FROM (SELECT * FROM b EXCEPT SELECT * FROM a)), "
		"(SELECT sum(n) FROM a)";
	const char *differ_blocks =
		"WITH a AS (SELECT allocation_id i, evsel_id e, addr_source s, sum(samples) n, "
		" sum(period) p, sum(weighted) wn, total(latency) l FROM allocation_cells "
		" GROUP BY i, e, s), "
		"b AS (SELECT allocation_id i, evsel_id e, addr_source s, count(*) n, "
		" sum(period) p, count(weight) wn, total(1.0 * weight * period) l FROM "
		"samples "
		" WHERE i IS NOT NULL GROUP BY i, e, s) "
		"SELECT (SELECT count(*) FROM (SELECT * FROM a EXCEPT SELECT * FROM b)), "
		"(SELECT count(*) FROM (SELECT * FROM b EXCEPT SELECT * FROM a))";
	struct writer *w;
	sqlite3 *db;

	make_dir();
	w = open_writer();
	for (uint32_t i = 0; i < 600000; i++) {
		struct row_sample r = some_sample(i);

		r.thread_id = i % 300000; /* more cells than are held at a time */
		writer_put_sample(w, &r);
	}
	finish_writer(w);
	db = open_database();
	ck_assert_str_eq(answer(db, differ), "0|0|600000\n");
	ck_assert_str_eq(answer(db, "SELECT count(*) > 524288 FROM sample_cells"), "1\n");
	ck_assert_str_eq(answer(db, differ_blocks), "0|0\n");
	sqlite3_close(db);
	remove_dir();
}
END_TEST

START_TEST(page_faults_come_out_of_the_view_as_they_went_in)
{
	struct row_page_fault r = { .id = 1,
				    .evsel_id = 2,
				    .thread_id = 3,
				    .cpu = 4,
				    .time = 5,
				    .ip = 6,
				    .location_id = 7,
				    .symbol_id = 8,
				    .dso_id = 9,
				    .caller_id = 15,
				    .called_id = 16,
				    .call_path_id = 10,
				    .address = 11,
				    .object_id = 12,
				    .object_reason = -1,
				    .allocation_id = 13,
				    .object_offset = 14,
				    .cpu_node_id = 0,
				    .home_node_id = 1,
				    .home_source = HOME_FIRST_TOUCH,
				    .thread_pinned = 0,
				    .page_pinned = 1,
				    .reused = 0,
				    .memory_opcode = 2,
				    .page_bytes = 4096,
				    .first = true,
				    .has = HAS_FAULT_ADDRESS | HAS_FAULT_OFFSET |
					   HAS_FAULT_PAGE_BYTES };
	struct writer *w;
	sqlite3 *db;

	make_dir();
	w = open_writer();
	writer_put_page_fault(w, &r);
	r.id = 2;
	r.has = 0;
	r.first = false;
	r.caller_id = r.called_id = 0;
	r.object_id = r.allocation_id = 0;
	r.object_reason = OBJECT_UNMAPPED;
	r.home_node_id = r.thread_pinned = r.page_pinned = r.reused = r.memory_opcode = -1;
	writer_put_page_fault(w, &r);
	finish_writer(w);
	db = open_database();
	ck_assert_str_eq(answer(db, "SELECT * FROM page_faults"),
			 "1|2|3|4|5|6|7|8|9|15|16|10|11|12|-|13|14|2|4096|0|1|3|1|0|1|0\n"
			 "2|2|3|4|5|6|7|8|9|-|-|10|-|-|3|-|-|-|-|0|-|3|0|-|-|-\n");
	ck_assert_str_eq(answer(db, "SELECT object_id, samples FROM fault_cells"), "12|1\n-|1\n");
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
	tcase_add_test(t, a_full_disk_is_one_sentence);
	tcase_add_test(t, a_killed_import_leaves_the_old_file);
	tcase_add_test(t, places_that_cannot_be_written_are_told_at_once);
	suite_add_tcase(s, t);
	return run_suite(s);
}
