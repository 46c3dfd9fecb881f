/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a database for reading. The database may come from an untrusted source. So SQLite is
 * configured to distrust the schema, to check the pages that it reads, and to run no triggers. The
 * application id and the schema version show whether memdb made the database and whether this memdb
 * can read it. */
#include "database/open.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/runtime.h"
#include "database/select.h"
#include "database/short_code.h"
#include "database/version.h"

/* Appends how the user gets a database to the sentence in *err. Returns `code`. */
static int advise_reader(int code, struct md_err *err)
{
	md_advise(err, "`memdb record ./app` or `memdb import CAPTURE` makes a database");
	return code;
}

/* Is there a file `name` in the folder `dir`? */
static bool has_file(const char *dir, const char *name)
{
	char *path = NULL;
	bool has = asprintf(&path, "%s/%s", dir, name) >= 0 && !access(path, F_OK);

	free(path);
	return has;
}

/* Is the file a recording of perf: a perf.data, or what perf wrote to a pipe? */
static bool is_recording(const char *path)
{
	char head[8] = "";
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(head, 1, sizeof(head), f) : 0;

	if (f)
		fclose(f);
	return n == sizeof(head) && !memcmp(head, "PERFILE2", sizeof(head));
}

static int fail_recording(const char *path, struct md_err *err)
{
	return md_fail(err, MD_EFORMAT,
		       "cannot open '%s': it is a recording: `memdb import %s` makes a database of "
		       "it",
		       path, path);
}

/* Checks that the file exists and can be read; SQLite's own message would only be "unable to open
 * database file". */
static int check_file(const char *path, struct md_err *err)
{
	struct stat st;

	if (stat(path, &st) || access(path, R_OK)) {
		md_fail_errno(err, MD_EIO, "cannot open '%s'", path);
		return errno == ENOENT ? advise_reader(MD_EIO, err) : MD_EIO;
	}
	if (S_ISDIR(st.st_mode) && has_file(path, "perf.data"))
		return fail_recording(path, err);
	if (!S_ISREG(st.st_mode)) {
		md_fail(err, MD_EIO, "cannot open '%s': it is %s", path,
			S_ISDIR(st.st_mode) ? "a folder" : "not a regular file");
		return advise_reader(MD_EIO, err);
	}
	if (!st.st_size) {
		md_fail(err, MD_EFORMAT, "cannot open '%s': it is empty", path);
		return advise_reader(MD_EFORMAT, err);
	}
	return is_recording(path) ? fail_recording(path, err) : 0;
}

/* Sets *out to the first column of the first row that a statement returns; 0 if it returns no row.
 * Returns an SQLite code. */
static int read_number(sqlite3 *db, const char *sql, int *out)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &st, NULL);

	*out = 0;
	if (!rc && sqlite3_step(st) == SQLITE_ROW)
		*out = sqlite3_column_int(st, 0);
	/* sqlite3_finalize() returns the error of the step */
	return rc ? rc : sqlite3_finalize(st);
}

/* Reports SQLite's error in terms that a user of memdb understands. */
static int fail_open(sqlite3 *db, int rc, const char *path, struct md_err *err)
{
	switch (rc & 0xff) {
	case SQLITE_NOMEM:
		return md_nomem(err);
	case SQLITE_NOTADB:
		md_fail(err, MD_EFORMAT, "cannot open '%s': not an SQLite database", path);
		return advise_reader(MD_EFORMAT, err);
	case SQLITE_CORRUPT:
	/* SQLITE_ERROR: a table is missing, so the schema is not memdb's although the application
	 * id is */
	case SQLITE_ERROR:
		return md_fail(err, MD_EFORMAT,
			       "cannot open '%s': damaged: %s: import the capture again, or record "
			       "again",
			       path, sqlite3_errmsg(db));
	default:
		return md_fail(err, MD_EIO, "cannot open '%s': %s", path, sqlite3_errmsg(db));
	}
}

/* Checks that *db is a database of memdb, of the schema version that this memdb reads, and that its
 * table `runs` can be read. */
static int check_identity(sqlite3 *db, const char *path, struct md_err *err)
{
	int id, version, runs;
	int rc = read_number(db, "PRAGMA application_id", &id);

	if (rc)
		return fail_open(db, rc, path, err);
	if (id != DB_APPLICATION_ID) {
		md_fail(err, MD_EFORMAT, "cannot open '%s': not a memdb database", path);
		return advise_reader(MD_EFORMAT, err);
	}
	rc = read_number(db, "PRAGMA user_version", &version);
	if (rc)
		return fail_open(db, rc, path, err);
	if (version != DB_VERSION)
		return md_fail(err, MD_ENOTSUP,
			       "cannot open '%s': schema version %d, this memdb reads %d: %s", path,
			       version, DB_VERSION,
			       version < DB_VERSION ? "import the capture again"
						    : "take a newer memdb");
	rc = read_number(db, "SELECT count(*) FROM runs", &runs);
	return rc ? fail_open(db, rc, path, err) : 0;
}

/* Restricts SQLite to reading, no matter what the file contains. Also sets the cache to 64 MiB. */
static void harden(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_exec(db,
		     "PRAGMA cell_size_check=ON; PRAGMA query_only=ON; PRAGMA cache_size=-65536",
		     NULL, NULL, NULL);
}

/* The SQL function is_allocation(function, file): returns runtime_is_allocation() of its arguments.
 */
static void sql_is_allocation(sqlite3_context *context, int n, sqlite3_value **values)
{
	const char *function = (const char *)sqlite3_value_text(values[0]);
	const char *file = (const char *)sqlite3_value_text(values[1]);

	sqlite3_result_int(context, runtime_is_allocation(function, file));
}

static int register_allocation(sqlite3 *db)
{
	return sqlite3_create_function(db, "is_allocation", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
				       NULL, sql_is_allocation, NULL, NULL);
}

/* Makes the allocations of SQLite cheaper, which take a fifth of the time of a short report:
 * compiling the views allocates many small blocks. MEMSTATUS 0: SQLite does not add up its memory,
 * which would take a lock for each block. LOOKASIDE: SQLite takes blocks of up to 1,200 bytes from
 * an array of its own. M_MXFAST 0: malloc keeps no fast bins. Otherwise it would merge their blocks
 * whenever SQLite allocates more than 1 KiB. If SQLite was used before, it refuses the settings,
 * which does no harm. */
static void tune_memory(void)
{
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 1200, 500);
	mallopt(M_MXFAST, 0);
}

/* SQLITE_OPEN_NOMUTEX, because each connection is used by only one thread. */
int db_open_readonly(const char *path, sqlite3 **out, struct md_err *err)
{
	sqlite3 *db = NULL;
	char *name = NULL;
	int ret, rc;

	*out = NULL;
	ret = check_file(path, err);
	if (ret)
		return ret;
	/* SQLite takes "file:x" for a URI; "./file:x" is always a path */
	if (asprintf(&name, "%s%s", *path == '/' ? "" : "./", path) < 0)
		return md_nomem(err);
	tune_memory();
	rc = sqlite3_open_v2(name, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
	free(name);
	if (rc) {
		ret = fail_open(db, rc, path, err);
		goto out;
	}
	harden(db);
	if (short_code_register(db) || select_register(db) || register_allocation(db)) {
		ret = md_nomem(err);
		goto out;
	}
	ret = check_identity(db, path, err);
	if (ret)
		goto out;
	*out = db;
	db = NULL;
out:
	sqlite3_close(db);
	return ret;
}
