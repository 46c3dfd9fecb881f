/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first LOOK_AHEAD rows are stored; they decide the widths of the columns and which columns are
 * shown. Later rows are printed as they come, so the memory does not grow with the size of the
 * result.
 */
#include "database/print_table.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/count.h"
#include "base/escape.h"
#include "base/terminal.h"
#include "database/cell.h"
#include "database/short_code.h"

/* Number of rows that are stored before a table is printed, to decide the widths of its columns. */
enum { LOOK_AHEAD = 1000 };

/* Limits for the width of a text column. TEXT_WIDTH applies if the width of the table is not
 * limited. Otherwise text columns get as much width as fits, but at least TEXT_WIDTH_LEAST on a
 * terminal and TEXT_WIDTH_TIGHT if the caller sets a width. Unless the caller sets a width, the
 * last column may get twice as much. Numbers are never cut. GAP is the space between columns. */
enum {
	TEXT_WIDTH = 60,
	TEXT_WIDTH_LEAST = 30,
	TEXT_WIDTH_READABLE = 17, /* for print_table_within() */
	TEXT_WIDTH_TIGHT = 11,
	GAP = 2
};

struct column {
	const char *name;
	int longest;    /* width of the longest value in the stored rows */
	int least;      /* largest result of cell_least() for these values */
	int width;      /* width with which it is printed */
	int head;       /* result of cell_head(): where its texts are cut */
	bool is_code;   /* whether it has names of functions, which are shortened by short_code() */
	bool is_object; /* whether it has names of objects */
	bool is_text;   /* whether a stored value is text; then the column is aligned to the left */
	/* before fit_columns(): whether one of the stored values is not empty; afterwards: whether
	 * the column is printed */
	bool shown;
};

struct table_print {
	sqlite3_stmt *st;
	FILE *out;
	int ncolumns, nrows;
	struct column *columns;
	/* width limit of the table; 0 means the width of the terminal, if `out` is one */
	int room;
	const char *const *spare; /* see print_table_within() */
	int last;                 /* index of the last column that is printed */
	int text_width;           /* width limit of text columns; text_limit() has exceptions */
	/* the values of the stored rows, and after them one row for values that are printed at
	 * once; NULL means an SQL NULL */
	const char **cells;
	struct arena text;
};

/* Is it the name of a column with functions? */
static bool has_functions(const char *column)
{
	static const char *const names[] = { "function", "caller", "inside", "symbol",
					     "allocator" };

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(column, names[i]))
			return true;
	return false;
}

/* Copies column i of the current row to the arena, as the table shows it; *out is NULL for SQL's
 * NULL. Returns false when out of memory. */
static bool copy_cell(const struct table_print *p, int i, struct arena *arena, const char **out)
{
	const char *s = (const char *)sqlite3_column_text(p->st, i);
	char *shorter = s && p->columns[i].is_code ? short_code(s) : NULL;
	const bool failed = s && p->columns[i].is_code && !shorter;

	s = shorter ? shorter : s;
	*out = s && !failed ? arena_copy(arena, s, strlen(s)) : NULL;
	free(shorter);
	return !failed && (!s || *out);
}

/* Stores the current row of p->st. Returns false when out of memory. */
static bool keep_row(struct table_print *p)
{
	for (int i = 0; i < p->ncolumns; i++) {
		int type = sqlite3_column_type(p->st, i);
		bool text = type == SQLITE_TEXT || type == SQLITE_BLOB;
		const char *s, **cell = &p->cells[p->nrows * p->ncolumns + i];
		struct column *c = &p->columns[i];
		int w;

		if (!copy_cell(p, i, &p->text, cell))
			return false;
		s = *cell;
		c->is_text |= text;
		c->shown |= s && *s;
		w = s ? escape_width(s) : 1;
		if (w > c->longest)
			c->longest = w;
		w = s && text ? cell_least(s) : 0;
		if (w > c->least)
			c->least = w;
	}
	p->nrows++;
	return true;
}

/* Returns the width limit of column i. The last column may be wider, because nothing is aligned
 * after it, unless the caller sets the table's width (p->room). Then names of objects may be wider,
 * because they are what such a table is about. */
static int text_limit(const struct table_print *p, int i)
{
	if (p->room)
		return p->columns[i].is_object ? p->text_width * 3 / 2 : p->text_width;
	return i == p->last ? 2 * p->text_width : p->text_width;
}

