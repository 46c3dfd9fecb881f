/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/annotate.h"

#include <ctype.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/escape.h"
#include "database/named.h"
#include "database/open.h"
#include "naming/source.h"
#include "report/annotate_code.h"
#include "report/object.h"
#include "report/report_sql.h"

enum { CONTEXT = 3, FUNCTIONS = 5, TAB = 8, MAX_SHOWN = 1000 };

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
	INLINED_SHARE
};

struct line {
	uint32_t line;
	/* touches: bytes of the memory pages that this line was the first to access */
	int64_t samples, touches;
	/* percent of the total of the block's measure (block.measure); negative means unknown */
	double share;
	/* limits of the share of accesses to another NUMA node, in percent, because the node of
	 * some accesses is unknown: remote_low if these are all local, remote_high if they are all
	 * remote. Negative means that there are no accesses to count */
	double remote_low, remote_high;
	const char *accesses, *text, *function;
	/* if not NULL, this entry is about the function of this name that was inlined at the line,
	 * and `share` and `samples` are its own; NULL: they are those of the line */
	const char *inlined;
};

/* The lines of one function or of one file. */
struct block {
	struct {
		struct line *at;
		uint32_t n, cap;
	} lines; /* sorted by line number */
	struct arena arena;
	const char *function, *file, *program; /* function is NULL in a block for a file */
	/* what the `share` of each line is computed from: "cost" or "accesses" */
	const char *measure;
	/* inlined_share: the share of all functions that were inlined in these lines; negative
	 * means none */
	double share, inlined_share;
	int64_t samples;
	bool has_remote, has_touches;
};

/* What the user asks for. A line or block must match all members. */
struct wanted {
	char *file;           /* NULL means any file */
	const char *function; /* NULL means any function */
	int line;             /* 0 means any line */
	sqlite3_int64 object; /* only accesses to the object with this id; 0 means any */
};

struct annotation {
	const struct annotate_options *o;
	sqlite3 *db;
	struct sources *sources;
	FILE *out;
	uint32_t blocks; /* number of blocks printed so far */
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
	return b->file && b->measure;
}

static void clear_block(struct block *b)
{
	arena_release(&b->arena);
	free(b->lines.at);
	*b = (struct block){ 0 };
}

/* Prints source text, with blanks in place of tabs. */
static void print_text(const char *s, FILE *out)
{
	char wide[MAX_SHOWN + TAB + 1];
	size_t n = 0;

	for (; *s && n < MAX_SHOWN; s++) {
		if (*s != '\t') {
			wide[n++] = *s;
			continue;
		}
		do
			wide[n++] = ' ';
		while (n % TAB);
	}
	wide[n] = '\0';
	escape_text(wide, out);
	putc('\n', out);
}

static void print_percent(double v, FILE *out)
{
	if (v >= 0)
		fprintf(out, "%6.1f %%", v);
	else
		fprintf(out, "%8s", "");
}

static void print_range(double low, double high, FILE *out)
{
	char range[32] = "";

	if (low >= 0)
		snprintf(range, sizeof(range), "%.0f-%.0f %%", low, high);
	fprintf(out, " %9s", range);
}

static void print_count(int64_t v, FILE *out)
{
	if (v)
		fprintf(out, " %8" PRId64, v);
	else
		fprintf(out, " %8s", "");
}

/*
 * Prints the columns that precede the text of a source line. `l` is NULL for a line without
 * samples: its columns are blank. With `line` 0 no line number is printed.
 */
static void print_columns(const struct block *b, const struct line *l, uint32_t line, FILE *out)
{
	print_percent(l && l->samples ? l->share : -1, out);
	print_count(l ? l->samples : 0, out);
	if (b->has_remote)
		print_range(l ? l->remote_low : -1, l ? l->remote_high : -1, out);
	if (b->has_touches)
		print_count(l ? (l->touches + 1023) / 1024 : 0, out);
	if (line)
		fprintf(out, " %6" PRIu32 " | ", line);
	else
		fprintf(out, " %6s | ", "");
}

