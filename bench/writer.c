/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer [ROWS [DIRECTORY]]: rows a second and bytes a row of the writer, against one prepared
 * INSERT of the same rows into one plain table of all their columns. Prints three paired runs.
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

/* Like a timer sample of a program with 64 threads, 3000 hot instructions, 200 objects. */
static void make_sample(uint64_t i, struct row_sample *r)
{
	uint64_t x = i * 0x9e3779b97f4a7c15u, hot;

	x ^= x >> 29;
	hot = (x & 7) ? x >> 8 & 63 : x >> 8 & 2047; /* most samples hit few places */
	*r = (struct row_sample){
		.id = (uint32_t)i + 1,
		.evsel_id = 1,
		.thread_id = 1 + (x >> 3 & 7),
		.cpu = x >> 3 & 7,
		.time = 81234420415700 + (int64_t)i * 17003,
		.ip = 0x5613f6929000 + (int64_t)hot * 5,
		.location_id = 1 + (uint32_t)hot,
		.symbol_id = 1 + (uint32_t)hot / 30,
		.dso_id = 1,
		.call_path_id = 1 + (uint32_t)hot * 2 + (x & 1),
		.address = 0x7f24d16f0000 + (int64_t)(x >> 20 & 0xfffffff),
		.addr_source = x & 48 ? 2 : 3,
		.addr_reason = -1,
		.period = 1000000,
		.memory_opcode = 1 + (hot & 1),
		.memory_level = -1,
		.memory_snoop = -1,
		.memory_lock = 2,
		.memory_dtlb = -1,
		.memory_blocked = -1,
		.remote = -1,
		.hops = -1,
		.access_bytes = hot & 2 ? 8 : 4,
		.object_id = 1 + (uint32_t)(hot & 127),
		.object_reason = -1,
		.allocation_id = 1 + (uint32_t)(x >> 40 & 1023),
		.object_offset = (int64_t)(x >> 20 & 0xffffff),
		.cpu_node_id = x >> 5 & 1,
		.home_node_id = x >> 33 & 1,
		.home_source = 2,
		.has = HAS_SAMPLE_ADDRESS | HAS_SAMPLE_ACCESS_BYTES | HAS_SAMPLE_OFFSET,
	};
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
	const int64_t ints[] = { r->id,
				 r->evsel_id,
				 r->thread_id,
				 r->cpu,
				 r->time,
				 r->ip,
				 r->location_id,
				 r->symbol_id,
				 r->dso_id,
				 r->call_path_id,
				 r->address,
				 r->addr_source,
				 r->period,
				 r->memory_opcode,
				 r->memory_lock,
				 r->access_bytes,
				 r->object_id,
				 r->allocation_id,
				 r->object_offset,
				 r->cpu_node_id,
				 r->home_node_id,
				 r->home_source };

	for (int i = 0; i < (int)(sizeof(ints) / sizeof(ints[0])); i++)
		sqlite3_bind_int64(st, i + 1, ints[i]);
	/* the other 13 are NULL in these rows */
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
