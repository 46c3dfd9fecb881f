/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/annotate.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "database/named.h"
#include "database/open.h"
#include "naming/source.h"
#include "report/annotate_block.h"
#include "report/annotate_code.h"
#include "report/object.h"
#include "report/report_sql.h"

enum { FUNCTIONS = 5 };

/* The columns of the rows that sql/annotate/1-lines.sql returns. */
enum {
	BLOCK,
	FUNCTION,
	FILE_PATH,
	PROGRAM,
	BLOCK_SHARE,
	BLOCK_SAMPLES,
	LINE,
	MEASURE,
	SHARE,
	SAMPLES,
	REMOTE_LOW,
	REMOTE_HIGH,
	TOUCHES,
	ACCESSES,
	TEXT,
	LINE_FUNCTION,
	INLINED,
	INLINED_SHARE,
	NOUN
};

/* What is printed: the lines and blocks that match all members. */
struct wanted {
	char *file;           /* NULL means all files */
	const char *function; /* NULL means all functions */
	int line;             /* 0 means all lines */
	sqlite3_int64 object; /* only accesses to the object with this id; 0 means all */
};

struct annotation {
	const struct annotate_options *o;
	sqlite3 *db;
	struct block_printer printer;
};

static int fail_annotate(sqlite3 *db, struct md_err *err)
{
	return md_fail(err, MD_EDB, "cannot annotate: %s", sqlite3_errmsg(db));
}

static double column_percent(sqlite3_stmt *st, int column)
{
	return sqlite3_column_type(st, column) == SQLITE_NULL ? -1
							      : sqlite3_column_double(st, column);
}

static const char *copy_text(struct block *b, sqlite3_stmt *st, int column)
{
	const char *s = (const char *)sqlite3_column_text(st, column);

	return s ? arena_copy(&b->arena, s, strlen(s)) : NULL;
}

static bool add_line(struct block *b, sqlite3_stmt *st)
{
	if (!VEC_ROOM(&b->lines))
		return false;
	if (!b->lines.n) {
		b->function = copy_text(b, st, FUNCTION);
		b->file = copy_text(b, st, FILE_PATH);
		b->program = copy_text(b, st, PROGRAM);
		b->measure = copy_text(b, st, MEASURE);
		b->noun = copy_text(b, st, NOUN);
		b->share = column_percent(st, BLOCK_SHARE);
		b->inlined_share = column_percent(st, INLINED_SHARE);
		b->samples = sqlite3_column_int64(st, BLOCK_SAMPLES);
	}
	b->lines.at[b->lines.n++] = (struct line){
		.line = (uint32_t)sqlite3_column_int64(st, LINE),
		.samples = sqlite3_column_int64(st, SAMPLES),
		.touches = sqlite3_column_int64(st, TOUCHES),
		.share = column_percent(st, SHARE),
		.remote_low = column_percent(st, REMOTE_LOW),
		.remote_high = column_percent(st, REMOTE_HIGH),
		.accesses = copy_text(b, st, ACCESSES),
		.text = copy_text(b, st, TEXT),
		.function = copy_text(b, st, LINE_FUNCTION),
		.inlined = copy_text(b, st, INLINED),
	};
	b->has_remote |= b->lines.at[b->lines.n - 1].remote_low >= 0;
	b->has_touches |= b->lines.at[b->lines.n - 1].touches > 0;
	return b->file && b->measure && b->noun;
}

static void clear_block(struct block *b)
{
	arena_release(&b->arena);
	free(b->lines.at);
	*b = (struct block){ 0 };
}

static int bind_all(sqlite3_stmt *st, const struct wanted *w)
{
	int rc = sqlite3_bind_text(st, sqlite3_bind_parameter_index(st, ":function"), w->function,
				   -1, SQLITE_STATIC);

	rc |= sqlite3_bind_text(st, sqlite3_bind_parameter_index(st, ":file"), w->file, -1,
				SQLITE_STATIC);
	if (w->line)
		rc |= sqlite3_bind_int(st, sqlite3_bind_parameter_index(st, ":line"), w->line);
	if (w->object)
		rc |= sqlite3_bind_int64(st, sqlite3_bind_parameter_index(st, ":object"),
					 w->object);
	if (!w->function && !w->file)
		rc |= sqlite3_bind_int(st, sqlite3_bind_parameter_index(st, ":top"), FUNCTIONS);
	return rc;
}

/* Prints each block (function or file) that matches `w`. If no block matches, prints nothing and
 * returns 0. */
