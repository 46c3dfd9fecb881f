/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "database/print.h"

#include "base/arena.h"
#include "database/escape.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Column widths are those of the first rows; the rest is not kept. */
enum { LOOK_AHEAD = 1000 };

struct table_print {
	sqlite3_stmt *st;
	FILE *out;
	int ncolumns, nrows;
	int *widths;
	bool *numbers;      /* no value of the column was text in the first rows: to the right */
	const char **cells; /* NULL: NULL */
	struct arena text;
};

static const char *text_of(sqlite3_stmt *st, int i)
{
	return (const char *)sqlite3_column_text(st, i);
}

static bool is_number(sqlite3_stmt *st, int i)
{
	int type = sqlite3_column_type(st, i);

	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void print_padded(FILE *out, const char *s, int width, bool right, bool last)
{
	int pad = width - escape_width(s);

	if (right && pad > 0)
		fprintf(out, "%*s", pad, "");
	escape_text(s, out);
	if (!right && !last && pad > 0)
		fprintf(out, "%*s", pad, "");
	fputs(last ? "\n" : "  ", out);
}

/* Keeps the current row of the statement; false when out of memory. */
static bool keep_row(struct table_print *p)
{
	for (int i = 0; i < p->ncolumns; i++) {
		bool text = sqlite3_column_type(p->st, i) != SQLITE_NULL && !is_number(p->st, i);
		const char *s = text_of(p->st, i), **cell = &p->cells[p->nrows * p->ncolumns + i];
		int w;

		*cell = s ? arena_copy(&p->text, s, strlen(s)) : NULL;
		if (s && !*cell)
			return false;
		if (text)
			p->numbers[i] = false;
		w = s ? escape_width(s) : 1;
		if (w > p->widths[i])
			p->widths[i] = w;
	}
	p->nrows++;
	return true;
}

static void print_head(const struct table_print *p)
{
	for (int i = 0; i < p->ncolumns; i++)
		print_padded(p->out, sqlite3_column_name(p->st, i), p->widths[i], p->numbers[i],
			     i == p->ncolumns - 1);
	for (int i = 0; i < p->ncolumns; i++) {
		for (int k = 0; k < p->widths[i]; k++)
			putc('-', p->out);
		fputs(i == p->ncolumns - 1 ? "\n" : "  ", p->out);
	}
}

static void print_value(const struct table_print *p, const char *s, int column)
{
	print_padded(p->out, s ? s : "-", p->widths[column], p->numbers[column],
		     column == p->ncolumns - 1);
}

static bool table_init(struct table_print *p, sqlite3_stmt *st, FILE *out)
{
	int n = sqlite3_column_count(st);

	*p = (struct table_print){ .st = st, .out = out, .ncolumns = n };
	p->widths = calloc((size_t)n, sizeof(*p->widths));
	p->numbers = calloc((size_t)n, sizeof(*p->numbers));
	p->cells = calloc((size_t)n * LOOK_AHEAD, sizeof(*p->cells));
	if (!p->widths || !p->numbers || !p->cells)
		return false;
	for (int i = 0; i < n; i++) {
		p->widths[i] = escape_width(sqlite3_column_name(st, i));
		p->numbers[i] = true;
	}
	return true;
}

static void table_release(struct table_print *p)
{
	free(p->widths);
	free(p->numbers);
	free(p->cells);
	arena_release(&p->text);
}

static int print_table(sqlite3_stmt *st, FILE *out)
{
	struct table_print p;
	int rc = SQLITE_NOMEM;

	if (!table_init(&p, st, out))
		goto out;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW && p.nrows < LOOK_AHEAD)
		if (!keep_row(&p)) {
			rc = SQLITE_NOMEM;
			goto out;
		}
	print_head(&p);
	for (int i = 0; i < p.nrows * p.ncolumns; i++)
		print_value(&p, p.cells[i], i % p.ncolumns);
	for (; rc == SQLITE_ROW; rc = sqlite3_step(st))
		for (int i = 0; i < p.ncolumns; i++)
			print_value(&p, text_of(st, i), i);
out:
	table_release(&p);
	return rc;
}

static int print_csv(sqlite3_stmt *st, FILE *out)
{
	int n = sqlite3_column_count(st), rc;

	for (int i = 0; i < n; i++) {
		escape_csv(sqlite3_column_name(st, i), out);
		fputs(i == n - 1 ? "\r\n" : ",", out);
	}
	while ((rc = sqlite3_step(st)) == SQLITE_ROW)
		for (int i = 0; i < n; i++) {
			if (text_of(st, i))
				escape_csv(text_of(st, i), out);
			fputs(i == n - 1 ? "\r\n" : ",", out);
		}
	return rc;
}

/* JSON has no infinity: it is null. */
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

static int print_json(sqlite3_stmt *st, FILE *out)
{
	int n = sqlite3_column_count(st), rc;
	bool first = true;

	fputs("[", out);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		fputs(first ? "\n  {" : ",\n  {", out);
		first = false;
		for (int i = 0; i < n; i++) {
			fputs(i ? ", " : "", out);
			escape_json(sqlite3_column_name(st, i), out);
			fputs(": ", out);
			print_json_value(st, i, out);
		}
		fputs("}", out);
	}
	fputs(first ? "]\n" : "\n]\n", out);
	return rc;
}

int print_rows(sqlite3_stmt *st, enum print_format format, FILE *out, struct md_err *err)
{
	int rc;

	switch (format) {
	case PRINT_CSV:
		rc = print_csv(st, out);
		break;
	case PRINT_JSON:
		rc = print_json(st, out);
		break;
	default:
		rc = print_table(st, out);
	}
	if (rc == SQLITE_NOMEM)
		return md_fail(err, MD_ENOMEM, "out of memory");
	if (rc != SQLITE_DONE)
		return md_fail(err, MD_EDB, "%s", sqlite3_errmsg(sqlite3_db_handle(st)));
	if (fflush(out) || ferror(out))
		return md_fail_errno(err, MD_EIO, "cannot write the rows");
	return 0;
}
