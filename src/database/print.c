/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the rows of a statement in one of several formats. All text is escaped for its format,
 * because a database may contain any bytes.
 */
#include "database/print.h"

#include <stdbool.h>
#include <string.h>

#include "base/count.h"
#include "base/escape.h"
#include "base/terminal.h"
#include "database/print_table.h"

/* Returns column i of the current row as text; NULL for SQL's NULL. Valid until the next step. */
static const char *text_of(sqlite3_stmt *st, int i)
{
	return (const char *)sqlite3_column_text(st, i);
}

/* Is column i of the current row a number? */
static bool is_number(sqlite3_stmt *st, int i)
{
	int type = sqlite3_column_type(st, i);

	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* The separators of a format that prints one line for each row. */
struct line_format {
	const char *before, *between, *after;
	/* printed once for each column, in a line below the names; NULL means that there is no such
	 * line */
	const char *rule;
	void (*escape)(const char *s, FILE *out);
};

/* Prints the separator between column i and the next one, or the end of the line after the last of
 * n columns. */
static void end_value(const struct line_format *f, int i, int n, FILE *out)
{
	fputs(i == n - 1 ? f->after : f->between, out);
}

/* Prints the column names, the first line in CSV, TSV and Markdown. */
static void print_names(sqlite3_stmt *st, const struct line_format *f, FILE *out)
{
	int n = sqlite3_column_count(st);

	fputs(f->before, out);
	for (int i = 0; i < n; i++) {
		f->escape(sqlite3_column_name(st, i), out);
		end_value(f, i, n, out);
	}
	if (!f->rule)
		return;
	fputs(f->before, out);
	for (int i = 0; i < n; i++) {
		fputs(f->rule, out);
		end_value(f, i, n, out);
	}
}

/* Prints one line for each row; NULL becomes an empty field. Returns the SQLite code of the last
 * step. */
static int print_lines(sqlite3_stmt *st, const struct line_format *f, FILE *out, uint64_t *rows)
{
	int n = sqlite3_column_count(st), rc;

	print_names(st, f, out);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		++*rows;
		fputs(f->before, out);
		for (int i = 0; i < n; i++) {
			if (text_of(st, i))
				f->escape(text_of(st, i), out);
			end_value(f, i, n, out);
		}
	}
	return rc;
}

/* Prints column i of the current row. JSON cannot express infinity, which becomes null. */
static void print_json_value(sqlite3_stmt *st, int i, FILE *out)
{
	const char *s = text_of(st, i);

	if (!s || (is_number(st, i) && strpbrk(s, "In")))
		fputs("null", out);
	else if (is_number(st, i))
		fputs(s, out);
	else
		escape_json(s, out);
}

/* Prints one JSON object for each row. Numbers remain numbers, and NULL becomes null. Returns
 * the SQLite code of the last step. */
static int print_json(sqlite3_stmt *st, FILE *out, uint64_t *rows)
{
	int n = sqlite3_column_count(st), rc;

	fputs("[", out);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		fputs((*rows)++ ? ",\n  {" : "\n  {", out);
		for (int i = 0; i < n; i++) {
			fputs(i ? ", " : "", out);
			escape_json(sqlite3_column_name(st, i), out);
			fputs(": ", out);
			print_json_value(st, i, out);
		}
		fputs("}", out);
	}
	fputs(*rows ? "\n]\n" : "]\n", out);
	return rc;
}

static const char *const names[] = {
	[PRINT_TABLE] = "table", [PRINT_CSV] = "csv",           [PRINT_TSV] = "tsv",
	[PRINT_JSON] = "json",   [PRINT_MARKDOWN] = "markdown",
};
ASSERT_NAMES(names, PRINT_MARKDOWN);

int print_format_by_name(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(names[i], name))
			return (int)i;
	return -1;
}

/* Returns the error of the statement, whose last step returned rc, or the error of writing to
 * `out`; 0 if there was none. */
static int end_rows(sqlite3_stmt *st, int rc, FILE *out, struct md_err *err)
{
	if (rc == SQLITE_NOMEM)
		return md_nomem(err);
	if (rc != SQLITE_DONE)
		return md_fail(err, MD_EDB, "%s", sqlite3_errmsg(sqlite3_db_handle(st)));
	if (fflush(out) || ferror(out))
		return md_fail_errno(err, MD_EIO, "cannot write the rows");
	return 0;
}

int print_counted_rows(sqlite3_stmt *st, enum print_format format, FILE *out, uint64_t *rows,
		       struct md_err *err)
{
	static const struct line_format lines[] = {
		[PRINT_CSV] = { "", ",", "\r\n", NULL, escape_csv },
		[PRINT_TSV] = { "", "\t", "\n", NULL, escape_tsv },
		[PRINT_MARKDOWN] = { "| ", " | ", " |\n", "---", escape_markdown },
	};
	uint64_t n = 0;
	int rc;

	switch (format) {
	case PRINT_JSON:
		rc = print_json(st, out, &n);
		break;
	case PRINT_TABLE:
		rc = print_table(st, 0, NULL, out, &n);
		break;
	default:
		rc = print_lines(st, &lines[format], out, &n);
	}
	if (rows)
		*rows = n;
	return end_rows(st, rc, out, err);
}

int print_rows(sqlite3_stmt *st, enum print_format format, FILE *out, struct md_err *err)
{
	return print_counted_rows(st, format, out, NULL, err);
}

int print_table_within(sqlite3_stmt *st, int columns, const char *const *spare, FILE *out,
		       struct md_err *err)
{
	const int terminal = terminal_columns(out);
	uint64_t rows;

	return end_rows(st, print_table(st, terminal ? terminal : columns, spare, out, &rows), out,
			err);
}
