/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/dataset.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "database/open.h"
#include "report/parquet.h"

static const char names_sql[] = "SELECT name, sql FROM sqlite_schema "
				"WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' "
				"ORDER BY type, name";

/*
 * Makes the text RUN of a folder "run=RUN" from the path of a database: its file name without
 * ".db". Characters that must not be in the name of such a folder become '_'.
 */
static void name_run(const char *path, char *out, size_t size)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	size_t n = strlen(base);

	if (n > 3 && !strcmp(base + n - 3, ".db"))
		n -= 3;
	snprintf(out, size, "%.*s", (int)n, base);
	for (char *p = out; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("._-", *p))
			*p = '_';
}

static int make_folder(const char *path, struct md_err *err)
{
	if (!mkdir(path, 0700) || errno == EEXIST)
		return 0;
	md_fail_errno(err, MD_EIO, "cannot make '%s'", path);
	if (errno == ENOENT)
		md_advise(err, "make the folder above it first");
	return MD_EIO;
}

/* Writes the rows of `st` to a temporary file, and renames the file to `path` when it is complete.
 */
static int write_part(sqlite3_stmt *st, const char *table, const char *path, bool force,
		      struct md_err *err)
{
	char part[PATH_MAX];
	uint64_t rows;
	FILE *f = NULL;
	int ret, fd;

	if (!force && !access(path, F_OK))
		return md_fail(err, MD_EUSAGE,
			       "'%s' is there already: another name of the database, or --force",
			       path);
	snprintf(part, sizeof(part), "%s.part", path);
	fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	f = fd >= 0 ? fdopen(fd, "we") : NULL;
	if (!f)
		return md_fail_errno(err, MD_EIO, "cannot write '%s'", part);
	ret = parquet_write(st, table, f, &rows, err);
	if (ret)
		md_wrap(err, "'%s'", path);
	if (fclose(f) && !ret)
		ret = md_fail_errno(err, MD_EIO, "cannot write '%s'", part);
	if (!ret && rename(part, path))
		ret = md_fail_errno(err, MD_EIO, "cannot write '%s'", path);
	if (ret)
		unlink(part);
	return ret;
}

static int write_table(sqlite3 *db, const char *name, const char *dir, const char *run, bool force,
		       struct md_err *err)
{
	char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
	char path[PATH_MAX - 8];
	sqlite3_stmt *st = NULL;
	size_t n;
	int ret;

	if (!sql)
		return md_nomem(err);
	ret = sqlite3_prepare_v2(db, sql, -1, &st, NULL)
		      ? md_fail(err, MD_EDB, "cannot read '%s': %s", name, sqlite3_errmsg(db))
		      : 0;
	sqlite3_free(sql);
	n = (size_t)snprintf(path, sizeof(path), "%s/table=%s", dir, name);
	if (!ret)
		ret = make_folder(path, err);
	n += (size_t)snprintf(path + n, n < sizeof(path) ? sizeof(path) - n : 0, "/run=%s", run);
	if (!ret)
		ret = make_folder(path, err);
	if (n + sizeof("/part.parquet") > sizeof(path))
		ret = ret ? ret : md_fail(err, MD_EUSAGE, "the path '%s' is too long", dir);
	else
		snprintf(path + n, sizeof(path) - n, "/part.parquet");
	if (!ret)
		ret = write_part(st, name, path, force, err);
	sqlite3_finalize(st);
	return ret;
}

/*
 * Is the name safe as the name of a folder? The database may have been made by anybody, with any
 * names of tables.
 */
static bool is_plain(const char *name)
{
	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_')
			return false;
	return *name && strlen(name) < 64;
}

int dataset_write(const char *path, const char *dir, bool force, struct md_err *err)
{
	sqlite3_stmt *names = NULL;
	sqlite3 *db = NULL;
	char run[NAME_MAX / 2];
	int ret = db_open_readonly(path, &db, err);

	name_run(path, run, sizeof(run));
	if (!ret)
		ret = make_folder(dir, err);
	if (!ret && sqlite3_prepare_v2(db, names_sql, -1, &names, NULL))
		ret = md_fail(err, MD_EDB, "cannot read '%s': %s", path, sqlite3_errmsg(db));
	while (!ret && sqlite3_step(names) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(names, 0);

		if (is_plain(name))
			ret = write_table(db, name, dir, run, force, err);
	}
	sqlite3_finalize(names);
	sqlite3_close(db);
	return ret;
}

