/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libFuzzer target: imports a capture directory that consists of the input:
 *
 * u16 size of the tracker's log, u16 size of follow.log, u16 size of capture.json, then these
 * three, and the rest is perf.data
 *
 * Each import must either make a valid database without dangling references, or return an error
 * with the reason and leave no file. The directory is in memory (/dev/shm) if possible.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 6 };

static char dir[64], output[80];

static void remove_all(void)
{
	static const char *const names[] = { "track/alloc.7.1000.log", "track",     "follow.log",
					     "capture.json",           "perf.data", "run.db" };
	char path[128];

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		remove(path);
	}
	rmdir(dir);
}

static void make_dir(void)
{
	char path[80];

	snprintf(dir, sizeof(dir), "/dev/shm/memdb-fuzz-XXXXXX");
	if (!mkdtemp(dir)) {
		snprintf(dir, sizeof(dir), "/tmp/memdb-fuzz-XXXXXX");
		if (!mkdtemp(dir))
			abort();
	}
	snprintf(output, sizeof(output), "%s/run.db", dir);
	snprintf(path, sizeof(path), "%s/track", dir);
	if (mkdir(path, 0700))
		abort();
	atexit(remove_all);
}

/* Writes a file of the capture. If size is 0, the file does not exist. */
static void put(const char *name, const uint8_t *p, size_t size)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!size) {
		unlink(path);
		return;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, p, size) != (ssize_t)size)
		abort();
	close(fd);
}

static const uint8_t *put_part(const char *name, const uint8_t *head, const uint8_t *p,
			       const uint8_t *end)
{
	size_t n = head[0] | (size_t)head[1] << 8, left = (size_t)(end - p);

	n = n < left ? n : left;
	put(name, p, n);
	return p + n;
}

/* Runs a query whose rows are errors in the database. If there is one, prints it and aborts. */
static void check_none(sqlite3 *db, const char *what, const char *sql)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL))
		abort();
	if (sqlite3_step(st) == SQLITE_ROW) {
		fprintf(stderr, "%s: %s\n", what, (const char *)sqlite3_column_text(st, 0));
		abort();
	}
	sqlite3_finalize(st);
}

static void check_database(void)
{
	sqlite3 *db = NULL;

	if (sqlite3_open_v2(output, &db, SQLITE_OPEN_READONLY, NULL))
		abort();
	check_none(db, "integrity",
		   "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
	check_none(db, "broken reference",
		   "SELECT \"table\" || ' -> ' || parent FROM pragma_foreign_key_check");
	sqlite3_close(db);
}

static void check_nothing_left(void)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, "run.db", 6))
			abort();
	if (d)
		closedir(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct import_options o = { .input = dir, .output = output, .no_lines = true };
	const uint8_t *p = data + HEAD, *end = data + size;
	struct md_err err = { 0 };

	if (size < HEAD)
		return 0;
	if (!dir[0])
		make_dir();
	p = put_part("track/alloc.7.1000.log", data, p, end);
	p = put_part("follow.log", data + 2, p, end);
	p = put_part("capture.json", data + 4, p, end);
	put("perf.data", p, (size_t)(end - p));
	if (!import_run(&o, NULL, &err)) {
		check_database();
		unlink(output);
	} else if (strstr(err.msg, "no reason")) {
		abort();
	}
	check_nothing_left();
	return 0;
}