static void print_head(const struct block *b, FILE *out)
{
	if (b->function) {
		escape_text(b->function, out);
		fputs("  ", out);
	}
	escape_text(b->file, out);
	if (b->share >= 0)
		fprintf(out, ": %.1f %% of the %s, %" PRId64 " samples", b->share, b->measure,
			b->samples);
	else
		fprintf(out, ": %" PRId64 " samples", b->samples);
	if (b->inlined_share >= 0.05)
		fprintf(out, "; %.1f %% in functions that were inlined here (=>)",
			b->inlined_share);
	fputs("\n\n", out);
	fprintf(out, "%8s %8s%s%s %6s\n", b->measure, "samples", b->has_remote ? "    remote" : "",
		b->has_touches ? "  KiB new" : "", "line");
}

static void print_line(const struct block *b, const struct line *l, const char *text, FILE *out)
{
	if (l->inlined) {
		print_columns(b, l, 0, out);
		fputs("   => ", out);
		escape_text(l->inlined, out);
		putc('\n', out);
		return;
	}
	print_columns(b, l, l->line, out);
	print_text(text ? text : "", out);
	if (!l->accesses && !l->function)
		return;
	print_columns(b, NULL, 0, out);
	fputs("   -> ", out);
	if (l->accesses)
		escape_text(l->accesses, out);
	if (l->function) {
		fputs(l->accesses ? " (in " : "(in ", out);
		escape_text(l->function, out);
		putc(')', out);
	}
	putc('\n', out);
}

/* Says whether the source file on this machine has the same text as the source lines stored in the
 * database. SOURCE_NONE: there is no file. SOURCE_NEWER: the database stores none of these lines,
 * and the file was changed after the program was built. */
enum source_state { SOURCE_NONE, SOURCE_SAME, SOURCE_CHANGED, SOURCE_NEWER };

static bool is_newer(const char *path, const char *program)
{
	struct stat source, made;

	return program && !stat(path, &source) && !stat(program, &made) &&
	       source.st_mtim.tv_sec > made.st_mtim.tv_sec;
}

/* Compares the file at `path` with the block's lines in the database. Long ones may be stored only
 * in part, so a common start is enough. */
static enum source_state compare_source(struct annotation *a, const struct block *b,
					const char *path)
{
	bool any = false;

	if (!path || !source_line(a->sources, path, 1, 0))
		return SOURCE_NONE;
	for (uint32_t i = 0; i < b->lines.n; i++) {
		const struct line *l = &b->lines.at[i];
		const char *now = source_line(a->sources, path, l->line, 0);

		if (!l->text)
			continue;
		if (!now || strncmp(now, l->text, strlen(l->text)))
			return SOURCE_CHANGED;
		any = true;
	}
	return !any && is_newer(path, b->program) ? SOURCE_NEWER : SOURCE_SAME;
}

/* Prints a warning if the file on this machine may not be the one from which the program was built.
 */
static void say_state(const struct block *b, enum source_state state, const char *path)
{
	bool stored = false;

	for (uint32_t i = 0; i < b->lines.n; i++)
		stored |= b->lines.at[i].text != NULL;
	if (state == SOURCE_CHANGED)
		escape_say("memdb annotate: '%s' has changed since the import: the lines shown are "
			   "those stored in the database",
			   path);
	else if (state == SOURCE_NEWER)
		escape_say("memdb annotate: '%s' is newer than '%s': its lines may not be those "
			   "that ran",
			   path, b->program);
	else if (state == SOURCE_NONE && !stored)
		escape_say("memdb annotate: the source '%s' is not here: --source-dir or "
			   "--substitute-path say where it is",
			   b->file);
}

/* Prints the lines [from, to) of the file at `path` with blank columns: they have no samples. */
static void print_between(struct annotation *a, const struct block *b, const char *path,
			  uint32_t from, uint32_t to)
{
	const char *text;

	for (; from < to && (text = source_line(a->sources, path, from, 0)); from++) {
		print_columns(b, NULL, from, a->out);
		print_text(text, a->out);
	}
}