/* Writes the comment that begins at p as one JSON string. The next lines continue the comment if
 * they begin with `key`. With `key` "", the comment is only one line. */
static void put_comment(const char *p, const char *key, FILE *out)
{
	char text[1024] = "";
	size_t n = 0;

	while (p && n < sizeof(text) - 1) {
		size_t len = strcspn(p, "\n");

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.*s", n ? " " : "", (int)len,
				      p);
		p += len + (p[len] != '\0');
		p += strspn(p, " \t");
		p = *key && !strncmp(p, key, strlen(key)) ? p + strlen(key) : NULL;
	}
	escape_json(text, out);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Is `column` the first word of the text [from, to), as in a CREATE TABLE, or the last word, as in
 * a SELECT? */
static bool declares_column(const char *from, const char *to, const char *column)
{
	size_t n = strlen(column);

	while (from < to && !is_word(*from))
		from++;
	while (to > from && !is_word(to[-1]))
		to--;
	if ((size_t)(to - from) < n)
		return false;
	return (!strncmp(from, column, n) && (from + n == to || !is_word(from[n]))) ||
	       (!strncmp(to - n, column, n) && (to - n == from || !is_word(to[-n - 1])));
}

/* Returns the comment of a column in the statement that creates its table or view: the text after
 * two dashes in the column's line. NULL means that it has no comment. */
static const char *column_comment(const char *sql, const char *column)
{
	for (const char *line = sql; *line; line += *line == '\n') {
		const char *end = line + strcspn(line, "\n");
		const char *dash = strstr(line, "-- ");

		if (dash && dash < end && declares_column(line, dash, column))
			return dash + 3;
		line = end;
	}
	return NULL;
}

static int put_columns(sqlite3 *db, const char *name, const char *sql, FILE *out,
		       struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	int ret = 0;
	bool first = true;

	if (sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info(?)", -1, &st, NULL))
		ret = md_fail(err, MD_EDB, "cannot read '%s': %s", name, sqlite3_errmsg(db));
	else
		sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	while (!ret && sqlite3_step(st) == SQLITE_ROW) {
		const char *column = (const char *)sqlite3_column_text(st, 0);
		const char *comment = column_comment(sql, column);

		if (!comment)
			continue;
		fputs(first ? "" : ", ", out);
		first = false;
		escape_json(column, out);
		fputs(": ", out);
		put_comment(comment, "", out);
	}
	sqlite3_finalize(st);
	return ret;
}

static int put_table(sqlite3 *db, const char *name, const char *sql, bool first, FILE *out,
		     struct md_err *err)
{
	/* for a view, the line "-- summary:" is its description; for a table, its first comment */
	const char *summary = strstr(sql, "-- summary:"), *comment = strstr(sql, "-- ");
	int ret;

	fprintf(out, "%s\n        ", first ? "" : ",");
	escape_json(name, out);
	fputs(": { \"description\": ", out);
	if (summary)
		put_comment(summary + 11 + strspn(summary + 11, " "), "", out);
	else
		put_comment(comment ? comment + 3 : "", "-- ", out);
	fputs(", \"columns\": { ", out);
	ret = put_columns(db, name, sql, out, err);
	fputs(" } }", out);
	return ret;
}

int dataset_metadata(const char *path, FILE *out, struct md_err *err)
{
	sqlite3_stmt *st = NULL;
	sqlite3 *db = NULL;
	char run[NAME_MAX / 2];
	bool first = true;
	int ret = db_open_readonly(path, &db, err);

	if (ret)
		goto out;
	if (sqlite3_prepare_v2(db, names_sql, -1, &st, NULL)) {
		ret = md_fail(err, MD_EDB, "cannot read '%s': %s", path, sqlite3_errmsg(db));
		goto out;
	}
	name_run(path, run, sizeof(run));
	fputs("{\n  \"title\": \"memdb\",\n  \"databases\": {\n    ", out);
	escape_json(run, out);
	fputs(": {\n      \"tables\": {", out);
	for (; !ret && sqlite3_step(st) == SQLITE_ROW; first = false)
		ret = put_table(db, (const char *)sqlite3_column_text(st, 0),
				(const char *)sqlite3_column_text(st, 1), first, out, err);
	if (ret)
		goto out;
	fputs("\n      }\n    }\n  }\n}\n", out);
	if (fflush(out) || ferror(out))
		ret = md_fail_errno(err, MD_EIO, "cannot write the metadata");
out:
	sqlite3_finalize(st);
	sqlite3_close(db);
	return ret;
}
