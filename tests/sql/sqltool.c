/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and reads databases for the tests of views and queries:
 *
 * sqltool empty FILE                     makes an empty database, like the importer
 * sqltool totals FILE                    computes kind_measures and the totals from the cells, and
 *                                        draws samples
 * sqltool query NAME FILE [PARAM=VALUE]  prints the result of a canned query as CSV
 * sqltool report FILE                    prints the report
 * sqltool compiled FILE [OBJECT]         prints the size of all statements of the report, or of
 * that on one object, as SQLite compiled them, in KiB
 */
#include "database/open.h"
#include "database/print.h"
#include "database/query.h"
#include "database/totals.h"
#include "database/writer.h"
#include "report/object.h"
#include "report/report.h"

#include <stdio.h>
#include <string.h>

static int make_empty(const char *path, struct md_err *err)
{
	struct writer *w;
	int ret = writer_open(path, false, &w, err);

	return ret ? ret : writer_finish(w, NULL, NULL, err);
}

static int fill_totals(const char *path, struct md_err *err)
{
	sqlite3 *db = NULL;
	int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);

	if (!rc)
		rc = sqlite3_exec(db, "PRAGMA synchronous=off; BEGIN", NULL, NULL, NULL);
	if (!rc)
		rc = sqlite3_exec(db, sql_measures[0].text, NULL, NULL, NULL);
	if (!rc)
		rc = sqlite3_exec(db, "DELETE FROM kind_totals; DELETE FROM totals", NULL, NULL,
				  NULL);
	if (!rc)
		rc = totals_store(db);
	if (!rc)
		rc = sqlite3_exec(db, sql_drawn[0].text, NULL, NULL, NULL);
	if (!rc)
		rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	if (rc)
		md_fail(err, MD_EDB, "cannot sum '%s': %s", path, sqlite3_errmsg(db));
	sqlite3_close(db);
	return rc;
}

static int run_query(const char *name, const char *path, char **params, int n, struct md_err *err)
{
	const struct sql_file *q = query_find(name);
	sqlite3_stmt *st = NULL;
	sqlite3 *db;
	int ret = q ? db_open_readonly(path, &db, err)
		    : md_fail(err, MD_EUSAGE, "there is no query '%s'", name);

	if (ret)
		return ret;
	ret = query_prepare(db, q, (const char *const *)params, n, &st, err);
	if (!ret)
		ret = print_rows(st, PRINT_CSV, stdout, err);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return ret;
}

static sqlite3_int64 compiled; /* bytes of all statements that have ended */

static int count_statement(unsigned event, void *arg, void *st, void *ns)
{
	compiled += sqlite3_stmt_status(st, SQLITE_STMTSTATUS_MEMUSED, 0);
	return 0;
}

/* Called by SQLite for each connection that the report opens. */
static int count_connection(sqlite3 *db, char **msg, const struct sqlite3_api_routines *api)
{
	return sqlite3_trace_v2(db, SQLITE_TRACE_PROFILE, count_statement, NULL);
}

static int print_compiled(const char *path, const char *object, struct md_err *err)
{
	FILE *out = fopen("/dev/null", "w");
	int ret = out ? 0 : md_fail_errno(err, MD_EIO, "cannot open '/dev/null'");

	sqlite3_auto_extension((void (*)(void))count_connection);
	if (!ret && object)
		ret = report_object(path, NULL, object, out, err);
	else if (!ret)
		ret = report_summary(path, NULL, NULL, out, err);
	if (out)
		fclose(out);
	if (!ret)
		printf("%lld\n", (long long)compiled / 1024);
	return ret;
}

int main(int argc, char **argv)
{
	struct md_err err = { 0 };
	int ret = MD_EUSAGE;

	if (argc == 3 && !strcmp(argv[1], "empty"))
		ret = make_empty(argv[2], &err);
	else if (argc == 3 && !strcmp(argv[1], "totals"))
		ret = fill_totals(argv[2], &err);
	else if (argc >= 4 && !strcmp(argv[1], "query"))
		ret = run_query(argv[2], argv[3], argv + 4, argc - 4, &err);
	else if (argc == 3 && !strcmp(argv[1], "report"))
		ret = report_summary(argv[2], NULL, NULL, stdout, &err);
	else if ((argc == 3 || argc == 4) && !strcmp(argv[1], "compiled"))
		ret = print_compiled(argv[2], argv[3], &err);
	if (ret)
		fprintf(stderr, "sqltool: %s\n", err.msg);
	return ret != 0;
}