/* Returns the width for a label in column i of `row`: that of its column, and of the columns after
 * it that are NULL in this row. Sets *next to the first column after these. */
static int label_room(const struct table_print *p, const char *const *row, int i, int *next)
{
	int room = p->columns[i].width;

	for (*next = i + 1; *next <= p->last; ++*next) {
		if (!p->columns[*next].shown)
			continue;
		if (row[*next])
			break;
		room += GAP + p->columns[*next].width;
	}
	return room;
}

/* Widens column i until its labels fit. The columns after it must already have their widths. */
static void fit_labels(struct table_print *p, int i)
{
	struct column *c = &p->columns[i];

	for (int k = 0; c->width < c->longest && k < p->nrows; k++) {
		const char *const *row = p->cells + k * p->ncolumns;
		int next, missing;

		if (!row[i] || !cell_is_label(row[i]))
			continue;
		missing = escape_width(row[i]) - label_room(p, row, i, &next);
		if (missing > 0)
			c->width += missing;
	}
}

/* Sets the width of each column from the stored rows. Returns the width of the table. */
static int measure_rows(struct table_print *p)
{
	int sum = -GAP;

	for (int i = p->last; i >= 0; i--) {
		struct column *c = &p->columns[i];
		int limit = text_limit(p, i), head = escape_width(c->name);

		if (!c->shown)
			continue;
		c->width = c->longest > limit ? limit : c->longest;
		if (c->width < head)
			c->width = head;
		if (c->width < c->least)
			c->width = c->least;
		fit_labels(p, i);
		sum += c->width + GAP;
	}
	return sum;
}

/* Hides the next column of the list at p->spare that is shown and is not the last one. Returns
 * false if there is none; then p->spare is at the end of the list. */
static bool hide_spare(struct table_print *p)
{
	for (; p->spare && *p->spare; p->spare++)
		for (int i = 0; i < p->last; i++)
			if (p->columns[i].shown && !strcmp(p->columns[i].name, *p->spare)) {
				p->columns[i].shown = false;
				return true;
			}
	return false;
}

/* Gives text columns as much width as fits in `room`, but at least `least`. Returns whether the
 * table fits. With room 0, which means no limit, text columns get TEXT_WIDTH. */
static bool fit_texts(struct table_print *p, int room, int least)
{
	p->text_width = !room ? TEXT_WIDTH : room > least ? room : least;
	while (measure_rows(p) > room && room && p->text_width > least)
		p->text_width--;
	return !room || measure_rows(p) <= room;
}

/* Decides which columns are shown, and how wide. Hides columns that are empty in all stored rows
 * (unless `more` rows follow or all are empty), and then as many of p->spare as necessary. */
static void fit_columns(struct table_print *p, bool more)
{
	int room = p->room ? p->room : terminal_columns(p->out);
	int least = p->room ? TEXT_WIDTH_TIGHT : TEXT_WIDTH_LEAST;
	bool any = false;

	for (int i = 0; i < p->ncolumns; i++)
		any |= p->columns[i].shown;
	for (int i = 0; i < p->ncolumns; i++) {
		p->columns[i].shown |= more || !any;
		if (p->columns[i].shown)
			p->last = i;
	}
	while (p->spare && !fit_texts(p, room, TEXT_WIDTH_READABLE) && hide_spare(p))
		;
	while (p->spare && *p->spare) /* the second list follows the first */
		p->spare++;
	if (p->spare)
		p->spare++;
	while (!fit_texts(p, room, least) && hide_spare(p))
		;
}

/* Prints s, a value or the name of column i, cut to `limit` characters and padded to `width` <=
 * limit. A text at the end of a line is not padded: lines do not end with blanks. */
static void print_cell(const struct table_print *p, const char *s, int i, int width, int limit,
		       bool last)
{
	const bool is_text = p->columns[i].is_text;
	struct escape_cut cut = escape_cut_after(s, limit, p->columns[i].head);
	int pad = width - cut.width;

	if (!is_text && pad > 0)
		fprintf(p->out, "%*s", pad, "");
	escape_text_cut(s, &cut, p->out);
	if (is_text && !last && pad > 0)
		fprintf(p->out, "%*s", pad, "");
	fputs(last ? "\n" : "  ", p->out);
}