/*
 * Prints the lines [from, to), which lie between two lines that have samples: all if they are few,
 * otherwise only the first and the last CONTEXT ones.
 */
static void print_gap(struct annotation *a, const struct block *b, const char *path, uint32_t from,
		      uint32_t to)
{
	if (path && to - from <= 2 * CONTEXT + 1) {
		print_between(a, b, path, from, to);
		return;
	}
	if (path)
		print_between(a, b, path, from, from + CONTEXT);
	if (from < to)
		fputs("     ...\n", a->out);
	if (path)
		print_between(a, b, path, to - CONTEXT, to);
}

static void print_block(struct annotation *a, const struct block *b)
{
	char *found = source_path(&a->o->sources, b->file);
	const enum source_state state = compare_source(a, b, found);
	const char *path = state == SOURCE_SAME || state == SOURCE_NEWER ? found : NULL;
	uint32_t next = 0;

	say_state(b, state, found);
	if (a->blocks++)
		putc('\n', a->out);
	print_head(b, a->out);
	for (uint32_t i = 0; i < b->lines.n; i++) {
		const struct line *l = &b->lines.at[i];
		const char *text = l->text;

		if (!next && path)
			print_between(a, b, path, l->line > CONTEXT ? l->line - CONTEXT : 1,
				      l->line);
		else if (next && next < l->line)
			print_gap(a, b, path, next, l->line);
		if (!text && path)
			text = source_line(a->sources, path, l->line, 0);
		print_line(b, l, l->line + 1 == next ? "" : text, a->out);
		next = l->line + 1;
	}
	if (path)
		print_between(a, b, path, next, next + CONTEXT);
	free(found);
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

/* Prints each block (function or file) that matches `w`. If none does, prints nothing and returns
 * 0. */
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
			print_block(a, &b);
			clear_block(&b);
		}
		nth = sqlite3_column_int64(st, BLOCK);
		if (!add_line(&b, st))
			ret = md_nomem(err);
	}
	if (!ret && b.lines.n)
		print_block(a, &b);
	clear_block(&b);
	sqlite3_finalize(st);
	return ret;
}

/* Splits "FILE:LINE" into file and line. */
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

static int nothing(const struct annotate_options *o, struct md_err *err)
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

/* Called when the user's word (o->place) is neither a function with samples nor a file. Prints the
 * function that named_find() takes it for, for example one whose name contains it. */
static int print_similar(struct annotation *a, sqlite3_int64 object, struct md_err *err)
{
	char *function = NULL;
	int ret = named_find(a->db, NAMED_CODE, a->o->place, &function, err);

	if (ret)
		md_wrap(err, "no source file '%s' has samples", a->o->place);
	else
		ret = print_blocks(a, &(struct wanted){ .function = function, .object = object },
				   err);
	free(function);
	return ret;
}

static int annotate(struct annotation *a, struct md_err *err)
{
	struct wanted w = { .function = a->o->place };
	int ret = 0;

	if (a->o->object)
		ret = object_find(a->db, a->o->object, &w.object, err);
	if (!ret && a->o->instructions)
		return annotate_code(a->db, w.function, FUNCTIONS, a->out, err);
	if (!ret)
		ret = print_blocks(a, &w, err);
	if (!ret && !a->blocks && a->o->place) {
		ret = as_file(a->o->place, &w, err);
		if (!ret)
			ret = print_blocks(a, &w, err);
		free(w.file);
	}
	if (!ret && !a->blocks && a->o->place)
		ret = print_similar(a, w.object, err);
	return !ret && !a->blocks ? nothing(a->o, err) : ret;
}

int report_annotate(const struct annotate_options *o, FILE *out, struct md_err *err)
{
	struct annotation a = { .o = o, .out = out };
	int ret = db_open_readonly(o->database, &a.db, err);

	if (!ret) {
		a.sources = sources_new();
		ret = a.sources ? annotate(&a, err) : md_nomem(err);
	}
	sources_free(a.sources);
	sqlite3_close(a.db);
	return ret;
}