static int print_blocks(struct annotation *a, const struct wanted *w, struct md_err *err)
{
	struct block b = { 0 };
	sqlite3_stmt *st = NULL;
	int64_t nth = 0;
	int ret = 0, rc;

	if (sqlite3_prepare_v2(a->db, sql_annotate[0].text, -1, &st, NULL) || bind_all(st, w))
		ret = fail_annotate(a->db, err);
	while (!ret && (rc = sqlite3_step(st)) != SQLITE_DONE) {
		if (rc != SQLITE_ROW) {
			ret = fail_annotate(a->db, err);
			break;
		}
		if (b.lines.n && sqlite3_column_int64(st, BLOCK) != nth) {
			block_print(&b, &a->printer);
			clear_block(&b);
		}
		nth = sqlite3_column_int64(st, BLOCK);
		if (!add_line(&b, st))
			ret = md_nomem(err);
	}
	if (!ret && b.lines.n)
		block_print(&b, &a->printer);
	clear_block(&b);
	sqlite3_finalize(st);
	return ret;
}

/* Splits "FILE:LINE" into file and line. Without ":LINE", w->line becomes 0 (all lines). */
static int as_file(const char *place, struct wanted *w, struct md_err *err)
{
	char *colon;

	*w = (struct wanted){ .file = strdup(place), .object = w->object };
	if (!w->file)
		return md_nomem(err);
	colon = strrchr(w->file, ':');
	if (colon && isdigit((unsigned char)colon[1]) &&
	    strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
		*colon = '\0';
		w->line = atoi(colon + 1);
	}
	return 0;
}

static int fail_without_samples(const struct annotate_options *o, struct md_err *err)
{
	if (o->place)
		return md_fail(err, MD_EUSAGE,
			       "no function or source file '%s' has samples; `memdb query costs "
			       "by=line` lists those that cost most",
			       o->place);
	return md_fail(err, MD_EUSAGE,
		       "no sample has a source line: a program with -g has them, see `memdb query "
		       "losses`");
}

/* Called when the user's word (o->place) is neither a function nor a file with samples. Prints the
 * function or file that named_find() finds for the word, for example one whose name begins with it.
 */
static int print_similar(struct annotation *a, sqlite3_int64 object, struct md_err *err)
{
	struct wanted w = { 0 };
	char *name = NULL;
	int ret = as_file(a->o->place, &w, err);

	if (!ret && w.line)
		ret = md_fail(err, MD_EUSAGE,
			      "no sample is at line %d of '%s'; `memdb annotate %s` prints the "
			      "lines of this file that have some",
			      w.line, w.file, w.file);
	free(w.file);
	if (ret)
		return ret;
	ret = named_find(a->db, NAMED_PLACE, a->o->place, &name, err);
	if (ret)
		md_wrap(err, "no source file '%s' has samples", a->o->place);
	/* at most one of the two prints something */
	if (!ret)
		ret = print_blocks(a, &(struct wanted){ .function = name, .object = object }, err);
	if (!ret)
		ret = print_blocks(a, &(struct wanted){ .file = name, .object = object }, err);
	free(name);
	return ret;
}

/* Prints the instructions of the user's place, which is a function or FILE[:LINE]. */
static int print_code(struct annotation *a, struct md_err *err)
{
	struct wanted w = { 0 };
	int ret = a->o->place ? as_file(a->o->place, &w, err) : 0;

	if (!ret)
		ret = annotate_code(a->db, a->o->place, w.file, w.line, FUNCTIONS, a->printer.out,
				    err);
	free(w.file);
	return ret;
}

/* Finds the user's object, and prints the other objects of its name. */
static int find_wanted(struct annotation *a, struct wanted *w, struct md_err *err)
{
	int ret = object_find(a->db, a->o->object, &w->object, err);

	return ret ? ret
		   : object_print_namesakes(a->db, a->o->object, w->object, a->printer.out, err);
}

/* Tries what the user's place may be if it is not the name of a function: a source file, or a part
 * of a function's name. */
static int print_other_places(struct annotation *a, struct wanted *w, struct md_err *err)
{
	int ret = as_file(a->o->place, w, err);

	if (!ret)
		ret = print_blocks(a, w, err);
	free(w->file);
	if (ret || a->printer.blocks)
		return ret;
	return print_similar(a, w->object, err);
}

static int annotate(struct annotation *a, struct md_err *err)
{
	struct wanted w = { .function = a->o->place };
	int ret = a->o->object ? find_wanted(a, &w, err) : 0;

	if (ret)
		return ret;
	if (a->o->instructions)
		return print_code(a, err);
	ret = print_blocks(a, &w, err);
	if (ret || a->printer.blocks)
		return ret;
	if (a->o->place) {
		ret = print_other_places(a, &w, err);
		if (ret || a->printer.blocks)
			return ret;
	}
	return fail_without_samples(a->o, err);
}

int report_annotate(const struct annotate_options *o, FILE *out, struct md_err *err)
{
	struct annotation a = { .o = o, .printer = { .paths = &o->sources, .out = out } };
	int ret = db_open_readonly(o->database, &a.db, err);

	if (!ret) {
		a.printer.sources = sources_new();
		ret = a.printer.sources ? annotate(&a, err) : md_nomem(err);
	}
	sources_free(a.printer.sources);
	sqlite3_close(a.db);
	return ret;
}