/* Prints the column names, which are never cut, and the line below them. */
static void print_head(const struct table_print *p)
{
	terminal_mark(p->out, TERMINAL_HEAD);
	for (int i = 0; i < p->ncolumns; i++)
		if (p->columns[i].shown)
			print_cell(p, p->columns[i].name, i, p->columns[i].width, INT_MAX,
				   i == p->last);
	for (int i = 0; i < p->ncolumns; i++) {
		if (!p->columns[i].shown)
			continue;
		for (int k = 0; k < p->columns[i].width; k++)
			putc('-', p->out);
		fputs(i == p->last ? "" : "  ", p->out);
	}
	terminal_mark(p->out, TERMINAL_PLAIN);
	putc('\n', p->out);
}

/* Prints a row. NULL becomes "-". A label that is too long for its column continues in the columns
 * after it that are NULL in this row. Other texts do not: they would look like values of these. */
static void print_row(const struct table_print *p, const char *const *row)
{
	for (int i = 0, next; i <= p->last; i = next) {
		const struct column *c = &p->columns[i];
		const char *s = row[i] ? row[i] : "-";
		int width = c->width, limit = text_limit(p, i), room;

		next = i + 1;
		if (!c->shown)
			continue;
		if (limit < width)
			limit = width;
		if (c->is_text && row[i] && escape_width(s) > limit) {
			room = cell_is_label(s) ? label_room(p, row, i, &next) : cell_least(s);
			limit = room > limit ? room : limit;
			width = cell_is_label(s) ? limit : width;
		}
		print_cell(p, s, i, width, limit, next > p->last);
	}
}

/* Initializes *p. The statement owns the column names. Returns false when out of memory;
 * table_release() must be called in both cases. */
static bool table_init(struct table_print *p, sqlite3_stmt *st, int room, const char *const *spare,
		       FILE *out)
{
	int n = sqlite3_column_count(st);

	*p = (struct table_print){
		.st = st, .out = out, .room = room, .spare = spare, .ncolumns = n
	};
	p->columns = calloc((size_t)n, sizeof(*p->columns));
	p->cells = calloc((size_t)n * (LOOK_AHEAD + 1), sizeof(*p->cells));
	if (!p->columns || !p->cells)
		return false;
	for (int i = 0; i < n; i++) {
		p->columns[i].name = sqlite3_column_name(st, i);
		if (!p->columns[i].name)
			return false;
		p->columns[i].is_code = has_functions(p->columns[i].name);
		p->columns[i].is_object = !strcmp(p->columns[i].name, "object");
	}
	return true;
}

/* May be called even after table_init() has failed. */
static void table_release(struct table_print *p)
{
	free(p->columns);
	free(p->cells);
	arena_release(&p->text);
}

/* Prints the stored rows as fit_columns() decides. `more` means that further rows follow. */
static void print_kept(struct table_print *p, bool more)
{
	if (!p->nrows) {
		fputs("(no rows)\n", p->out);
		return;
	}
	fit_columns(p, more);
	for (int i = 0; i <= p->last; i++)
		p->columns[i].head =
			cell_head(&(struct cell_column){ p->cells + i, p->nrows, p->ncolumns },
				  p->columns[i].width);
	print_head(p);
	for (int k = 0; k < p->nrows; k++)
		print_row(p, p->cells + k * p->ncolumns);
}

/* Prints the current row, which is not among the stored ones. Returns false when out of memory. */
static bool print_late_row(struct table_print *p)
{
	const char **row = p->cells + p->nrows * p->ncolumns;
	struct arena text = { 0 };
	bool ok = true;

	for (int i = 0; ok && i < p->ncolumns; i++)
		ok = copy_cell(p, i, &text, &row[i]);
	if (ok)
		print_row(p, row);
	arena_release(&text);
	return ok;
}

int print_table(sqlite3_stmt *st, int room, const char *const *spare, FILE *out, uint64_t *rows)
{
	struct table_print p;
	int rc = SQLITE_NOMEM;

	if (!table_init(&p, st, room, spare, out))
		goto out;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW && p.nrows < LOOK_AHEAD)
		if (!keep_row(&p)) {
			rc = SQLITE_NOMEM;
			goto out;
		}
	*rows = (uint64_t)p.nrows;
	if (p.nrows || rc == SQLITE_DONE)
		print_kept(&p, rc == SQLITE_ROW);
	for (; rc == SQLITE_ROW; rc = sqlite3_step(st))
		if (!print_late_row(&p)) {
			rc = SQLITE_NOMEM;
			break;
		}
out:
	table_release(&p);
	return rc;
}
