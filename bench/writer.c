/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer [ROWS [DIRECTORY]]: measures memdb's database writer in rows per second and bytes per row,
 * compared with one prepared INSERT of the same rows into a plain table that has all their columns.
 * Prints three paired runs.
 */
#include "database/writer.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(const char *what)
{
	fprintf(stderr, "writer: %s\n", what);
	exit(1);
}

/*
 * Makes row i of a timer's samples, as of a program with 8 threads, 2048 instructions and 128
 * objects.
 */
static void make_sample(uint64_t i, struct row_sample *r)
{
	uint64_t x = i * 0x9e3779b97f4a7c15u, hot;

	x ^= x >> 29;
	/* seven of eight samples are at 64 of the 2048 instructions */
	hot = (x & 7) ? x >> 8 & 63 : x >> 8 & 2047;
	*r = (struct row_sample)ROW_SAMPLE_NULL;
	r->data.id = (uint32_t)i + 1;
	r->data.thread_id = 1 + (x >> 3 & 7);
	r->data.cpu = x >> 3 & 7;
	r->data.time = 81234420415700 + (int64_t)i * 17003;
	r->data.call_path_id = 1 + (uint32_t)hot * 2 + (x & 1);
	COLUMN_SET(r->data, address, 0x7f24d16f0000 + (x >> 20 & 0xfffffff));
	r->data.period = 1000000;
	r->data.object_id = 1 + (uint32_t)(hot & 127);
	r->data.allocation_id = 1 + (uint32_t)(x >> 40 & 1023);
	COLUMN_SET(r->data, object_offset, x >> 20 & 0xffffff);
	r->code.ip = 0x5613f6929000 + (int64_t)hot * 5;
	r->code.location_id = 1 + (uint32_t)hot;
	r->code.symbol_id = 1 + (uint32_t)hot / 30;
	r->code.dso_id = 1;
	r->kind.evsel_id = 1;
	r->kind.addr_source = x & 48 ? 2 : 3;
	r->kind.memory_opcode = 1 + (hot & 1);
	r->kind.memory_lock = 2;
	COLUMN_SET(r->kind, access_bytes, hot & 2 ? 8 : 4);
	r->kind.cpu_node_id = x >> 5 & 1;
	r->kind.home_node_id = x >> 33 & 1;
	r->kind.home_source = 2;
}

static double run_writer(uint64_t n, const char *path)
{
	struct md_err err = { 0 };
	struct row_sample r;
	struct writer *w;
	double t0 = now();

	if (writer_open(path, false, &w, &err))
		die(err.msg);
	for (uint64_t i = 0; i < n; i++) {
		make_sample(i, &r);
		writer_put_sample(w, &r);
	}
	printf("writer: load %.3f s, ", now() - t0);
	if (writer_finish(w, NULL, NULL, &err))
		die(err.msg);
	return now() - t0;
}

static sqlite3 *plain_open(const char *path)
{
	sqlite3 *db;

	unlink(path);
	if (sqlite3_open(path, &db) ||
	    sqlite3_exec(db,
			 "PRAGMA page_size=16384; PRAGMA journal_mode=off; PRAGMA synchronous=off;"
			 "PRAGMA cache_size=-8192; CREATE TABLE samples (id INTEGER PRIMARY KEY,"
			 "c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,c17,c18,c19,c20,"
			 "c21,c22,c23,c24,c25,c26,c27,c28,c29,c30,c31,c32,c33,c34); BEGIN",
			 NULL, NULL, NULL))
		die("cannot create the plain database");
	return db;
}

static void bind_sample(sqlite3_stmt *st, const struct row_sample *r)
{
	const int64_t ints[] = { r->data.id,
				 r->kind.evsel_id,
				 r->data.thread_id,
				 r->data.cpu,
				 r->data.time,
				 r->code.ip,
				 r->code.location_id,
				 r->code.symbol_id,
				 r->code.dso_id,
				 r->data.call_path_id,
				 r->data.address,
				 r->kind.addr_source,
				 r->data.period,
				 r->kind.memory_opcode,
				 r->kind.memory_lock,
				 r->kind.access_bytes,
				 r->data.object_id,
				 r->data.allocation_id,
				 r->data.object_offset,
				 r->kind.cpu_node_id,
				 r->kind.home_node_id,
				 r->kind.home_source };

	for (int i = 0; i < (int)(sizeof(ints) / sizeof(ints[0])); i++)
		sqlite3_bind_int64(st, i + 1, ints[i]);
	/* the table's last 13 columns stay NULL */
}

static double run_plain(uint64_t n, const char *path)
{
	struct row_sample r;
	sqlite3_stmt *st;
	double t0 = now();
	sqlite3 *db = plain_open(path);

	if (sqlite3_prepare_v2(db,
			       "INSERT INTO samples VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
			       "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
			       -1, &st, NULL))
		die(sqlite3_errmsg(db));
	for (uint64_t i = 0; i < n; i++) {
		make_sample(i, &r);
		bind_sample(st, &r);
		if (sqlite3_step(st) != SQLITE_DONE)
			die(sqlite3_errmsg(db));
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	sqlite3_close(db);
	return now() - t0;
}

static void report(const char *what, double seconds, uint64_t n, const char *path)
{
	struct stat st = { 0 };

	stat(path, &st);
	printf("%s: %.3f s, %.2f M rows/s, %.1f bytes a row\n", what, seconds,
	       (double)n / seconds * 1e-6, (double)st.st_size / (double)n);
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000000;
	const char *dir = argc > 2 ? argv[2] : "/tmp";
	char path[4096];

	snprintf(path, sizeof(path), "%s/bench-writer.%d.db", dir, (int)getpid());
	for (int i = 0; i < 3; i++) {
		double a, b;

		a = run_writer(n, path);
		report("all", a, n, path);
		b = run_plain(n, path);
		report("plain INSERT", b, n, path);
		printf("ratio of times: %.2f\n", a / b);
	}
	unlink(path);
	return 0;
}
